"""Refusals: the kernel names the same rule and spaces as the library, for every kind of move."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.kernel.lockstep import PREFERENCES
from tests.test_reason import SHOWN

from punct import Position, Reason, kernel
from punct.geometry import SPACES, Heading, Space
from punct.piece import Kind


def attempts(position: Position, rng: random.Random) -> list[str]:
    """Return moves of every kind, near the pieces on the board and anywhere, most of them not allowed."""
    shown: list[Space] = [space for piece in position.pieces for space in piece.spaces] or list(SPACES)
    moves = []
    for _ in range(40):
        kind, heading = rng.choice(list(Kind)), rng.choice(list(Heading))
        origin = rng.choice([*shown, rng.choice(SPACES)])
        ahead = rng.choice([origin, *origin.line(rng.choice(list(Heading)))])
        stated = kind.value if rng.random() < 0.15 else ""
        moves += [
            f"{kind}{rng.choice(SPACES)}{heading}",
            f"{kind}{rng.choice(shown)}{heading}",
            f"{stated}{origin}-{ahead}{heading}",
            f"{origin}-{rng.choice(shown)}{heading}",
        ]
    return moves


def test_the_kernel_refuses_as_the_library_does() -> None:
    rng = random.Random(11)
    reasons: Counter[Reason | None] = Counter()
    for seed in range(60):
        preference = PREFERENCES[seed % len(PREFERENCES)]
        fast = kernel.Position(("standard w", "basic w")[seed % 2])
        for _ in range(6):
            slow = Position(str(fast))
            for text in attempts(slow, rng):
                expected = slow.refusal(text)
                assert fast.refusal(text) == expected, (str(fast), text)
                reasons[None if expected is None else expected.reason] += 1
            fast.play_random(
                rng.randrange(10**6), 12, raised=preference.raised, bridge=preference.bridge, moved=preference.moved
            )
    assert sum(reasons.values()) > 50_000 and len(reasons) > 18


@pytest.mark.parametrize(("reason", "position", "move"), SHOWN)
def test_every_reason_in_the_position_that_shows_it(reason: Reason, position: str, move: str) -> None:
    refusal = kernel.Position(position).refusal(move)
    assert refusal == Position(position).refusal(move)
    assert refusal is not None and refusal.reason is reason
