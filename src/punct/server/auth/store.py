"""The tables of players, sessions and tokens, for authentication. Secrets are stored as hashes only."""

from __future__ import annotations

import secrets
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import BindParameter, bindparam, delete, insert, select, update

from punct.server.auth import proofs
from punct.server.auth.model import StoredPlayer, StoredSession, StoredToken
from punct.server.auth.proofs import Proof
from punct.server.db import idempotency
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError
from punct.server.db.idempotency import IdempotencyKey
from punct.server.db.locks import lock_player, lock_players
from punct.server.db.sql import bindparams, insert_or_ignore, sql
from punct.server.db.tables import HANDLES, PLAYERS, PUSH_SUBSCRIPTIONS, SECRETS, SESSIONS, TOKENS
from punct.server.db.values import from_db_bool, from_db_time, json_converters, new_id, to_db_time


class AuthStore:
    """Players, their sessions and tokens.

    Methods that read block, and are for threads. Methods that write return a future at once.
    """

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, player_id: str) -> StoredPlayer | None:
        """Return a player."""
        rows = self._database.fetch_all(_SELECT_PLAYER, {"player": player_id})
        return _player(rows[0]) if rows else None

    def find_by_handle(self, key: str) -> StoredPlayer | None:
        """Return the player with a handle, by its key: the current one, or the one before."""
        rows = self._database.fetch_all(_SELECT_BY_HANDLE, {"key": key})
        return _player(rows[0]) if rows else None

    def find_session(self, session_id: str) -> StoredSession | None:
        """Return a session, by the hash of its secret, with its player."""
        rows = self._database.fetch_all(_SELECT_SESSION, {"session": session_id})
        return StoredSession(session_id, _player(rows[0][:-1]), from_db_time(rows[0][-1])) if rows else None

    def get_expiry(self, credential: StoredSession | StoredToken) -> datetime | None:
        """Return when a session or a token expires; None if it was deleted."""
        if isinstance(credential, StoredSession):
            rows = self._database.fetch_all(_SELECT_SESSION_EXPIRY, {"session": credential.id})
        else:
            rows = self._database.fetch_all(_SELECT_TOKEN_EXPIRY, {"token": credential.id})
        if not rows:
            return None
        return datetime.max.replace(tzinfo=UTC) if rows[0][0] is None else from_db_time(rows[0][0])

    def find_token(self, token_id: str) -> tuple[StoredPlayer, StoredToken] | None:
        """Return a token, by the hash of its secret, with its player."""
        rows = self._database.fetch_all(_SELECT_TOKEN, {"token": token_id})
        return (_player(rows[0][: len(_PLAYER_COLUMNS)]), _token(rows[0][len(_PLAYER_COLUMNS) :])) if rows else None

    def list_tokens(self, player_id: str) -> list[StoredToken]:
        """Return a player's tokens, the newest first."""
        return [_token(row) for row in self._database.fetch_all(_SELECT_TOKENS, {"player": player_id})]

    def create_guest(self, session_id: str, now: datetime, expires: datetime) -> Future[StoredSession]:
        """Store a new guest and their session."""
        player = StoredPlayer(new_id(), "guest", None, None, None, now, now)

        def store(connection: Connection) -> StoredSession:
            connection.execute(
                _INSERT_PLAYER,
                {
                    "id": player.id,
                    "kind": player.kind,
                    "name": None,
                    "created": to_db_time(now),
                    "seen": to_db_time(now),
                },
            )
            insert_session(connection, session_id, player.id, now, expires)
            return StoredSession(session_id, player, expires)

        return self._database.change(store)

    def renew_session(self, session: StoredSession, now: datetime, expires: datetime) -> Future[bool]:
        """Extend a session, and record when its player was seen; False if it has ended."""

        def store(connection: Connection) -> bool:
            lock_players(connection, [session.player.id], missing_ok=True)
            if not connection.execute(
                _UPDATE_EXPIRES, {"session": session.id, "expires": to_db_time(expires)}
            ).rowcount:
                return False
            connection.execute(_UPDATE_SEEN, {"player": session.player.id, "seen": to_db_time(now)})
            return True

        return self._database.change(store)

    def end_session(self, session_id: str) -> Future[None]:
        """End a session."""

        def store(connection: Connection) -> None:
            delete_session(connection, session_id)

        return self._database.change(store)

    def end_sessions(self, player_id: str) -> Future[None]:
        """End all sessions of a player; raises ConflictError if there is no such player."""

        def store(connection: Connection) -> None:
            lock_player(connection, player_id)  # a concurrent login is stored before this or after it
            delete_sessions(connection, player_id)

        return self._database.change(store)

    def add_token(
        self, player_id: str, token: StoredToken, max_tokens: int, proof: Proof, key: IdempotencyKey | None = None
    ) -> Future[None]:
        """Store a player's new token, if a proof still holds; raises ConflictError if they have the maximum already.

        With an idempotency key that was used before, it replaces the token of that request, whose secret nobody can
        know any more. Raises DuplicateRequestError if the key was used for something else.
        """
        row = {
            "id": token.id,
            "player_id": player_id,
            "name": token.name,
            "scopes": " ".join(sorted(token.scopes)),
            "created": to_db_time(token.created),
            "expires": None if token.expires is None else to_db_time(token.expires),
        }

        def store(connection: Connection) -> None:
            proofs.check_proof(connection, lock_player(connection, player_id), proof)
            previous = None if key is None else idempotency.find_result(connection, key)
            if key is not None and previous is not None:
                if not previous.is_for(key, "token"):
                    raise idempotency.DuplicateRequestError(previous)
                connection.execute(_DELETE_TOKEN, {"player": player_id, "token": previous.id})
                idempotency.replace_result(connection, key, "token", token.id)
            else:
                if len(connection.execute(_SELECT_TOKENS, {"player": player_id}).fetchall()) >= max_tokens:
                    raise ConflictError(player_id)
                idempotency.record_result(connection, key, "token", token.id, token.created)
            connection.execute(_INSERT_TOKEN, row)

        return self._database.change(store)

    def record_token_use(self, token_id: str, now: datetime) -> Future[None]:
        """Record when a token was used."""

        def store(connection: Connection) -> None:
            connection.execute(_UPDATE_USED, {"token": token_id, "used": to_db_time(now)})

        return self._database.change(store)

    def delete_token(self, player_id: str, token_id: str) -> Future[bool]:
        """Delete a token; return whether the player had it."""

        def store(connection: Connection) -> bool:
            return connection.execute(_DELETE_TOKEN, {"player": player_id, "token": token_id}).rowcount > 0

        return self._database.change(store)

    def get_or_create_secret(self, name: str) -> Future[str]:
        """Return a secret of the server itself, which is created at the first call."""
        new_secret = secrets.token_urlsafe(32)

        def store(connection: Connection) -> str:
            connection.execute(_INSERT_SECRET, {"name": name, "value": new_secret})
            return str(connection.execute(proofs.SELECT_SECRET, {"name": name}).fetchone()[0])

        return self._database.change(store)


