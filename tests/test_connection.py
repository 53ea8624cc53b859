"""Chains from side to side."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punct import SPACES, Space
from punct.connection import connects, shortest_chain
from punct.geometry import BOARD, SIDES, mask_of


def spaces(names: str) -> int:
    return mask_of(Space(name) for name in names.split())


CHAIN = "a8 b8 c8 d8 e8 f8 g8 h8 i8 j9 k10 l11 m11 n11 o11 p11 q11"


def test_a_chain_joins_opposite_sides() -> None:
    assert connects(spaces(CHAIN))
    assert [str(space) for space in shortest_chain(spaces(CHAIN))] == CHAIN.split()


@pytest.mark.parametrize("missing", CHAIN.split())
def test_no_space_of_a_chain_may_be_missing(missing: str) -> None:
    rest = spaces(CHAIN) & ~Space(missing).mask
    assert not connects(rest)
    assert shortest_chain(rest) == ()


def test_adjoining_sides_are_not_enough() -> None:
    assert not connects(spaces("a8 b9 b10"))
    assert not connects(spaces("a2 b2 b1"))


@pytest.mark.parametrize(("near", "far"), SIDES)
def test_all_three_pairs_of_sides(near: int, far: int) -> None:
    inner = BOARD & ~sum(side for pair in SIDES for side in pair)
    assert not connects(inner)
    assert not connects(inner | near)
    assert connects(inner | near | far)
    chain = shortest_chain(inner | near | far)
    assert len(chain) == 17
    assert chain[0].mask & near
    assert chain[-1].mask & far


def test_an_empty_board_joins_nothing() -> None:
    assert not connects(0)
    assert shortest_chain(0) == ()


def test_spaces_beside_a_missing_corner_belong_to_no_side() -> None:
    row = [space for space in SPACES if space.row == 9]
    assert str(row[0]) == "b9"
    assert str(row[-1]) == "p9"
    assert not connects(mask_of(row))


@given(st.integers(0, 2**32), st.integers(60, 150))
def test_a_chain_exists_exactly_when_sides_are_joined(seed: int, count: int) -> None:
    shown = mask_of(random.Random(seed).sample(SPACES, count))
    chain = shortest_chain(shown)
    assert connects(shown) == bool(chain)
    if chain:
        assert mask_of(chain) & ~shown == 0
        assert any(chain[0].mask & near and chain[-1].mask & far for near, far in SIDES)
        for first, second in pairwise(chain):
            assert second in first.neighbours
        # a shortest chain has no shortcut: nothing but consecutive spaces touch
        for at, space in enumerate(chain):
            assert not set(chain[at + 2 :]) & set(space.neighbours)
