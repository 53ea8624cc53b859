"""Wins by threats: the forced search agrees with proofs, in the tree and in the blunder check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.engine.test_search import positions
from tests.engine.test_tree import BLUNDER

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
"""Black leads in the centre and seems to win; every move loses to threats, h15-h7sw to those hardest to find."""

LOST_IN_FOUR = (
    "standard w bEb5se bEb6n wLb10s wTd2n bMd11s bCf5se wCg3ne bTh5ne bLi4s wMj7ne bCl4ne wCm10ne wRm14se "
    "bRo7n wMp10n wLp17nw"
)
"""Whatever White plays, Black wins with the second move."""


@pytest.mark.parametrize("moves", [2, 3])
def test_every_proven_win_of_the_tactics_is_found(moves: int) -> None:
    wins = [tactic for tactic in TACTICS if tactic["kind"] == f"win-{moves}"]
    assert wins
    for tactic in wins:
        move, plies, _ = forced_win(tactic["position"], 100_000)
        assert plies == 2 * moves - 1, tactic["position"]
        if moves == 2:  # the file does not have all longer ones
            assert move in tactic["best"]


def test_a_short_win_is_found_exactly_where_there_is_one() -> None:
    """Compared with the prover, which tries every move, in 300 positions of games full of threats."""
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


def test_longer_wins_are_proved() -> None:
    count = 0
    for position in positions(12, 150, range(16, 50)):
        if wins_at_once(position):
            continue
        move, plies, _ = forced_win(str(position), 3000)
        if move is None or plies == 3:
            continue
        count += 1
        position.push(move)
        assert Prover().answer(position, (plies - 1) // 2, budget=5_000_000).lost
    assert count >= 1


def test_the_move_that_is_hardest_to_refute_is_played() -> None:
    """An earlier search refuted six of these moves, and played the seventh without a check."""
    for nodes in (2000, 5000, 20000):
        assert str(Engine(weights=default_weights()).play(RACE, Limits(nodes=nodes)).move) == "h15-h7sw"
    assert Engine().play(RACE, Limits(nodes=20000)).proven == -6
    assert Prover().answer(kernel.Position(RACE), 3).lost


def test_the_blunder_check_covers_the_move_played() -> None:
    """The move does not lose to threats that a thousand tries find."""
    for position in [*positions(13, 12, range(16, 40)), kernel.Position(BLUNDER)]:
        if wins_at_once(position):
            continue
        report = Searcher(16).search(str(position), nodes=2000)
        if report["proven"]:
            continue
        position.push(report["move"])
        _, plies, _ = forced_win(str(position), 1000)
        assert not plies, str(position)


def test_a_forced_loss_is_found_inside_the_tree() -> None:
    """In a search too short for the blunder check; visits alone gave a winning chance of one in three."""
    report = Searcher(16).search(LOST_IN_FOUR, nodes=390)
    assert report["proven"] == -4
    assert Prover().answer(kernel.Position(LOST_IN_FOUR), 2).lost
