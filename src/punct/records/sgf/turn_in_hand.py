"""What a player does on Boardspace before saying Done: pieces picked up, put back, dropped and dropped again.

Only the difference between two Dones is a turn. Until then nothing is judged: a piece may lie where it never could.
"""

from __future__ import annotations

from punct.errors import PunctError
from punct.geometry import Heading, Space
from punct.move import Move
from punct.piece import Piece, footprint
from punct.position import Position
from punct.records.sgf.numbering import Numbers, colour_of, kind_of

_Place = tuple[Space, Heading]


class TurnInHand:
    """The pieces that are not where they were at the last Done."""

    def __init__(self, numbers: Numbers) -> None:
        """Begin a turn on a board whose pieces have these numbers."""
        self._numbers = numbers
        self._places: dict[int, _Place | None] = {}  # None: in hand or in the set; the last dropped comes last
        self._last: int | None = None
        self._is_held = False

    @property
    def is_begun(self) -> bool:
        """Whether anything was touched since the last Done."""
        return bool(self._places)

    def copy(self) -> TurnInHand:
        """Return an independent copy, for a variation that begins within a turn."""
        other = TurnInHand(self._numbers)
        other._places = dict(self._places)
        other._last, other._is_held = self._last, self._is_held
        return other

    def pick(self, number: int) -> None:
        """Take a piece by its number; whatever was taken or dropped before goes back to where it was."""
        if self._last is not None:
            self._places.pop(self._last, None)
        self._hold(number)

    def pick_from_board(self, position: Position, space: Space) -> None:
        """Take the top piece on a space; another one in hand goes back first."""
        if self._is_held and self._last is not None:
            self._places.pop(self._last, None)
        number = self._top(position, space)
        if number is None:
            raise PunctError(f"there is no piece on {space} to pick up")
        self._hold(number)

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

    def carry(self, position: Position, origin: Space) -> int:
        """Take the top piece on a space to carry it elsewhere, and return its number."""
        self.pick_from_board(position, origin)
        assert self._last is not None
        return self._last

    def difference(self, position: Position) -> tuple[int, Move]:
        """Return the one piece that was added or moved, and the turn that did it."""
        changed = {number: place for number, place in self._places.items() if place != self._place_before(number)}
        if not changed:
            raise PunctError("nothing was added or moved since the last Done")
        if len(changed) > 1:
            raise PunctError(f"{len(changed)} pieces were added or moved in one turn")
        ((number, place),) = changed.items()
        piece = self._numbers.piece(number)
        if place is None:
            raise PunctError(f"{piece} was taken off the board and not put down again")
        if colour_of(number) is not position.turn:
            raise PunctError(f"piece {number} is {colour_of(number)}'s, but it is {position.turn}'s turn")
        space, heading = place
        if piece is None:
            kind = kind_of(number)
            assert kind is not None
            return number, Move.add(kind, space, heading)
        if position.top(piece.space) != piece:
            raise PunctError(f"{piece} lies below another piece and cannot move")
        return number, Move.shift(piece.space, space, heading)

    def _hold(self, number: int) -> None:
        self._places.pop(number, None)
        self._places[number] = None
        self._last, self._is_held = number, True

    def _place_before(self, number: int) -> _Place | None:
        piece = self._numbers.piece(number)
        return None if piece is None else (piece.space, piece.heading)

    def _top(self, position: Position, space: Space) -> int | None:
        """Return the number of the piece that shows on a space as things lie now."""
        for number, place in reversed(self._places.items()):
            if place is not None and space in _covered(number, place):
                return number
        for piece in reversed(position.stack(space)):
            number = self._numbers.number(piece)
            if number not in self._places:
                return number
        return None


def _covered(number: int, place: _Place) -> tuple[Space, ...]:
    kind = kind_of(number)
    assert kind is not None
    return footprint(kind, *place) or place[:1]


def landed(position: Position, move: Move) -> Piece:
    """Return the piece that has just been put down."""
    piece = position.top(move.space)
    assert piece is not None
    return piece
