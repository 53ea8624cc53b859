"""Players as they are stored, with all that makes them known again: sessions, tokens, keys. Secrets only as hashes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import BindParameter, bindparam, delete, insert, select, update

from punct.server.store.database import Connection, Database
from punct.server.store.sql import named, sql, unless_there
from punct.server.store.tables import PLAYERS, SECRETS, SESSIONS
from punct.server.store.values import json_of, moment, written

PlayerKind = Literal["guest", "person", "bot", "admin"]


@dataclass(frozen=True, slots=True)
class StoredPlayer:
    """Somebody who plays online, without what proves it."""

    id: str
    kind: PlayerKind
    name: str | None
    login: str | None
    """Account holders have one."""
    settings: Mapping[str, Any] | None
    created: datetime
    seen: datetime
    blocked: datetime | None = None

    @property
    def has_account(self) -> bool:
        """Whether more than a cookie knows them."""
        return self.login is not None


class StoredSession(NamedTuple):
    """A browser in which a player is known."""

    id: str
    player: StoredPlayer
    expires: datetime


class PlayerStore:
    """All players. What reads blocks, and is for threads; what changes returns at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    # ------------------------------------------------------------------ reading

    def get(self, player_id: str) -> StoredPlayer | None:
        """Return a player."""
        found = self._database.ask(_PLAYER, {"player": player_id})
        return _player(found[0]) if found else None

    def session(self, session_id: str) -> StoredSession | None:
        """Return a session, by the hash of its secret, with its player."""
        found = self._database.ask(_SESSION, {"session": session_id})
        return StoredSession(session_id, _player(found[0][:-1]), moment(found[0][-1])) if found else None

    # ------------------------------------------------------------------ writing

    def welcome(self, session_id: str, now: datetime, expires: datetime) -> Future[StoredSession]:
        """Store a new guest, and the session in which they are known."""
        player = StoredPlayer(secrets.token_urlsafe(9), "guest", None, None, None, now, now)

        def store(connection: Connection) -> StoredSession:
            connection.execute(
                _NEW_PLAYER,
                {
                    "id": player.id,
                    "kind": player.kind,
                    "name": None,
                    "created": written(now),
                    "seen": written(now),
                },
            )
            _begin_session(connection, session_id, player.id, now, expires)
            return StoredSession(session_id, player, expires)

        return self._database.change(store)

    def renew(self, session: StoredSession, now: datetime, expires: datetime) -> Future[None]:
        """Have a session last longer, and note that its player was here."""

        def store(connection: Connection) -> None:
            connection.execute(_RENEW, {"session": session.id, "expires": written(expires)})
            connection.execute(_SEEN, {"player": session.player.id, "seen": written(now)})

        return self._database.change(store)

    def rename(self, player_id: str, name: str | None) -> Future[None]:
        """Store the name a player has chosen."""

        def store(connection: Connection) -> None:
            connection.execute(_RENAME, {"player": player_id, "name": name})

        return self._database.change(store)

    def settle(self, player_id: str, settings: Mapping[str, Any] | None) -> Future[None]:
        """Store a player's settings."""
        chosen = _write_settings(settings)

        def store(connection: Connection) -> None:
            connection.execute(_SETTLE, {"player": player_id, "settings": chosen})

        return self._database.change(store)

    def secret(self, name: str) -> Future[str]:
        """Return a secret of the server's own, made the first time anybody asks."""
        made = secrets.token_urlsafe(32)

        def store(connection: Connection) -> str:
            connection.execute(_NEW_SECRET, {"name": name, "value": made})
            return str(connection.execute(_SECRET, {"name": name}).fetchone()[0])

        return self._database.change(store)


_write_settings, _read_settings = json_of(PLAYERS.c.settings)
_OF_PLAYER: Final = ("id", "kind", "name", "login", "settings", "created", "seen", "blocked")
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_PLAYER: Final = sql(select(*(PLAYERS.c[name] for name in _OF_PLAYER)).where(PLAYERS.c.id == _PLAYER_ID))
_SESSION: Final = sql(
    select(*(PLAYERS.c[name] for name in _OF_PLAYER), SESSIONS.c.expires)
    .join(SESSIONS, SESSIONS.c.player_id == PLAYERS.c.id)
    .where(SESSIONS.c.id == bindparam("session"))
)
_NEW_PLAYER: Final = sql(insert(PLAYERS).values(named("id", "kind", "name", "created", "seen")))
_NEW_SESSION: Final = sql(insert(SESSIONS).values(named("id", "player_id", "created", "expires")))
_RENEW: Final = sql(update(SESSIONS).where(SESSIONS.c.id == bindparam("session")).values(named("expires")))
_END_SESSION: Final = sql(delete(SESSIONS).where(SESSIONS.c.id == bindparam("session")))
_SEEN: Final = sql(update(PLAYERS).where(PLAYERS.c.id == _PLAYER_ID).values(named("seen")))
_RENAME: Final = sql(update(PLAYERS).where(PLAYERS.c.id == _PLAYER_ID).values(named("name")))
_SETTLE: Final = sql(update(PLAYERS).where(PLAYERS.c.id == _PLAYER_ID).values(named("settings")))
_SECRET: Final = sql(select(SECRETS.c.value).where(SECRETS.c.name == bindparam("name")))
_NEW_SECRET: Final = unless_there(SECRETS)


def _player(row: Any) -> StoredPlayer:
    player_id, kind, name, login, settings, created, seen, blocked = row
    return StoredPlayer(
        player_id,
        kind,
        name,
        login,
        _read_settings(settings),
        moment(created),
        moment(seen),
        None if blocked is None else moment(blocked),
    )


def _begin_session(connection: Connection, session_id: str, player_id: str, now: datetime, expires: datetime) -> None:
    row = {"id": session_id, "player_id": player_id, "created": written(now), "expires": written(expires)}
    connection.execute(_NEW_SESSION, row)
