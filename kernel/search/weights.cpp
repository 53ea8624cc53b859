// Fitted numbers: the evaluation's weights, in the order of the features in evaluate.hpp, and the weights of the prior,
// in that of candidates.hpp.
#include "search/candidates.hpp"

namespace punct::search {

// clang-format off
const EvaluationWeights default_evaluation_weights = {
    -0.06f, 0.623f, 0.7f, 0.643f, 0.627f, 0.491f, 0.34f, 0.203f, 0.058f, -0.069f, -0.182f, -0.287f, -0.471f, -0.517f,
    -0.694f, -0.908f, -0.617f, -0.585f, -0.658f, -0.526f, -0.465f, -0.363f, -0.215f, -0.095f, -0.008f, 0.128f, 0.284f,
    0.407f, 0.415f, 0.497f, 0.445f, 0.36f, 0.32f, -0.031f, -0.035f, 0.073f, 0.108f, 0.197f, 0.085f, 0.031f, 0.016f,
    0.001f, -0.042f, -0.035f, -0.04f, -0.083f, -0.067f, -0.206f, -0.03f, -0.187f, -0.21f, -0.027f, -0.242f, -0.173f,
    -0.132f, -0.053f, -0.051f, -0.009f, 0.019f, 0.002f, 0.041f, 0.081f, 0.174f, 0.243f, 0.466f, 0.245f, -0.206f,
    0.093f, -0.026f, 0.195f, -0.281f, 0.033f, -0.036f, -0.376f, 0.354f, 0.531f, 0.455f, 0.375f, 0.3f, 0.254f, 0.183f,
    0.21f, 0.131f, 0.342f, 0.513f, 0.324f, 0.253f, 0.087f, 0.026f, 0.088f, -0.068f, -0.018f, 0.052f, -0.607f, 0.804f,
    2.253f, -1.916f, 0.23f, -0.054f
};

const PriorWeights default_prior_weights = {
    0.703f, 0.482f, 0.185f, 2.515f, 0.564f, 0.438f, 0.192f, 2.821f, 0.203f, 1.223f, 0.52f, 5.593f, -1.397f, -0.814f,
    0.011f, -10.674f, -0.003f, 2.262f, 1.43f, 1.753f, 1.317f, 0.994f
};
// clang-format on

}  // namespace punct::search
