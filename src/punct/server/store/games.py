"""Games as they are stored: every change is one transaction, made for a stated revision."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import BindParameter, Executable, and_, bindparam, delete, func, insert, literal_column, select, update
from sqlalchemy.dialects import sqlite

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.store.database import Database
from punct.server.store.faults import ConflictError
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
    undone: tuple[StoredMove, ...] = ()
    """What was taken back, the next move first: the game would go on with it."""

    @property
    def turn(self) -> Colour:
        """Who is to move: the start says who begins."""
        first = Colour.WHITE if self.start.split(maxsplit=2)[1] == "w" else Colour.BLACK
        return first if self.ply % 2 == 0 else first.other

    def next(self, now: datetime, ply: int, outcome: Outcome | None, undone: tuple[StoredMove, ...] = ()) -> StoredGame:
        """Return the game's next revision."""
        return replace(self, ply=ply, outcome=outcome, revision=self.revision + 1, updated=now, undone=undone)


class Tally(NamedTuple):
    """How the finished games of persons against one level came out, for the persons."""

    rules: str
    level: int
    wins: int
    draws: int
    losses: int


class GameStore:
    """All games. What reads blocks, and is for threads; what changes returns at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Take over an open database."""
        self._database = database
        self._writer = Writer(database)

    def close(self) -> None:
        """Make the changes that wait, and close every connection."""
        self._writer.close()
        self._database.close()

    # ------------------------------------------------------------------ reading: one state of everything each time

    def revision(self, game_id: str) -> int | None:
        """Return at which revision a game is; None if there is none."""
        with self._database.reading() as connection:
            found = connection.execute(_REVISION, {"game": game_id}).fetchone()
            return None if found is None else int(found[0])

    def load(self, game_id: str) -> tuple[StoredGame, list[StoredMove]] | None:
        """Return a game with its moves; None if there is none."""
        with self._database.reading() as connection:
            games = _read(connection, _GAME, {"game": game_id})
            if not games:
                return None
            moves = connection.execute(_MOVES, {"game": game_id})
            return games[0], [_stored_move(*move) for move in moves]

    def page(self, offset: int, limit: int) -> tuple[list[StoredGame], int]:
        """Return some games, the last changed first, and how many there are."""
        with self._database.reading() as connection:
            games = _read(connection, _NEWEST, {"offset": offset, "limit": limit})
            (count,) = connection.execute(_COUNT).fetchone()
            return games, count

    def tallies(self) -> list[Tally]:
        """Return how persons fared against each level, by rules: in every finished game from the empty board."""
        with self._database.reading() as connection:
            return [Tally(*row) for row in connection.execute(_TALLIES)]

    def open_with_engine(self) -> list[StoredGame]:
        """Return the unfinished games with an engine in a seat, the last changed first."""
        with self._database.reading() as connection:
            return _read(connection, _OPEN_WITH_ENGINE, {})

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
                connection.executemany(_NEW_SEAT, [_seat_row(game.id, *seat) for seat in game.seats.items()])
                connection.executemany(_NEW_MOVE, [_move_row(game.id, *numbered) for numbered in enumerate(moves)])
            return [game for game, _ in new]

        return self._writer.submit(store)

    def add_move(self, game: StoredGame, *moves: StoredMove) -> Future[None]:
        """Store a move, or several played at once. The game is what they make of the revision before."""

        def store(connection: Connection) -> None:
            _change(connection, game)
            numbered = enumerate(moves, game.ply - len(moves))
            connection.executemany(_NEW_MOVE, [_move_row(game.id, *move) for move in numbered])

        return self._writer.submit(store)

    def take_back(self, game: StoredGame) -> Future[None]:
        """Strike every move from the game's ply on, and any end it had; the game itself tells what was undone."""

        def store(connection: Connection) -> None:
            _change(connection, game)
            connection.execute(_FORGET_MOVES, {"game": game.id, "from": game.ply})

        return self._writer.submit(store)

    def end(self, game: StoredGame) -> Future[None]:
        """Store how a game was ended without a move."""
        return self._writer.submit(lambda connection: _change(connection, game))

    def delete(self, game_id: str) -> Future[bool]:
        """Forget a game; tell whether there was one."""
        return self._writer.submit(lambda connection: connection.execute(_FORGET_GAME, {"game": game_id}).rowcount > 0)


