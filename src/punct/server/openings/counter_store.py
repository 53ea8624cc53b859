"""Counts this server's games among the openings, and takes them out again when they go on or are deleted.

What was counted of each game is stored with it, so that it can be subtracted. The last day on which a move was played
cannot be subtracted: when the game of that day is taken out, the move's row is marked as stale, and the day is found
again later, outside the writer.
"""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
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

from punct.piece import Colour
from punct.server.db.database import Connection, Database
from punct.server.db.sql import bindparams, sql, upsert
from punct.server.db.tables import EXPLORED, EXPLORED_GAMES, EXPLORED_STALE, GAMES, RECORDS
from punct.server.db.values import to_db_time
from punct.server.games.model import COLOURS
from punct.server.openings.store import ADD_TO_MOVE, SUM_COLUMNS, Source

STEP: Final = np.dtype([("position", "<i8"), ("move", "<i4")])
"""A position's key and the packed move played in it: the stored format."""
Steps = NDArray[np.void]
MAX_SEARCHED: Final = 5000
"""How many counted games one statement searches for a step."""


class CountedGame(NamedTuple):
    """What a finished game adds to the openings."""

    game_id: str
    revision: int
    winner: Colour | None
    """None for a draw."""
    rating: int | None
    """The players' mean rating; None if it is unknown."""
    day: int
    """In days since 1970; 0 if unknown."""
    steps: Steps


class StaleStep(NamedTuple):
    """A step whose last day is that of a game that no longer counts."""

    position: int
    move: int
    day: int
    """That game's."""


class LastDay(NamedTuple):
    """The last day on which a step was played, at one state of the store."""

    day: int
    """0 if no counted game has the step."""
    sums: tuple[int, ...] | None
    """The sums of the step's row then; None if there was none."""


class GameCountStore:
    """The counted games of this server. Reads block, and are for threads; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def games_to_count(self, since: datetime, limit: int) -> list[str]:
        """Return counted games that were deleted, and games changed since a time whose count is out of date."""
        values = {"since": to_db_time(since), "limit": limit}
        with self._database.read_transaction() as connection:
            rows = connection.execute(_SELECT_DELETED, {"limit": limit}).fetchall()
            rows += connection.execute(_SELECT_UNCOUNTED, values).fetchall()
        return [game_id for (game_id,) in rows]

    def count_game(self, game_id: str, game: CountedGame | None) -> Future[bool]:
        """Count a game as it is now, or None if it does not count; return whether that changed any move's row.

        What was counted of it before is subtracted first. A game that is private, was imported with its moves, or has
        another revision by now does not count. If several processes do the same at once, one of them succeeds, and
        DuplicateKeyError is raised in the others.
        """

        def store(connection: Connection) -> bool:
            before = _lock_counted(connection, game_id)
            after = None if game is None or not _lock_if_countable(connection, game) else game
            if before is not None and after is not None and _can_update(before, after):
                return _update(connection, before, after)
            if before is not None:
                _subtract(connection, before)
            if after is not None:
                _add(connection, after)
            return before is not None or after is not None

        return self._database.change(store)

    def stale_steps(self, limit: int) -> list[StaleStep]:
        """Return steps whose last day is to be found again."""
        return [StaleStep(*row) for row in self._database.fetch_all(_SELECT_STALE, {"limit": limit})]

    def find_last_day(self, stale: StaleStep) -> LastDay:
        """Find the last day on which a step was played: searches some games at a time, newest first."""
        step = np.array((stale.position, stale.move), STEP).tobytes()
        with self._database.read_transaction() as connection:
            sums = connection.execute(_SELECT_SUMS, _stale_key(stale)).fetchone()
            end = (stale.day + 1, "", MAX_SEARCHED)  # no counted game can be newer: else the step's day would be, too
            while sums is not None and end is not None and end[2] == MAX_SEARCHED:
                values = {"day": end[0], "id": end[1], "limit": MAX_SEARCHED}
                row = connection.execute(_SELECT_LAST_DAY, {**values, "step": step}).fetchone()
                if row is not None:
                    return LastDay(row[0], tuple(sums))
                end = connection.execute(_SELECT_END, values).fetchone()
        return LastDay(0, None if sums is None else tuple(sums))

    def store_last_day(self, stale: StaleStep, last: LastDay) -> Future[bool]:
        """Store a step's last day; return False if its sums have changed since: then it is to be found again."""

        def store(connection: Connection) -> bool:
            row = connection.execute(_LOCK_MOVE, _stale_key(stale)).fetchone()
            if row is not None and row[-1] == stale.day:
                if tuple(row[:-1]) != last.sums:
                    return False
                connection.execute(_UPDATE_LAST, {**_stale_key(stale), "day": last.day})
            connection.execute(_DELETE_STALE, stale._asdict())
            return True

        return self._database.change(store)


