"""What is proved by looking at everything, held to looking at everything in another way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punct import Colour, Move, Position, kernel
from punct.analysis import Prover, defences, last_piece_wins, wins_at_once

TACTICS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "engine" / "tactics.jsonl").read_text(encoding="utf-8").splitlines()
]
ONE_TURN_TO_WIN = "basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n"
WON = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"


def tactic(kind: str) -> str:
    """Return the position of the first tactic of a kind."""
    return str(next(tactic["position"] for tactic in TACTICS if tactic["kind"] == kind))


def won_by(position: kernel.Position, colour: Colour) -> set[Move]:
    """Return the turns after which the rules say that this player has won."""
    found = set()
    for move in list(position.legal_moves):
        position.push(move)
        outcome = position.outcome()
        if outcome is not None and outcome.winner is colour:
            found.add(move)
        position.pop()
    return found


@pytest.mark.parametrize("text", [ONE_TURN_TO_WIN, *map(tactic, ("win-1", "bridge", "centre", "defence"))])
def test_wins_at_once_are_those_the_rules_know(text: str) -> None:
    position = kernel.Position(text)
    assert set(wins_at_once(text)) == won_by(position, position.turn)


def test_defences_leave_the_opponent_no_win() -> None:
    position = kernel.Position(tactic("defence"))
    me, held = position.turn, set(defences(position))
    assert held
    for move in list(position.legal_moves)[::40] + sorted(held, key=str):
        position.push(move)
        outcome = position.outcome()
        lost = outcome.winner is me.other if outcome is not None else bool(won_by(position, me.other))
        position.pop()
        assert lost == (move not in held)
    assert len(defences(position, 1)) == 1


def test_a_win_in_two_leaves_nothing_to_reply() -> None:
    position = kernel.Position(tactic("win-2"))
    prover = Prover()
    found = prover.wins_in_two(position)
    assert sorted(map(str, found)) == next(tactic["best"] for tactic in TACTICS if tactic["kind"] == "win-2")
    position.push(found[0])
    assert position.outcome() is None
    assert defences(position, 1) == []


def test_no_win_in_three_where_there_is_nothing_to_threaten_with() -> None:
    assert Prover().win_in_three("standard w wEd5n bTl5n") is None


@pytest.mark.parametrize("make", [str, Position, kernel.Position])
def test_a_position_of_any_kind_is_left_as_it_is(make: type) -> None:
    position = make(ONE_TURN_TO_WIN)
    assert wins_at_once(position)
    assert len(defences(position, 2)) == 2
    assert not last_piece_wins(position, Colour.WHITE)
    assert Position(position) == Position(ONE_TURN_TO_WIN)


def test_a_game_that_is_over_has_nothing_to_prove() -> None:
    assert wins_at_once(WON) == defences(WON) == Prover().wins_in_two(WON) == []
    assert Prover().win_in_three(WON) is None
