"""Wins by threats: found where a proof finds them, inside the tree and before a turn is played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.engine.test_search import positions
from tests.engine.test_tree import DOUBTFUL

from punct import kernel
from punct._kernel import Searcher, forced_win
from punct.analysis import Prover, wins_at_once
from punct.engine import Engine, Limits
from punct.engine.weights import default_weights

TACTICS = [
    json.loads(line) for line in (Path(__file__).parent / "tactics.jsonl").read_text(encoding="utf-8").splitlines()
]
RACE = (
    "standard b wMa5ne wEa6ne bEd5nw wEd11s wMe8se wTf13sw wTg4n wCh6se bLh7n bTh9nw bTh13ne bTh15ne bCi2ne wLj6s "
    "wRk9s bLk10nw wTl4sw wTl8n wEm16sw bEn9s bRn11sw bRn14nw wCn16n bMo16n wRp9nw bCp14n wEg6n bEh8s bEk10s bMn9nw "
    "wLn15se"
)
"""Black leads in the centre and looks like winning; every turn loses to threats, h15-h7sw to those hardest to see."""

LOST_IN_FOUR = (
    "standard w bEb5se bEb6n wLb10s wTd2n bMd11s bCf5se wCg3ne bTh5ne bLi4s wMj7ne bCl4ne wCm10ne wRm14se "
    "bRo7n wMp10n wLp17nw"
)
"""Whatever White plays, Black wins with the second turn."""


@pytest.mark.parametrize("turns", [2, 3])
def test_every_proven_win_of_the_tactics_is_found(turns: int) -> None:
    wins = [tactic for tactic in TACTICS if tactic["kind"] == f"win-{turns}"]
    assert wins
    for tactic in wins:
        move, plies, _ = forced_win(tactic["position"], 100_000)
        assert plies == 2 * turns - 1, tactic["position"]
        if turns == 2:  # of longer ones the file has not all
            assert move in tactic["best"]


def test_a_short_win_is_found_where_there_is_one_and_nowhere_else() -> None:
    """Held to the prover, which tries every turn: 300 positions of games full of threats."""
    won = 0
    for position in positions(11, 300, range(16, 60)):
        if wins_at_once(position):
            continue
        move, plies, exhausted = forced_win(str(position), 20_000)
        proven = Prover().wins_in(position, 2)
        if proven:
            won += 1
            assert (move in {str(win) for win in proven}, plies) == (True, 3), str(position)
        else:
            assert plies != 3, str(position)
            assert exhausted or not plies
    assert won >= 3


def test_what_it_finds_in_more_turns_is_proved() -> None:
    found = 0
    for position in positions(12, 150, range(16, 50)):
        if wins_at_once(position):
            continue
        move, plies, _ = forced_win(str(position), 3000)
        if move is None or plies == 3:
            continue
        found += 1
        position.push(move)
        assert Prover().answer(position, (plies - 1) // 2, budget=5_000_000).lost
    assert found >= 1


def test_the_turn_that_is_hardest_to_refute_is_played() -> None:
    """Six of these turns were refuted once, and the seventh was played unseen."""
    for nodes in (2000, 5000, 20000):
        assert str(Engine(weights=default_weights()).play(RACE, Limits(nodes=nodes)).move) == "h15-h7sw"
    assert Engine().play(RACE, Limits(nodes=20000)).proven == -6
    assert Prover().answer(kernel.Position(RACE), 3).lost


def test_what_is_played_was_vetted() -> None:
    """Where time or nodes are left, the turn is one that does not lose to the threats that so many tries find."""
    for position in [*positions(13, 12, range(16, 40)), kernel.Position(DOUBTFUL)]:
        if wins_at_once(position):
            continue
        found = Searcher(16).search(str(position), nodes=2000)
        if found["proven"]:
            continue
        position.push(found["move"])
        _, plies, _ = forced_win(str(position), 1000)
        assert not plies, str(position)


def test_a_forced_loss_is_seen_inside_the_tree() -> None:
    """In a search too short to vet anything; its visits alone left a chance of one in three."""
    found = Searcher(16).search(LOST_IN_FOUR, nodes=390)
    assert found["proven"] == -4
    assert Prover().answer(kernel.Position(LOST_IN_FOUR), 2).lost
