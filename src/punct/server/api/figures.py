"""What is counted and measured of a running server."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from punct.server.play.game import PlayedGame
from punct.server.play.games import Gone

_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

REQUESTS: Final = Histogram(
    "punct_request_seconds", "From a request to the end of its answer.", ("method", "route", "status"), buckets=_BOUNDS
)
SOCKETS: Final = Gauge("punct_sockets", "Live connections.", multiprocess_mode="livesum")
BEGUN: Final = Counter("punct_games_begun", "Games that were begun.")
ENDED: Final = Counter("punct_games_ended", "Games that came to an end.", ("ending",))
TURNS: Final = Counter("punct_turns", "Turns that were played.", ("by",))
QUEUE: Final = Gauge("punct_engine_queue", "Thoughts that wait for an engine.", multiprocess_mode="livesum")
WATCHED: Final = Gauge("punct_games_watched", "Games that somebody watches.", multiprocess_mode="livesum")
PROXY: Final = Gauge(
    "punct_proxy_silent",
    "1 if a proxy does not say whom it brings, or that they came encrypted.",
    multiprocess_mode="livemax",
)


def note(waiting: int, watched: int) -> None:
    """Note how many thoughts wait for an engine, and how many games are watched, in this process now."""
    QUEUE.set(waiting)
    WATCHED.set(watched)


def count(game_id: str, game: PlayedGame | Gone) -> None:
    """Count a change of a game."""
    if isinstance(game, Gone):
        return
    if game.revision == 1:
        BEGUN.inc()
    elif game.moves and game.moves[-1].played == game.stored.updated:
        TURNS.labels(game.stored.seats[game.moves[-1].colour].kind).inc()


def count_end(game: PlayedGame) -> None:
    """Count a game that has just ended."""
    assert game.outcome is not None
    ENDED.labels(game.outcome.reason.name.lower()).inc()