# ---------------------------------------------------------------------- inside a transaction of another store


def insert_session(connection: Connection, session_id: str, player_id: str, now: datetime, expires: datetime) -> None:
    """Store a new session."""
    row = {"id": session_id, "player_id": player_id, "created": to_db_time(now), "expires": to_db_time(expires)}
    connection.execute(_INSERT_SESSION, row)


def delete_session(connection: Connection, session_id: str) -> None:
    """Delete a session."""
    connection.execute(_DELETE_SESSION, {"session": session_id})


def delete_sessions(connection: Connection, player_id: str) -> None:
    """Delete all sessions of a player."""
    connection.execute(_DELETE_SESSIONS, {"player": player_id})
    connection.execute(_DELETE_PUSH_SUBSCRIPTIONS, {"player": player_id})


def delete_tokens(connection: Connection, player_id: str) -> None:
    """Delete all tokens of a player."""
    connection.execute(_DELETE_TOKENS, {"player": player_id})


_, _read_settings = json_converters(PLAYERS.c.settings)
_PLAYER_COLUMNS: Final = (
    *(PLAYERS.c[name] for name in ("id", "kind", "name", "login", "settings", "created", "seen", "blocked")),
    PLAYERS.c.password.is_not(None),
    PLAYERS.c.handle,
)
_TOKEN_COLUMNS: Final = ("id", "name", "scopes", "created", "expires", "used")
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_IS_PLAYER: Final = PLAYERS.c.id == _PLAYER_ID
_SELECT_PLAYERS: Final = select(*_PLAYER_COLUMNS)
_SELECT_PLAYER: Final = sql(_SELECT_PLAYERS.where(_IS_PLAYER))
_SELECT_BY_HANDLE: Final = sql(
    _SELECT_PLAYERS.join(HANDLES, HANDLES.c.player_id == PLAYERS.c.id).where(HANDLES.c.key == bindparam("key"))
)
_INSERT_PLAYER: Final = sql(insert(PLAYERS).values(bindparams("id", "kind", "name", "created", "seen")))
_UPDATE_SEEN: Final = sql(update(PLAYERS).where(_IS_PLAYER).values(bindparams("seen")))
_SELECT_SESSION: Final = sql(
    _SELECT_PLAYERS.add_columns(SESSIONS.c.expires)
    .join(SESSIONS, SESSIONS.c.player_id == PLAYERS.c.id)
    .where(SESSIONS.c.id == bindparam("session"))
)
_SELECT_SESSION_EXPIRY: Final = sql(select(SESSIONS.c.expires).where(SESSIONS.c.id == bindparam("session")))
_INSERT_SESSION: Final = sql(insert(SESSIONS).values(bindparams("id", "player_id", "created", "expires")))
_UPDATE_EXPIRES: Final = sql(
    update(SESSIONS).where(SESSIONS.c.id == bindparam("session")).values(bindparams("expires"))
)
_DELETE_SESSION: Final = sql(delete(SESSIONS).where(SESSIONS.c.id == bindparam("session")))
_DELETE_SESSIONS: Final = sql(delete(SESSIONS).where(SESSIONS.c.player_id == _PLAYER_ID))
_DELETE_PUSH_SUBSCRIPTIONS: Final = sql(delete(PUSH_SUBSCRIPTIONS).where(PUSH_SUBSCRIPTIONS.c.player_id == _PLAYER_ID))
_IS_TOKEN: Final = TOKENS.c.id == bindparam("token")
_SELECT_TOKEN: Final = sql(
    _SELECT_PLAYERS.add_columns(*(TOKENS.c[name] for name in _TOKEN_COLUMNS))
    .join(TOKENS, TOKENS.c.player_id == PLAYERS.c.id)
    .where(_IS_TOKEN)
)
_SELECT_TOKEN_EXPIRY: Final = sql(select(TOKENS.c.expires).where(_IS_TOKEN))
_SELECT_TOKENS: Final = sql(
    select(*(TOKENS.c[name] for name in _TOKEN_COLUMNS))
    .where(TOKENS.c.player_id == _PLAYER_ID)
    .order_by(TOKENS.c.created.desc(), TOKENS.c.id)
)
_INSERT_TOKEN: Final = sql(insert(TOKENS).values(bindparams("id", "player_id", "name", "scopes", "created", "expires")))
_UPDATE_USED: Final = sql(update(TOKENS).where(_IS_TOKEN).values(bindparams("used")))
_DELETE_TOKENS: Final = sql(delete(TOKENS).where(TOKENS.c.player_id == _PLAYER_ID))
_DELETE_TOKEN: Final = sql(delete(TOKENS).where(_IS_TOKEN, TOKENS.c.player_id == _PLAYER_ID))
_INSERT_SECRET: Final = insert_or_ignore(SECRETS)


def _player(row: Any) -> StoredPlayer:
    player_id, kind, name, login, settings, created, seen, blocked, has_password, handle = row
    return StoredPlayer(
        player_id,
        kind,
        name,
        login,
        _read_settings(settings),
        from_db_time(created),
        from_db_time(seen),
        None if blocked is None else from_db_time(blocked),
        from_db_bool(has_password),
        handle,
    )


def _token(row: Any) -> StoredToken:
    token_id, name, scopes, created, expires, used = row
    return StoredToken(
        token_id,
        name,
        frozenset(scopes.split()),
        from_db_time(created),
        None if expires is None else from_db_time(expires),
        None if used is None else from_db_time(used),
    )
