"""Repetition: the search considers moves back to a position of the game for both sides, whatever their prior."""

from __future__ import annotations

import random

from tests.engine.test_driver import _ROTATE
from tests.engine.test_forced import RACE

from punct import kernel
from punct._kernel import Searcher, candidates, moves_back_to
from punct.engine.weights import default_weights

BACK, AWAY = "p14-p14ne", "p14-p14n"
"""A move with a very low prior, and its reverse."""


def there_and_back() -> tuple[str, list[str]]:
    """Return a start and moves to the race that Black loses, in which one move leads to the third occurrence."""
    position = kernel.Position(RACE)
    position.push(BACK)
    start = str(position)
    return start, ["m16-m16nw", AWAY, "m16-m16sw", BACK] * 2


def test_moves_back_are_found_without_playing_them() -> None:
    """Compared with brute force, in random games with jumps and bridges."""
    rng, count = random.Random(3), 0
    for seed in range(40):
        position = kernel.Position("basic w" if seed % 3 == 0 else "standard w")
        position.play_random(seed, 12 + seed, raised=40, bridge=50, moved=20)
        seen = [position.track.hash]
        first = move_any_piece(position, seen, rng)
        if first is None or move_any_piece(position, seen, rng) is None:
            continue
        old, new = first.split("-")
        for back in [move for move in position.legal_moves if str(move).startswith(f"{new.rstrip('nesw')}-{old}")]:
            position.push(back)
            expected = back_by_trying(position, seen)
            assert sorted(moves_back_to(str(position), seen)) == sorted(expected)
            count += len(expected)
            position.pop()
    assert count >= 10


def move_any_piece(position: kernel.Position, seen: list[int], rng: random.Random) -> str | None:
    """Move a random piece, and return the move; None if there is none."""
    moves = [str(move) for move in position.legal_moves if not move.is_add]
    if not moves:
        return None
    move = rng.choice(moves)
    position.push(move)
    seen.append(position.track.hash)
    return None if position.outcome() else move


def back_by_trying(position: kernel.Position, seen: list[int]) -> list[str]:
    """Return the moves after which a position occurs again."""
    moves = []
    for move in list(position.legal_moves):
        position.push(move)
        if position.track.hash in seen:
            moves.append(str(move))
        position.pop()
    return moves


def test_a_lost_side_repeats() -> None:
    start, moves = there_and_back()
    assert BACK not in [move for move, _ in candidates(RACE, 160)]
    report = Searcher(16).search(start, moves[:-1], nodes=20000)
    assert (report["move"], report["score"], report["proven"]) == (BACK, 0.5, 0)


def test_the_opponents_repetition_is_seen() -> None:
    """White is better. Moving back once more would allow a draw by a reply that is none of Black's candidates."""
    start, moves = "basic w wEb3ne wEf7ne wTd10n wTm14n bTl5s bTo12n", ["d10-d10s", "l5-l8s", "d10-d10n", "l8-l5s"]
    weights = default_weights()
    weights.prior[_ROTATE] = 20.0  # else moving back would not be a candidate
    backs = []
    for moves_played in (moves[:2], (moves * 2)[:6]):
        searcher = Searcher(16)
        searcher.set_weights(*weights)
        variations = searcher.search(start, moves_played, nodes=2000, variations=160)["variations"]
        backs += [variation for variation in variations if variation["move"] == moves[2]]
    once, again = backs
    assert once["pv"][1] != moves[3]
    assert again["pv"] == moves[2:]
    assert again["score"] < once["score"] - 0.05
