"""Batches that play whole games: repetition, truncation, automatic resets, output arrays, threads."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import random_play

from punct import Colour, Game, Position, PunctError, WrongTypeError, kernel
from punct.kernel import LEAVE, Batch, EpisodeResult, Steps, streams

TO_AND_FRO = ("d5-d6ne", "l10-l11n", "d6-d5ne", "l11-l10n")
START = "standard w wEd5ne bTl10n"
OVER = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"


def chance(count: int, seed: int = 1) -> Any:
    return streams(count, random.Random(seed))


# ---------------------------------------------------------------------- games


def test_the_third_time_is_a_draw_as_in_a_game() -> None:
    games, positions = Batch([START], games=True), Batch([START])
    game = Game(START)
    for ply in range(2 * len(TO_AND_FRO)):
        text = TO_AND_FRO[ply % len(TO_AND_FRO)]
        game.push(text)
        for batch in (games, positions):
            batch.step([batch.action(0, text)])
            assert batch.plies().tolist() == [ply + 1]
        assert games.repetitions()[0] == 1 + (ply + 1) // len(TO_AND_FRO)
        assert games.results()[0] == (0 if game.outcome() is None else EpisodeResult.DRAWN)
    assert game.result() == "1/2-1/2"
    assert games.results().tolist() == [EpisodeResult.DRAWN]
    assert positions.results().tolist() == [EpisodeResult.OPEN]
    assert not games.legal_mask().any()
    assert not games.legal_bits().any()
    assert games.legal_actions()[1].tolist() == [0, 0]
    assert games.sample().tolist() == [LEAVE]
    with pytest.raises(PunctError, match="position 0: d5-d6ne: the game is over"):
        games.step([positions.action(0, TO_AND_FRO[0])])
    games.reset()
    assert (games.results()[0], games.plies()[0], games.repetitions()[0]) == (0, 0, 1)


def test_after_an_added_piece_earlier_positions_cannot_recur() -> None:
    batch = Batch([START], games=True)
    for text in (*TO_AND_FRO, "Ta4n", "Tq14s", *TO_AND_FRO):
        batch.step([batch.action(0, text)])
    assert batch.repetitions().tolist() == [2]
    assert batch.results().tolist() == [0]


def test_a_game_is_cut_off_after_so_many_plies() -> None:
    batch = Batch.start(2, games=True, max_plies=3)
    for ply in range(3):
        assert batch.results().tolist() == [0, 0], ply
        batch.step(batch.sample(np.random.default_rng(ply)))
    assert batch.results().tolist() == [EpisodeResult.TRUNCATED] * 2
    assert batch.sample().tolist() == [LEAVE, LEAVE]
    assert Batch.start(1, max_plies=1).max_plies == 1
    for wrong in (0, -1, 2**31, True, 1.5, "3"):
        with pytest.raises(PunctError, match="max_plies is a whole number"):
            Batch.start(1, max_plies=wrong)  # type: ignore[arg-type]


def test_results_have_a_winner_and_rewards() -> None:
    assert EpisodeResult.WHITE_WON.winner is Colour.WHITE
    assert [result.reward(Colour.BLACK) for result in EpisodeResult] == [0, -1, 1, 0, 0]


# ---------------------------------------------------------------------- advancing


def test_advancing_is_stepping_with_rewards() -> None:
    count = 12
    stepped, advanced = (Batch(["standard", "basic"] * (count // 2), games=True) for _ in range(2))
    draws = chance(count)
    for _ in range(200):
        actions = stepped.sample(draws)
        movers = stepped.turns()
        results = stepped.step(actions)
        steps = advanced.advance(actions)
        over = results != 0
        assert (steps.results == results).all()
        assert (steps.terminated == over).all()
        assert not steps.truncated.any()
        rewards = [EpisodeResult(result).reward(Colour(mover)) for result, mover in zip(results, movers, strict=True)]
        assert (steps.rewards == rewards).all()
        stepped.reset(over)
        assert advanced == stepped


def test_when_games_are_reset() -> None:
    at_once, next_step, disabled = (Batch.start(1, games=True, max_plies=2) for _ in range(3))
    draws = {batch: chance(1) for batch in ("at_once", "next_step", "disabled")}
    for ply in range(2):
        first = at_once.advance(at_once.sample(draws["at_once"]))
        second = next_step.advance(next_step.sample(draws["next_step"]), auto_reset="next step")
        third = disabled.advance(disabled.sample(draws["disabled"]), auto_reset=None)
        for steps in (first, second, third):
            assert steps.truncated.tolist() == [ply == 1]
            assert not steps.terminated.any()
            assert steps.results.tolist() == [EpisodeResult.TRUNCATED if ply else 0]
    assert (at_once.plies()[0], next_step.plies()[0], disabled.plies()[0]) == (0, 2, 2)
    assert str(at_once[0]) == "standard w"
    # In place of the next step, whatever the action.
    steps = next_step.advance([123456789], auto_reset="next step")
    assert (next_step.plies()[0], steps.truncated[0], steps.rewards[0], steps.results[0]) == (0, False, 0, 0)
    # Not before reset() is called: until then only LEAVE is allowed.
    assert disabled.advance([LEAVE], auto_reset=None).truncated.tolist() == [True]
    with pytest.raises(PunctError, match=r"position 0: .* the game is over"):
        disabled.advance([0], auto_reset=None)
    disabled.reset()
    assert disabled.results().tolist() == [0]
    with pytest.raises(PunctError, match="'same step', the 'next step' or not"):
        disabled.advance([LEAVE], auto_reset="sometimes")  # type: ignore[arg-type]


def test_uncovering_the_opponents_chain_is_a_loss() -> None:
    """The reward is that of the player who moved."""
    rows = [Position("standard w wEd5ne bTl10n")]
    batch = Batch(rows, games=True)
    draws = chance(1, 3)
    seen = set()
    for _ in range(20_000):
        mover = batch.turns()[0]
        steps = batch.advance(batch.sample(draws))
        if steps.terminated[0]:
            seen.add((int(mover), int(steps.results[0]), float(steps.rewards[0])))
    assert {(0, 1, 1.0), (1, 2, 1.0), (0, 2, -1.0), (1, 1, -1.0), (0, 3, 0.0)} <= seen
    assert all(reward == EpisodeResult(result).reward(Colour(mover)) for mover, result, reward in seen)


def test_nothing_is_played_unless_all_are_legal() -> None:
    batch = Batch.start(3, games=True)
    good = batch.action(0, "Ed5ne")
    steps = Steps(np.full(3, 7, np.float32), np.ones(3, bool), np.ones(3, bool), np.full(3, 7, np.int8))
    for threads in (1, 3):
        with pytest.raises(PunctError, match=r"position 1: .*central hexagon"):
            batch.advance([good, Batch(["basic b"]).action(0, "Ti9n"), 10**9], steps, threads=threads)
    assert [str(batch[row]) for row in range(3)] == ["standard w"] * 3
    assert steps.rewards.tolist() == [7] * 3
    assert steps.results.tolist() == [7] * 3


# ---------------------------------------------------------------------- arrays and threads


@given(st.lists(random_play.positions, min_size=1, max_size=4), st.integers(1, 5))
@settings(max_examples=20)
def test_masks_bits_lists_and_planes_agree_on_any_number_of_threads(slow: list[Position], threads: int) -> None:
    batch = Batch(slow)
    count = len(slow)
    mask, bits = np.ones((count, kernel.ACTIONS), bool), np.full((count, kernel.ACTION_BYTES), 255, np.uint8)
    arrays = np.full(count * 12_000, -7, np.int32), np.zeros(count + 1, np.int64)
    planes = np.full((count, kernel.PLANES, 17, 17), 99, np.uint8)
    assert batch.legal_mask(mask, threads=threads) is mask
    assert batch.legal_bits(bits, threads=threads) is bits
    assert batch.planes(planes, threads=threads) is planes
    actions, starts = batch.legal_actions(arrays, threads=threads)
    assert (mask == batch.legal_mask()).all()
    assert (np.unpackbits(bits, axis=1, count=kernel.ACTIONS, bitorder="little") == mask).all()
    assert (planes == batch.planes()).all()
    assert actions.base is arrays[0]
    for row, position in enumerate(slow):
        listed = actions[starts[row] : starts[row + 1]]
        assert sorted(listed) == np.flatnonzero(mask[row]).tolist()
        assert len(listed) == len(position.legal_moves)
    again, begins = batch.legal_actions()
    assert (again == actions).all() and (begins == starts).all()


def test_games_are_the_same_on_any_number_of_threads() -> None:
    def played(threads: int, rows: int) -> tuple[list[str], list[int]]:
        batch = Batch.start(rows, games=True, max_plies=40)
        draws, actions = chance(rows), np.empty(rows, np.int64)
        steps: Steps | None = None
        ended = []
        for _ in range(150):
            steps = batch.advance(batch.sample(draws, actions, threads=threads), steps, threads=threads)
            ended += steps.results.tolist()
        return [str(batch[row]) for row in range(rows)], ended

    one, ended = played(1, 37)
    assert EpisodeResult.TRUNCATED in ended
    assert played(2, 37) == played(5, 37) == played(64, 37) == (one, ended)
    assert played(1, 5)[0] == one[:5]  # and what a row draws does not depend on how many there are


def test_planes_of_either_player() -> None:
    batch = Batch(["standard w wEd5ne bTl10n", "basic b wEd5ne"])
    own = batch.planes()
    assert (batch.planes(colours=batch.turns()) == own).all()
    other = batch.planes(colours=1 - batch.turns())
    assert (other[:, 3] == own[:, 4]).all() and (other[:, 4] == own[:, 3]).all()
    assert (other[:, 33:39] == own[:, 39:45]).all()
    assert other[:, 46, 0, 0].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda b: b.legal_mask(np.zeros((2, 5), bool)), r"legal_mask: .* shape \(2, 52809\), not \(2, 5\)"),
        (lambda b: b.legal_mask(np.zeros((2, kernel.ACTIONS))), "legal_mask: .* array of bool, not of float64"),
        (lambda b: b.legal_mask([[True]]), "legal_mask: .* NumPy array, not list"),
        (lambda b: b.legal_mask(np.zeros((kernel.ACTIONS, 2), bool).T), "legal_mask: .* in one piece"),
        (lambda b: b.legal_bits(np.zeros((2, kernel.ACTIONS), np.uint8)), "legal_bits: .* shape"),
        (lambda b: b.planes(np.broadcast_to(np.uint8(0), (2, kernel.PLANES, 17, 17))), "planes: .* writable"),
        (lambda b: b.planes(colours=np.zeros(3, np.int8)), "colours has a whole number for each of the 2"),
        (lambda b: b.planes(threads=0), "threads is a whole number from 1 to 256, not 0"),
        (lambda b: b.sample(out=np.zeros(2, np.int32)), "sample: .* int64, not of int32"),
        (lambda b: b.sample(np.zeros(1, np.uint64)), "streams: .* shape"),
        (lambda b: b.sample(np.zeros(2, np.int64)), "streams: .* uint64"),
        (lambda b: b.legal_actions(np.zeros(5, np.int32)), "legal_actions: .* two arrays, not ndarray"),
        (lambda b: b.legal_actions((np.zeros(9, np.int64), np.zeros(3, np.int64))), "legal_actions: .* int32"),
        (lambda b: b.legal_actions((np.zeros((9, 9), np.int32), np.zeros(3, np.int64))), "one dimension, not of 2"),
        (lambda b: b.legal_actions((np.zeros(9, np.int32), np.zeros(9, np.int64))), "begin: .* shape"),
        (lambda b: b.advance([0, 0], (np.zeros(2),)), "written into 4 arrays"),
        (lambda b: b.advance([0, 0], Steps(*[np.zeros(2)] * 4)), "rewards: .* float32"),  # type: ignore[arg-type]
        (lambda b: b.results(np.zeros(2)), "results: .* int8"),
        (lambda b: b.step([0, 0], threads=True), "threads is a whole number"),
    ],
)
def test_arrays_that_do_not_fit_are_errors(ask: Any, sentence: str) -> None:
    batch = Batch.start(2)
    with pytest.raises(PunctError, match=sentence):
        ask(batch)
    assert [str(batch[0]), str(batch[1])] == ["standard w"] * 2


def test_lists_that_are_too_long_leave_the_array_unchanged() -> None:
    batch = Batch.start(2)
    arrays = np.full(9971, -7, np.int32), np.full(3, -7, np.int64)
    with pytest.raises(PunctError, match="9972 legal actions, and room for 9971; nothing was written"):
        batch.legal_actions(arrays)
    assert (arrays[0] == -7).all() and (arrays[1] == -7).all()
    enough = np.zeros(9972, np.int32), np.zeros(3, np.int64)
    assert len(batch.legal_actions(enough)[0]) == 9972


def test_streams() -> None:
    assert (chance(5) == chance(9)[:5]).all()
    assert len(set(chance(1000).tolist())) == 1000
    batch, draws = Batch.start(4), chance(4)
    before = draws.copy()
    first = batch.sample(draws)
    assert (draws != before).all()
    assert (batch.sample(before) == first).all()
    assert (before == draws).all()
    with pytest.raises(WrongTypeError, match=r"random\.Random"):
        streams(3, 5)  # type: ignore[arg-type]
    with pytest.raises(PunctError, match="count is a whole number from 0"):
        streams(-1)


def test_copies_keep_the_history_of_games() -> None:
    """Copies, pickles and taken rows keep earlier positions and the rules of their episodes."""
    batch = Batch([START, START], games=True, max_plies=9)
    for text in TO_AND_FRO:
        batch.step([batch.action(0, text), LEAVE])
    for again in (batch.copy(), pickle.loads(pickle.dumps(batch)), batch.take([0, 1])):
        assert again == batch
        assert (again.games, again.max_plies) == (True, 9)
        assert again.repetitions().tolist() == [2, 1]
        assert again.plies().tolist() == [4, 0]
        for text in TO_AND_FRO:
            again.step([again.action(0, text), LEAVE])
        assert again.results().tolist() == [EpisodeResult.DRAWN, 0]
        again.reset()
        assert [str(again[0]), again.results().tolist()] == [START, [0, 0]]
    image = batch.transformed(3)
    assert image.games and image.plies().tolist() == [4, 0]
    assert image.repetitions().tolist() == [1, 1]


def test_rows_begin_where_they_were_put() -> None:
    batch = Batch([OVER, "standard"], games=True)
    batch[1] = START
    batch.step([LEAVE, batch.action(1, "d5-d6ne")])
    batch.reset([1])
    assert str(batch[1]) == START
    assert batch.results().tolist() == [EpisodeResult.WHITE_WON, 0]
