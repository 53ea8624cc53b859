"""The compiled module by itself: whatever it is handed, it answers or raises; it never harms the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from punct import _kernel

RAW: Any = _kernel


def line() -> Any:
    found = RAW.Line.read("standard w wTb9ne bTl5n")
    assert found is not None
    return found


def batch() -> Any:
    found = RAW.Batch()
    found.append(line())
    return found


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: RAW.Line(),
        lambda: RAW.Line.read(None),
        lambda: RAW.Line.read(b"standard w"),
        lambda: line().push(-1),
        lambda: line().push(2**64),
        lambda: line().push("Ed5ne"),
        lambda: line().push_text(None),
        lambda: line().push_texts(None),
        lambda: line().equals(None),
        lambda: line().perft(-1),
        lambda: line().perft(10**6),
        lambda: line().perft(2**40),
        lambda: line().moves([], int),
        lambda: line().moves([None] * _kernel.ACTIONS, None),
        lambda: batch().line(1),
        lambda: batch().line(-1),
        lambda: batch().set(7, line()),
        lambda: batch().append(None),
        lambda: batch().step([1]),
        lambda: batch().step(np.zeros((1, 1), np.int64)),
        lambda: batch().step(np.zeros(1, np.float64)),
        lambda: RAW.wins(line(), 2),
        lambda: RAW.blunders(line(), -1),
        lambda: RAW.groups(None, 0),
        lambda: RAW.reach(line(), 9),
        lambda: RAW.distances(line(), 0, 3),
        lambda: RAW.distance(line(), 2),
        lambda: RAW.evaluate(None),
        lambda: line().shown(2),
        lambda: line().move_at("x"),
        lambda: batch().sample(-1),
        lambda: batch().permutations(12),
        lambda: batch().transformed(-1),
        lambda: RAW.transformed(line(), 12),
        lambda: RAW.transformed_move(2**21, 0),
        lambda: RAW.transformed_move(6962, 0),
        lambda: RAW.measure("list", [None], 0.1),
        lambda: RAW.measure("nonsense", [line()], 0.1),
    ],
)
def test_misuse_raises(misuse: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)):
        misuse()


def test_numbers_that_mean_nothing_are_answered() -> None:
    assert line().top(-1) == line().top(211) == line().top(10**6) == 36
    assert _kernel.move_text(2**63) is None
    assert _kernel.action_of(2**63) == -1
    assert _kernel.move_of_action(line(), -5) == _kernel.move_of_action(line(), 2**60) == 0xFFFFFFFF
    assert batch().step(np.zeros(2, np.int64)) == -2
    assert not _kernel.is_bridge(line(), 2**40)
    assert RAW.play_random(line(), 1, -5) == []
    assert RAW.random_games(line(), 2, 1, -1, -100, 1000, 7)[1] == 0
    assert RAW.measure("list", [], 0.1)[0] == 0
    assert line().move_at(-1) is None
    assert line().move_at(10**9) is None
    assert RAW.score_moves(line(), -5) == []


def test_a_maker_of_moves_that_misbehaves() -> None:
    known: list[object] = [None] * _kernel.ACTIONS

    def shrink(number: int) -> int:
        known.clear()
        return number

    assert line().moves(known, shrink) == line().turns()

    def fail(number: int) -> int:
        raise KeyError(number)

    with pytest.raises(KeyError):
        line().moves([None] * _kernel.ACTIONS, fail)


def test_positions_that_are_over_list_nothing() -> None:
    over = _kernel.Line.read("standard b wEh1n wEh4n wEh7n wEh10n wCh14n wTi16ne")
    assert over is not None
    assert over.over()
    assert over.turns() == []
    assert over.landings() == []
    assert over.count() == 0
    assert not over.is_legal(0)


def test_the_package_opens_the_kernel_when_asked() -> None:
    script = "import sys, punct; assert 'numpy' not in sys.modules; print(punct.kernel.Position('basic b'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "basic b"
