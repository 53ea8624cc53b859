"""New games: from a position, or with the moves of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from punct import kernel
from punct.piece import Colour
from punct.server.games.model import NewStoredGame, SeatKind, StoredSeat
from punct.server.workers.read import RecordGame

DEFAULT_LEVEL: Final = 3
MAX_NAME_CHARACTERS: Final = 60


def new_seat(kind: SeatKind, name: str | None, level: int | None) -> StoredSeat:
    """Return a seat for a person, or for an engine of a level."""
    return StoredSeat(kind, name or None, (level or DEFAULT_LEVEL) if kind == "engine" else None)


def game_from_position(position: str, seats: Mapping[Colour, StoredSeat]) -> NewStoredGame:
    """Return a new game from a position; raises InvalidPositionError if the text is not a position."""
    start = kernel.Position(position)
    return NewStoredGame(str(start), seats, outcome=start.outcome())


def game_from_record(record: RecordGame) -> NewStoredGame:
    """Return a record's game to store, with the names from its tags."""
    seats = {
        colour: StoredSeat("person", (record.tags.get(str(colour)) or "")[:MAX_NAME_CHARACTERS] or None)
        for colour in Colour
    }
    return NewStoredGame(record.start, seats, record.moves, record.comments, record.outcome, record.tags)


def game_continuing_record(record: RecordGame, seats: Mapping[Colour, StoredSeat]) -> NewStoredGame:
    """Return a new game that continues a record. Persons without a name get the name from the record."""
    game = game_from_record(record)
    named_seats = {
        colour: replace(seat, name=seat.name or game.seats[colour].name) if seat.kind == "person" else seat
        for colour, seat in seats.items()
    }
    return replace(game, seats=named_seats)
