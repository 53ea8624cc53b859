"""Many games at once: each row as one game would be, for any number of threads, into arrays that are given."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from threading import Thread
from typing import Any

import numpy as np
import pytest

from punct import PunctError, kernel
from punct.env import Episode, VectorEnv
from punct.kernel import LEAVE, EpisodeResult, Steps, streams

STARTS = ("standard", "basic", "standard w wEd5ne bTl10n")


def test_a_row_plays_as_one_game_does() -> None:
    count, max_plies = 3, 45
    games = VectorEnv(count, STARTS, max_plies=max_plies, seed=9)
    singles = [Episode(start, max_plies=max_plies) for start in STARTS]
    for single, stream in zip(singles, streams(count, Random(9)).tolist(), strict=True):
        single._game.stream = stream
    ended = set()
    for _ in range(200):
        actions = games.sample()
        assert actions.tolist() == [single.sample() for single in singles]
        movers = [single.turn for single in singles]
        assert games.turns().tolist() == movers
        steps = games.step(actions)
        standings = [
            EpisodeResult(single.step(action)) for single, action in zip(singles, actions.tolist(), strict=True)
        ]
        assert steps.results.tolist() == standings
        assert steps.rewards.tolist() == [s.reward(mover) for s, mover in zip(standings, movers, strict=True)]
        assert steps.truncated.tolist() == [standing is EpisodeResult.TRUNCATED for standing in standings]
        assert (steps.terminated | steps.truncated).tolist() == [single.over for single in singles]
        ended |= set(standings)
        for single in singles:
            if single.over:
                single.reset()
        mask, planes = games.legal_mask(), games.planes()
        for row, single in enumerate(singles):
            assert str(games.batch[row]) == str(single.position)
            assert (mask[row] == single.legal_mask()).all()
            assert (planes[row] == single.planes()).all()
    assert EpisodeResult.TRUNCATED in ended and len(ended) > 2


def test_the_same_seed_has_the_same_games_on_any_number_of_threads() -> None:
    def played(seed: int, threads: int) -> list[int]:
        games = VectorEnv(21, seed=seed, threads=threads)
        return [int(number) for _ in range(90) for number in games.step(games.sample()).results] + [
            int(number) for number in games.batch.hashes() % 1000
        ]

    assert played(1, 1) == played(1, 2) == played(1, 7) != played(2, 1)
    games = VectorEnv(4, seed=1)
    first = games.sample()
    games.step(first)
    games.reset(seed=1)
    assert games.batch.plies().tolist() == [0] * 4
    assert (games.sample() == first).all()


def test_everything_into_arrays_that_are_given() -> None:
    games = VectorEnv(5, "basic", seed=2)
    actions, turns = np.zeros(5, np.int64), np.zeros(5, np.int8)
    steps = Steps(np.zeros(5, np.float32), np.zeros(5, bool), np.zeros(5, bool), np.zeros(5, np.int8))
    planes = np.zeros((5, kernel.PLANES, 17, 17), np.uint8)
    mask, bits = np.zeros((5, kernel.ACTIONS), bool), np.zeros((5, kernel.ACTION_BYTES), np.uint8)
    lists = np.zeros(60_000, np.int32), np.zeros(6, np.int64)
    for _ in range(3):
        assert games.sample(out=actions) is actions
        assert all(got is given for got, given in zip(games.step(actions, out=steps), steps, strict=True))
        assert games.planes(planes) is planes and games.legal_mask(mask) is mask
        assert games.legal_bits(bits) is bits and games.turns(turns) is turns
        found, starts = games.legal_actions(lists)
        assert starts is lists[1] and len(found) == mask.sum()
    assert games.num_envs == len(games) == 5
    with pytest.raises(PunctError, match=r"rewards: .* float32"):
        games.step(actions, out=Steps(np.zeros(5), *steps[1:]))  # type: ignore[arg-type]
    with pytest.raises(PunctError, match=r"planes: .* shape"):
        games.planes(planes[:4])


def test_games_that_are_over_begin_anew_as_they_are_told_to() -> None:
    kept = VectorEnv(2, max_plies=1, auto_reset=None, seed=1)
    assert kept.step(kept.sample()).truncated.all()
    assert kept.sample().tolist() == [LEAVE, LEAVE]
    kept.reset(rows=[1])
    assert kept.batch.results().tolist() == [EpisodeResult.TRUNCATED, 0]
    later = VectorEnv(2, max_plies=1, auto_reset="next step", seed=1)
    assert later.step(later.sample()).truncated.all()
    assert later.batch.plies().tolist() == [1, 1]
    assert not later.step(later.sample()).truncated.any()
    assert later.batch.plies().tolist() == [0, 0]


def test_an_illegal_action_is_told_with_its_row_and_reason() -> None:
    games = VectorEnv(3)
    actions = games.sample()
    actions[2] = kernel.Batch(["basic b"]).action(0, "Ti9n")
    with pytest.raises(PunctError, match=r"position 2: Ti9n: .*central hexagon"):
        games.step(actions)
    assert games.batch.plies().tolist() == [0, 0, 0]


def test_what_is_no_lot_of_games_is_refused() -> None:
    wrong: Any
    for count, start in ((3, ["standard"]), (2, ["standard"]), (1, [])):
        with pytest.raises(PunctError, match=f"{count} games need as many positions"):
            VectorEnv(count, start)
    for wrong in (0, -1, 1.5, "3", True):
        with pytest.raises(PunctError, match="count is a whole number"):
            VectorEnv(wrong)
    with pytest.raises(PunctError, match="the game is over in basic b"):
        VectorEnv(2, ["basic", "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"])
    with pytest.raises(PunctError, match="threads is a whole number"):
        VectorEnv(1, threads=0)
    for wrong in ("never", "same_step", 1):
        with pytest.raises(PunctError, match="games are reset in"):
            VectorEnv(1, auto_reset=wrong)


def test_one_batch_used_by_several_threads_of_python() -> None:
    """They wait for each other: nothing is torn, and every position stays one that can be reached."""
    games = VectorEnv(16, seed=1, threads=2)
    failed: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for _ in range(60):
                with suppress(PunctError):  # where another has played in between: what was drawn is no longer legal
                    games.step(games.batch.sample(np.random.default_rng(seed)))
                games.planes()
                games.legal_actions()
        except BaseException as error:
            failed.append(error)

    threads = [Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    for row in range(16):
        position = games.batch[row]
        assert position.track.hash == position.track.hash_from_scratch
