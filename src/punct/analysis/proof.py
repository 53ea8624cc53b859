"""Short wins and only defences, proved by looking at every reply there is: sure, and independent of the search.

Every function takes a position of either class, or whatever one is made from, and leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from punct import _kernel
from punct.contract import Start
from punct.errors import PunctError
from punct.kernel.packed import UNPACKED
from punct.kernel.position import as_kernel
from punct.move import Move
from punct.piece import Colour

_Found = TypeVar("_Found")

MOST_TURNS: Final = _kernel.MOST_TURNS
_MOST_MOVES: Final = 2**31 - 1
_MOST_TRIES: Final = 2**31 - 1
"""Days of proving; the kernel counts no further everywhere."""
"""Nothing is proved about more."""


class Undecided(Exception):  # noqa: N818  nothing is wrong: the question takes longer than allowed
    """A proof has tried as many turns as its budget allows, and has not come to an end."""


@dataclass(frozen=True)
class Answer:
    """What a side that must defend can do."""

    lost: bool
    """Every turn loses within the number of turns asked about."""

    reply: Move | None
    """A turn that holds; if the game is lost, one that resists longest. None where there is no turn to play."""

    turns: int
    """If the game is lost: how many turns the other side still needs after the reply; 0 if that loses by itself."""


def wins_at_once(position: Start) -> list[Move]:
    """Return every turn with which the side to move wins at once.

    By a chain, or by adding one's last piece with more dots in the central hexagon (H).

    >>> [str(move) for move in wins_at_once("basic w wEh1n wEh4n wEh7n wEh10n wCi14n")][:2]
    ['Tj16n', 'Ti16ne']
    """
    return _unpacked(_kernel.wins_at_once(_track(position)))


def defences(position: Start, most: int | None = None) -> list[Move]:
    """Return the turns that neither lose the game nor let the opponent win with the next one.

    At most so many, if a number is given. None at all means that the game is lost, unless it can be won at once.
    """
    track = _track(position)
    if most is None:
        return _unpacked(_kernel.holding_turns(track))
    return _unpacked(_kernel.holding_turns(track, _counted("number of moves", most, _MOST_MOVES)))


def last_piece_wins(position: Start, colour: Colour) -> bool:
    """Tell whether a player has one piece left and leads in the centre, so that adding it wins (H)."""
    return _kernel.wins_by_count(_track(position), colour)


class Prover:
    """Proves that a side wins within so many of its turns, whatever is replied, or that it does not.

    >>> prover = Prover()
    >>> position = "standard b wEc9se bEc3nw bEd3se bCf5ne bCl9ne bRn11se wCg4n"
    >>> prover.wins_in(position, 2, most=1)
    [Move.parse('Mi6nw')]
    >>> [str(move) for move in prover.line(position, 2)]
    ['Mi6nw', 'Cp11n', 'Eo12ne']

    Every reply is tried, and the rules decide how a game has ended. Of the own turns all are looked at for a win in one
    or in two. In a longer win each turn before the last two must threaten to win at once, or the replies would be too
    many: a win in three that begins quietly is not found. What a prover learns it uses again: one for many positions of
    a game is quicker. Whatever takes more turns tried than its ``budget`` ends with `Undecided`.
    """

    def __init__(self) -> None:
        """Begin without experience."""
        self._prover = _kernel.Prover()

    def wins_in(self, position: Start, turns: int, most: int | None = None, *, budget: int | None = None) -> list[Move]:
        """Return the turns with which the side to move wins within so many of its own, those that win soonest first.

        At most so many, if a number is given.
        """
        limits = {} if most is None else {"most": _counted("number of moves", most, _MOST_MOVES)}
        found = self._prover.wins(_track(position), _checked(turns), **limits, **_budget(budget))
        return _unpacked(turn for turn, _ in _decided(found))

    def answer(self, position: Start, turns: int, *, budget: int | None = None) -> Answer:
        """Return whether the side to move loses within so many turns of the other, and what it had best play."""
        found = self._prover.answer(_track(position), _checked(turns), **_budget(budget))
        lost, reply, left = _decided(found)
        return Answer(lost, None if reply is None else UNPACKED[reply], left)

    def line(self, position: Start, turns: int, *, budget: int | None = None) -> list[Move]:
        """Return a win within so many turns played out: the fastest, against the longest resistance; empty if none."""
        return _unpacked(_decided(self._prover.line(_track(position), _checked(turns), **_budget(budget))))


def _track(position: Start) -> _kernel.Track:
    return as_kernel(position).track


def _unpacked(turns: Iterable[int]) -> list[Move]:
    return [UNPACKED[turn] for turn in turns]


def _checked(turns: int) -> int:
    if isinstance(turns, bool) or not isinstance(turns, int) or not 1 <= turns <= MOST_TURNS:
        raise PunctError(f"wins are proved within 1 to {MOST_TURNS} turns, not {turns!r:.40}")
    return turns


def _counted(what: str, number: int, greatest: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise PunctError(f"a {what} is a whole number from 0 on, or None for all there are, not {number!r:.40}")
    return min(number, greatest)


def _budget(budget: int | None) -> dict[str, int]:
    return {} if budget is None else {"budget": _counted("budget", budget, _MOST_TRIES)}


def _decided(found: _Found | None) -> _Found:
    if found is None:
        raise Undecided("the budget was not enough to prove it")
    return found
