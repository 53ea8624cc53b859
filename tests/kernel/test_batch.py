"""Many positions at once: masks, steps and planes agree with single positions; bad actions harm nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import play

from punct import SPACES, Colour, IllegalMoveError, Kind, Position, PunctError, Rules, WrongTypeError, kernel
from punct.kernel.batch import LEAVE

RESULTS = ("*", "1-0", "0-1", "1/2-1/2")
KINDS = tuple(Kind)


@given(st.lists(play.positions, min_size=1, max_size=3))
@settings(max_examples=25)
def test_the_masks_hold_exactly_the_legal_turns(slow: list[Position]) -> None:
    batch = kernel.Batch([str(position) for position in slow])
    mask = batch.legal_mask()
    assert mask.shape == (len(slow), kernel.ACTIONS)
    flat, starts = batch.legal_actions()
    for index, position in enumerate(slow):
        actions = np.flatnonzero(mask[index])
        assert {batch.turn(index, int(action)) for action in actions} == set(position.legal_moves)
        assert len(actions) == len(position.legal_moves)
        assert sorted(flat[starts[index] : starts[index + 1]]) == actions.tolist()
    assert starts[-1] == len(flat)


@given(play.positions)
@settings(max_examples=25)
def test_actions_there_and_back(slow: Position) -> None:
    batch = kernel.Batch([str(slow)])
    for move in list(slow.legal_moves)[::31]:
        action = batch.action(0, move)
        assert 0 <= action < kernel.ACTIONS
        assert batch.turn(0, action) == move


def test_stepping_plays_in_every_position() -> None:
    rng = np.random.default_rng(5)
    batch = kernel.Batch(["standard w", "basic w", "standard w", "basic w"])
    slow = [Position(str(batch[index])) for index in range(len(batch))]
    for _ in range(60):
        mask = batch.legal_mask()
        actions = [int(rng.choice(np.flatnonzero(row))) if row.any() else LEAVE for row in mask]
        for index, action in enumerate(actions):
            move = batch.turn(index, action)
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
def test_what_are_no_actions_is_refused(actions: object) -> None:
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
    assert batch.turn(0, 10**30) is None


def test_an_empty_batch() -> None:
    batch = kernel.Batch([])
    assert len(batch) == 0
    assert batch.legal_mask().shape == (0, kernel.ACTIONS)
    assert batch.planes().shape == (0, kernel.PLANES, 17, 17)
    assert batch.step([]).tolist() == []


@given(play.positions)
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


def test_what_a_batch_is_asked_for() -> None:
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
        with pytest.raises(WrongTypeError, match="rows are told by their numbers"):
            batch.take(wrong)
    with pytest.raises(IndexError):
        batch.take([4])


def test_random_games_from_whatever_is_a_position() -> None:
    expected = kernel.random_games(kernel.Position(), 3, seed=5)
    assert kernel.random_games("standard w", 3, seed=5) == expected
    assert kernel.random_games(Position(), 3, seed=5) == expected
    with pytest.raises(WrongTypeError, match="a position is set up from its text"):
        kernel.random_games(None, 3, seed=5)  # type: ignore[arg-type]
