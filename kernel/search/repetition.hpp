// Moves that lead back to an earlier position.
//
// Among thousands of moves such a move may not be a candidate, though a draw by repetition may be the best result left.
// They are found by hash, without making a move.
#pragma once

#include <span>
#include <vector>

#include "core/generate.hpp"

namespace punct::search {

// The moves of the player to move after which one of these positions, given by their hashes, occurs again.
std::vector<Move> moves_back_to(const Position& p, std::span<const uint64_t> hashes);

}  // namespace punct::search
