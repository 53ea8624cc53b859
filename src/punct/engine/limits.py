"""Limits of a search, and how to spend the time on a clock."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Final, TypeVar

from punct import _kernel
from punct.engine.errors import EngineError
from punct.errors import WrongTypeError, shorten

MAX_NODES: Final = _kernel.MAX_NODES
"""No search has more: it counts its visits in 32 bits."""
MAX_SECONDS: Final = 24 * 3600.0
"""No search takes longer than a day, whatever a clock says."""
MAX_DEPTH: Final = 1000

_MOVES_AHEAD: Final = 22
"""How many of a player's moves share the time left. Games last 30 to 70 plies; the first half decides most."""
_MAX_SHARES: Final = 2.5
"""No move takes more than this many shares of the time left, however unclear it is."""
_SAFETY_SECONDS: Final = 0.0015
"""Seconds reserved for the way from the clock to the search and back, measured to take half of that."""
_SAFETY_SHARE: Final = 0.01
_MIN_SECONDS: Final = 0.002

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the search for a move: the first one reached ends it. Without any, the engine's level decides.

    ``movetime`` is in seconds. With ``nodes`` (or ``depth``) alone and one thread, the same seed gives the same move.
    ``target`` is for players with a clock, beside the ``movetime`` that is never exceeded: about that many seconds,
    fewer where one move is clearly the best, more where two compete.
    """

    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    target: float | None = None

    def __post_init__(self) -> None:
        for name, kind in (("movetime", Real), ("nodes", Integral), ("depth", Integral), ("target", Real)):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, kind)):
                number = "a number" if kind is Real else "a whole number"
                raise EngineError(f"a {name} of {shorten(value)} makes no sense: it is {number}")
        if self.movetime is not None and not 0 < self.movetime <= MAX_SECONDS:
            raise EngineError(f"a time per turn of {self.movetime} s makes no sense: more than 0, at most a day")
        if self.nodes is not None and not 0 < self.nodes <= MAX_NODES:
            raise EngineError(f"{self.nodes} nodes make no sense: at least 1, at most {MAX_NODES}")
        if self.depth is not None and not 0 < self.depth <= MAX_DEPTH:
            raise EngineError(f"a depth of {self.depth} makes no sense: from 1 to {MAX_DEPTH}")
        if self.target is not None and (self.movetime is None or not 0 < self.target <= self.movetime):
            raise EngineError(f"a target of {self.target} s makes no sense: more than 0, at most the movetime")

    @property
    def is_open(self) -> bool:
        """Whether nothing is limited."""
        return self.movetime is None and self.nodes is None and self.depth is None

    def within(self, other: Limits) -> Limits:
        """Return the stricter of both, limit by limit."""
        other = read_limits(other)
        movetime = _min_of(self.movetime, other.movetime)
        target = _min_of(self.target, other.target)
        return Limits(
            movetime,
            _min_of(self.nodes, other.nodes),
            _min_of(self.depth, other.depth),
            None if target is None else _min_of(target, movetime),
        )


def read_limits(limits: Limits | None) -> Limits:
    """Return the limits, open ones for None; raises WrongTypeError for anything else, such as a bare number."""
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise WrongTypeError(f"limits are given as Limits(movetime=…, nodes=… or depth=…), not {shorten(limits)}")
    return limits


def _min_of(one: _Number | None, other: _Number | None) -> _Number | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


@dataclass(frozen=True, slots=True)
class Clock:
    """The time left on a player's clock before this move, and the increment per move; in seconds."""

    left: float
    increment: float = 0.0

    def share(self) -> float:
        """Return the seconds to spend on this move: an even share and most of the increment, never near the flag."""
        spendable = usable_seconds(self.left)
        return max(_MIN_SECONDS, min(self.left / _MOVES_AHEAD + 0.8 * self.increment, spendable * 0.5))

    def limits(self) -> Limits:
        """Return the limits for this move: about the share, more where two moves compete; never near the flag."""
        share = self.share()
        movetime = max(share, min(share * _MAX_SHARES, usable_seconds(self.left) * 0.5))
        return Limits(movetime, target=share)


def usable_seconds(seconds: float) -> float:
    """Return how long to search when the move is due after ``seconds``."""
    usable = max(seconds * (1 - _SAFETY_SHARE) - _SAFETY_SECONDS, seconds * 0.25)
    return max(_MIN_SECONDS, min(usable, MAX_SECONDS))