def _step_key(step: Any) -> dict[str, int]:
    return {"position": int(step["position"]), "source": int(Source.SERVER), "move": int(step["move"])}


def _stale_key(stale: StaleStep) -> dict[str, int]:
    return {"position": stale.position, "source": int(Source.SERVER), "move": stale.move}


def _move_values(game: CountedGame) -> dict[str, int]:
    """Return what a game adds to the row of each of its steps."""
    return {
        "white": int(game.winner is Colour.WHITE),
        "draws": int(game.winner is None),
        "black": int(game.winner is Colour.BLACK),
        "rated": int(game.rating is not None),
        "rating": game.rating or 0,
        "last": game.day,
    }


def _counted_row(game: CountedGame) -> dict[str, Any]:
    """Return the row of a counted game without its ``id``, which stays when the deleted game's ``game_id`` is null."""
    return {
        "game_id": game.game_id,
        "revision": game.revision,
        "winner": None if game.winner is None else game.winner.letter,
        "rating": game.rating,
        "day": game.day,
        "steps": game.steps.tobytes(),
    }


def _lock_counted(connection: Connection, game_id: str) -> CountedGame | None:
    """Lock what was counted of a game, and return it; None if nothing was."""
    row = connection.execute(_LOCK_COUNTED, {"id": game_id}).fetchone()
    if row is None:
        return None
    revision, winner, rating, day, packed = row
    steps = np.frombuffer(packed, STEP)
    return CountedGame(game_id, revision, None if winner is None else COLOURS[winner], rating, day, steps)


def _lock_if_countable(connection: Connection, game: CountedGame) -> bool:
    """Lock a game that counts, at this revision; return False if it does not."""
    values = {"game": game.game_id, "revision": game.revision}
    return connection.execute(_LOCK_COUNTABLE, values).fetchone() is not None


def _can_update(before: CountedGame, after: CountedGame) -> bool:
    """Return whether a game's steps are unchanged and its day is not earlier: then no step becomes stale."""
    return before.day <= after.day and before.steps.tobytes() == after.steps.tobytes()


def _add(connection: Connection, game: CountedGame) -> None:
    """Add a game that is not counted yet."""
    connection.execute(_INSERT_COUNTED, {**_counted_row(game), "id": game.game_id})
    values = _move_values(game)
    steps = np.sort(game.steps)  # locked in one order: no deadlock
    connection.executemany(ADD_TO_MOVE, [{**_step_key(step), **values} for step in steps])


def _update(connection: Connection, before: CountedGame, after: CountedGame) -> bool:
    """Change what a game adds to the same steps; return whether more than its revision has changed."""
    connection.execute(_UPDATE_COUNTED, {**_counted_row(after), "id": before.game_id})
    old, new = _move_values(before), _move_values(after)
    if old == new:
        return False
    difference = {name: new[name] - old[name] for name in SUM_COLUMNS} | {"last": after.day}
    connection.executemany(ADD_TO_MOVE, [{**_step_key(step), **difference} for step in np.sort(after.steps)])
    return True


def _subtract(connection: Connection, game: CountedGame) -> None:
    """Subtract what was counted of a game. Steps that were last played in it are marked as stale."""
    connection.execute(_DELETE_COUNTED, {"id": game.game_id})
    difference = {name: -value for name, value in _move_values(game).items() if name != "last"}
    for step in np.sort(game.steps):
        key = _step_key(step)
        connection.execute(_SUBTRACT, {**key, **difference})
        if connection.execute(_DELETE_EMPTY, key).rowcount:
            continue
        if connection.execute(_SELECT_IS_LAST, {**key, "day": game.day}).fetchone() is not None:
            stale = StaleStep(key["position"], key["move"], game.day)
            connection.execute(_UPSERT_STALE, stale._asdict())


# ---------------------------------------------------------------------- statements on the rows of moves

