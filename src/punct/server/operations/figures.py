"""What is counted and measured of a running server."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from punct.server.games.events import GameChanged, GameEnded

_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


REQUESTS: Final = Histogram(
    "punct_request_seconds", "From a request to the end of its answer.", ("method", "route", "status"), buckets=_BOUNDS
)
SOCKETS: Final = Gauge("punct_sockets", "Live connections.", multiprocess_mode="livesum")
GAMES_BEGUN: Final = Counter("punct_games_begun", "Games that were begun.")
GAMES_ENDED: Final = Counter("punct_games_ended", "Games that came to an end.", ("ending",))
MOVES: Final = Counter("punct_turns", "Turns that were played.", ("by",))
ENGINE_QUEUE: Final = Gauge("punct_engine_queue", "Thoughts that wait for an engine.", multiprocess_mode="livesum")
GAMES_WATCHED: Final = Gauge("punct_games_watched", "Games that somebody watches.", multiprocess_mode="livesum")


def set_load(waiting: int, watched: int) -> None:
    """Note how many thoughts wait for an engine, and how many games are watched, in this process now."""
    ENGINE_QUEUE.set(waiting)
    GAMES_WATCHED.set(watched)


def count_change(event: GameChanged) -> None:
    """Count a game that was begun, or a move that was played, in this process."""
    game = event.game
    if not event.is_local:
        return
    if game.revision == 1:
        GAMES_BEGUN.inc()
    elif game.moves and game.moves[-1].played_at == game.stored.updated:
        MOVES.labels(game.stored.seats[game.moves[-1].colour].kind).inc()


def count_end(event: GameEnded) -> None:
    """Count a game that has just ended."""
    assert event.game.outcome is not None
    GAMES_ENDED.labels(event.game.outcome.reason.name.lower()).inc()
