"""A player's actions on Boardspace before Done: pieces picked up, put back, dropped and dropped again.

Only the difference between two Dones is a move. Until then nothing is checked: a piece may lie where it never could.
"""

from __future__ import annotations

from typing import NamedTuple

from punct.errors import PunctError
from punct.geometry import Heading, Space
from punct.move import Move
from punct.piece import Colour
from punct.records.sgf.numbering import Numbers, Place, colour_of, covered, kind_of


class Difference(NamedTuple):
    """The effect of a move: the piece's number, its new place, and the move."""

    number: int
    place: Place
    move: Move


class PendingMove:
    """The pieces that are not where they were at the last Done."""

    def __init__(self, numbers: Numbers) -> None:
        """Begin a move on a board with these places."""
        self._numbers = numbers
        self._places: dict[int, Place | None] = {}  # None: in hand or in the set; the last dropped comes last
        self._last: int | None = None
        self._is_held = False

    @property
    def is_begun(self) -> bool:
        """Whether anything was touched since the last Done."""
        return bool(self._places)

    def copy(self, numbers: Numbers) -> PendingMove:
        """Return an independent copy on a copy of the board, for a variation that begins within a move."""
        other = PendingMove(numbers)
        other._places = dict(self._places)
        other._last, other._is_held = self._last, self._is_held
        return other

    def pick(self, number: int) -> None:
        """Take a piece by its number; a piece taken or dropped before goes back to its place."""
        if self._last is not None:
            self._places.pop(self._last, None)
        self._hold(number)

    def pick_from_board(self, space: Space) -> int:
        """Take the top piece on a space, and return its number; another one in hand goes back first."""
        if self._is_held and self._last is not None:
            self._places.pop(self._last, None)
        number = self._top(space)
        if number is None:
            raise PunctError(f"there is no piece on {space} to pick up")
        self._hold(number)
        return number

    def drop_in_set(self, number: int) -> None:
        """Put a piece into the set."""
        self._places.pop(number, None)
        self._places[number] = None
        self._last, self._is_held = None, False

    def drop_on_board(self, number: int, space: Space, heading: Heading) -> None:
        """Put a piece on the board, taken up before or not; another one in hand or just dropped goes back."""
        if self._last is not None:
            self._places.pop(self._last, None)
        self._places.pop(number, None)
        self._places[number] = (space, heading)
        self._last, self._is_held = number, False

    def difference(self, turn: Colour) -> Difference:
        """Return what was done to the one piece that was added or moved, by the side to move."""
        numbers = self._numbers
        changed = [(number, place) for number, place in self._places.items() if place != numbers.place(number)]
        if not changed:
            raise PunctError("nothing was added or moved since the last Done")
        if len(changed) > 1:
            raise PunctError(f"{len(changed)} pieces were added or moved in one move")
        ((number, place),) = changed
        before = numbers.place(number)
        if place is None:
            raise PunctError(f"{_text(number, before)} was taken off the board and not put down again")
        if colour_of(number) is not turn:
            raise PunctError(f"piece {number} is {colour_of(number)}'s, but it is {turn}'s turn")
        if before is None:
            kind = kind_of(number)
            assert kind is not None
            return Difference(number, place, Move.add(kind, *place))
        if numbers.stack(before[0])[-1] != number:
            raise PunctError(f"{_text(number, before)} lies below another piece and cannot move")
        return Difference(number, place, Move.shift(before[0], *place))

    def _hold(self, number: int) -> None:
        self._places.pop(number, None)
        self._places[number] = None
        self._last, self._is_held = number, True

    def _top(self, space: Space) -> int | None:
        """Return the number of the piece that shows on a space now."""
        for number, place in reversed(self._places.items()):
            if place is not None and space in covered(number, place):
                return number
        for number in reversed(self._numbers.stack(space)):
            if number not in self._places:
                return number
        return None


def _text(number: int, place: Place | None) -> str:
    """Return a piece on the board in a position's notation."""
    assert place is not None
    return f"{colour_of(number).letter}{kind_of(number)}{place[0]}{place[1]}"
