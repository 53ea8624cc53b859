"""How long to think: fixed limits, and what to spend of a clock."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Final, TypeVar

from punct import _kernel
from punct.engine.errors import EngineError
from punct.errors import WrongTypeError, shorten

MOST_NODES: Final = _kernel.MOST_NODES
"""Where the search ends by itself: it counts its visits in 32 bits."""
LONGEST: Final = 24 * 3600.0
"""No single turn is thought about longer than a day, whatever a clock says."""
MOST_DEPTH: Final = 1000

_TURNS_AHEAD: Final = 22
"""Own turns a clock is shared out over. Games last 30 to 70 plies; the first half decides most of them."""
_AT_MOST: Final = 2.5
"""No turn takes more than so many times its share of a clock, however unclear it is."""
_SAFETY: Final = 0.0015
"""Seconds kept back for the way from the clock to the search and back, which was measured to take half of that."""
_SAFETY_SHARE: Final = 0.01
_SHORTEST: Final = 0.002

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop thinking about a turn: whichever comes first. None of them: as the engine's level says.

    ``movetime`` is in seconds. With ``nodes`` (or ``depth``) alone and one thread, the same seed gives the same turn.
    ``target`` is for who has a clock to share out, beside the ``movetime`` that is never exceeded: about so many
    seconds, less where one turn is clearly the best, more where two compete.
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
        if self.movetime is not None and not 0 < self.movetime <= LONGEST:
            raise EngineError(f"a time per turn of {self.movetime} s makes no sense: more than 0, at most a day")
        if self.nodes is not None and not 0 < self.nodes <= MOST_NODES:
            raise EngineError(f"{self.nodes} nodes make no sense: at least 1, at most {MOST_NODES}")
        if self.depth is not None and not 0 < self.depth <= MOST_DEPTH:
            raise EngineError(f"a depth of {self.depth} makes no sense: from 1 to {MOST_DEPTH}")
        if self.target is not None and (self.movetime is None or not 0 < self.target <= self.movetime):
            raise EngineError(f"a target of {self.target} s makes no sense: more than 0, at most the movetime")

    @property
    def is_open(self) -> bool:
        """Whether nothing is limited."""
        return self.movetime is None and self.nodes is None and self.depth is None

    def within(self, other: Limits) -> Limits:
        """Return the stricter of both, limit by limit."""
        movetime = _smaller(self.movetime, other.movetime)
        target = _smaller(self.target, other.target)
        return Limits(
            movetime,
            _smaller(self.nodes, other.nodes),
            _smaller(self.depth, other.depth),
            None if target is None else _smaller(target, movetime),
        )


def read_limits(limits: Limits | None) -> Limits:
    """Return the limits, open ones for None; raises WrongTypeError for anything else, such as a bare number."""
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise WrongTypeError(f"limits are told by Limits(movetime=…, nodes=… or depth=…), not {shorten(limits)}")
    return limits


def _smaller(one: _Number | None, other: _Number | None) -> _Number | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


@dataclass(frozen=True, slots=True)
class Clock:
    """What is left on a player's clock before this turn, and what each turn adds to it; in seconds."""

    left: float
    increment: float = 0.0

    def share(self) -> float:
        """Return the seconds to spend on this turn: an even share and most of the increment, never near the flag."""
        spendable = safe(self.left)
        return max(_SHORTEST, min(self.left / _TURNS_AHEAD + 0.8 * self.increment, spendable * 0.5))

    def limits(self) -> Limits:
        """Return how long to think: about the share, more where it is unclear what to play; never near the flag."""
        share = self.share()
        most = max(share, min(share * _AT_MOST, safe(self.left) * 0.5))
        return Limits(most, target=share)


def safe(seconds: float) -> float:
    """Return how long to think when the answer must be there after so many seconds."""
    usable = max(seconds * (1 - _SAFETY_SHARE) - _SAFETY, seconds * 0.25)
    return max(_SHORTEST, min(usable, LONGEST))
