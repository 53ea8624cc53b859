"""Players, passkeys and tokens as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from punct.server.accounts.handle_store import FoundPlayer
from punct.server.accounts.passkey_store import StoredPasskey
from punct.server.auth.model import StoredPlayer, StoredToken
from punct.server.auth.presenter import public_player
from punct.server.http.encoding import Json, format_time
from punct.server.puzzles.presenter import puzzle_skill
from punct.server.puzzles.service import Skill
from punct.server.ratings.presenter import rating
from punct.server.ratings.store import GameCounts, StoredRating


def me(player: StoredPlayer | None, ratings: Iterable[StoredRating] = (), *, online: bool) -> Json:
    """Return a player as they see themselves; None is a visitor without a session, or anybody at home."""
    return {
        "mode": "online" if online else "home",
        "player": None if player is None else _own(player),
        "ratings": [rating(each) for each in ratings],
        "settings": None if player is None or player.settings is None else dict(player.settings),
    }


def player_page(
    player: StoredPlayer, ratings: Iterable[StoredRating], game_counts: GameCounts, puzzles: Skill | None
) -> Json:
    """Return a player as everybody sees them."""
    return {
        "player": public_player(player.id, player.name, player.handle, player.kind, player.created),
        "ratings": [rating(each) for each in ratings],
        "counts": game_counts._asdict(),
        "puzzles": puzzle_skill(puzzles),
    }


def _own(player: StoredPlayer) -> Json:
    public = public_player(player.id, player.name, player.handle, player.kind, player.created)
    return {**public, "login": player.has_account, "password": player.has_password}


def found_players(players: Iterable[FoundPlayer]) -> Json:
    """Return the players whom a search has found."""
    return {"players": [public_player(*player) for player in players]}


# ---------------------------------------------------------------------- passkeys and tokens


def passkey(stored: StoredPasskey) -> Json:
    """Return a passkey, without its public key."""
    return {"id": stored.id, "created": format_time(stored.created)}


def passkeys(stored: Iterable[StoredPasskey]) -> Json:
    """Return a player's passkeys."""
    return {"passkeys": [passkey(each) for each in stored]}


def tokens(stored: Iterable[StoredToken]) -> Json:
    """Return a player's tokens."""
    return {"tokens": [_token(each) for each in stored]}


def new_token(token: StoredToken, secret: str) -> Json:
    """Return a new token, with its secret."""
    return {**_token(token), "secret": secret}


def adoption(games: Collection[str]) -> Json:
    """Return how many games the administrator adopted."""
    return {"games": len(games)}


def _token(token: StoredToken) -> Json:
    return {
        "id": token.id,
        "name": token.name,
        "scopes": sorted(token.scopes),
        "created": format_time(token.created),
        "expires": format_time(token.expires),
        "used": format_time(token.used),
    }
