"""Pieces and landings of the kernel, compared with the library."""

from __future__ import annotations

import pytest

from punct import SPACES, Colour, Kind, Position, kernel
from punct.geometry import spaces_of
from punct.kernel.packed import ORIENTATIONS
from punct.piece import Piece

from .lockstep import PREFERENCES

NONE = 36
FIRST = {kind: sum(other.count for other in list(Kind)[: list(Kind).index(kind)]) for kind in Kind}


def library_piece(position: kernel.Position, number: int) -> Piece | None:
    """Return the piece of that number, as the library has it; None for none."""
    if number == NONE:
        return None
    [(_, orientation, space, level, *_)] = [piece for piece in position.track.pieces() if piece[0] == number]
    kind, heading = ORIENTATIONS[orientation]
    assert FIRST[kind] <= number % 18 < FIRST[kind] + kind.count
    return Piece(Colour(number // 18), kind, SPACES[space], heading, level)


@pytest.mark.parametrize("seed", range(10))
def test_pieces_are_the_librarys(seed: int) -> None:
    preference = PREFERENCES[seed % len(PREFERENCES)]
    fast, slow = kernel.Position(), Position()
    while not slow.outcome() and len(slow.moves) < 80:
        [move] = fast.play_random(seed * 1000 + len(slow.moves), 1, raised=preference.raised, bridge=preference.bridge)
        slow.push(move)
        pieces = {library_piece(fast, piece[0]): piece for piece in fast.track.pieces()}
        assert set(pieces) == set(slow.pieces)
        for piece, (number, _, _, _, bridge, under, above) in pieces.items():
            assert piece is not None
            assert bridge == slow.is_bridge(piece)
            stacks = [slow.stack(space) for space in piece.spaces]
            places = [stack.index(piece) for stack in stacks]
            below = [stack[place - 1] if place else None for stack, place in zip(stacks, places, strict=True)]
            assert [library_piece(fast, other) for other in under] == below
            over = dict(zip(piece.spaces, (library_piece(fast, other) for other in above), strict=True))
            assert {space: other for space, other in over.items() if other} == slow.blockers(piece)
            for space in piece.spaces:
                shows = fast.track.piece(SPACES.index(space))
                assert shows is not None and (shows[0] == number) == (slow.top(space) == piece)


def test_pieces_keep_their_numbers() -> None:
    position = kernel.Position()
    for text in ("Td5n", "Tk5n", "Tb5n", "k5-l5n", "d5-d6n"):
        position.push(text)
    assert [piece[0] for piece in position.track.pieces()] == [0, 1, 18]
    assert [SPACES[piece[2]].name for piece in position.track.pieces()] == ["d6", "b5", "l5"]
    position.pop()
    position.push("b5-b6n")
    assert [SPACES[piece[2]].name for piece in position.track.pieces()] == ["d5", "b6", "l5"]
    assert position.track.piece(0) is None
    assert (
        position.track.piece(-1) is None and position.track.piece(211) is None and position.track.piece(10**6) is None
    )


@pytest.mark.parametrize("text", ["standard w", "basic b", "standard w wEd5n wTd9n bTe9se bTd11n"])
def test_numbered_landings_are_the_same_spaces(text: str) -> None:
    track = kernel.Position(text).track
    plain, numbered = track.landings(), track.landings(numbered=True)
    assert [landing[:2] for landing in plain] == [landing[:2] for landing in numbered]
    for (_, _, mask), (_, _, flags) in zip(plain, numbered, strict=True):
        assert spaces_of(mask) == tuple(space for number, space in enumerate(SPACES) if flags >> number & 1)
