"""Measure the kernel beside the library, over the same middle-game positions, and print the kernel's signature.

Run with ``make bench``. Time is the processor's; each figure is the best of a few rounds. The signature is the number
of leaves of a fixed set of perfts: it must not change unless the rules do.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bench.rules import middle_game_positions

from punct import Ending, Position, _kernel, kernel
from punct.perft import perft

SIGNATURE_POSITIONS = (
    "standard w",
    "basic w",
    "standard w wLc4se wTd1ne wTd3sw wTd7nw bLe3ne wTe12ne wEf3ne bRf8se bLg9nw bEk11se bMl6n wCn13se "
    "bEo10se bMo16n wEc4s wLd8se bEg9s wRd8ne",
    "basic w wLc8sw bRc9ne bTe2sw wMe5se wCe6se bMg7n bRg9se wTg13s wCh15ne wEi6ne bEj2ne wMk5ne wEk6sw "
    "wTk14n bLm14s wLn10nw bCo12se wRi6nw wRi6nw",
    "standard w wMb5ne wEd3ne wEe8ne wLh3sw bMh4nw bCh11se wRj12n bTm10s bMq12s wEf5sw wMj12sw bRq11nw wRj13s bRq11nw",
    "basic b wRb8se bEe3s wTf11n wTi10sw wTj2nw bLk6s wCk12se wEm9se bRm12ne bTn6sw bCp14se wTf12se "
    "wRj12s bMm12nw bTn6sw bEq14nw bEl12nw bMo14se bLn13se bRp14sw",
)
ROUNDS = 3
SECONDS = 0.5


def signature() -> int:
    return sum(kernel.Position(text).perft(2) for text in SIGNATURE_POSITIONS)


def rate(work: Callable[[], int]) -> float:
    """Return the best of some rounds, in units of work per second of processor time."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - start))
    return best


def inside(what: str, positions: list[kernel.Position]) -> float:
    """Return the rate of one kind of work inside the kernel, without Python's overhead."""
    rates = []
    for _ in range(ROUNDS):
        done, seconds, _ = _kernel.measure(what, [position.track for position in positions], SECONDS)
        rates.append(done / seconds)
    return max(rates)


AnyPosition = Position | kernel.Position


def list_moves(positions: list[AnyPosition]) -> int:
    return sum(len(list(position.legal_moves)) for position in positions)


def play_moves(positions: list[AnyPosition]) -> int:
    done = 0
    for position in positions:
        for move in list(position.legal_moves)[::40]:
            position.push(move)
            position.outcome()
            position.pop()
            done += 1
    return done


def scan_by_playing(position: Position) -> int:
    """Find all winning moves by playing each."""
    for move in list(position.legal_moves):
        position.push(move)
        outcome = position.outcome()
        assert outcome is None or outcome.reason is not Ending.RESIGNATION
        position.pop()
    return 1


def random_games(count: int) -> int:
    rng = random.Random(1)
    for _ in range(count):
        position = Position()
        while moves := list(position.legal_moves):
            position.push(rng.choice(moves))
    return count


def show(what: str, inside_rate: float, python_rate: float | None, library_rate: float) -> None:
    through = f"{python_rate:>16,.0f} ({python_rate / library_rate:>5,.0f}x)" if python_rate else " " * 25
    print(f"{what:<28}{inside_rate:>16,.0f} ({inside_rate / library_rate:>8,.0f}x){through}{library_rate:>14,.0f}")


def main() -> None:
    slow = middle_game_positions()
    fast = [kernel.Position(str(position)) for position in slow]
    some = slow[:20]
    high = sum(len(position.floors) > 2 for position in slow)
    print(f"{len(slow)} middle-game positions, {high} with stacks; per second of one core, and against the library")
    print(f"{'':<28}{'kernel, in C++':>27}{'kernel, from Python':>25}{'library':>14}")
    show(
        "legal moves listed",
        inside("list", fast),
        rate(lambda: list_moves([*fast])),
        rate(lambda: list_moves([*some])),
    )
    show(
        "make, outcome, unmake",
        inside("make", fast),
        rate(lambda: play_moves([*fast])),
        rate(lambda: play_moves([*some])),
    )
    show(
        "scans for all wins",
        inside("wins", fast),
        rate(lambda: sum(len(position.winning_moves()) + 1 for position in fast)),
        rate(lambda: scan_by_playing(slow[0])),
    )
    show("perft 2, leaves", inside("perft", fast), rate(lambda: fast[0].perft(2)), rate(lambda: perft(slow[0], 2)))
    start = kernel.Position()
    show(
        "random games",
        inside("games", [start]),
        rate(lambda: sum(kernel.random_games(start, 500, seed=1)[:3])),
        rate(lambda: random_games(3)),
    )
    print(f"{'distance maps':<28}{inside('distances', fast):>16,.0f}")
    print(f"signature: {signature()}")


if __name__ == "__main__":
    main()
