"""The warning that somebody connects next turn, held to the rules by trying every turn."""

from __future__ import annotations

import random

import pytest

from punct import Position, kernel
from punct.server.play.moment import Threat, look

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


def threats(position: Position) -> tuple[Threat, Threat]:
    return look(kernel.Position(str(position)), position.outcome()).threats


def check(position: Position) -> int:
    total = 0
    for colour, threat in zip("wb", threats(position), strict=True):
        there = with_turn(position, colour)
        real = winning_turns(there)
        assert sorted(map(str, threat.moves)) == sorted(real), str(position)
        if real:
            there.push(threat.moves[0])
            assert len(threat.chain) == len(there.winning_chain)
            assert all(there.shown(there.turn.other) & space.mask for space in threat.chain)
        else:
            assert threat.chain == ()
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
    assert threats(position) == (Threat((), ()), Threat((), ()))
