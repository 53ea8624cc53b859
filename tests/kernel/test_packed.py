"""Packed moves: the documented bits, and there and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import random_play

from punct import SPACES, Heading, IllegalMoveError, InvalidMoveError, Kind, Position, Space, _kernel, kernel


def test_the_bits_are_as_documented() -> None:
    packed = kernel.Move.add(Kind.E, Space("d5"), Heading.NE)
    orientation, space = divmod(packed & 0x1FFF, 211)
    assert orientation == 10  # T 0-5, C 6-8, E from 9: n, ne
    assert SPACES[space] is Space("d5")
    assert packed >> 13 == 255
    moved = kernel.Move.shift(Kind.C, Space("d5"), Space("h9"), Heading.SW)
    orientation, space = divmod(moved & 0x1FFF, 211)
    assert orientation == 7  # C ne: its opposite heading is the same placement
    assert SPACES[space] is Space("h9")
    assert SPACES[moved >> 13] is Space("d5")
    assert str(moved) == "d5-h9ne"
    assert moved.kind is Kind.C


@given(random_play.positions)
@settings(max_examples=30)
def test_every_move_there_and_back(slow: Position) -> None:
    fast = kernel.Position(str(slow))
    numbers = fast.track.numbers()
    assert len(set(numbers)) == len(numbers)
    for number in numbers[::13]:
        packed = kernel.Move(number)
        move = packed.unpacked
        assert kernel.Move.pack(move, fast) == packed
        assert kernel.Move.pack(str(move), fast) == packed
        assert _kernel.move_text(number) == str(move) == str(packed)
        piece = None if move.origin is None else slow.top(move.origin)
        assert packed.kind is (move.kind if piece is None else piece.kind)


@given(random_play.positions, st.lists(st.integers(-(2**70), 2**70) | st.integers(0, 2**21), max_size=50))
@settings(max_examples=60)
def test_any_number_is_handled(slow: Position, numbers: list[int]) -> None:
    fast = kernel.Position(str(slow))
    legal = set(fast.track.numbers())
    for number in numbers:
        if 0 <= number < 2**64:
            assert fast.track.is_legal(number) == (number in legal)
            assert fast.track.push(number) == (number in legal)
            if number in legal:
                fast.pop()
        else:
            with pytest.raises(TypeError):
                fast.track.push(number)
        try:
            packed = kernel.Move(number)
        except InvalidMoveError:
            assert number not in legal
        else:
            assert packed.unpacked in slow.legal_moves or number not in legal
    assert str(fast) == str(slow)


def test_only_legal_moves_are_packed() -> None:
    with pytest.raises(IllegalMoveError):
        kernel.Move.pack("Ti9n", kernel.Position())
