"""Repetition, seen from both sides: turns back to a position of the game are looked at, candidates or not."""

from __future__ import annotations

import random

from tests.engine.test_driver import _ROTATE
from tests.engine.test_forced import RACE

from punct import kernel
from punct._kernel import Searcher, candidates, moves_back_to
from punct.engine.weights import default_weights

BACK, AWAY = "p14-p14ne", "p14-p14n"
"""A turn that nobody would think of, and its way back."""


def there_and_back() -> tuple[str, list[str]]:
    """Return a start and turns to the race that Black loses, in which one turn leads to what stood twice before."""
    position = kernel.Position(RACE)
    position.push(BACK)
    start = str(position)
    return start, ["m16-m16nw", AWAY, "m16-m16sw", BACK] * 2


def test_turns_back_are_found_without_playing_them() -> None:
    """Held to trying them all, in random games with jumps and bridges."""
    dice, found = random.Random(3), 0
    for seed in range(40):
        position = kernel.Position("basic w" if seed % 3 == 0 else "standard w")
        position.play_random(seed, 12 + seed, raised=40, bridge=50, moved=20)
        seen = [position.track.hash]
        first = play_somewhere(position, seen, dice)
        if first is None or play_somewhere(position, seen, dice) is None:
            continue
        old, new = first.split("-")
        for back in [turn for turn in position.legal_moves if str(turn).startswith(f"{new.rstrip('nesw')}-{old}")]:
            position.push(back)
            plain = back_by_trying(position, seen)
            assert sorted(moves_back_to(str(position), seen)) == sorted(plain)
            found += len(plain)
            position.pop()
    assert found >= 10


def play_somewhere(position: kernel.Position, seen: list[int], dice: random.Random) -> str | None:
    """Move some piece, and return the turn; None if there is none to move."""
    turns = [str(turn) for turn in position.legal_moves if not turn.is_add]
    if not turns:
        return None
    turn = dice.choice(turns)
    position.push(turn)
    seen.append(position.track.hash)
    return None if position.outcome() else turn


def back_by_trying(position: kernel.Position, seen: list[int]) -> list[str]:
    """Return the turns after which a position stands again."""
    found = []
    for turn in list(position.legal_moves):
        position.push(turn)
        if position.track.hash in seen:
            found.append(str(turn))
        position.pop()
    return found


def test_who_is_lost_repeats() -> None:
    start, turns = there_and_back()
    assert BACK not in [turn for turn, _ in candidates(RACE, 160)]
    found = Searcher(16).search(start, turns[:-1], nodes=20000)
    assert (found["move"], found["score"], found["proven"]) == (BACK, 0.5, 0)


def test_the_other_sides_way_back_is_seen() -> None:
    """White stands better. Going back once more would allow a draw, by an answer that is none of Black's candidates."""
    start, turns = "basic w wEb3ne wEf7ne wTd10n wTm14n bTl5s bTo12n", ["d10-d10s", "l5-l8s", "d10-d10n", "l8-l5s"]
    weights = default_weights()
    weights.prior[_ROTATE] = 20.0  # or White would not think of going back
    found = []
    for played in (turns[:2], (turns * 2)[:6]):
        searcher = Searcher(16)
        searcher.set_weights(*weights)
        variations = searcher.search(start, played, nodes=2000, variations=160)["variations"]
        found += [variation for variation in variations if variation["move"] == turns[2]]
    once, again = found
    assert once["pv"][1] != turns[3]
    assert again["pv"] == turns[2:]
    assert again["score"] < once["score"] - 0.05
