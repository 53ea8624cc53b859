"""Plays the same game in the kernel and in the library, and compares their state after every move."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from punct import Kind, Position, Rules, kernel
from punct.geometry import SPACES
from punct.legal import landings

ORIENTATION = {
    pair: number for number, pair in enumerate((kind, heading) for kind in Kind for heading in kind.headings)
}
NUMBER = {space: number for number, space in enumerate(SPACES)}
FROM_SET = 255


@dataclass(frozen=True)
class Preference:
    """Percentages: how often a jump, of these a bridge, otherwise moving rather than adding is preferred."""

    raised: int
    bridge: int
    moved: int


PREFERENCES = (
    Preference(0, 0, 0),
    Preference(30, 30, 40),
    Preference(60, 50, 50),
    Preference(85, 80, 60),
    Preference(50, 100, 90),
)


@dataclass
class Tally:
    """Counts of what the games contained, so that a test can check that it tested something."""

    plies: int = 0
    games: int = 0
    jumps: int = 0
    bridges: int = 0
    highest: int = 0
    endings: Counter[str] = field(default_factory=Counter)


def library_landings(position: Position) -> dict[tuple[int, int], int]:
    """Return all legal moves as masks of new spaces, by orientation and old space."""
    if position.outcome():
        return {}
    return {
        (ORIENTATION[kind, heading], FROM_SET if piece is None else NUMBER[piece.space]): mask
        for piece, kind, heading, mask in landings(position)
    }


def kernel_landings(position: kernel.Position) -> dict[tuple[int, int], int]:
    """Return the same from the kernel."""
    return {(orientation, origin): mask for orientation, origin, mask in position.track.landings()}


def compare(fast: kernel.Position, slow: Position) -> None:
    """Assert that both agree on the legal moves and the outcome, and that the hash equals its recomputation."""
    legal = library_landings(slow)
    assert kernel_landings(fast) == legal, str(slow)
    assert fast.track.count() == sum(mask.bit_count() for mask in legal.values()), str(slow)
    assert fast.outcome() == slow.outcome(), str(slow)
    assert fast.track.hash == fast.track.hash_from_scratch, str(slow)


def compare_texts(fast: kernel.Position, slow: Position) -> None:
    """Assert that both write the same text, and that reading it gives the same position back."""
    text = str(slow)
    assert str(fast) == text
    again = kernel.Position(text)
    assert again == fast
    assert again.hash == fast.hash
    assert again.outcome() == fast.outcome()
    assert fast.centre_count() == slow.centre_count()


def take_back_and_replay(fast: kernel.Position, slow: Position, plies: int) -> None:
    """Assert that taking moves back restores the state, then play them again."""
    after = fast.hash
    moves = [(fast.pop(), slow.pop()) for _ in range(plies)]
    assert all(one == other for one, other in moves)
    compare(fast, slow)
    compare_texts(fast, slow)
    for move, _ in reversed(moves):
        fast.push(move)
        slow.push(move)
    assert fast.hash == after


def play(rules: Rules, seed: int, plies: int, tally: Tally) -> None:
    """Play pseudo-random games until this many moves have been compared. The seed decides everything."""
    target = tally.plies + plies
    while tally.plies < target:
        tally.games += 1
        preference = PREFERENCES[tally.games % len(PREFERENCES)]
        fast, slow = kernel.Position(f"{rules} w"), Position(f"{rules} w")
        length = 0
        while not slow.outcome() and length < 250 and tally.plies < target:
            seed += 1
            [move] = fast.play_random(
                seed, 1, raised=preference.raised, bridge=preference.bridge, moved=preference.moved
            )
            slow.push(move)
            tally.plies += 1
            length += 1
            piece = slow.top(move.space)
            assert piece is not None
            if piece.level > 1:
                tally.jumps += 1
                tally.bridges += slow.is_bridge(piece)
                tally.highest = max(tally.highest, piece.level)
            compare(fast, slow)
            if length % 16 == 0:
                compare_texts(fast, slow)
                take_back_and_replay(fast, slow, 1 + seed % 10)
        compare_texts(fast, slow)
        outcome = slow.outcome()
        for _ in range(length):
            fast.pop()
        assert fast == kernel.Position(f"{rules} w")
        tally.endings[str(outcome.reason) if outcome else "unfinished"] += 1
