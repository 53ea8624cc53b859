"""The compiled module by itself: any argument gives an answer or an exception, never a crash."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from punct import _kernel

RAW: Any = _kernel


def track() -> Any:
    position = RAW.Track.read("standard w wTb9ne bTl5n")
    assert position is not None
    return position


def batch() -> Any:
    return RAW.Batch([track()], False, 0)


def episode() -> Any:
    return RAW.Episode(track(), True, 0, 1)


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: RAW.Track(),
        lambda: RAW.Track.read(None),
        lambda: RAW.Track.read(b"standard w"),
        lambda: track().push(-1),
        lambda: track().push(2**64),
        lambda: track().push("Ed5ne"),
        lambda: track().push_text(None),
        lambda: track().push_texts(None),
        lambda: track().equals(None),
        lambda: track().perft(-1),
        lambda: track().perft(10**6),
        lambda: track().perft(2**40),
        lambda: track().moves([], int),
        lambda: track().moves([None] * _kernel.ACTIONS, None),
        lambda: batch().track(1),
        lambda: batch().track(-1),
        lambda: batch().set(7, track()),
        lambda: RAW.Batch([None], False, 0),
        lambda: RAW.Batch([track()], False, -1),
        lambda: RAW.Batch(None, False, 0),
        lambda: batch().step([1], 1),
        lambda: batch().step(np.zeros((1, 1), np.int64), 1),
        lambda: batch().step(np.zeros(1, np.float64), 1),
        lambda: batch().step(np.zeros(2, np.int64), 1),
        lambda: batch().step(np.zeros(1, np.int64), 0),
        lambda: batch().step(np.zeros(1, np.int64), -1),
        lambda: batch().step(np.zeros(1, np.int64), 2**31),
        lambda: batch().legal(np.zeros((1, _kernel.ACTIONS + 1), np.bool_), 1),
        lambda: batch().legal(np.zeros((1, _kernel.ACTIONS), np.uint8), 1),
        lambda: batch().legal_bits(np.zeros((1, 1), np.uint8), 1),
        lambda: batch().legal_lists(0),
        lambda: batch().legal_lists_into(np.zeros(9, np.int32), np.zeros(1, np.int64), 1),
        lambda: batch().planes(np.zeros((1, 1, 1, 1), np.uint8), None, 1),
        lambda: batch().planes(np.zeros((1, _kernel.PLANES, 17, 17), np.uint8), np.zeros(2, np.int8), 1),
        lambda: batch().sample(np.zeros(2, np.uint64), np.zeros(1, np.int64), 1),
        lambda: batch().sample(np.zeros(1, np.uint64), np.broadcast_to(np.int64(0), 1), 1),
        lambda: batch().advance(*[np.zeros(1, np.int64)] * 5, 2, 1),
        lambda: batch().results(np.zeros(3, np.int8)),
        lambda: batch().reset(np.array([1])),
        lambda: batch().take(np.array([-1])),
        lambda: batch().resume(1, track(), [], 0),
        lambda: RAW.streams(-1, np.zeros(1, np.uint64)),
        lambda: RAW.Episode(track(), True, -1, 1),
        lambda: RAW.Episode(None, True, 0, 1),
        lambda: episode().step(2**64),
        lambda: episode().step(1.5),
        lambda: episode().legal(np.zeros(1, np.bool_)),
        lambda: episode().planes(2, np.zeros((_kernel.PLANES, 17, 17), np.uint8)),
        lambda: episode().planes(0, np.zeros((17, 17), np.uint8)),
        lambda: RAW.wins(track(), 2),
        lambda: RAW.blunders(track(), -1),
        lambda: RAW.groups(None, 0),
        lambda: RAW.reach(track(), 9),
        lambda: RAW.distances(track(), 0, 3),
        lambda: RAW.distance(track(), 2),
        lambda: RAW.evaluate(None),
        lambda: track().shown(2),
        lambda: track().move_at("x"),
        lambda: batch().sample(-1),
        lambda: batch().permutations(12),
        lambda: batch().transformed(-1),
        lambda: RAW.transformed(track(), 12),
        lambda: RAW.transformed_move(2**21, 0),
        lambda: RAW.transformed_move(6962, 0),
        lambda: RAW.measure("list", [None], 0.1),
        lambda: RAW.measure("nonsense", [track()], 0.1),
    ],
)
def test_misuse_raises(misuse: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)):
        misuse()


def test_numbers_out_of_range_have_an_answer() -> None:
    assert track().top(-1) == track().top(211) == track().top(10**6) == 36
    assert _kernel.move_text(2**63) is None
    assert _kernel.action_of(2**63) == -1
    assert _kernel.move_of_action(track(), -5) == _kernel.move_of_action(track(), 2**60) == 0xFFFFFFFF
    assert episode().step(-5) == episode().step(2**60) == -1
    assert not _kernel.is_bridge(track(), 2**40)
    assert RAW.play_random(track(), 1, -5) == []
    assert RAW.random_games(track(), 2, 1, -1, -100, 1000, 7)[1] == 0
    assert RAW.measure("list", [], 0.1)[0] == 0
    assert track().move_at(-1) is None
    assert track().move_at(10**9) is None
    assert RAW.score_moves(track(), -5) == []


def test_a_move_factory_that_misbehaves() -> None:
    cache: list[object] = [None] * _kernel.ACTIONS

    def shrink(number: int) -> int:
        cache.clear()
        return number

    assert track().moves(cache, shrink) == track().numbers()

    def fail(number: int) -> int:
        raise KeyError(number)

    with pytest.raises(KeyError):
        track().moves([None] * _kernel.ACTIONS, fail)


def test_positions_that_are_over_list_nothing() -> None:
    over = _kernel.Track.read("standard b wEh1n wEh4n wEh7n wEh10n wCh14n wTi16ne")
    assert over is not None
    assert over.over()
    assert over.numbers() == []
    assert over.landings() == []
    assert over.count() == 0
    assert not over.is_legal(0)


def test_the_package_imports_the_kernel_lazily() -> None:
    script = "import sys, punct; assert 'numpy' not in sys.modules; print(punct.kernel.Position('basic b'))"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "basic b"
