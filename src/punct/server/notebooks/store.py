"""The table of notebooks."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, select

from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError
from punct.server.db.locks import LockStrength, lock_players
from punct.server.db.sql import bindparams, insert_or_ignore, sql
from punct.server.db.tables import GAMES, NOTEBOOKS
from punct.server.db.values import from_db_time, time_after_version, to_db_time, version_at


class OutdatedNotebookError(ConflictError):
    """The stored notebook is another one than a change is based on."""


class MissingGameError(ConflictError):
    """The game is gone."""


class Notebook(NamedTuple):
    """What a player has written down in a game."""

    note: str = ""
    tree: str = ""
    """A text record with variations; empty without any."""
    version: int = 0
    """Grows with every change; 0 if nothing is stored."""


class NotebookStore:
    """All notebooks. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, game_id: str, player_id: str) -> Notebook | None:
        """Return a player's notebook in a game; None if there is none."""
        rows = self._database.fetch_all(_SELECT, {"game": game_id, "player": player_id})
        return _notebook(*rows[0]) if rows else None

    def put(
        self, game_id: str, player_id: str, version: int, note: str | None, tree: str | None, now: datetime
    ) -> Future[Notebook]:
        """Store what is given, in place of that with a version; the rest stays. Return all of it.

        Raises OutdatedNotebookError if another version is stored, MissingGameError and MissingPlayerError.
        """
        key = {"game": game_id, "player": player_id}

        def store(connection: Connection) -> Notebook:
            lock_players(connection, [player_id], LockStrength.KEY_SHARE)
            if connection.execute(_LOCK_GAME, {"game": game_id}).fetchone() is None:
                raise MissingGameError(game_id)
            row = connection.execute(_LOCK, key).fetchone()
            current = Notebook() if row is None else _notebook(*row)
            wanted = (current.note if note is None else note, current.tree if tree is None else tree)
            if current.version != version:
                if (current.note, current.tree) == wanted:
                    return current  # the same request was executed before
                raise OutdatedNotebookError(game_id)
            updated = time_after_version(version, now)
            values = dict(zip(("note", "tree"), wanted, strict=True)) | {"updated": to_db_time(updated)}
            if row is not None:
                connection.execute(_UPDATE, {**key, **values})
            elif not connection.execute(_INSERT, {"game_id": game_id, "player_id": player_id, **values}).rowcount:
                raise OutdatedNotebookError(game_id)  # another process has stored the first one
            return Notebook(*wanted, version_at(updated))

        return self._database.change(store)

    def delete(self, game_id: str, player_id: str) -> Future[None]:
        """Delete a player's notebook."""

        def store(connection: Connection) -> None:
            connection.execute(_DELETE, {"game": game_id, "player": player_id})

        return self._database.change(store)


def _notebook(note: str, tree: str, updated: str) -> Notebook:
    return Notebook(note, tree, version_at(from_db_time(updated)))


_IS_OWN: Final = (NOTEBOOKS.c.game_id == bindparam("game"), NOTEBOOKS.c.player_id == bindparam("player"))
_NOTEBOOK: Final = select(NOTEBOOKS.c.note, NOTEBOOKS.c.tree, NOTEBOOKS.c.updated).where(*_IS_OWN)
_SELECT: Final = sql(_NOTEBOOK)
_LOCK: Final = sql(_NOTEBOOK.with_for_update())
_LOCK_GAME: Final = sql(
    select(GAMES.c.id).where(GAMES.c.id == bindparam("game")).with_for_update(key_share=True, read=True)
)
_INSERT: Final = insert_or_ignore(NOTEBOOKS)
_UPDATE: Final = sql(NOTEBOOKS.update().where(*_IS_OWN).values(bindparams("note", "tree", "updated")))
_DELETE: Final = sql(delete(NOTEBOOKS).where(*_IS_OWN))
