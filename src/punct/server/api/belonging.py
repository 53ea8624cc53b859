"""What somebody begins or takes in: theirs, under names that can be shown to strangers."""

from __future__ import annotations

from dataclasses import replace

from punct.piece import Colour
from punct.server.people.names import mended_name
from punct.server.play.actor import Actor
from punct.server.play.beginning import owned
from punct.server.store import NewStoredGame


def theirs(game: NewStoredGame, actor: Actor, *, rated: bool = False) -> NewStoredGame:
    """Return a game as somebody's own. At home its players are called what one likes: nobody else looks."""
    game = owned(game, actor, rated=rated)
    if actor.player is None:
        return game
    seats = {colour: replace(seat, name=seat.name and mended_name(seat.name)) for colour, seat in game.seats.items()}
    names = {tag: mended_name(game.tags[tag]) for tag in map(str, Colour) if tag in game.tags}
    tags = {tag: names.get(tag, value) for tag, value in game.tags.items()}
    return replace(game, seats=seats, tags={tag: value for tag, value in tags.items() if value is not None})