_DIALECT: Final = sqlite.dialect(paramstyle="named")


def _sql(asked: Executable) -> str:
    """Put a question into words, once; its values are filled in by name each time."""
    return str(asked.compile(dialect=_DIALECT))  # type: ignore[attr-defined]


def _named(*names: str) -> dict[str, Any]:
    return {name: bindparam(name) for name in names}


_GAME_ID: Final[BindParameter[str]] = bindparam("game")
_REVISION: Final = _sql(select(GAMES.c.revision).where(GAMES.c.id == _GAME_ID))
_WHITE, _BLACK = SEATS.alias("white"), SEATS.alias("black")
_GAMES: Final = (
    select(GAMES, *(seat.c[name] for seat in (_WHITE, _BLACK) for name in ("kind", "name", "level")))
    .select_from(GAMES)
    .join(_WHITE, and_(_WHITE.c.game_id == GAMES.c.id, _WHITE.c.colour == literal_column("'w'")))
    .join(_BLACK, and_(_BLACK.c.game_id == GAMES.c.id, _BLACK.c.colour == literal_column("'b'")))
)
_GAME: Final = _sql(_GAMES.where(GAMES.c.id == _GAME_ID))
_NEWEST: Final = _sql(
    _GAMES.order_by(GAMES.c.updated.desc(), GAMES.c.id.desc()).offset(bindparam("offset")).limit(bindparam("limit"))
)
_OPEN_WITH_ENGINE: Final = _sql(
    _GAMES.where(GAMES.c.ending.is_(None), literal_column("'engine'").in_([_WHITE.c.kind, _BLACK.c.kind])).order_by(
        GAMES.c.updated.desc()
    )
)
_PERSON, _ENGINE = SEATS.alias("person"), SEATS.alias("engine")
_TALLIES: Final = _sql(
    select(
        GAMES.c.rules,
        _ENGINE.c.level,
        func.count().filter(GAMES.c.winner == _PERSON.c.colour),
        func.count().filter(GAMES.c.winner.is_(None)),
        func.count().filter(GAMES.c.winner == _ENGINE.c.colour),
    )
    .select_from(GAMES)
    .join(_PERSON, and_(_PERSON.c.game_id == GAMES.c.id, _PERSON.c.kind == literal_column("'person'")))
    .join(_ENGINE, and_(_ENGINE.c.game_id == GAMES.c.id, _ENGINE.c.kind == literal_column("'engine'")))
    .where(GAMES.c.ending.is_not(None), GAMES.c.start == GAMES.c.rules + literal_column("' w'"))
    .group_by(GAMES.c.rules, _ENGINE.c.level)
    .order_by(GAMES.c.rules, _ENGINE.c.level)
)
_COUNT: Final = _sql(select(func.count()).select_from(GAMES))
_MOVES: Final = _sql(
    select(MOVES.c.text, MOVES.c.played, MOVES.c.comment).where(MOVES.c.game_id == _GAME_ID).order_by(MOVES.c.ply)
)
_NEW_GAME: Final = _sql(insert(GAMES))
_NEW_SEAT: Final = _sql(insert(SEATS))
_NEW_MOVE: Final = _sql(insert(MOVES))
_CHANGE: Final = _sql(
    update(GAMES)
    .where(GAMES.c.id == _GAME_ID, GAMES.c.revision == bindparam("before"))
    .values(_named("ply", "revision", "winner", "ending", "updated", "undone"))
)
_FORGET_MOVES: Final = _sql(delete(MOVES).where(MOVES.c.game_id == _GAME_ID, MOVES.c.ply >= bindparam("from")))
_FORGET_GAME: Final = _sql(delete(GAMES).where(GAMES.c.id == _GAME_ID))


