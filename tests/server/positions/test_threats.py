"""Threats to connect with the next move, compared with trying every move."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from punct import Position, Space, kernel
from punct.kernel.view import view_json

NEARLY = "standard w wEh1n wEh4n wEh7n wEh10n wCi14ne bTc5n bTc8n"


def winning_turns(position: Position) -> set[str]:
    """Try every turn."""
    found, mover = set(), position.turn
    for move in list(position.legal_moves):
        position.push(move)
        outcome = position.outcome()
        if outcome is not None and outcome.winner is mover and position.winning_chain:
            found.add(str(move))
        position.pop()
    return found


def with_turn(position: Position, colour: str) -> Position:
    rules, _, *pieces = str(position).split()
    return Position(" ".join([rules, colour, *pieces]))


def threats(position: Position) -> dict[str, Any]:
    view = json.loads(view_json(kernel.Position(str(position)), position.outcome()))
    return dict(view["threats"])


def check(position: Position) -> int:
    total = 0
    for colour, threat in threats(position).items():
        there = with_turn(position, colour)
        real = winning_turns(there)
        assert set(threat["turns"]) <= real and threat["count"] == len(real), str(position)  # some of many are listed
        assert bool(threat["turns"]) == bool(real)
        if real:
            there.push(threat["turns"][0])
            assert len(threat["chain"]) == len(there.winning_chain)
            assert all(there.shown(there.turn.other) & Space(name).mask for name in threat["chain"])
        else:
            assert threat["chain"] == []
        total += len(real)
    return total


@pytest.mark.parametrize("turn", ["w", "b"])
def test_a_chain_one_piece_short_is_a_threat(turn: str) -> None:
    assert check(with_turn(Position(NEARLY), turn)) > 0


def test_threats_in_random_continuations() -> None:
    dice = random.Random(5)
    seen = 0
    for _ in range(2):
        position = Position(NEARLY)
        for _ in range(5):
            position.push(dice.choice(sorted(position.legal_moves)))
            if position.outcome():
                break
            seen += check(position)
    assert seen > 0


def test_an_ended_game_has_no_threats() -> None:
    position = Position(NEARLY)
    position.push("Tj16n")
    assert threats(position) == {colour: {"count": 0, "turns": [], "chain": []} for colour in "wb"}
