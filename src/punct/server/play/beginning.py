"""How a game begins: from a position, or with the moves of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from punct import kernel
from punct.piece import Colour
from punct.server.store import NewStoredGame, StoredSeat
from punct.server.workers.read import ReadGame

DEFAULT_LEVEL: Final = 3


def begin(position: str, seats: Mapping[Colour, StoredSeat]) -> NewStoredGame:
    """Return a game that begins from a position; raises InvalidPositionError if the text is none."""
    start = kernel.Position(position)
    return NewStoredGame(str(start), seats, outcome=start.outcome())


def begin_from_record(read: ReadGame, seats: Mapping[Colour, StoredSeat]) -> NewStoredGame:
    """Return a game that goes on from a record's moves; persons without a name have the record's."""
    game = from_record(read)
    named = {
        colour: replace(seat, name=seat.name or game.seats[colour].name) if seat.kind == "person" else seat
        for colour, seat in seats.items()
    }
    return replace(game, seats=named)


def from_record(game: ReadGame) -> NewStoredGame:
    """Return a record's game to store."""
    seats = {colour: StoredSeat("person", (game.tags.get(str(colour)) or "")[:60] or None) for colour in Colour}
    return NewStoredGame(game.start, seats, game.moves, game.comments, game.outcome, game.tags)
