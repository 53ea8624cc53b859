"""The arguments of ``go``, read by engines and written by match runners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from punct.engine.limits import MAX_DEPTH, MAX_NODES, MAX_SECONDS, Clock, Limits, usable_seconds
from punct.piece import Colour
from punct.ugi.options import read_integer


@dataclass(frozen=True, slots=True)
class Go:
    """The arguments of ``go``; times in seconds."""

    clocks: tuple[Clock | None, Clock | None] = (None, None)
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False

    @classmethod
    def read(cls, words: Sequence[str]) -> Go:
        """Read the words after ``go``; one without a valid number after it is ignored."""
        numbers: dict[str, int] = {}
        names = {"p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth"}
        for name, value in pairwise(words):
            if name in names:
                number = read_integer(value)
                if number is not None:
                    numbers[name] = number
        clocks = tuple(
            Clock(max(0, numbers[f"p{player}time"]) / 1000, max(0, numbers.get(f"p{player}inc", 0)) / 1000)
            if f"p{player}time" in numbers
            else None
            for player in (1, 2)
        )
        movetime = numbers.get("movetime")
        nodes, depth = numbers.get("nodes"), numbers.get("depth")
        return cls(
            (clocks[0], clocks[1]),
            None if movetime is None else min(max(1, movetime) / 1000, MAX_SECONDS),
            None if nodes is None else min(max(1, nodes), MAX_NODES),
            None if depth is None else min(max(1, depth), MAX_DEPTH),
            "infinite" in words,
        )

    def __str__(self) -> str:
        """Return the words after ``go``."""
        clocks = [(player, clock) for player, clock in enumerate(self.clocks, 1) if clock is not None]
        words = [f"p{player}time {_milliseconds(clock.left)}" for player, clock in clocks]
        words += [f"p{player}inc {_milliseconds(clock.increment)}" for player, clock in clocks]
        if self.movetime is not None:
            words.append(f"movetime {max(1, _milliseconds(self.movetime))}")
        words += [f"{name} {value}" for name, value in (("nodes", self.nodes), ("depth", self.depth)) if value]
        return " ".join([*words, "infinite"] if self.infinite else words)

    def limits(self, turn: Colour) -> Limits:
        """Return the search limits of the player to move."""
        if self.infinite:
            return Limits(MAX_SECONDS)
        limits = Limits(None if self.movetime is None else usable_seconds(self.movetime), self.nodes, self.depth)
        clock = self.clocks[turn]
        return limits if clock is None else limits.within(clock.limits())


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)
