"""Why a turn is not allowed: the kernel names the rule and the spaces that the library does, for every kind of turn."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.kernel.lockstep import TASTES
from tests.test_reason import SHOWN

from punct import Position, Reason, kernel
from punct.geometry import SPACES, Heading, Space
from punct.piece import Kind


def tries(position: Position, rng: random.Random) -> list[str]:
    """Return turns of every kind, near what lies on the board and anywhere, most of them not allowed."""
    shown: list[Space] = [space for piece in position.pieces for space in piece.spaces] or list(SPACES)
    found = []
    for _ in range(40):
        kind, heading = rng.choice(list(Kind)), rng.choice(list(Heading))
        origin = rng.choice([*shown, rng.choice(SPACES)])
        ahead = rng.choice([origin, *origin.line(rng.choice(list(Heading)))])
        stated = kind.value if rng.random() < 0.15 else ""
        found += [
            f"{kind}{rng.choice(SPACES)}{heading}",
            f"{kind}{rng.choice(shown)}{heading}",
            f"{stated}{origin}-{ahead}{heading}",
            f"{origin}-{rng.choice(shown)}{heading}",
        ]
    return found


def test_the_kernel_refuses_as_the_library_does() -> None:
    rng = random.Random(11)
    reasons: Counter[Reason | None] = Counter()
    for seed in range(60):
        taste = TASTES[seed % len(TASTES)]
        fast = kernel.Position(("standard w", "basic w")[seed % 2])
        for _ in range(6):
            slow = Position(str(fast))
            for text in tries(slow, rng):
                expected = slow.refusal(text)
                assert fast.refusal(text) == expected, (str(fast), text)
                reasons[None if expected is None else expected.reason] += 1
            fast.play_random(rng.randrange(10**6), 12, raised=taste.raised, bridge=taste.bridge, moved=taste.moved)
    assert sum(reasons.values()) > 50_000 and len(reasons) > 18


@pytest.mark.parametrize(("reason", "position", "turn"), SHOWN)
def test_every_reason_in_the_position_that_shows_it(reason: Reason, position: str, turn: str) -> None:
    found = kernel.Position(position).refusal(turn)
    assert found == Position(position).refusal(turn)
    assert found is not None and found.reason is reason