_POSITION: Final[BindParameter[int]] = bindparam("position")
_MOVE: Final[BindParameter[int]] = bindparam("move", type_=Integer)
_ONE_MOVE: Final = (
    EXPLORED.c.position == _POSITION,
    EXPLORED.c.source == bindparam("source", type_=SmallInteger),
    EXPLORED.c.move == _MOVE,
)
_ZERO: Final = literal_column("0", Integer)
_ONE: Final = literal_column("1", Integer)
_SUBTRACT: Final = sql(
    update(EXPLORED).where(*_ONE_MOVE).values({name: EXPLORED.c[name] + bindparam(name) for name in SUM_COLUMNS})
)
_DELETE_EMPTY: Final = sql(
    delete(EXPLORED).where(*_ONE_MOVE, EXPLORED.c.white + EXPLORED.c.draws + EXPLORED.c.black <= _ZERO)
)
_SELECT_IS_LAST: Final = sql(select(EXPLORED.c.last).where(*_ONE_MOVE, EXPLORED.c.last == bindparam("day")))
_UPDATE_LAST: Final = sql(update(EXPLORED).where(*_ONE_MOVE).values(last=bindparam("day")))
_SELECT_SUMS: Final = sql(select(*(EXPLORED.c[name] for name in SUM_COLUMNS)).where(*_ONE_MOVE))
_LOCK_MOVE: Final = sql(
    select(*(EXPLORED.c[name] for name in (*SUM_COLUMNS, "last"))).where(*_ONE_MOVE).with_for_update()
)
_SELECT_STALE: Final = sql(
    select(EXPLORED_STALE).order_by(*EXPLORED_STALE.primary_key.columns).limit(bindparam("limit"))
)
_UPSERT_STALE: Final = upsert(EXPLORED_STALE, "day")
_DELETE_STALE: Final = sql(
    delete(EXPLORED_STALE).where(
        EXPLORED_STALE.c.position == _POSITION,
        EXPLORED_STALE.c.move == _MOVE,
        EXPLORED_STALE.c.day == bindparam("day", type_=Integer),
    )
)

# ---------------------------------------------------------------------- statements on counted games

_STEP: Final[BindParameter[bytes]] = bindparam("step", type_=LargeBinary)
_SEARCHED: Final = (
    select(EXPLORED_GAMES.c.day, EXPLORED_GAMES.c.id, EXPLORED_GAMES.c.steps)
    .where(
        tuple_(EXPLORED_GAMES.c.day, EXPLORED_GAMES.c.id)
        < tuple_(bindparam("day", type_=Integer), bindparam("id", type_=String))
    )
    .order_by(EXPLORED_GAMES.c.day.desc(), EXPLORED_GAMES.c.id.desc())
    .limit(bindparam("limit"))
    .subquery("searched")
)
"""The next games to search, newest first."""
_NEWEST_DAY: Final = select(_SEARCHED.c.day).order_by(_SEARCHED.c.day.desc()).limit(_ONE)
_SELECT_LAST_DAY: Final = sql(
    _NEWEST_DAY.where(func.instr(_SEARCHED.c.steps, _STEP) > _ZERO),
    _NEWEST_DAY.where(func.position(_STEP.op("IN")(_SEARCHED.c.steps)) > _ZERO),
)
"""The last day on which any of the searched games has a step."""
_SELECT_END: Final = sql(
    select(_SEARCHED.c.day, _SEARCHED.c.id, func.count().over()).order_by(_SEARCHED.c.day, _SEARCHED.c.id).limit(_ONE)
)
"""Where the search goes on, and how many games were searched."""
_LOCK_COUNTED: Final = sql(
    select(*(EXPLORED_GAMES.c[name] for name in ("revision", "winner", "rating", "day", "steps")))
    .where(EXPLORED_GAMES.c.id == bindparam("id"))
    .with_for_update()
)
_INSERT_COUNTED: Final = sql(insert(EXPLORED_GAMES))
_UPDATE_COUNTED: Final = sql(
    update(EXPLORED_GAMES)
    .where(EXPLORED_GAMES.c.id == bindparam("id"))
    .values(bindparams("game_id", "revision", "winner", "rating", "day", "steps"))
)
_DELETE_COUNTED: Final = sql(delete(EXPLORED_GAMES).where(EXPLORED_GAMES.c.id == bindparam("id")))
_IS_COUNTABLE: Final = and_(
    GAMES.c.ending.is_not(None),
    GAMES.c.ply > _ZERO,
    or_(GAMES.c.owner_id.is_(None), GAMES.c.listed, GAMES.c.rated),
    ~exists().where(RECORDS.c.game_id == GAMES.c.id, RECORDS.c.ply > _ZERO),
)
"""Which games count: those that were played here to their end, and that are not private."""
_LOCK_COUNTABLE: Final = sql(
    select(GAMES.c.id)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.revision == bindparam("revision"), _IS_COUNTABLE)
    .with_for_update()
)
_SELECT_UNCOUNTED: Final = sql(
    select(GAMES.c.id)
    .select_from(GAMES)
    .join(EXPLORED_GAMES, EXPLORED_GAMES.c.game_id == GAMES.c.id, isouter=True)
    .where(
        GAMES.c.updated >= bindparam("since"),
        or_(
            and_(
                _IS_COUNTABLE,
                or_(EXPLORED_GAMES.c.id.is_(None), EXPLORED_GAMES.c.revision != GAMES.c.revision),
            ),
            and_(EXPLORED_GAMES.c.id.is_not(None), not_(_IS_COUNTABLE)),
        ),
    )
    .order_by(GAMES.c.updated)
    .limit(bindparam("limit"))
)
_SELECT_DELETED: Final = sql(
    select(EXPLORED_GAMES.c.id).where(EXPLORED_GAMES.c.game_id.is_(None)).limit(bindparam("limit"))
)
