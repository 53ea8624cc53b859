"""Who is who: players, their ratings, and what opens an account."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from punct.server.accounts.passkey_store import StoredPasskey
from punct.server.auth.model import StoredPlayer, StoredToken
from punct.server.auth.presenter import public_player
from punct.server.http.encoding import Json, format_time
from punct.server.puzzles.presenter import puzzle_skill
from punct.server.puzzles.service import Skill
from punct.server.ratings.presenter import rating
from punct.server.ratings.store import GameCounts, StoredRating


def me(player: StoredPlayer | None, ratings: Iterable[StoredRating] = (), *, online: bool) -> Json:
    """Return what whoever asks is told about themselves; None is somebody unknown, or anybody at home."""
    return {
        "mode": "online" if online else "home",
        "player": None if player is None else _own(player),
        "ratings": [rating(found) for found in ratings],
        "settings": None if player is None or player.settings is None else dict(player.settings),
    }


def player_page(
    player: StoredPlayer, ratings: Iterable[StoredRating], game_counts: GameCounts, puzzles: Skill | None
) -> Json:
    """Return a player as anybody sees them."""
    return {
        "player": public_player(player.id, player.name, player.kind, player.created),
        "ratings": [rating(found) for found in ratings],
        "counts": game_counts._asdict(),
        "puzzles": puzzle_skill(puzzles),
    }


def _own(player: StoredPlayer) -> Json:
    public = public_player(player.id, player.name, player.kind, player.created)
    return {**public, "login": player.has_account, "password": player.has_password}


# ---------------------------------------------------------------------- what opens an account


def passkey(found: StoredPasskey) -> Json:
    """Return a key on somebody's own device."""
    return {"id": found.id, "created": format_time(found.created)}


def passkeys(found: Iterable[StoredPasskey]) -> Json:
    """Return somebody's passkeys."""
    return {"passkeys": [passkey(each) for each in found]}


def tokens(found: Iterable[StoredToken]) -> Json:
    """Return somebody's tokens."""
    return {"tokens": [_token(each) for each in found]}


def new_token(made: StoredToken, secret: str) -> Json:
    """Return a token that was just made, with what proves it."""
    return {**_token(made), "secret": secret}


def adoption(games: Collection[str]) -> Json:
    """Return what an administrator takes over."""
    return {"games": len(games)}


def _token(found: StoredToken) -> Json:
    return {
        "id": found.id,
        "name": found.name,
        "scopes": sorted(found.scopes),
        "created": format_time(found.created),
        "expires": format_time(found.expires),
        "used": format_time(found.used),
    }
