"""Who is who: players, their ratings, and what opens an account."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from punct.server.api.present.puzzles import puzzle_skill
from punct.server.api.present.words import Json, time
from punct.server.people.players import Player
from punct.server.people.puzzles import Skill
from punct.server.people.ratings import provisional
from punct.server.store import Fared, PlayerKind, Ranked, RatedGame, StoredPasskey, StoredRating, StoredToken


def me(player: Player | None, ratings: Iterable[StoredRating] = (), *, online: bool) -> Json:
    """Return what whoever asks is told about themselves; None is somebody unknown, or anybody at home."""
    return {
        "mode": "online" if online else "home",
        "player": None if player is None else _own(player),
        "ratings": [rating(found) for found in ratings],
        "settings": None if player is None or player.settings is None else dict(player.settings),
    }


def player_page(player: Player, ratings: Iterable[StoredRating], fared: Fared, puzzles: Skill | None) -> Json:
    """Return a player as anybody sees them."""
    return {
        "player": _public(player.id, player.name, player.kind, player.created),
        "ratings": [rating(found) for found in ratings],
        "counts": fared._asdict(),
        "puzzles": puzzle_skill(puzzles),
    }


def rating_curve(pool: str, games: Iterable[RatedGame]) -> Json:
    """Return what each game did to a player's rating."""
    points = [
        {
            "at": time(game.at),
            "before": round(game.before),
            "rating": round(game.after),
            "deviation": round(game.deviation),
            "game": game.game_id,
        }
        for game in games
    ]
    return {"pool": pool, "points": points}


def leaderboard(pool: str, ranked: Iterable[Ranked]) -> Json:
    """Return the strongest players of a pool."""
    players = [
        {
            "rank": None if provisional(found.rating) else rank,
            "player": _public(found.player_id, found.name, found.kind, found.created),
            "rating": rating(found.rating),
        }
        for rank, found in enumerate(ranked, 1)
    ]
    return {"pool": pool, "players": players}


def rating(found: StoredRating) -> Json:
    """Return how strong a player is in a pool."""
    return {
        "pool": found.pool,
        "rating": round(found.rating),
        "deviation": round(found.deviation),
        "games": found.games,
        "provisional": provisional(found),
    }


def _own(player: Player) -> Json:
    public = _public(player.id, player.name, player.kind, player.created)
    return {**public, "login": player.has_account, "password": player.has_password}


def _public(player_id: str, name: str | None, kind: PlayerKind, created: datetime) -> Json:
    return {"id": player_id, "name": name, "kind": kind, "created": time(created)}


# ---------------------------------------------------------------------- what opens an account


def passkey(found: StoredPasskey) -> Json:
    """Return a key on somebody's own device."""
    return {"id": found.id, "created": time(found.created)}


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
        "created": time(found.created),
        "expires": time(found.expires),
        "used": time(found.used),
    }