_TAGS: Final = GAMES.c.tags.type.dialect_impl(_DIALECT)
_UNDONE: Final = GAMES.c.undone.type.dialect_impl(_DIALECT)
_write_tags: Final[Callable[[Any], Any]] = _TAGS.bind_processor(_DIALECT) or dict
_read_tags: Final[Callable[[Any], Any]] = _TAGS.result_processor(_DIALECT, None) or dict
_write_undone: Final[Callable[[Any], Any]] = _UNDONE.bind_processor(_DIALECT) or list
_read_undone: Final[Callable[[Any], Any]] = _UNDONE.result_processor(_DIALECT, None) or list


def _change(connection: Connection, game: StoredGame) -> None:
    """Change a game if it still is at the revision before this one."""
    changed = connection.execute(
        _CHANGE,
        {
            "game": game.id,
            "before": game.revision - 1,
            "ply": game.ply,
            "revision": game.revision,
            "updated": _written(game.updated),
            "undone": _write_undone(_undone_rows(game)),
            **_ending(game.outcome),
        },
    )
    if changed.rowcount != 1:
        raise ConflictError(game.id)


def _read(connection: Connection, asked: str, values: Mapping[str, object]) -> list[StoredGame]:
    """Return the games of a question."""
    found = []
    for row in connection.execute(asked, values):
        game_id, rules, start, ply, revision, winner, ending, tags, created, updated, undone, *seats = row
        outcome = None
        if ending is not None:
            outcome = Outcome(None if winner is None else _colour(winner), Ending[ending.upper()])
        both = {Colour.WHITE: StoredSeat(*seats[:3]), Colour.BLACK: StoredSeat(*seats[3:])}
        created, updated = _moment(created), _moment(updated)
        found.append(
            StoredGame(
                game_id,
                rules,
                start,
                both,
                ply,
                revision,
                outcome,
                _read_tags(tags),
                created,
                updated,
                tuple(_stored_move(*move) for move in _read_undone(undone) or ()),
            )
        )
    return found


def _row(game: StoredGame) -> dict[str, object]:
    return {
        "id": game.id,
        "rules": game.rules,
        "start": game.start,
        "ply": game.ply,
        "revision": game.revision,
        "tags": _write_tags(dict(game.tags)),
        "created": _written(game.created),
        "updated": _written(game.updated),
        "undone": _write_undone(_undone_rows(game)),
        **_ending(game.outcome),
    }


def _undone_rows(game: StoredGame) -> list[list[str | None]] | None:
    rows = [[text, None if played is None else _written(played), comment] for text, played, comment in game.undone]
    return rows or None


def _stored_move(text: str, played: str | None, comment: str | None) -> StoredMove:
    return StoredMove(text, None if played is None else _moment(played), comment)


def _seat_row(game_id: str, colour: Colour, seat: StoredSeat) -> dict[str, object]:
    return {"game_id": game_id, "colour": colour.letter, "kind": seat.kind, "name": seat.name, "level": seat.level}


def _move_row(game_id: str, ply: int, move: StoredMove) -> dict[str, object]:
    played = None if move.played is None else _written(move.played)
    return {"game_id": game_id, "ply": ply, "text": move.text, "played": played, "comment": move.comment}


def _written(moment: datetime) -> str:
    """Return a point in time as the table has it: in UTC, as SQLite forgets time zones."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


def _colour(letter: str) -> Colour:
    return Colour.WHITE if letter == "w" else Colour.BLACK


def _ending(outcome: Outcome | None) -> dict[str, str | None]:
    if outcome is None:
        return {"winner": None, "ending": None}
    return {
        "winner": None if outcome.winner is None else outcome.winner.letter,
        "ending": outcome.reason.name.lower(),
    }
