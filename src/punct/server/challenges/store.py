"""The table of challenges. Which of several players accepts one is decided by a single update."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Integer, and_, bindparam, case, delete, insert, literal_column, or_, select, update

from punct.piece import Colour
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError, QuotaExceededError
from punct.server.db.idempotency import IdempotencyKey, raise_if_used, record_result
from punct.server.db.locks import LockStrength, lock_player, lock_players
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import CHALLENGES, PLAYERS, RATINGS
from punct.server.db.values import from_db_bool, from_db_time, to_db_time
from punct.server.games.model import COLOURS, NewStoredGame, SeatedPlayer, StoredGame
from punct.server.games.store import NewGameRows


@dataclass(frozen=True, slots=True)
class StoredChallenge:
    """A challenge, open or accepted."""

    id: str
    challenger: SeatedPlayer
    rules: str
    start: str | None
    """The initial position; None for the usual one."""
    colour: Colour | None
    """The challenger's colour; None for a random one."""
    time: str | None
    rated: bool
    listed: bool
    created: datetime
    expires: datetime
    game_id: str | None = None
    """The game it has become; None while it is open."""


class ChallengeStore:
    """All challenges. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, challenge_id: str) -> StoredChallenge | None:
        """Return a challenge; None if there is none, or if it is open and its challenger is blocked."""
        rows = self._database.fetch_all(_SELECT, {"challenge": challenge_id})
        return _from_row(rows[0]) if rows else None

    def listed(self, now: datetime, limit: int) -> list[StoredChallenge]:
        """Return the open challenges of the lobby, newest first."""
        return [
            _from_row(row) for row in self._database.fetch_all(_SELECT_LISTED, {"now": to_db_time(now), "limit": limit})
        ]

    def create(self, challenge: StoredChallenge, key: IdempotencyKey | None, max_open: int) -> Future[None]:
        """Store a challenge.

        Raises QuotaExceededError if its player has ``max_open`` open ones, MissingPlayerError if the player is deleted.
        """
        row = {
            "id": challenge.id,
            "player_id": challenge.challenger.id,
            "rules": challenge.rules,
            "start": challenge.start,
            "colour": None if challenge.colour is None else challenge.colour.letter,
            "time": challenge.time,
            "rated": challenge.rated,
            "listed": challenge.listed,
            "created": to_db_time(challenge.created),
            "expires": to_db_time(challenge.expires),
        }

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            lock_player(connection, challenge.challenger.id)  # else two processes might count at once
            values = {"player": challenge.challenger.id, "now": to_db_time(challenge.created)}
            if len(connection.execute(_SELECT_OPEN, values).fetchall()) >= max_open:
                raise QuotaExceededError(challenge.challenger.id)
            record_result(connection, key, "challenge", challenge.id, challenge.created)
            connection.execute(_INSERT, row)

        return self._database.change(store)

    def withdraw(
        self, challenge_id: str, player_id: str, now: datetime, key: IdempotencyKey | None = None
    ) -> Future[bool]:
        """Delete an open challenge of a player; return whether there was one."""
        values = {"challenge": challenge_id, "player": player_id}

        def store(connection: Connection) -> bool:
            raise_if_used(connection, key)
            if connection.execute(_DELETE, values).rowcount == 0:
                raise_if_used(connection, key)  # another process may have handled the same request meanwhile
                return False
            record_result(connection, key, "gone", challenge_id, now)
            return True

        return self._database.change(store)

    def accept(
        self, challenge_id: str, player_id: str, game: NewStoredGame, now: datetime, key: IdempotencyKey | None
    ) -> Future[StoredGame]:
        """Store the game that a challenge becomes.

        Raises ConflictError if the challenge is accepted or deleted, MissingPlayerError if a player is deleted.
        """
        rows = NewGameRows([game], now)
        (stored,) = rows.games
        values = {"challenge": challenge_id, "player": player_id, "now": to_db_time(now), "game": stored.id}

        def store(connection: Connection) -> StoredGame:
            raise_if_used(connection, key)
            lock_players(connection, rows.player_ids, LockStrength.KEY_SHARE)
            if connection.execute(_ACCEPT, values).rowcount != 1:
                raise ConflictError(challenge_id)
            record_result(connection, key, "game", stored.id, now)
            rows.insert(connection)
            return stored

        return self._database.change(store)


_COLUMNS: Final = (
    *("id", "player_id", "rules", "start", "colour", "time", "rated", "listed", "created", "expires", "game_id"),
)
_POOL: Final = CHALLENGES.c.rules + case(
    (CHALLENGES.c.time.like(literal_column("'%d'")), literal_column("'-days'")), else_=literal_column("'-live'")
)
_CHALLENGES: Final = (
    select(*(CHALLENGES.c[name] for name in _COLUMNS), PLAYERS.c.name, PLAYERS.c.kind, RATINGS.c.rating)
    .select_from(CHALLENGES)
    .join(PLAYERS, PLAYERS.c.id == CHALLENGES.c.player_id)
    .join(RATINGS, and_(RATINGS.c.player_id == CHALLENGES.c.player_id, RATINGS.c.pool == _POOL), isouter=True)
)
_IS_OPEN: Final = and_(CHALLENGES.c.game_id.is_(None), CHALLENGES.c.expires > bindparam("now"))
_IS_ADMITTED: Final = PLAYERS.c.blocked.is_(None)
_SELECT: Final = sql(
    _CHALLENGES.where(CHALLENGES.c.id == bindparam("challenge"), or_(CHALLENGES.c.game_id.is_not(None), _IS_ADMITTED))
)
_SELECT_LISTED: Final = sql(
    _CHALLENGES.where(CHALLENGES.c.listed, _IS_OPEN, _IS_ADMITTED)
    .order_by(CHALLENGES.c.created.desc())
    .offset(literal_column("0", Integer))  # SQLite needs one, and SQLAlchemy would add a parameter for it
    .limit(bindparam("limit"))
)
_SELECT_OPEN: Final = sql(select(CHALLENGES.c.id).where(CHALLENGES.c.player_id == bindparam("player"), _IS_OPEN))
_INSERT: Final = sql(insert(CHALLENGES).values(bindparams(*_COLUMNS[:-1])))
_DELETE: Final = sql(
    delete(CHALLENGES).where(
        CHALLENGES.c.id == bindparam("challenge"),
        CHALLENGES.c.player_id == bindparam("player"),
        CHALLENGES.c.game_id.is_(None),
    )
)
_ACCEPT: Final = sql(
    update(CHALLENGES)
    .where(
        CHALLENGES.c.id == bindparam("challenge"),
        _IS_OPEN,
        CHALLENGES.c.player_id != bindparam("player"),
        CHALLENGES.c.player_id.in_(select(PLAYERS.c.id).where(_IS_ADMITTED)),
    )
    .values(game_id=bindparam("game"))
)


def _from_row(row: Any) -> StoredChallenge:
    challenge_id, player_id, rules, start, colour, time, rated, listed, created, expires, game_id = row[:11]
    name, kind, rating = row[11:]
    return StoredChallenge(
        challenge_id,
        SeatedPlayer(player_id, name, kind, None if rating is None else round(rating)),
        rules,
        start,
        None if colour is None else COLOURS[colour],
        time,
        from_db_bool(rated),
        from_db_bool(listed),
        from_db_time(created),
        from_db_time(expires),
        game_id,
    )
