"""Arguments that make no sense: the error names them, and is never the binding's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from punct import Colour, PunctError, kernel
from punct.env import VectorEnv
from punct.errors import WrongTypeError
from punct.geometry import BOARD, SPACES, spaces_of
from punct.kernel import openings

KERNEL: Any = kernel
START: Any = kernel.Position("standard w wEd5ne bTl10n")
BATCH: Any = kernel.Batch.start(2)
WHITE: Any = Colour.WHITE
ENV: Any = VectorEnv
OPENINGS: Any = openings
SPACES_OF: Any = spaces_of
NAMED: dict[str, list[Callable[[], object]]] = {
    "turns": [lambda: START.play_random(1, -1), lambda: START.play_random(1, 1e3), lambda: START.play_random(1, None)],
    "seed": [lambda: START.play_random("1", 1), lambda: KERNEL.random_games(START, 1, 1.5)],
    "raised": [lambda: START.play_random(1, 1, raised=-5), lambda: KERNEL.random_games(START, 1, 1, raised="x")],
    "bridge": [lambda: START.play_random(1, 1, bridge=101), lambda: KERNEL.random_games(START, 1, 1, bridge=0.5)],
    "moved": [lambda: START.play_random(1, 1, moved=1.5), lambda: KERNEL.random_games(START, 1, 1, moved=True)],
    "games": [
        lambda: KERNEL.random_games(START, -1, 1),
        lambda: KERNEL.random_games(START, 1.0, 1),
        lambda: KERNEL.random_games(START, 2**70, 1),
        lambda: OPENINGS.opening_moves([("standard w",)], 1),
        lambda: OPENINGS.opening_moves("x", 1),
    ],
    "most": [
        lambda: KERNEL.random_games(START, 1, 1, most=-1),
        lambda: START.score_moves(0),
        lambda: START.score_moves("x"),
        lambda: BATCH.score_moves(1.0),
    ],
    "a player": [
        lambda: START.distance("w"),
        lambda: START.distance(2),
        lambda: START.distance(None),
        lambda: START.distances("w", 0),
        lambda: START.groups("white"),
        lambda: START.winning_moves("w"),
        lambda: START.blunders(3),
        lambda: START.shown(7),
        lambda: START.in_set("w"),
        lambda: START.on_board("w"),
        lambda: START.chain("w"),
    ],
    "pair": [lambda: START.distances(WHITE, -1), lambda: START.distances(WHITE, 0.0)],
    "level": [lambda: START.floor(-1), lambda: START.floor("x")],
    "depth": [lambda: START.perft(-1), lambda: START.perft(1.5), lambda: START.perft("1"), lambda: START.perft(True)],
    "count": [
        lambda: KERNEL.streams(-1),
        lambda: KERNEL.streams(1.5),
        lambda: KERNEL.Batch.start(-1),
        lambda: KERNEL.Batch.start("2"),
        lambda: KERNEL.Batch.start(True),
        lambda: ENV(0),
        lambda: ENV(1.5),
    ],
    "max_plies": [
        lambda: KERNEL.Batch.start(1, max_plies=-1),
        lambda: KERNEL.Batch.start(1, max_plies=1.5),
        lambda: OPENINGS.opening_moves([("standard w", "Ed5ne")], -1),
    ],
    "threads": [lambda: BATCH.sample(threads=0), lambda: BATCH.sample(threads="2"), lambda: ENV(1, threads=1.5)],
    "action": [lambda: BATCH.move(0, "x"), lambda: BATCH.move(0, 1.5)],
    "colours": [lambda: BATCH.planes(colours=["w", "b"]), lambda: BATCH.planes(colours=np.array([0, 2]))],
    "origin": [lambda: KERNEL.Move.shift("E", "d5", "d6", "n")],
    "a move is packed from": [lambda: KERNEL.Move.add("E", "d5", "n")],
    "mask": [lambda: SPACES_OF(-1), lambda: SPACES_OF(1), lambda: SPACES_OF("x"), lambda: SPACES_OF(1 << 400)],
}


@pytest.mark.parametrize("name", NAMED)
def test_an_error_names_the_argument(name: str) -> None:
    before = str(START)
    for call in NAMED[name]:
        with pytest.raises(PunctError, match=f"^{name} "):
            call()
    assert str(START) == before


def test_another_type_is_also_a_type_error() -> None:
    calls: list[Callable[[], object]] = [
        lambda: START.play_random(1, 1e3),
        lambda: START.distance("w"),
        lambda: BATCH.sample(threads="2"),
    ]
    for call in calls:
        with pytest.raises(WrongTypeError):
            call()


def test_numbers_of_numpy_are_numbers() -> None:
    assert START.copy().play_random(np.int64(5), np.uint8(2)) == START.copy().play_random(5, 2)
    assert len(KERNEL.Batch.start(np.int32(3))) == 3
    assert (BATCH.planes(colours=[0, 1]) == BATCH.planes(colours=np.array([0, 1], np.int8))).all()
    assert spaces_of(BOARD) == tuple(SPACES)
