"""Whole random games, climbing high, checked at every turn."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.random_play import choose_move
from tests.reference import Board

from punct import Colour, Ending, Position, Rules
from punct.geometry import BOARD

GAMES = 5
MOST_TURNS = 400


@pytest.mark.parametrize("batch", range(24))
def test_whole_games(batch: int) -> None:
    endings: Counter[Ending] = Counter()
    for game in range(GAMES):
        rng = random.Random(f"soak {batch} {game}")
        climbing = (0.05, 0.3, 0.6)[batch % 3]
        position = Position(f"{list(Rules)[batch % 2]} w")
        for _ in range(MOST_TURNS):
            move = choose_move(position, rng, climbing)
            if move is None:
                break
            position.push(move)
            assert sum(position.floors) == BOARD
            assert not position.shown(Colour.WHITE) & position.shown(Colour.BLACK)
            assert position.shown(Colour.WHITE) | position.shown(Colour.BLACK) == BOARD & ~position.floor(0)
        read = Position(str(position))
        assert read == position
        assert (read.floors, read.outcome()) == (position.floors, position.outcome())
        outcome = position.outcome()
        assert (outcome and (outcome.result(), str(outcome.reason))) == Board(str(position)).outcome()
        if outcome:
            endings[outcome.reason] += 1
            assert bool(position.winning_chain) == (outcome.reason is Ending.CONNECTION)
            last = position.pop()
            assert Board(str(position)).legal() == {str(move) for move in position.legal_moves}
            assert last in position.legal_moves
    assert sum(endings.values()) >= GAMES // 2
    assert Ending.NO_TURN not in endings
