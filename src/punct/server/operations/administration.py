"""What only those who run a server ask of its store."""

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
    """A player as a list shows them."""

    id: str
    kind: str
    name: str | None
    login: str | None
    games: int
    seen: datetime
    blocked: datetime | None


class Administration:
    """For a program beside the server: what it changes, the server finds changed."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def players(self, matching: str, limit: int) -> list[ListedPlayer]:
        """Return the players whose name or login has something in it, the last seen first."""
        if matching.isascii():
            found = self._database.fetch_all(_PLAYERS, {"matching": f"%{matching.lower()}%", "limit": limit})
        else:  # databases fold the case of other letters or not, as they were set up
            folded = matching.casefold()
            named = [
                player_id
                for player_id, *names in self._database.fetch_all(_NAMED)
                if any(name is not None and folded in name.casefold() for name in names)
            ]
            found = [
                row for player_id in named[:limit] for row in self._database.fetch_all(_PLAYER, {"player": player_id})
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
            for player_id, kind, name, login, games, seen, blocked in found
        ]

    def player_id(self, known_as: str) -> str | None:
        """Return the id of a player who is told by it, or by their login."""
        found = self._database.fetch_all(_PLAYER_ID, {"known_as": known_as, "login": known_as.lower()})
        return found[0][0] if len(found) == 1 else None

    def close_game(self, game: StoredGame) -> Future[None]:
        """Store a game's end that nobody played for: it counts for no rating."""

        def store(connection: Connection) -> None:
            values = {"game": game.id, "before": game.revision - 1, **revision_values(game), "rated": False}
            if connection.execute(_CLOSE, values).rowcount != 1:
                raise ConflictError(game.id)

        return self._database.change(store)


_THEIRS: Final = select(func.count()).select_from(SEATS).where(SEATS.c.player_id == PLAYERS.c.id)
_SEATED: Final = _THEIRS.correlate(PLAYERS).scalar_subquery()
_LISTED: Final = select(
    PLAYERS.c.id, PLAYERS.c.kind, PLAYERS.c.name, PLAYERS.c.login, _SEATED, PLAYERS.c.seen, PLAYERS.c.blocked
)
_PLAYER: Final = sql(_LISTED.where(PLAYERS.c.id == bindparam("player")))
_NAMED: Final = sql(
    select(PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.login)
    .where(or_(PLAYERS.c.name.is_not(None), PLAYERS.c.login.is_not(None)))
    .order_by(PLAYERS.c.seen.desc(), PLAYERS.c.id)
)
_PLAYERS: Final = sql(
    _LISTED.where(
        or_(
            func.lower(func.coalesce(PLAYERS.c.name, literal_column("''"))).like(bindparam("matching")),
            func.lower(func.coalesce(PLAYERS.c.login, literal_column("''"))).like(bindparam("matching")),
        )
    )
    .order_by(PLAYERS.c.seen.desc(), PLAYERS.c.id)
    .limit(bindparam("limit"))
)
_PLAYER_ID: Final = sql(
    select(PLAYERS.c.id).where(or_(PLAYERS.c.id == bindparam("known_as"), PLAYERS.c.login == bindparam("login")))
)
_CLOSE: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.revision == bindparam("before"))
    .values(
        bindparams(
            "ply", "revision", "winner", "ending", "updated", "undone", "left_w", "left_b", "ticking", "deadline",
            "offer", "offered_by", "next_id", "rated",
        )
    )
)  # fmt: skip
