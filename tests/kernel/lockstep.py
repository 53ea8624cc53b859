"""Playing the same game in the kernel and in the library, and comparing everything both know after every turn."""

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
class Taste:
    """Percentages: how often a jump, of these a bridge, otherwise a move rather than an add is looked for."""

    raised: int
    bridge: int
    moved: int


TASTES = (Taste(0, 0, 0), Taste(30, 30, 40), Taste(60, 50, 50), Taste(85, 80, 60), Taste(50, 100, 90))


@dataclass
class Tally:
    """What was met on the way, so that a test can tell whether it tested anything."""

    turns: int = 0
    games: int = 0
    jumps: int = 0
    bridges: int = 0
    highest: int = 0
    endings: Counter[str] = field(default_factory=Counter)


def library_landings(position: Position) -> dict[tuple[int, int], int]:
    """Return the whole legal set as masks of new spaces, by orientation and old space."""
    if position.outcome():
        return {}
    return {
        (ORIENTATION[kind, heading], FROM_SET if piece is None else NUMBER[piece.space]): mask
        for piece, kind, heading, mask in landings(position)
    }


def kernel_landings(position: kernel.Position) -> dict[tuple[int, int], int]:
    """Return the same of the kernel's."""
    return {(orientation, origin): mask for orientation, origin, mask in position.track.landings()}


def compare(fast: kernel.Position, slow: Position) -> None:
    """Assert that both agree on the legal set and the outcome, and that the hash is that of the position."""
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


def take_back_and_replay(fast: kernel.Position, slow: Position, turns: int) -> None:
    """Assert that taking turns back restores all that was, then play them again."""
    after = fast.hash
    moves = [(fast.pop(), slow.pop()) for _ in range(turns)]
    assert all(one == other for one, other in moves)
    compare(fast, slow)
    compare_texts(fast, slow)
    for move, _ in reversed(moves):
        fast.push(move)
        slow.push(move)
    assert fast.hash == after


def play(rules: Rules, seed: int, turns: int, tally: Tally) -> None:
    """Play pseudo-random games until this many turns have been compared. The seed decides everything."""
    target = tally.turns + turns
    while tally.turns < target:
        tally.games += 1
        taste = TASTES[tally.games % len(TASTES)]
        fast, slow = kernel.Position(f"{rules} w"), Position(f"{rules} w")
        length = 0
        while not slow.outcome() and length < 250 and tally.turns < target:
            seed += 1
            [move] = fast.play_random(seed, 1, raised=taste.raised, bridge=taste.bridge, moved=taste.moved)
            slow.push(move)
            tally.turns += 1
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
