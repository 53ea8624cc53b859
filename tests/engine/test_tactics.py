"""The tactics file: its solutions are proved, and the engine at full strength finds them within a budget of nodes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from punct import kernel
from punct.analysis import Prover, defences, wins_at_once
from punct.engine import LEVELS, Engine, Limits

BUDGET = 10000
TACTICS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "tactics.jsonl").read_text(encoding="utf-8").splitlines()
]
NAMED = [pytest.param(tactic, id=f"{number}-{tactic['kind']}") for number, tactic in enumerate(TACTICS, 1)]


def test_there_are_enough_of_every_kind() -> None:
    counts = Counter(tactic["kind"] for tactic in TACTICS)
    assert sum(counts.values()) >= 60
    for kind, least in {"win-1": 8, "win-2": 12, "win-3": 3, "defence": 12, "centre": 6, "bridge": 6}.items():
        assert counts[kind] >= least, kind
    assert len({tactic["position"] for tactic in TACTICS}) == len(TACTICS)
    assert {tactic["position"].split()[0] for tactic in TACTICS} == {"standard", "basic"}


@pytest.mark.usefixtures("shipped_network")  # a stronger one solves them, too, or is not shipped
@pytest.mark.parametrize("tactic", NAMED)
def test_it_is_solved_within_the_budget(tactic: dict[str, Any]) -> None:
    result = Engine().play(tactic["position"], Limits(nodes=BUDGET))
    # The search may have proved a longer win.
    assert str(result.move) in tactic["best"] or (tactic["turns"] > 1 and result.proven > 0)
    if tactic["turns"] == 1:
        assert result.proven == 1


@pytest.mark.parametrize("level", [level.number for level in LEVELS if not level.miss_win_chance])
def test_only_the_weakest_levels_miss_a_win_in_one(level: int) -> None:
    assert level > 3
    for seed, tactic in enumerate(tactic for tactic in TACTICS if tactic["turns"] == 1):
        result = Engine(level, seed=seed).play(tactic["position"], Limits(nodes=30))
        assert str(result.move) in tactic["best"]


@pytest.mark.parametrize("tactic", NAMED)
def test_its_solutions_are_right(tactic: dict[str, Any]) -> None:
    """Wins at once and defences are proved again, all of them; of longer wins, some of the solutions."""
    position = kernel.Position(tactic["position"])
    best = [position.parse(text) for text in tactic["best"]]
    if tactic["turns"] != 1:
        assert not wins_at_once(position)
    match tactic["turns"]:
        case 1:
            assert set(wins_at_once(position)) == set(best)
        case 0:
            assert set(defences(position)) == set(best)
        case 2:
            for move in best[:2]:
                position.push(move)
                assert position.outcome() is None
                assert not wins_at_once(position)
                assert not defences(position, 1)
                position.pop()
        case 3:
            position.push(best[0])
            replies = defences(position)
            assert replies
            for reply in replies:
                position.push(reply)
                assert Prover().wins_in(position, 2, 1)
                position.pop()
