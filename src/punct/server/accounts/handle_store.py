"""The table of handles, and the search for players. Which of two players gets a handle is decided by its key."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, bindparam, delete, exists, insert, literal_column, select, update

from punct.server.auth.handles import handle_key
from punct.server.auth.model import PlayerKind
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError
from punct.server.db.locks import lock_player
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import HANDLES, PLAYERS, RELATIONS
from punct.server.db.values import from_db_time, to_db_time

_END: Final = "\U0010ffff"
"""Sorts after every text that begins alike."""


class FoundPlayer(NamedTuple):
    """A player whom a search has found."""

    id: str
    name: str | None
    handle: str | None
    kind: PlayerKind
    created: datetime


class TooSoonError(ConflictError):
    """A handle was changed not long ago; ``until`` is when it may be changed again."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class HandleStore:
    """All handles. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def change(self, player_id: str, handle: str, now: datetime, interval: timedelta) -> Future[None]:
        """Give a player a handle; the one before stays theirs, those before that become free.

        Another spelling of the same handle is no change. Raises TooSoonError within ``interval`` of the last change,
        DuplicateKeyError if another player has one that looks like it, ConflictError if the player has no account.
        """
        key = handle_key(handle)
        row = {"key": key, "player_id": player_id, "handle": handle, "chosen": to_db_time(now)}

        def store(connection: Connection) -> None:
            if not lock_player(connection, player_id).has_account:
                raise ConflictError(player_id)
            own = [
                (own_key, from_db_time(chosen))
                for own_key, chosen in connection.execute(_SELECT_OWN, {"player": player_id}).fetchall()
            ]
            if own and own[0][0] == key:
                connection.execute(_RESPELL, {"key": key, "handle": handle})
            else:
                if own and now < own[0][1] + interval:
                    raise TooSoonError(own[0][1] + interval)
                for own_key, _ in own[1:]:
                    connection.execute(_DELETE, {"key": own_key})
                connection.execute(_INSERT, row)
            connection.execute(_SET_HANDLE, {"player": player_id, "handle": handle, "handle_key": key})

        return self._database.change(store)

    def search(self, key: str, name: str, searcher_id: str, limit: int) -> list[FoundPlayer]:
        """Return account holders whose handle's key or whose name begins so; an empty text finds nobody.

        Left out are those whom the administrator has blocked, and those who have blocked the searcher.
        """
        found: dict[str, FoundPlayer] = {}
        with self._database.read_transaction() as connection:
            for statement, text in ((_SEARCH_HANDLES, key), (_SEARCH_NAMES, name)):
                if text:
                    values = {"low": text, "high": text + _END, "searcher": searcher_id, "limit": limit}
                    for player_id, own_name, handle, kind, created in connection.execute(statement, values).fetchall():
                        player = FoundPlayer(player_id, own_name, handle, kind, from_db_time(created))
                        found.setdefault(player_id, player)
        return list(found.values())[:limit]


_SELECT_OWN: Final = sql(
    select(HANDLES.c.key, HANDLES.c.chosen)
    .where(HANDLES.c.player_id == bindparam("player"))
    .order_by(HANDLES.c.chosen.desc())
)
_IS_KEY: Final = HANDLES.c.key == bindparam("key")
_RESPELL: Final = sql(update(HANDLES).where(_IS_KEY).values(bindparams("handle")))
_DELETE: Final = sql(delete(HANDLES).where(_IS_KEY))
_INSERT: Final = sql(insert(HANDLES))
_SET_HANDLE: Final = sql(
    update(PLAYERS).where(PLAYERS.c.id == bindparam("player")).values(bindparams("handle", "handle_key"))
)


def _search(column: Any) -> Any:
    """Return the statement that finds account holders by the beginning of a column, which has an index."""
    return sql(
        select(PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.handle, PLAYERS.c.kind, PLAYERS.c.created)
        .where(
            column >= bindparam("low"),
            column < bindparam("high"),
            PLAYERS.c.login.is_not(None),
            PLAYERS.c.blocked.is_(None),
            ~exists().where(
                RELATIONS.c.player_id == PLAYERS.c.id,
                RELATIONS.c.other_id == bindparam("searcher"),
                RELATIONS.c.kind == literal_column("'block'"),
            ),
        )
        .order_by(column, PLAYERS.c.id)
        .offset(literal_column("0", Integer))
        .limit(bindparam("limit"))
    )


_SEARCH_HANDLES: Final = _search(PLAYERS.c.handle_key)
_SEARCH_NAMES: Final = _search(PLAYERS.c.name_key)
