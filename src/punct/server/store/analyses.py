"""What is kept of looking at games: analyses that somebody shares, and reviews of finished games."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select, update

from punct.server.store.database import Connection, Database
from punct.server.store.requests import RequestKey, check, note
from punct.server.store.sql import in_place, named, sql
from punct.server.store.tables import ANALYSES, GAMES, REVIEWS
from punct.server.store.values import json_of, moment, written

_write_review, _read_review = json_of(REVIEWS.c.review)


class StoredAnalysis(NamedTuple):
    """An analysis that somebody shares."""

    id: str
    tree: str
    """A text record, with variations."""
    created: datetime
    seen: datetime
    """When it was last asked for, to a day."""


class StoredReview(NamedTuple):
    """A review of a game."""

    moves: str
    """A hash of the moves it is about."""
    review: Mapping[str, Any]
    updated: datetime


class AnalysisStore:
    """Analyses and reviews. What reads blocks, and is for threads; what changes returns at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def share(self, tree: str, now: datetime, forget: datetime, request: RequestKey | None = None) -> Future[str]:
        """Keep an analysis; return its id, which nobody can guess. Those not seen since ``forget`` are forgotten."""
        analysis_id = secrets.token_urlsafe(12)

        def store(connection: Connection) -> str:
            check(connection, request)
            note(connection, request, "analysis", analysis_id, now)
            connection.execute(_FORGET, {"before": written(forget)})
            row = {"id": analysis_id, "tree": tree, "created": written(now), "seen": written(now)}
            connection.execute(_SHARE, row)
            return analysis_id

        return self._database.change(store)

    def shared(self, analysis_id: str) -> StoredAnalysis | None:
        """Return an analysis; None if there is none."""
        found = self._database.ask(_SHARED, {"id": analysis_id})
        return StoredAnalysis(analysis_id, found[0][0], *map(moment, found[0][1:])) if found else None

    def see(self, analysis_id: str, now: datetime) -> Future[None]:
        """Note that somebody has asked for an analysis."""

        def store(connection: Connection) -> None:
            connection.execute(_SEE, {"analysis": analysis_id, "seen": written(now)})

        return self._database.change(store)

    def keep_review(self, game_id: str, moves: str, review: Mapping[str, Any], now: datetime) -> Future[bool]:
        """Keep a review with its game, instead of any other; tell whether there is such a game."""
        row = {
            "game_id": game_id,
            "moves": moves,
            "review": _write_review(dict(review)),
            "updated": written(now),
        }

        def store(connection: Connection) -> bool:
            if connection.execute(_GAME, {"game": game_id}).fetchone() is None:
                return False
            connection.execute(_KEEP_REVIEW, row)
            return True

        return self._database.change(store)

    def review(self, game_id: str) -> StoredReview | None:
        """Return a game's review; None if there is none."""
        found = self._database.ask(_REVIEW, {"game": game_id})
        if not found:
            return None
        moves, review, updated = found[0]
        return StoredReview(moves, _read_review(review), moment(updated))


_SHARE: Final = sql(insert(ANALYSES))
_SHARED: Final = sql(
    select(ANALYSES.c.tree, ANALYSES.c.created, ANALYSES.c.seen).where(ANALYSES.c.id == bindparam("id"))
)
_SEE: Final = sql(update(ANALYSES).where(ANALYSES.c.id == bindparam("analysis")).values(named("seen")))
_FORGET: Final = sql(delete(ANALYSES).where(ANALYSES.c.seen < bindparam("before")))
_GAME: Final = sql(select(GAMES.c.id).where(GAMES.c.id == bindparam("game")).with_for_update())
_KEEP_REVIEW: Final = in_place(REVIEWS, "moves", "review", "updated")
_REVIEW: Final = sql(
    select(REVIEWS.c.moves, REVIEWS.c.review, REVIEWS.c.updated).where(REVIEWS.c.game_id == bindparam("game"))
)
