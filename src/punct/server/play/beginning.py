"""How a game begins: from a position, or with the moves of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from punct import kernel
from punct.outcome import Rules
from punct.piece import Colour
from punct.server.play.actor import Actor
from punct.server.play.refusals import NotPossibleError
from punct.server.store import NewStoredGame, SeatedPlayer, SeatKind, StoredSeat
from punct.server.workers.read import ReadGame

DEFAULT_LEVEL: Final = 3


def seat_for(kind: SeatKind, name: str | None, level: int | None) -> StoredSeat:
    """Return a seat for somebody: a person, or the computer at a level."""
    return StoredSeat(kind, name or None, (level or DEFAULT_LEVEL) if kind == "engine" else None)


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


def owned(game: NewStoredGame, actor: Actor, *, rated: bool = False) -> NewStoredGame:
    """Return a game as somebody's own. Against the computer they sit in the other seat themselves."""
    persons = [colour for colour, seat in game.seats.items() if seat.kind == "person"]
    if rated:
        if len(persons) != 1 or game.moves or game.start not in (f"{rules} w" for rules in Rules):
            raise NotPossibleError("A rated game is one against the computer, from the empty board.")
        if actor.player is None:
            raise NotPossibleError("At home no game is rated.")
    if actor.player is None:
        return game
    seats = dict(game.seats)
    if len(persons) == 1:
        seats[persons[0]] = replace(seats[persons[0]], player=SeatedPlayer(actor.player))
    return replace(game, seats=seats, owner=actor.player, rated=rated)


def from_record(game: ReadGame) -> NewStoredGame:
    """Return a record's game to store."""
    seats = {colour: StoredSeat("person", (game.tags.get(str(colour)) or "")[:60] or None) for colour in Colour}
    return NewStoredGame(game.start, seats, game.moves, game.comments, game.outcome, game.tags)
