// Fitted numbers: the evaluation's weights, in the order of the features in evaluate.hpp, and the taste in turns, in that
// of candidates.hpp.
#include "search/candidates.hpp"

namespace punct::search {

// clang-format off
const Weights default_weights = {
    0.185f, 0.381f, 0.429f, 0.396f, 0.337f, 0.275f, 0.173f, 0.087f, 0.047f, 0.002f, -0.034f, -0.15f, -0.241f, -0.196f,
    -0.384f, -0.403f, -0.535f, -0.431f, -0.485f, -0.419f, -0.336f, -0.288f, -0.188f, -0.128f, -0.075f, -0.016f, 0.05f,
    0.161f, 0.257f, 0.267f, 0.496f, 0.7f, 0.622f, 0.173f, 0.195f, 0.231f, 0.035f, 0.059f, 0.027f, 0.021f, 0.004f,
    -0.005f, 0.017f, -0.019f, -0.037f, -0.056f, -0.056f, -0.166f, -0.239f, -0.114f, -0.129f, -0.152f, -0.052f,
    -0.059f, -0.035f, -0.033f, -0.064f, -0.001f, -0.01f, 0.014f, 0.066f, 0.075f, 0.093f, 0.214f, 0.372f, 0.202f,
    -0.134f, 0.069f, -0.043f, 0.191f, -0.233f, -0.008f, 0.014f, -0.185f, 0.251f, 0.377f, 0.323f, 0.239f, 0.206f,
    0.184f, 0.16f, 0.163f, 0.047f, 0.018f, 0.027f, -0.046f, 0.058f, -0.036f, 0.015f, 0.075f, -0.054f, 0.12f, 0.162f,
    -0.665f, 0.59f, 0.495f, -0.391f, 0.106f, -0.056f
};

const Taste default_taste = {
    1.077f, 0.514f, 0.221f, 0.768f, 1.171f, 0.605f, 0.284f, 3.284f, -0.168f, 0.223f, 0.409f, 1.929f, -0.559f, -0.286f,
    -1.005f, -3.168f, -0.009f, 0.758f, 0.442f, 0.53f, 0.36f, 0.28f
};
// clang-format on

}  // namespace punct::search
