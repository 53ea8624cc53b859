"""Games as they are stored: every change is one transaction, made for a stated revision."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, update

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.store.database import Database
from punct.server.store.faults import ConflictError, told_apart
from punct.server.store.tables import GAMES, MOVES, SEATS
from punct.server.store.writer import Writer

SeatKind = Literal["person", "engine"]


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who plays a colour."""

    kind: SeatKind = "person"
    name: str | None = None
    level: int | None = None


class StoredMove(NamedTuple):
    """A move; ``played`` is None if it came with a record."""

    text: str
    played: datetime | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class NewStoredGame:
    """A game to store."""

    start: str
    seats: Mapping[Colour, StoredSeat]
    moves: Sequence[StoredMove] = ()
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as lists show it: everything but its moves."""

    id: str
    rules: str
    start: str
    seats: Mapping[Colour, StoredSeat]
    ply: int
    revision: int
    outcome: Outcome | None
    tags: Mapping[str, str]
    created: datetime
    updated: datetime

    @property
    def turn(self) -> Colour:
        """Who is to move: the start says who begins."""
        first = Colour.WHITE if self.start.split(maxsplit=2)[1] == "w" else Colour.BLACK
        return first if self.ply % 2 == 0 else first.other

    def next(self, now: datetime, ply: int, outcome: Outcome | None) -> StoredGame:
        """Return the game's next revision."""
        return replace(self, ply=ply, outcome=outcome, revision=self.revision + 1, updated=now)


class GameStore:
    """All games. What reads blocks, and is for threads; what changes returns at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Take over an open database."""
        self._database = database
        self._writer = Writer(database.writing)

    def close(self) -> None:
        """Make the changes that wait, and close every connection."""
        self._writer.close()
        self._database.close()

    # ------------------------------------------------------------------ reading: one state of everything each time

    def revision(self, game_id: str) -> int | None:
        """Return at which revision a game is; None if there is none."""
        with told_apart(), self._database.reading.begin() as connection:
            found: int | None = connection.execute(_REVISION, {"game": game_id}).scalar()
            return found

    def load(self, game_id: str) -> tuple[StoredGame, list[StoredMove]] | None:
        """Return a game with its moves; None if there is none."""
        with told_apart(), self._database.reading.begin() as connection:
            games = _read(connection, _GAME, {"game": game_id})
            if not games:
                return None
            return games[0], [StoredMove(*row) for row in connection.execute(_MOVES, {"game": game_id})]

    def page(self, offset: int, limit: int) -> tuple[list[StoredGame], int]:
        """Return some games, the last changed first, and how many there are."""
        with told_apart(), self._database.reading.begin() as connection:
            games = _read(connection, _NEWEST, {"offset": offset, "limit": limit})
            return games, connection.execute(_COUNT).scalar_one()

    def open_with_engine(self) -> list[StoredGame]:
        """Return the unfinished games with an engine in a seat, the last changed first."""
        with told_apart(), self._database.reading.begin() as connection:
            return _read(connection, _OPEN_WITH_ENGINE)

    # ------------------------------------------------------------------ writing

    def create(self, games: Iterable[NewStoredGame]) -> Future[list[StoredGame]]:
        """Store new games, all or none."""
        now = datetime.now(UTC)
        new = [
            (
                StoredGame(
                    id=secrets.token_urlsafe(9),
                    rules=game.start.split(maxsplit=1)[0],
                    start=game.start,
                    seats=game.seats,
                    ply=len(game.moves),
                    revision=1,
                    outcome=game.outcome,
                    tags=dict(game.tags),
                    created=now,
                    updated=now,
                ),
                game.moves,
            )
            for game in games
        ]

        def store(connection: Connection) -> list[StoredGame]:
            for game, moves in new:
                connection.execute(_NEW_GAME, _row(game))
                connection.execute(_NEW_SEAT, [_seat_row(game.id, *seat) for seat in game.seats.items()])
                if moves:
                    connection.execute(_NEW_MOVE, [_move_row(game.id, *numbered) for numbered in enumerate(moves)])
            return [game for game, _ in new]

        return self._writer.submit(store)

    def add_move(self, game: StoredGame, move: StoredMove) -> Future[None]:
        """Store a move. The game is what it makes of the revision before."""

        def store(connection: Connection) -> None:
            _change(connection, game)
            connection.execute(_NEW_MOVE, _move_row(game.id, game.ply - 1, move))

        return self._writer.submit(store)

    def take_back(self, game: StoredGame) -> Future[None]:
        """Forget every move from the game's ply on, and any end it had."""

        def store(connection: Connection) -> None:
            _change(connection, game)
            connection.execute(_FORGET_MOVES, {"game": game.id, "from": game.ply})

        return self._writer.submit(store)

    def end(self, game: StoredGame) -> Future[None]:
        """Store how a game was ended without a move."""
        return self._writer.submit(lambda connection: _change(connection, game))

    def delete(self, game_id: str) -> Future[bool]:
        """Forget a game; tell whether there was one."""
        return self._writer.submit(
            lambda connection: connection.execute(_FORGET_GAME, {"game": game_id}).first() is not None
        )


