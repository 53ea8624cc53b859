// Fitted numbers: the evaluation's weights, in the order of the features in evaluate.hpp, and the taste in turns, in that
// of candidates.hpp.
#include "search/candidates.hpp"

namespace punct::search {

// clang-format off
const Weights default_weights = {
    -0.082f, 0.524f, 0.589f, 0.531f, 0.489f, 0.393f, 0.274f, 0.16f, 0.035f, -0.038f, -0.119f, -0.208f, -0.313f,
    -0.42f, -0.495f, -0.694f, -0.789f, -0.511f, -0.575f, -0.468f, -0.417f, -0.318f, -0.224f, -0.127f, -0.05f, 0.081f,
    0.196f, 0.224f, 0.216f, 0.372f, 0.546f, 0.515f, 0.458f, 0.097f, 0.109f, 0.293f, 0.18f, 0.169f, 0.106f, 0.012f,
    0.004f, -0.027f, -0.045f, -0.06f, -0.103f, -0.136f, -0.187f, -0.288f, -0.206f, -0.233f, -0.262f, -0.197f, -0.295f,
    -0.181f, -0.103f, -0.026f, -0.042f, 0.014f, 0.046f, 0.05f, 0.115f, 0.153f, 0.245f, 0.407f, 0.226f, 0.153f,
    -0.115f, 0.054f, 0.005f, 0.115f, -0.181f, 0.026f, -0.028f, -0.288f, 0.342f, 0.512f, 0.321f, 0.314f, 0.248f,
    0.221f, 0.134f, 0.17f, 0.107f, 0.246f, 0.368f, 0.44f, 0.204f, 0.071f, 0.058f, 0.179f, -0.063f, 0.004f, 0.029f,
    -0.788f, 0.966f, 1.639f, -1.309f, 0.202f, -0.034f
};

const Taste default_taste = {
    0.611f, 0.461f, 0.241f, 2.732f, 0.509f, 0.453f, 0.222f, 3.255f, 0.191f, 0.974f, 0.784f, 3.708f, -1.163f, -0.767f,
    -0.307f, -11.6f, -0.219f, 2.334f, 1.176f, 1.795f, 1.135f, 0.806f
};
// clang-format on

}  // namespace punct::search
