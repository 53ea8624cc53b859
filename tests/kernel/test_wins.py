"""Moves that decide the game at once, compared with playing all moves one by one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.kernel import lockstep

from punct import Colour, Ending, Move, Position, Rules, kernel

CHAIN = ("Eh1n", "Eh4n", "Eh7n", "Eh10n", "Ch14n", "Ti16ne")
"""A chain from row 1 to row 17."""


def almost_chains() -> Iterator[kernel.Position]:
    """Yield positions in which one piece of a chain is missing or elsewhere, in every direction."""
    for number, missing in enumerate(CHAIN):
        for symmetry in range(12):
            colour, other = ("wb", "bw")[symmetry % 2]
            rules = ("standard", "basic")[number % 2]
            pieces = " ".join(colour + piece for piece in CHAIN if piece != missing)
            position = kernel.Position(f"{rules} {other} {pieces}").transformed(symmetry)
            seed = number * 12 + symmetry
            for step in range(3):
                if position.outcome():
                    break
                yield position.copy()
                position.play_random(seed * 10 + step, 2, raised=70, bridge=50, moved=70)


def decided_one_by_one(position: kernel.Position, colour: Colour) -> tuple[set[Move], set[Move]]:
    """Return the moves after which this player, or only the opponent, has a chain, by playing all of them."""
    text = str(position).split()
    text[1] = colour.letter
    board = kernel.Position(" ".join(text))
    wins: set[Move] = set()
    blunders: set[Move] = set()
    for move in list(board.legal_moves):
        board.push(move)
        outcome = board.outcome()
        if outcome is not None and outcome.reason is Ending.CONNECTION:
            (wins if outcome.winner is colour else blunders).add(move)
        board.pop()
    return wins, blunders


def greedy_games() -> Iterator[kernel.Position]:
    """Yield positions of games in which each player takes the best by distance of some random moves."""
    for seed in range(6):
        position = kernel.Position(f"{(Rules.STANDARD, Rules.BASIC)[seed % 2]} w")
        for ply in range(60):
            if position.outcome():
                break
            yield position
            mover = position.turn

            def missing(trial: kernel.Position, mover: Colour = mover) -> int:
                return min(trial.distances(mover, pair).shortest for pair in range(3))

            best = None
            for attempt in range(25):
                trial = position.copy()
                trial.play_random(seed * 10_000 + ply * 100 + attempt, 1, raised=25, bridge=40, moved=40)
                if best is None or missing(trial) < missing(best):
                    best = trial
            assert best is not None
            position = best


def test_wins_and_blunders_of_almost_chains() -> None:
    count = 0
    for position in almost_chains():
        for colour in Colour:
            wins, blunders = decided_one_by_one(position, colour)
            listed = position.winning_moves(colour)
            assert len(listed) == len(set(listed))
            assert set(listed) == wins, str(position)
            assert set(position.blunders(colour)) == blunders, str(position)
            count += len(wins)
    assert count > 500


def test_wins_and_blunders_in_greedy_games() -> None:
    endings = set()
    for number, position in enumerate(greedy_games()):
        if number % 4 == 0:
            wins, blunders = decided_one_by_one(position, position.turn)
            assert set(position.winning_moves()) == wins, str(position)
            assert set(position.blunders()) == blunders, str(position)
        for move in position.winning_moves()[:10]:
            slow = Position(str(position))
            slow.push(move)
            outcome = slow.outcome()
            assert outcome is not None
            assert outcome.winner is position.turn
            endings.add(outcome.reason)
    assert endings == {Ending.CONNECTION}


def test_greedy_games_in_lockstep() -> None:
    for position in greedy_games():
        slow = Position(str(position))
        lockstep.compare(position, slow)
        lockstep.compare_texts(position, slow)


def test_lifting_a_piece_can_lose_at_once() -> None:
    # Black's E lies on the middle of White's chain: wherever it goes, White is joined, unless it covers another part.
    pieces = " ".join("w" + piece for piece in CHAIN)
    position = kernel.Position(f"standard b {pieces} bEh7n bTl9n")
    assert position.result() == "*"
    blunders = set(position.blunders())
    assert Move.parse("h7-i8n") in blunders
    for move in blunders:
        slow = Position(str(position))
        slow.push(move)
        assert slow.result() == "1-0"


@pytest.mark.parametrize("symmetry", range(12))
def test_a_finished_chain_wins_for_its_owner(symmetry: int) -> None:
    pieces = " ".join("b" + piece for piece in CHAIN)
    position = kernel.Position(f"basic w {pieces}").transformed(symmetry)
    assert position.result() == "0-1"
    assert Position(str(position)).result() == "0-1"
    assert not position.legal_moves
    assert list(position.legal_moves) == []