# What is asked is put together once; only the values change.
_REVISION: Final = select(GAMES.c.revision).where(GAMES.c.id == bindparam("game"))
_GAME: Final = select(GAMES).where(GAMES.c.id == bindparam("game"))
_NEWEST: Final = (
    select(GAMES)
    .order_by(GAMES.c.updated.desc(), GAMES.c.id.desc())
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_COUNT: Final = select(func.count()).select_from(GAMES)
_OPEN_WITH_ENGINE: Final = (
    select(GAMES)
    .where(GAMES.c.ending.is_(None), GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.kind == "engine")))
    .order_by(GAMES.c.updated.desc())
)
_SEATS: Final = select(SEATS).where(SEATS.c.game_id.in_(bindparam("games", expanding=True)))
_MOVES: Final = (
    select(MOVES.c.text, MOVES.c.played, MOVES.c.comment)
    .where(MOVES.c.game_id == bindparam("game"))
    .order_by(MOVES.c.ply)
)
_NEW_GAME: Final = insert(GAMES)
_NEW_SEAT: Final = insert(SEATS)
_NEW_MOVE: Final = insert(MOVES)
_CHANGE: Final = (
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.revision == bindparam("before"))
    .values({name: bindparam(name) for name in ("ply", "revision", "winner", "ending", "updated")})
)
_FORGET_MOVES: Final = delete(MOVES).where(MOVES.c.game_id == bindparam("game"), MOVES.c.ply >= bindparam("from"))
_FORGET_GAME: Final = delete(GAMES).where(GAMES.c.id == bindparam("game")).returning(GAMES.c.id)


def _change(connection: Connection, game: StoredGame) -> None:
    """Change a game if it still is at the revision before this one."""
    ending = _ending(game.outcome)
    values = {"game": game.id, "before": game.revision - 1, "ply": game.ply, "revision": game.revision, **ending}
    if connection.execute(_CHANGE, {**values, "updated": game.updated}).rowcount != 1:
        raise ConflictError(game.id)


def _read(connection: Connection, query: Select[Any], values: Mapping[str, object] | None = None) -> list[StoredGame]:
    """Return the games of a query, with their seats."""
    rows = connection.execute(query, values or {}).all()
    seats: dict[str, dict[Colour, StoredSeat]] = {row.id: {} for row in rows}
    if rows:
        for row in connection.execute(_SEATS, {"games": list(seats)}):
            kind: SeatKind = "engine" if row.kind == "engine" else "person"
            seats[row.game_id][_colour(row.colour)] = StoredSeat(kind, row.name, row.level)
    return [_stored(row, seats[row.id]) for row in rows]


def _stored(row: Row[Any], seats: Mapping[Colour, StoredSeat]) -> StoredGame:
    outcome = None
    if row.ending is not None:
        outcome = Outcome(None if row.winner is None else _colour(row.winner), Ending[row.ending.upper()])
    return StoredGame(
        row.id, row.rules, row.start, seats, row.ply, row.revision, outcome, row.tags, row.created, row.updated
    )


def _row(game: StoredGame) -> dict[str, object]:
    return {
        "id": game.id,
        "rules": game.rules,
        "start": game.start,
        "ply": game.ply,
        "revision": game.revision,
        "tags": dict(game.tags),
        "created": game.created,
        "updated": game.updated,
        **_ending(game.outcome),
    }


def _seat_row(game_id: str, colour: Colour, seat: StoredSeat) -> dict[str, object]:
    return {"game_id": game_id, "colour": colour.letter, "kind": seat.kind, "name": seat.name, "level": seat.level}


def _move_row(game_id: str, ply: int, move: StoredMove) -> dict[str, object]:
    return {"game_id": game_id, "ply": ply, "text": move.text, "played": move.played, "comment": move.comment}


def _colour(letter: str) -> Colour:
    return Colour.WHITE if letter == "w" else Colour.BLACK


def _ending(outcome: Outcome | None) -> dict[str, str | None]:
    if outcome is None:
        return {"winner": None, "ending": None}
    return {
        "winner": None if outcome.winner is None else outcome.winner.letter,
        "ending": outcome.reason.name.lower(),
    }
