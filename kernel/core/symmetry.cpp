#include "symmetry.hpp"

#include <algorithm>

#include "text.hpp"

namespace punct {
namespace {

// Rotation by a sixth clockwise takes heading h to h + 1; mirroring left to right takes n to n, ne to nw, se to sw ...:
// h to -h.
int mapped_heading(int heading, int symmetry) {
  const int mirrored = symmetry >= 6 ? (6 - heading) % 6 : heading;
  return (mirrored + symmetry) % 6;
}

// Any space is a steps n and b steps ne from the centre: (column, row) = a * (0, 1) + b * (1, 1).
Space mapped(int space, int symmetry) {
  const int b = board.column[space] - 8;
  const int a = board.row[space] - 8 - b;
  const int n = mapped_heading(N, symmetry), ne = mapped_heading(NE, symmetry);
  const int column = 8 + a * column_step[n] + b * column_step[ne];
  const int row = 8 + a * row_step[n] + b * row_step[ne];
  return static_cast<Space>(space_at(column, row));
}

// Mirrored, a bend to the right is one to the left; the heading named is the first arm clockwise for T and M, so the
// other arm takes its place.
int mapped_orientation(int orientation, int symmetry) {
  const Shape& s = shapes[orientation];
  if (symmetry < 6) return orientation_of(s.kind, mapped_heading(s.heading, symmetry));
  switch (s.kind) {
    case T: return orientation_of(T, mapped_heading((s.heading + 1) % 6, symmetry));
    case M: return orientation_of(M, mapped_heading((s.heading + 2) % 6, symmetry));
    case L: return orientation_of(R, mapped_heading(s.heading, symmetry));
    case R: return orientation_of(L, mapped_heading(s.heading, symmetry));
    default: return orientation_of(s.kind, mapped_heading(s.heading, symmetry));
  }
}

Symmetry make_symmetries() {
  Symmetry t;
  for (int y = 0; y < symmetry_count; ++y) {
    for (int s = 0; s < space_count; ++s) t.space[y][s] = mapped(s, y);
    for (int o = 0; o < orientation_count; ++o) t.orientation[y][o] = static_cast<uint8_t>(mapped_orientation(o, y));
    for (int s = 0; s < 6; ++s) {
      // A side goes where its spaces go.
      int bit = 0;
      while (!board.side[s].test(bit)) ++bit;
      const uint8_t sides = board.sides[t.space[y][board.space[bit]]];
      for (int to = 0; to < 6; ++to)
        if (sides >> to & 1) t.side[y][s] = static_cast<uint8_t>(to);
    }
    // A reflection is its own inverse.
    t.inverse[y] = static_cast<uint8_t>(y < 6 ? (6 - y) % 6 : y);
  }
  return t;
}

}  // namespace

const Symmetry& symmetries() {
  static const Symmetry table = make_symmetries();
  return table;
}

Placement transformed(Placement p, int symmetry) {
  const Symmetry& t = symmetries();
  return placement_of(t.orientation[symmetry][placement_parts.orientation[p]], t.space[symmetry][punct_of(p)]);
}

Move transformed(Move m, int symmetry) {
  const Placement to = transformed(placement_of(m), symmetry);
  return is_add(m) ? make_add(to) : make_move(symmetries().space[symmetry][from_of(m)], to);
}

Position transformed(const Position& p, int symmetry) {
  Position out(p.rules());
  for (const int id : pieces_in_order(p)) out.place(Position::owner(id), transformed(p.piece(id).placement, symmetry));
  out.set_to_move(p.to_move());
  return out;
}

CanonicalKey canonical_key_of(const Position& p) {
  // The images differ only in where the pieces lie: they share everything else in the hash.
  uint64_t rest = p.hash();
  std::array<uint64_t, symmetry_count> hash{};
  for (int id = 0; id < piece_count; ++id) {
    if (!p.on_board(id)) continue;
    const Piece& piece = p.piece(id);
    rest ^= piece_key(id, piece.placement, piece.level);
    for (int s = 0; s < symmetry_count; ++s) hash[s] ^= piece_key(id, transformed(piece.placement, s), piece.level);
  }
  const uint64_t least =
      *std::min_element(hash.begin(), hash.end(), [&](uint64_t a, uint64_t b) { return (a ^ rest) < (b ^ rest); });
  CanonicalKey out{least ^ rest, 0};
  for (int s = 0; s < symmetry_count; ++s)
    if (hash[s] == least) out.symmetries |= 1u << s;
  return out;
}

Move canonical_move(Move m, unsigned symmetries) {
  Move least = no_move;
  for (int s = 0; s < symmetry_count; ++s)
    if (symmetries >> s & 1) least = std::min(least, transformed(m, s));
  return least;
}

Canonical canonical(const Position& p) {
  Canonical least{text_of(p), 0};
  for (int s = 1; s < symmetry_count; ++s) {
    std::string text = text_of(transformed(p, s));
    if (text < least.text) least = {std::move(text), s};
  }
  return least;
}

}  // namespace punct
