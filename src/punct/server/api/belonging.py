"""What somebody begins or takes in: theirs, under names that can be shown to strangers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import Request

from punct.piece import Colour
from punct.server.api.limits import KEPT
from punct.server.api.services import services_of
from punct.server.api.whoami import player_of, visit_of
from punct.server.people.names import mended_name
from punct.server.people.refusals import NoAccountError
from punct.server.play.actor import Actor
from punct.server.play.beginning import owned
from punct.server.store import NewStoredGame, Room

GUESTS_ROOM: Final = Room(games=500, letters=2_000_000)
"""What a guest may keep. Nobody asks guests who they are, and most never come back."""


def theirs(game: NewStoredGame, actor: Actor, *, rated: bool = False) -> NewStoredGame:
    """Return a game as somebody's own. At home its players are called what one likes: nobody else looks."""
    game = owned(game, actor, rated=rated)
    if actor.player is None:
        return game
    seats = {colour: replace(seat, name=seat.name and mended_name(seat.name)) for colour, seat in game.seats.items()}
    names = {tag: mended_name(game.tags[tag]) for tag in map(str, Colour) if tag in game.tags}
    tags = {tag: names.get(tag, value) for tag, value in game.tags.items()}
    return replace(game, seats=seats, tags={tag: value for tag, value in tags.items() if value is not None})


async def check_account(request: Request) -> None:
    """Refuse a rated game to guests."""
    player = await player_of(request)
    if player is None or not player.has_account:
        raise NoAccountError("Rated games are for account holders; make an account, or log in.")


async def room_for(request: Request, games: int, letters: int) -> Room | None:
    """Return how much whoever begins, or takes in, so much may keep; None if nobody counts.

    Raises TooManyError if it was too much for one day.
    """
    if not services_of(request).online:
        return None
    visit = visit_of(request)
    player = visit.somebody()
    await visit.people.limits.take(KEPT, visit.address, player.id, cost=games + letters // 1024)
    return GUESTS_ROOM if player.kind == "guest" else None
