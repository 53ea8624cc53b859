// Fitted numbers: the evaluation's weights, in the order of the features in evaluate.hpp, and the taste in turns, in that
// of candidates.hpp.
#include "search/candidates.hpp"

namespace punct::search {

// clang-format off
const Weights default_weights = {
    -0.172f, 0.576f, 0.648f, 0.395f, 0.393f, 0.28f, 0.138f, 0.057f, -0.08f, -0.109f, -0.149f, -0.235f, -0.232f,
    -0.358f, -0.403f, -0.417f, -0.678f, -0.427f, -0.48f, -0.369f, -0.304f, -0.211f, -0.119f, -0.058f, 0.024f, 0.09f,
    0.104f, 0.17f, 0.148f, 0.207f, 0.501f, 0.292f, 0.259f, 0.184f, 0.207f, 0.443f, 0.285f, 0.138f, 0.055f, -0.085f,
    -0.055f, -0.119f, -0.085f, -0.068f, -0.112f, -0.133f, -0.205f, -0.29f, -0.333f, -0.341f, -0.384f, -0.31f, -0.182f,
    -0.153f, -0.036f, 0.069f, 0.028f, 0.069f, 0.067f, 0.053f, 0.097f, 0.124f, 0.216f, 0.358f, 0.152f, 0.074f, -0.025f,
    0.011f, 0.056f, 0.029f, -0.062f, 0.006f, 0.008f, -0.217f, 0.268f, 0.402f, 0.283f, 0.278f, 0.213f, 0.191f, 0.145f,
    0.135f, 0.071f, 0.182f, 0.273f, 0.279f, 0.166f, 0.133f, 0.104f, 0.165f, 0.023f, 0.065f, 0.11f, -1.032f, 1.159f,
    0.798f, -0.538f, 0.194f, -0.056f
};

const Taste default_taste = {
    0.63f, 0.43f, 0.21f, 2.352f, 0.485f, 0.397f, 0.227f, 3.476f, -0.002f, 0.782f, 0.896f, 2.167f, -0.91f, -0.582f,
    -0.5f, -5.974f, -0.207f, 1.759f, 0.902f, 1.331f, 0.867f, 0.631f
};
// clang-format on

}  // namespace punct::search
