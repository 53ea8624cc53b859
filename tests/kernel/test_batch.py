"""Many positions at once: masks, steps and planes agree with single positions; invalid actions change nothing."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import random_play

from punct import (
    SPACES,
    SYMMETRIES,
    Colour,
    IllegalMoveError,
    Kind,
    Position,
    PunctError,
    Rules,
    Symmetry,
    WrongTypeError,
    kernel,
)
from punct.kernel.batch import LEAVE

RESULTS = ("*", "1-0", "0-1", "1/2-1/2")
KINDS = tuple(Kind)


@given(st.lists(random_play.positions, min_size=1, max_size=3))
@settings(max_examples=25)
def test_the_masks_hold_exactly_the_legal_moves(slow: list[Position]) -> None:
    batch = kernel.Batch([str(position) for position in slow])
    mask = batch.legal_mask()
    assert mask.shape == (len(slow), kernel.ACTIONS)
    flat, starts = batch.legal_actions()
    for index, position in enumerate(slow):
        actions = np.flatnonzero(mask[index])
        assert {batch.move(index, int(action)) for action in actions} == set(position.legal_moves)
        assert len(actions) == len(position.legal_moves)
        assert sorted(flat[starts[index] : starts[index + 1]]) == actions.tolist()
    assert starts[-1] == len(flat)


@given(random_play.positions)
@settings(max_examples=25)
def test_actions_there_and_back(slow: Position) -> None:
    batch = kernel.Batch([str(slow)])
    for move in list(slow.legal_moves)[::31]:
        action = batch.action(0, move)
        assert 0 <= action < kernel.ACTIONS
        assert batch.move(0, action) == move


def test_stepping_plays_in_every_position() -> None:
    rng = np.random.default_rng(5)
    batch = kernel.Batch(["standard w", "basic w", "standard w", "basic w"])
    slow = [Position(str(batch[index])) for index in range(len(batch))]
    for _ in range(60):
        mask = batch.legal_mask()
        actions = [int(rng.choice(np.flatnonzero(row))) if row.any() else LEAVE for row in mask]
        for index, action in enumerate(actions):
            move = batch.move(index, action)
            if move is not None:
                slow[index].push(move)
        results = batch.step(actions)
        assert [RESULTS[result] for result in results] == [position.result() for position in slow]
        assert [str(batch[index]) for index in range(4)] == [str(position) for position in slow]
        assert batch.turns().tolist() == [position.turn for position in slow]
        assert batch.hashes().tolist() == [kernel.Position(str(position)).hash for position in slow]


def test_a_step_is_played_everywhere_or_nowhere() -> None:
    batch = kernel.Batch.start(3)
    good = batch.action(0, "Ed5ne")
    for bad in (-2, kernel.ACTIONS, kernel.ACTIONS - 1, 2**62, -(2**63)):
        with pytest.raises(PunctError, match="position 1"):
            batch.step([good, bad, good])
        assert [str(batch[index]) for index in range(3)] == ["standard w"] * 3
    with pytest.raises(PunctError, match="central hexagon"):
        other = kernel.Batch(["basic b"]).action(0, "Ti9n")
        batch.step([good, other, good])


@pytest.mark.parametrize(
    "actions", [[1], [1, 2, 3], [[1, 2]], [1.5, 2.5], ["a", "b"], np.array([2**64 - 1, 0], np.uint64), 7]
)
def test_invalid_actions_are_errors(actions: object) -> None:
    batch = kernel.Batch.start(2)
    with pytest.raises(PunctError):
        batch.step(actions)  # type: ignore[arg-type]
    assert str(batch[0]) == "standard w"


def test_finished_games_have_no_actions() -> None:
    batch = kernel.Batch(["standard b wEh1n wEh4n wEh7n wEh10n wCh14n wTi16ne"])
    assert batch.results().tolist() == [1]
    assert not batch.legal_mask().any()
    assert batch.step([LEAVE]).tolist() == [1]
    with pytest.raises(PunctError, match="over"):
        batch.step([0])


def test_a_batch_is_a_row_of_positions() -> None:
    batch = kernel.Batch.start(2, "basic")
    batch[1] = "standard w wTb9ne"
    assert str(batch[-1]) == "standard w wTb9ne"
    twin = batch.copy()
    twin[0] = kernel.Position("standard b")
    assert str(batch[0]) == "basic w"
    batch[0].push("Ed5ne")  # a copy: the batch does not change
    assert str(batch[0]) == "basic w"
    for index in (2, -3, 10**30):
        with pytest.raises(IndexError):
            batch[index]
    with pytest.raises(IllegalMoveError):
        batch.action(0, "Ti9n")
    with pytest.raises(PunctError):
        kernel.Batch(["nonsense"])
    with pytest.raises(PunctError):
        kernel.Batch.start(-1)
    assert batch.move(0, 10**30) is None


def test_an_empty_batch() -> None:
    batch = kernel.Batch([])
    assert len(batch) == 0
    assert batch.legal_mask().shape == (0, kernel.ACTIONS)
    assert batch.planes().shape == (0, kernel.PLANES, 17, 17)
    assert batch.step([]).tolist() == []


@given(random_play.positions)
@settings(max_examples=40)
def test_the_planes_are_as_documented(slow: Position) -> None:
    planes = kernel.Batch([str(slow)]).planes()[0]
    expected = np.zeros((kernel.PLANES, 17, 17), np.uint8)
    for space in SPACES:
        at = space.column, space.row - 1
        expected[0][at] = 1
        expected[1][at] = space.in_centre
        top = slow.top(space)
        if top is None:
            continue
        whose = int(top.colour is not slow.turn)
        expected[2][at] = top.level
        expected[3 + whose][at] = 1
        expected[5 + whose][at] = slow.is_free(top)
        expected[7 + 6 * whose + KINDS.index(top.kind)][at] = 1
        if top.space is space:
            expected[19 + 6 * whose + top.heading][at] = 1
        if len(slow.stack(space)) > 1:
            expected[31 + int(slow.stack(space)[-2].colour is not slow.turn)][at] = 1
    for number, kind in enumerate(KINDS):
        expected[33 + number] = slow.in_set(slow.turn)[kind]
        expected[39 + number] = slow.in_set(slow.turn.other)[kind]
    expected[45] = slow.rules is Rules.STANDARD
    expected[46] = slow.turn is Colour.WHITE
    assert np.array_equal(planes, expected)


def test_positions_and_rows_of_a_batch() -> None:
    batch = kernel.Batch(["standard", Rules.BASIC, Position("basic b wTd5n"), kernel.Position("standard b wTd5n")])
    assert [str(batch[index]) for index in range(4)] == ["standard w", "basic w", "basic b wTd5n", "standard b wTd5n"]
    wrong: Any
    for wrong in (slice(0, 1), "0", None, 1.5, (0, 1)):
        with pytest.raises(WrongTypeError, match=r"by its number, such as batch\[0\].*batch\.take\(rows\)"):
            batch[wrong]
    for wrong in (7, None, "standard w"):
        with pytest.raises(WrongTypeError, match="a batch is made of several positions"):
            kernel.Batch(wrong)
    assert str(batch[np.int64(2)]) == "basic b wTd5n"
    few = batch.take([3, 0])
    assert [str(few[0]), str(few[1])] == ["standard b wTd5n", "standard w"]
    assert str(batch.take(batch.turns() == 1)[0]) == "basic b wTd5n"
    assert len(batch.take([])) == 0
    for wrong in ("all", [0.5], [[0]]):
        with pytest.raises(WrongTypeError, match="rows are given by their numbers"):
            batch.take(wrong)
    with pytest.raises(IndexError):
        batch.take([4])


def test_random_games_from_any_kind_of_position() -> None:
    expected = kernel.random_games(kernel.Position(), 3, seed=5)
    assert kernel.random_games("standard w", 3, seed=5) == expected
    assert kernel.random_games(Position(), 3, seed=5) == expected
    with pytest.raises(WrongTypeError, match="a position is set up from its text"):
        kernel.random_games(None, 3, seed=5)  # type: ignore[arg-type]


def test_resetting_rows() -> None:
    position = kernel.Position("basic b wTd5n")
    batch = kernel.Batch(["standard w", position, "standard b wEd5ne"])
    position.push("Tl5n")  # the batch has its own copy
    starts = [str(batch[row]) for row in range(3)]
    rng = np.random.default_rng(3)
    for _ in range(3):
        batch.step(batch.sample(rng))
    played = [str(batch[row]) for row in range(3)]
    batch.reset([1])
    assert [str(batch[row]) for row in range(3)] == [played[0], starts[1], played[2]]
    batch.reset(np.array([True, False, False]))
    assert str(batch[0]) == starts[0]
    batch.reset()
    assert [str(batch[row]) for row in range(3)] == starts
    batch[2] = "basic w"
    batch.step([LEAVE, LEAVE, batch.action(2, "Ed5ne")])
    batch.reset([2])
    assert str(batch[2]) == "basic w"
    with pytest.raises(IndexError):
        batch.reset([3])


def test_samples_are_legal_fair_and_can_be_repeated() -> None:
    over = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"
    batch = kernel.Batch([over, *["standard b wEd5ne"] * 400])
    actions = batch.sample(np.random.default_rng(1))
    assert actions[0] == LEAVE
    assert batch.legal_mask()[np.arange(1, 401), actions[1:]].all()
    assert len(set(actions.tolist())) > 350
    assert (batch.sample(np.random.default_rng(1)) == actions).all()
    assert (batch.sample(random.Random(1)) == batch.sample(random.Random(1))).all()
    assert len(kernel.Batch([]).sample()) == 0
    with pytest.raises(WrongTypeError, match=r"random\.Random"):
        batch.sample(5)  # type: ignore[arg-type]


def test_batches_are_values() -> None:
    batch = kernel.Batch(["standard w", "basic b wTd5n"])
    batch.step(batch.sample(random.Random(2)))
    for again in (batch.copy(), copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        assert again == batch
        again.reset()
        assert [str(again[0]), str(again[1])] == ["standard w", "basic b wTd5n"]
        assert again != batch
    assert batch != 5


@given(st.lists(random_play.positions, min_size=1, max_size=2), st.sampled_from(SYMMETRIES))
@settings(max_examples=25)
def test_actions_follow_the_board(slow: list[Position], symmetry: Symmetry) -> None:
    batch = kernel.Batch(slow)
    image = batch.transformed(symmetry)
    there = batch.permutations(symmetry)
    before, after = batch.legal_mask(), image.legal_mask()
    for row, position in enumerate(slow):
        assert image[row] == symmetry.position(position)
        assert (np.sort(there[row]) == np.arange(kernel.ACTIONS)).all()
        moved = np.zeros(kernel.ACTIONS, bool)
        moved[there[row]] = before[row]
        assert (moved == after[row]).all()
        for action in np.flatnonzero(before[row])[::211]:
            move = batch.move(row, int(action))
            assert move is not None
            assert image.move(row, int(there[row, action])) is symmetry.move(move, position)
        back = image.permutations(symmetry.inverse)[row]
        assert (back[there[row]] == np.arange(kernel.ACTIONS))[before[row]].all()


@given(st.lists(random_play.positions, min_size=1, max_size=4))
@settings(max_examples=15)
def test_evaluations_of_a_batch_are_those_of_its_positions(slow: list[Position]) -> None:
    batch = kernel.Batch(slow)
    chances, distances = batch.evaluate(), batch.distances()
    actions, priors, starts = batch.score_moves(8)
    assert distances.shape == (len(slow), 2, 3)
    for row, position in enumerate(slow):
        fast = kernel.Position(position)
        assert 0.0 <= chances[row] <= 1.0
        assert chances[row] == np.float32(fast.evaluate())
        for colour in Colour:
            assert tuple(distances[row, colour]) == fast.distance(colour)
            assert (0 in fast.distance(colour)) == bool(position.chain(colour))
        scored = [
            (batch.move(row, int(action)), float(prior))
            for action, prior in zip(
                actions[starts[row] : starts[row + 1]], priors[starts[row] : starts[row + 1]], strict=True
            )
        ]
        assert scored == fast.score_moves(8)
        if outcome := position.outcome():
            assert scored == []
            expected = 0.5 if outcome.winner is None else float(outcome.winner is position.turn)
            assert chances[row] == expected
        else:
            assert 1 <= len(scored) <= 8
            assert all(move in position.legal_moves for move, _ in scored)
            assert [prior for _, prior in scored] == sorted((prior for _, prior in scored), reverse=True)
            assert abs(sum(prior for _, prior in scored) - 1) < 1e-4
    with pytest.raises(PunctError, match="most is a whole number"):
        batch.score_moves(0)
