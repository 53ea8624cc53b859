// Moves that lead back to a position that stood before.
//
// Among thousands of moves such a one may not look like a candidate, though a draw by repetition is the best a player
// can hope for. No move is made to find it: hashes tell.
#pragma once

#include <span>
#include <vector>

#include "core/generate.hpp"

namespace punct::search {

// The moves of the player to move after which one of these positions, told by their hashes, stands again.
std::vector<Move> moves_back_to(const Position& p, std::span<const uint64_t> seen);

}  // namespace punct::search
