"""Ownership of new games, and limits on how many a player may store."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import Request

from punct.outcome import Rules
from punct.piece import Colour
from punct.server.auth.actor import Actor
from punct.server.auth.errors import NoAccountError
from punct.server.auth.identity import identity_of, player_of
from punct.server.auth.names import sanitize_name
from punct.server.games.errors import NotPossibleError
from punct.server.games.model import NewStoredGame, SeatedPlayer
from punct.server.games.store import Quota
from punct.server.http.rate_limits import STORED_KILOBYTES
from punct.server.http.registry import services_of

GUEST_QUOTA: Final = Quota(games=500, characters=2_000_000)
"""Guests have no account, and most never come back."""


def assign_owner(game: NewStoredGame, actor: Actor, *, rated: bool = False) -> NewStoredGame:
    """Return a game with its owner, and with names that can be shown to strangers; at home the game as it is.

    Against an engine, the owner takes the person's seat.
    """
    persons = [colour for colour, seat in game.seats.items() if seat.kind == "person"]
    if rated:
        if len(persons) != 1 or game.moves or game.start not in (f"{rules} w" for rules in Rules):
            raise NotPossibleError("A rated game is one against the computer, from the empty board.")
        if actor.player_id is None:
            raise NotPossibleError("At home no game is rated.")
    if actor.player_id is None:
        return game
    seats = {colour: replace(seat, name=seat.name and sanitize_name(seat.name)) for colour, seat in game.seats.items()}
    if len(persons) == 1:
        seats[persons[0]] = replace(seats[persons[0]], player=SeatedPlayer(actor.player_id))
    names = {tag: sanitize_name(game.tags[tag]) for tag in map(str, Colour) if tag in game.tags}
    tags = {tag: names.get(tag, value) for tag, value in game.tags.items()}
    return replace(
        game,
        seats=seats,
        tags={tag: value for tag, value in tags.items() if value is not None},
        owner=actor.player_id,
        rated=rated,
    )


def check_account(request: Request) -> None:
    """Raise NoAccountError for guests, who may not play rated games."""
    player = player_of(request)
    if player is None or not player.has_account:
        raise NoAccountError("Rated games are for account holders; make an account, or log in.")


async def charge_storage(request: Request, games: int, characters: int) -> Quota | None:
    """Count new games against the player's daily limit; return the player's quota, None if there is none.

    Raises TooManyError if the daily limit is exceeded.
    """
    if not services_of(request).online:
        return None
    identity = identity_of(request)
    player = identity.require_player()
    await identity.limits.hit(STORED_KILOBYTES, identity.address, player.id, cost=games + characters // 1024)
    return GUEST_QUOTA if player.kind == "guest" else None
