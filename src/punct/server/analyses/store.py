"""The tables of shared analyses, and reviews of finished games."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select, update

from punct.server.db.database import Connection, Database
from punct.server.db.idempotency import IdempotencyKey, raise_if_used, record_result
from punct.server.db.sql import bindparams, sql, upsert
from punct.server.db.tables import ANALYSES, GAMES, REVIEWS
from punct.server.db.values import from_db_time, json_converters, to_db_time

_write_review, _read_review = json_converters(REVIEWS.c.review)


class StoredAnalysis(NamedTuple):
    """A shared analysis."""

    id: str
    tree: str
    """A text record, with variations."""
    created: datetime
    seen: datetime
    """When it was last requested, to a day."""


class StoredReview(NamedTuple):
    """A review of a game."""

    moves: str
    """A hash of the moves that were reviewed."""
    review: Mapping[str, Any]
    updated: datetime


class AnalysisStore:
    """Analyses and reviews. Reads block, and are for threads; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def share(
        self, tree: str, now: datetime, delete_before: datetime, key: IdempotencyKey | None = None
    ) -> Future[str]:
        """Store an analysis; return its id. Delete those that were last requested before ``delete_before``."""
        analysis_id = secrets.token_urlsafe(12)

        def store(connection: Connection) -> str:
            raise_if_used(connection, key)
            record_result(connection, key, "analysis", analysis_id, now)
            connection.execute(_DELETE_OLD, {"before": to_db_time(delete_before)})
            row = {"id": analysis_id, "tree": tree, "created": to_db_time(now), "seen": to_db_time(now)}
            connection.execute(_INSERT, row)
            return analysis_id

        return self._database.change(store)

    def get(self, analysis_id: str) -> StoredAnalysis | None:
        """Return an analysis; None if there is none."""
        rows = self._database.fetch_all(_SELECT, {"id": analysis_id})
        return StoredAnalysis(analysis_id, rows[0][0], *map(from_db_time, rows[0][1:])) if rows else None

    def touch(self, analysis_id: str, now: datetime) -> Future[None]:
        """Store that an analysis was requested."""

        def store(connection: Connection) -> None:
            connection.execute(_UPDATE_SEEN, {"analysis": analysis_id, "seen": to_db_time(now)})

        return self._database.change(store)

    def store_review(self, game_id: str, moves: str, review: Mapping[str, Any], now: datetime) -> Future[bool]:
        """Store a game's review in place of any other; return whether there is such a game."""
        row = {
            "game_id": game_id,
            "moves": moves,
            "review": _write_review(dict(review)),
            "updated": to_db_time(now),
        }

        def store(connection: Connection) -> bool:
            if connection.execute(_LOCK_GAME, {"game": game_id}).fetchone() is None:
                return False
            connection.execute(_UPSERT_REVIEW, row)
            return True

        return self._database.change(store)

    def review(self, game_id: str) -> StoredReview | None:
        """Return a game's review; None if there is none."""
        rows = self._database.fetch_all(_SELECT_REVIEW, {"game": game_id})
        if not rows:
            return None
        moves, review, updated = rows[0]
        return StoredReview(moves, _read_review(review), from_db_time(updated))


_INSERT: Final = sql(insert(ANALYSES))
_SELECT: Final = sql(
    select(ANALYSES.c.tree, ANALYSES.c.created, ANALYSES.c.seen).where(ANALYSES.c.id == bindparam("id"))
)
_UPDATE_SEEN: Final = sql(update(ANALYSES).where(ANALYSES.c.id == bindparam("analysis")).values(bindparams("seen")))
_DELETE_OLD: Final = sql(delete(ANALYSES).where(ANALYSES.c.seen < bindparam("before")))
_LOCK_GAME: Final = sql(select(GAMES.c.id).where(GAMES.c.id == bindparam("game")).with_for_update())
_UPSERT_REVIEW: Final = upsert(REVIEWS, "moves", "review", "updated")
_SELECT_REVIEW: Final = sql(
    select(REVIEWS.c.moves, REVIEWS.c.review, REVIEWS.c.updated).where(REVIEWS.c.game_id == bindparam("game"))
)
