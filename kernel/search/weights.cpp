// The evaluation's weights, in the order of the features in evaluate.hpp.
#include "search/evaluate.hpp"

namespace punct::search {

// clang-format off
const Weights default_weights = {
  0.5f, -0.0f, -0.45f, -0.9f, -1.35f, -1.8f, -2.25f, -2.7f, -3.15f, -3.6f, -4.05f, -4.5f, -4.95f, -5.4f, -5.85f, -6.3f,
  -6.75f, 0.0f, 0.45f, 0.9f, 1.35f, 1.8f, 2.25f, 2.7f, 3.15f, 3.6f, 4.05f, 4.5f, 4.95f, 5.4f, 5.85f, 6.3f, 6.75f, -0.0f,
  -0.08f, -0.16f, -0.24f, -0.32f, -0.4f, -0.48f, -0.56f, -0.64f, -0.72f, -0.8f, -0.88f, -0.96f, -1.04f, -1.12f, -1.2f,
  0.0f, 0.08f, 0.16f, 0.24f, 0.32f, 0.4f, 0.48f, 0.56f, 0.64f, 0.72f, 0.8f, 0.88f, 0.96f, 1.04f, 1.12f, 1.2f, -0.2f,
  0.2f, 0.3f, -0.3f, 0.1f, -0.1f, 0.1f, -0.1f, -0.8f, 0.5f, 0.5f, 0.3f, 0.2f, 0.15f, 0.1f, 0.08f, 0.06f, 0.03f, 1.5f,
  1.5f, 0.8f, 0.5f, 0.3f, 0.2f, 0.1f, 0.1f, 0.05f, 0.5f, 0.0f, 0.0f, 0.1f, -0.1f, 0.05f, -0.05f
};
// clang-format on

}  // namespace punct::search
