"""JSON of ratings: rating curves and leaderboards."""

from __future__ import annotations

from collections.abc import Iterable

from punct.server.auth.presenter import public_player
from punct.server.http.encoding import Json, format_time
from punct.server.ratings.service import is_provisional
from punct.server.ratings.store import Ranked, RatedGame, StoredRating


def rating_curve(pool: str, games: Iterable[RatedGame]) -> Json:
    """Return how each game changed a player's rating."""
    points = [
        {
            "at": format_time(game.at),
            "before": round(game.before),
            "rating": round(game.after),
            "deviation": round(game.deviation),
            "game": game.game_id,
        }
        for game in games
    ]
    return {"pool": pool, "points": points}


def leaderboard(pool: str, players: Iterable[Ranked]) -> Json:
    """Return a pool's players, strongest first."""
    ranked = [
        {
            "rank": None if is_provisional(player.rating) else rank,
            "player": public_player(player.player_id, player.name, player.handle, player.kind, player.created),
            "rating": rating(player.rating),
        }
        for rank, player in enumerate(players, 1)
    ]
    return {"pool": pool, "players": ranked}


def rating(stored: StoredRating) -> Json:
    """Return a player's rating in a pool."""
    return {
        "pool": stored.pool,
        "rating": round(stored.rating),
        "deviation": round(stored.deviation),
        "games": stored.games,
        "provisional": is_provisional(stored),
    }
