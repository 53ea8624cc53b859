"""Short wins and only defences, proved by trying every reply: certain, and independent of the search.

Every function takes a position of either class, or anything a position is made from, and does not change it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NoReturn, TypeVar

from punct import _kernel
from punct.contract import Start
from punct.errors import PunctError, WrongTypeError
from punct.kernel.packed import UNPACKED
from punct.kernel.position import as_kernel
from punct.move import Move
from punct.piece import Colour, read_player

_Result = TypeVar("_Result")

MAX_TURNS: Final = _kernel.MAX_PROOF_DEPTH
"""The longest win that can be proved, in moves of the winner."""
_MAX_MOVES: Final = 2**31 - 1
_MAX_BUDGET: Final = 2**31 - 1
"""Days of proving; the kernel counts in 32 bits."""


class Undecided(Exception):  # noqa: N818  nothing is wrong: the question takes longer than allowed
    """A proof has tried as many moves as its budget allows without a result."""


@dataclass(frozen=True)
class Answer:
    """The best defence of a side."""

    lost: bool
    """Whether every move loses within the given number of moves."""

    reply: Move | None
    """A move that holds; if the game is lost, one that resists longest. None if there is no legal move."""

    turns: int
    """If the game is lost: how many moves the other side still needs after the reply; 0 if that loses by itself."""


def wins_at_once(position: Start) -> list[Move]:
    """Return every move with which the side to move wins at once.

    By a chain, or by adding one's last piece with more dots in the central hexagon (H).

    >>> [str(move) for move in wins_at_once("basic w wEh1n wEh4n wEh7n wEh10n wCi14n")][:2]
    ['Tj16n', 'Ti16ne']
    """
    return _unpacked(_kernel.wins_at_once(_track(position)))


def defences(position: Start, most: int | None = None) -> list[Move]:
    """Return the moves that neither lose the game nor let the opponent win with the next one.

    At most ``most`` of them. If there are none the game is lost, unless it can be won at once.
    """
    track = _track(position)
    if most is None:
        return _unpacked(_kernel.holding_moves(track))
    return _unpacked(_kernel.holding_moves(track, _check_count("number of moves", most, _MAX_MOVES)))


def last_piece_wins(position: Start, colour: Colour) -> bool:
    """Return whether a player has one piece left and leads in the centre, so that adding it wins (H)."""
    return _kernel.wins_by_count(_track(position), read_player(colour))


class Prover:
    """Proves that a side wins within a number of its moves, whatever the replies, or that it does not.

    >>> prover = Prover()
    >>> position = "standard b wEc9se bEc3nw bEd3se bCf5ne bCl9ne bRn11se wCg4n"
    >>> prover.wins_in(position, 2, most=1)
    [Move.parse('Mi6nw')]
    >>> [str(move) for move in prover.line(position, 2)]
    ['Mi6nw', 'Cp11n', 'Eo12ne']

    Every reply is tried, and the rules decide how a game has ended. For a win in one or two, all of the side's own
    moves are tried. In a longer win each move before the last two must threaten to win at once, or the replies would be
    too many: a win in three that begins with a quiet move is not found. A prover caches its results: one for many
    positions of a game is faster. A proof that would try more moves than its ``budget`` raises `Undecided`.
    """

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._prover = _kernel.Prover()

    def __repr__(self) -> str:
        return "<Prover, with a cache of its own>"

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError("a Prover cannot be pickled or copied: create one in each process")

    def wins_in(self, position: Start, turns: int, most: int | None = None, *, budget: int | None = None) -> list[Move]:
        """Return the moves with which the side to move wins within ``turns`` moves of its own, the fastest first.

        At most ``most`` of them.
        """
        limits = {} if most is None else {"max_count": _check_count("number of moves", most, _MAX_MOVES)}
        wins = self._prover.wins(_track(position), _check_turns(turns), **limits, **_budget(budget))
        return _unpacked(move for move, _ in _decided(wins))

    def answer(self, position: Start, turns: int, *, budget: int | None = None) -> Answer:
        """Return whether the side to move loses within ``turns`` moves of the other side, and its best reply."""
        answer = self._prover.answer(_track(position), _check_turns(turns), **_budget(budget))
        is_lost, reply, moves_left = _decided(answer)
        return Answer(is_lost, None if reply is None else UNPACKED[reply], moves_left)

    def line(self, position: Start, turns: int, *, budget: int | None = None) -> list[Move]:
        """Return the fastest win within ``turns`` moves as a variation, against the best resistance; empty if none."""
        return _unpacked(_decided(self._prover.variation(_track(position), _check_turns(turns), **_budget(budget))))


def _track(position: Start) -> _kernel.Track:
    return as_kernel(position).track


def _unpacked(numbers: Iterable[int]) -> list[Move]:
    return [UNPACKED[number] for number in numbers]


def _check_turns(turns: int) -> int:
    if isinstance(turns, bool) or not isinstance(turns, int) or not 1 <= turns <= MAX_TURNS:
        raise PunctError(f"wins are proved within 1 to {MAX_TURNS} moves, not {turns!r:.40}")
    return turns


def _check_count(what: str, number: int, greatest: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise PunctError(f"a {what} is a whole number from 0 on, or None for all there are, not {number!r:.40}")
    return min(number, greatest)


def _budget(budget: int | None) -> dict[str, int]:
    return {} if budget is None else {"budget": _check_count("budget", budget, _MAX_BUDGET)}


def _decided(result: _Result | None) -> _Result:
    if result is None:
        raise Undecided("the budget was not enough to prove it")
    return result
