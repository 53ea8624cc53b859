"""Openings as they are stored: what was played in a position, how often, and how those games ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    BindParameter,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    not_,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from punct.piece import Colour
from punct.server.store.database import Connection, Database
from punct.server.store.sql import Statement, in_place, named, sql
from punct.server.store.stored import COLOURS
from punct.server.store.tables import EXPLORED, EXPLORED_ARCHIVE, EXPLORED_GAMES, EXPLORED_STALE, GAMES, RECORDS
from punct.server.store.values import written

STEP: Final = np.dtype([("position", "<i8"), ("move", "<i4")])
"""A step of a game as it is noted, so that it can be taken out again."""
Steps = NDArray[np.void]
MAX_SEARCHED: Final = 5000
"""Counted games that one question looks through."""


class Source(IntEnum):
    """Where stored openings come from."""

    SERVER = 0
    ARCHIVES = 1


class Played(NamedTuple):
    """What was played in a position, from one source."""

    source: int
    move: int
    """Packed, as it is in the image that has the position's key."""
    white: int
    draws: int
    black: int
    rated: int
    """So many of the games have a rating."""
    rating: int
    """The sum of these."""
    last: int
    """The last day it was played, in days since 1970; 0 if nobody knows."""


class Explored(NamedTuple):
    """A finished game, as it counts among the openings."""

    game_id: str
    revision: int
    winner: Colour | None
    rating: int | None
    """Of its players, on average."""
    day: int
    """In days since 1970; 0 if nobody knows."""
    steps: Steps


class StaleStep(NamedTuple):
    """A step whose last day is that of a game that no longer counts."""

    position: int
    move: int
    day: int
    """That game's."""


class FoundDay(NamedTuple):
    """What was found out about such a step, at one state of the store."""

    day: int
    """The last of the games that count; 0 if there is none."""
    sums: tuple[int, ...] | None
    """What the step added up to then; None if it was not there."""


