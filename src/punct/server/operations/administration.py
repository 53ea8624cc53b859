"""Queries and changes of the operator's command line (``punct admin``)."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, literal_column, or_, select, update

from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import GAMES, PLAYERS, SEATS
from punct.server.db.values import from_db_time
from punct.server.games.model import StoredGame
from punct.server.games.rows import revision_values


class ListedPlayer(NamedTuple):
    """A player in a list."""

    id: str
    kind: str
    name: str | None
    login: str | None
    games: int
    seen: datetime
    blocked: datetime | None


class Administration:
    """Reads and changes the store of a server that may be running: the server notices each change."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def players(self, matching: str, limit: int) -> list[ListedPlayer]:
        """Return the players whose name or login contains a text, the last seen first."""
        if matching.isascii():
            rows = self._database.fetch_all(_PLAYERS, {"matching": f"%{matching.lower()}%", "limit": limit})
        else:  # whether a database folds the case of other letters depends on its collation
            folded = matching.casefold()
            matches = [
                player_id
                for player_id, *names in self._database.fetch_all(_NAMED_PLAYERS)
                if any(name is not None and folded in name.casefold() for name in names)
            ]
            rows = [
                row for player_id in matches[:limit] for row in self._database.fetch_all(_PLAYER, {"player": player_id})
            ]
        return [
            ListedPlayer(
                player_id,
                kind,
                name,
                login,
                games,
                from_db_time(seen),
                None if blocked is None else from_db_time(blocked),
            )
            for player_id, kind, name, login, games, seen, blocked in rows
        ]

    def player_id(self, id_or_login: str) -> str | None:
        """Return the id of the player with this id or login; None if there is none, or more than one."""
        rows = self._database.fetch_all(_PLAYER_ID, {"id": id_or_login, "login": id_or_login.lower()})
        return rows[0][0] if len(rows) == 1 else None

    def close_game(self, game: StoredGame) -> Future[None]:
        """Store the end of a game that an operator closes: it counts for no rating."""

        def store(connection: Connection) -> None:
            values = {"game": game.id, "before": game.revision - 1, **revision_values(game), "rated": False}
            if connection.execute(_CLOSE, values).rowcount != 1:
                raise ConflictError(game.id)

        return self._database.change(store)


_SEAT_COUNT: Final = select(func.count()).select_from(SEATS).where(SEATS.c.player_id == PLAYERS.c.id)
_GAME_COUNT: Final = _SEAT_COUNT.correlate(PLAYERS).scalar_subquery()
_PLAYER_COLUMNS: Final = select(
    PLAYERS.c.id, PLAYERS.c.kind, PLAYERS.c.name, PLAYERS.c.login, _GAME_COUNT, PLAYERS.c.seen, PLAYERS.c.blocked
)
_PLAYER: Final = sql(_PLAYER_COLUMNS.where(PLAYERS.c.id == bindparam("player")))
_NAMED_PLAYERS: Final = sql(
    select(PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.login)
    .where(or_(PLAYERS.c.name.is_not(None), PLAYERS.c.login.is_not(None)))
    .order_by(PLAYERS.c.seen.desc(), PLAYERS.c.id)
)
_PLAYERS: Final = sql(
    _PLAYER_COLUMNS.where(
        or_(
            func.lower(func.coalesce(PLAYERS.c.name, literal_column("''"))).like(bindparam("matching")),
            func.lower(func.coalesce(PLAYERS.c.login, literal_column("''"))).like(bindparam("matching")),
        )
    )
    .order_by(PLAYERS.c.seen.desc(), PLAYERS.c.id)
    .limit(bindparam("limit"))
)
_PLAYER_ID: Final = sql(
    select(PLAYERS.c.id).where(or_(PLAYERS.c.id == bindparam("id"), PLAYERS.c.login == bindparam("login")))
)
_CLOSE: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.revision == bindparam("before"))
    .values(
        bindparams(
            "ply", "revision", "winner", "ending", "updated", "undone", "left_w", "left_b", "ticking", "deadline",
            "offer", "offered_by", "next_id", "rated", "pauses",
        )
    )
)  # fmt: skip
