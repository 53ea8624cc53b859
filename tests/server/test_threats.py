"""The warning that somebody connects next turn, held to the rules by trying every turn."""

from __future__ import annotations

import random

import pytest

from punct import Position
from punct.server.api.threats import LISTED, threats

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


def check(position: Position) -> int:
    told = threats(position)
    total = 0
    for colour, threat in (("w", told.w), ("b", told.b)):
        real = winning_turns(with_turn(position, colour))
        assert threat.count == len(real), str(position)
        assert set(threat.turns) <= real and len(threat.turns) == min(LISTED, len(real))
        assert bool(threat.chain) == bool(real)
        total += len(real)
    return total


@pytest.mark.parametrize("turn", ["w", "b"])
def test_a_chain_that_lacks_one_piece(turn: str) -> None:
    assert check(with_turn(Position(NEARLY), turn)) > 0


def test_random_ways_on_from_a_nearly_connected_position() -> None:
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


def test_nothing_threatens_when_the_game_is_over() -> None:
    position = Position(NEARLY)
    position.push("Tj16n")
    told = threats(position)
    assert (told.w.count, told.b.count) == (0, 0)