class ExploredStore:
    """All openings. What reads blocks, and is for threads; what changes returns at once, with what to wait for."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def played(self, position: int) -> list[Played]:
        """Return what was played in a position, by source and move."""
        return [Played(*row) for row in self._database.ask(_PLAYED, {"position": position})]

    # ------------------------------------------------------------------ games of this server

    def due(self, since: datetime, most: int) -> list[str]:
        """Return the games changed since then whose end, or whose end no more, is not counted; and those deleted."""
        asked = {"since": written(since), "most": most}
        with self._database.reading() as connection:
            found = connection.execute(_GONE, {"most": most}).fetchall() + connection.execute(_DUE, asked).fetchall()
        return [game_id for (game_id,) in found]

    def count(self, game_id: str, explored: Explored | None) -> Future[bool]:
        """Count a game as it now is; None if it does not count. Tell whether that changed anything.

        Whatever was counted of it goes first. A game that is private, came with a record or is another revision by now
        does not count. Several processes may do the same at once: one of them does, TakenError tells the others.
        """

        def store(connection: Connection) -> bool:
            before = _counted(connection, game_id)
            counts = explored is not None and (
                connection.execute(_COUNTS_NOW, {"game": game_id, "revision": explored.revision}).fetchone() is not None
            )
            if explored is not None and counts and before is not None and _goes_on(before, explored):
                return _adjust(connection, before, explored)
            if before is not None:
                _take_out(connection, before)
            if explored is None or not counts:
                return before is not None
            connection.execute(_COUNT, {**_ledger(explored), "id": game_id})
            values = _values(explored)
            steps = np.sort(explored.steps)  # in one order, lest two processes wait for each other
            connection.executemany(_ADD, [{**_place(Source.SERVER, step), **values} for step in steps])
            return True

        return self._database.change(store)

    def stale(self, most: int) -> list[StaleStep]:
        """Return steps whose last day is to be found anew."""
        return [StaleStep(*row) for row in self._database.ask(_STALE, {"most": most})]

    def find_day(self, stale: StaleStep) -> FoundDay:
        """Find the last day on which a step was played, as of now: some games at a time, from the newest on."""
        step = np.array((stale.position, stale.move), STEP).tobytes()
        with self._database.reading() as connection:
            sums = connection.execute(_SUMS, _place_of(stale)).fetchone()
            end = (stale.day + 1, "", MAX_SEARCHED)  # no game that counts can be newer: else the step's day would be
            while sums is not None and end is not None and end[2] == MAX_SEARCHED:
                asked = {"day": end[0], "id": end[1], "most": MAX_SEARCHED}
                found = connection.execute(_LAST, {**asked, "step": step}).fetchone()
                if found is not None:
                    return FoundDay(found[0], tuple(sums))
                end = connection.execute(_END_OF_SEARCHED, asked).fetchone()
        return FoundDay(0, None if sums is None else tuple(sums))

    def settle_day(self, stale: StaleStep, found: FoundDay) -> Future[bool]:
        """Store a day that was found, unless what counts has changed since: then it is to be found again. Tell."""

        def store(connection: Connection) -> bool:
            row = connection.execute(_NOW, _place_of(stale)).fetchone()
            if row is not None and row[-1] == stale.day:
                if tuple(row[:-1]) != found.sums:
                    return False
                connection.execute(_SET_LAST, {**_place_of(stale), "day": found.day})
            connection.execute(_SETTLED, stale._asdict())
            return True

        return self._database.change(store)

    # ------------------------------------------------------------------ archives

    def archived(self) -> NDArray[np.int64]:
        """Return the hashes of every archived game that is counted, in order."""
        with self._database.reading() as connection:
            return np.fromiter((game for (game,) in connection.execute(_ARCHIVED)), np.int64)

    def take_in(self, games: Sequence[int], played: Mapping[str, Sequence[int]]) -> Future[None]:
        """Count games of archives by their hashes, and what was played in them, all or nothing.

        ``played`` has a column for each of the table's, but for the source: summed up by position and move, and in
        their order. TakenError if one of the games is counted.
        """
        archived = [{"game": game} for game in games]
        names, source = (*played, "source"), int(Source.ARCHIVES)
        rows = [dict(zip(names, (*row, source), strict=True)) for row in zip(*played.values(), strict=True)]

        def store(connection: Connection) -> None:
            connection.executemany(_ARCHIVE, archived)
            connection.executemany(_ADD, rows)

        return self._database.change(store)

    def forget_archives(self) -> Future[int]:
        """Forget every archived game; tell how many there were."""

        def store(connection: Connection) -> int:
            connection.execute(_FORGET, {"source": int(Source.ARCHIVES)})
            return connection.execute(_FORGET_ARCHIVE).rowcount

        return self._database.change(store)

    def sizes(self) -> dict[Source, tuple[int, int]]:
        """Return by source how many games are counted, and in how many rows."""
        with self._database.reading() as connection:
            rows = dict(connection.execute(_ROWS).fetchall())
            games = {
                Source.SERVER: connection.execute(_COUNT_GAMES).fetchone()[0],
                Source.ARCHIVES: connection.execute(_COUNT_ARCHIVE).fetchone()[0],
            }
        return {source: (count, rows.get(int(source), 0)) for source, count in games.items()}


# ---------------------------------------------------------------------- within


def _place(source: Source, step: Any) -> dict[str, int]:
    return {"position": int(step["position"]), "source": int(source), "move": int(step["move"])}


def _values(explored: Explored) -> dict[str, int]:
    """Return what a game adds to each of its steps."""
    return {
        "white": int(explored.winner is Colour.WHITE),
        "draws": int(explored.winner is None),
        "black": int(explored.winner is Colour.BLACK),
        "rated": int(explored.rating is not None),
        "rating": explored.rating or 0,
        "last": explored.day,
    }


def _ledger(explored: Explored) -> dict[str, Any]:
    return {
        "game_id": explored.game_id,
        "revision": explored.revision,
        "winner": None if explored.winner is None else explored.winner.letter,
        "rating": explored.rating,
        "day": explored.day,
        "steps": explored.steps.tobytes(),
    }


def _place_of(stale: StaleStep) -> dict[str, int]:
    return {"position": stale.position, "source": int(Source.SERVER), "move": stale.move}


def _counted(connection: Connection, game_id: str) -> Explored | None:
    """Return what was counted of a game."""
    found = connection.execute(_COUNTED, {"id": game_id}).fetchone()
    if found is None:
        return None
    revision, winner, rating, day, packed = found
    steps = np.frombuffer(packed, STEP)
    return Explored(game_id, revision, None if winner is None else COLOURS[winner], rating, day, steps)


def _goes_on(before: Explored, after: Explored) -> bool:
    """Tell whether a game counts for the same steps as before, and not for an earlier day: then none is to be found."""
    return before.day <= after.day and before.steps.tobytes() == after.steps.tobytes()


def _adjust(connection: Connection, before: Explored, after: Explored) -> bool:
    """Count a game otherwise for the same steps; tell whether that changed anything but its revision."""
    connection.execute(_RECOUNT, {**_ledger(after), "id": before.game_id})
    old, new = _values(before), _values(after)
    if old == new:
        return False
    more = {name: new[name] - old[name] for name in _SUMMED} | {"last": after.day}
    connection.executemany(_ADD, [{**_place(Source.SERVER, step), **more} for step in np.sort(after.steps)])
    return True


def _take_out(connection: Connection, counted: Explored) -> None:
    """Take out what was counted of a game. Steps that were last played in it are noted: their day is found later."""
    connection.execute(_UNCOUNT, {"id": counted.game_id})
    less = {name: -value for name, value in _values(counted).items() if name != "last"}
    for step in np.sort(counted.steps):
        place = _place(Source.SERVER, step)
        connection.execute(_SUBTRACT, {**place, **less})
        if connection.execute(_DROP, place).rowcount:
            continue
        if connection.execute(_WAS_LAST, {**place, "day": counted.day}).fetchone() is not None:
            stale = StaleStep(place["position"], place["move"], counted.day)
            connection.execute(_NOTE_STALE, stale._asdict())


_POSITION: Final[BindParameter[int]] = bindparam("position")
_AT: Final = (
    EXPLORED.c.position == _POSITION,
    EXPLORED.c.source == bindparam("source", type_=SmallInteger),
    EXPLORED.c.move == bindparam("move", type_=Integer),
)
_SUMMED: Final = ("white", "draws", "black", "rated", "rating")
_NOTHING: Final = literal_column("0", Integer)
_PLAYED: Final = sql(select(*(EXPLORED.c[name] for name in Played._fields)).where(EXPLORED.c.position == _POSITION))


def _adding() -> Statement:
    """Return the statement that adds games to a step, whether or not it is there."""
    there, over_there = sqlite.insert(EXPLORED), postgresql.insert(EXPLORED)
    key = list(EXPLORED.primary_key.columns)

    def sums(new: Any) -> dict[str, Any]:
        return {name: EXPLORED.c[name] + new[name] for name in _SUMMED}

    return sql(
        there.on_conflict_do_update(
            index_elements=key, set_={**sums(there.excluded), "last": func.max(EXPLORED.c.last, there.excluded.last)}
        ),
        over_there.on_conflict_do_update(
            index_elements=key,
            set_={**sums(over_there.excluded), "last": func.greatest(EXPLORED.c.last, over_there.excluded.last)},
        ),
    )


_ADD: Final = _adding()
_SUBTRACT: Final = sql(
    update(EXPLORED).where(*_AT).values({name: EXPLORED.c[name] + bindparam(name) for name in _SUMMED})
)
_DROP: Final = sql(delete(EXPLORED).where(*_AT, EXPLORED.c.white + EXPLORED.c.draws + EXPLORED.c.black <= _NOTHING))
_WAS_LAST: Final = sql(select(EXPLORED.c.last).where(*_AT, EXPLORED.c.last == bindparam("day")))
_SET_LAST: Final = sql(update(EXPLORED).where(*_AT).values(last=bindparam("day")))
_STEP: Final[BindParameter[bytes]] = bindparam("step", type_=LargeBinary)
_SEARCHED: Final = (
    select(EXPLORED_GAMES.c.day, EXPLORED_GAMES.c.id, EXPLORED_GAMES.c.steps)
    .where(
        tuple_(EXPLORED_GAMES.c.day, EXPLORED_GAMES.c.id)
        < tuple_(bindparam("day", type_=Integer), bindparam("id", type_=String))
    )
    .order_by(EXPLORED_GAMES.c.day.desc(), EXPLORED_GAMES.c.id.desc())
    .limit(bindparam("most"))
    .subquery("searched")
)
_ONE: Final = literal_column("1", Integer)
_LATEST: Final = select(_SEARCHED.c.day).order_by(_SEARCHED.c.day.desc()).limit(_ONE)
_LAST: Final = sql(
    _LATEST.where(func.instr(_SEARCHED.c.steps, _STEP) > _NOTHING),
    _LATEST.where(func.position(_STEP.op("IN")(_SEARCHED.c.steps)) > _NOTHING),
)
"""The last day on which any of some counted games had a step."""
_END_OF_SEARCHED: Final = sql(
    select(_SEARCHED.c.day, _SEARCHED.c.id, func.count().over()).order_by(_SEARCHED.c.day, _SEARCHED.c.id).limit(_ONE)
)
_SUMS: Final = sql(select(*(EXPLORED.c[name] for name in _SUMMED)).where(*_AT))
_NOW: Final = sql(select(*(EXPLORED.c[name] for name in (*_SUMMED, "last"))).where(*_AT).with_for_update())
_STALE: Final = sql(select(EXPLORED_STALE).order_by(*EXPLORED_STALE.primary_key.columns).limit(bindparam("most")))
_NOTE_STALE: Final = in_place(EXPLORED_STALE, "day")
_SETTLED: Final = sql(
    delete(EXPLORED_STALE).where(
        EXPLORED_STALE.c.position == _POSITION,
        EXPLORED_STALE.c.move == bindparam("move", type_=Integer),
        EXPLORED_STALE.c.day == bindparam("day", type_=Integer),
    )
)
_COUNTED: Final = sql(
    select(*(EXPLORED_GAMES.c[name] for name in ("revision", "winner", "rating", "day", "steps")))
    .where(EXPLORED_GAMES.c.id == bindparam("id"))
    .with_for_update()
)
_UNCOUNT: Final = sql(delete(EXPLORED_GAMES).where(EXPLORED_GAMES.c.id == bindparam("id")))
_COUNT: Final = sql(insert(EXPLORED_GAMES))
_RECOUNT: Final = sql(
    update(EXPLORED_GAMES)
    .where(EXPLORED_GAMES.c.id == bindparam("id"))
    .values(named("game_id", "revision", "winner", "rating", "day", "steps"))
)
_COUNTS: Final = and_(
    GAMES.c.ending.is_not(None),
    GAMES.c.ply > _NOTHING,
    or_(GAMES.c.owner_id.is_(None), GAMES.c.listed, GAMES.c.rated),
    ~exists().where(RECORDS.c.game_id == GAMES.c.id, RECORDS.c.ply > _NOTHING),
)
"""Which games count: those that were played here to their end, and that are not private."""
_COUNTS_NOW: Final = sql(
    select(GAMES.c.id)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.revision == bindparam("revision"), _COUNTS)
    .with_for_update()
)
_DUE: Final = sql(
    select(GAMES.c.id)
    .select_from(GAMES)
    .join(EXPLORED_GAMES, EXPLORED_GAMES.c.game_id == GAMES.c.id, isouter=True)
    .where(
        GAMES.c.updated >= bindparam("since"),
        or_(
            and_(
                _COUNTS,
                or_(EXPLORED_GAMES.c.id.is_(None), EXPLORED_GAMES.c.revision != GAMES.c.revision),
            ),
            and_(EXPLORED_GAMES.c.id.is_not(None), not_(_COUNTS)),
        ),
    )
    .order_by(GAMES.c.updated)
    .limit(bindparam("most"))
)
_GONE: Final = sql(select(EXPLORED_GAMES.c.id).where(EXPLORED_GAMES.c.game_id.is_(None)).limit(bindparam("most")))
_ARCHIVED: Final = sql(select(EXPLORED_ARCHIVE.c.game).order_by(EXPLORED_ARCHIVE.c.game))
_ARCHIVE: Final = sql(insert(EXPLORED_ARCHIVE))
_FORGET: Final = sql(delete(EXPLORED).where(EXPLORED.c.source == bindparam("source")))
_FORGET_ARCHIVE: Final = sql(delete(EXPLORED_ARCHIVE))
_ROWS: Final = sql(select(EXPLORED.c.source, func.count()).group_by(EXPLORED.c.source))
_COUNT_GAMES: Final = sql(select(func.count()).select_from(EXPLORED_GAMES))
_COUNT_ARCHIVE: Final = sql(select(func.count()).select_from(EXPLORED_ARCHIVE))
