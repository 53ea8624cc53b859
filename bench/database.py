"""Measure what SQLAlchemy's execution and pooling would add to the database work of a move and of a read.

Run with ``python -m bench.database``. Everything runs on SQLite in memory.

A move is one transaction: the idempotency key is looked up, the game is updated, the key and the move are inserted.
The direct way is the server's: ``punct.server.db.sql`` compiles the expressions when it is imported, and the text goes
to the driver. The other way gives the same expressions to a SQLAlchemy connection, whose cache of compiled statements
is on. Both start with Python values: datetimes, and lists for JSON.

A read selects a game's row on a pooled connection. The direct way takes the connection from the server's own pool, the
other way from SQLAlchemy's ``QueuePool``; the statement is compiled once in both.

Ratios are of processor time, the median over several rounds in which the two ways alternate: other programs on the
machine slow both. They are of the database work alone; a move on a disk also waits for the disk.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.pool import QueuePool, StaticPool

from punct.server.db.database import ConnectionPool
from punct.server.db.sql import bindparams, insert_or_ignore, sql
from punct.server.db.tables import GAMES, METADATA, MOVES, REQUESTS
from punct.server.db.values import json_converters, to_db_time

ROUNDS = 9
REPETITIONS = 2000
"""In each round."""
NOW = datetime(2024, 5, 17, 12, tzinfo=UTC)
CHANGED_COLUMNS = (
    "ply",
    "revision",
    "winner",
    "ending",
    "updated",
    "undone",
    "left_w",
    "left_b",
    "ticking",
    "deadline",
)
"""The columns of a game that a move changes, with a clock."""

SELECT_KEY = sa.select(REQUESTS.c.made, REQUESTS.c.wish).where(
    REQUESTS.c.player_id == sa.bindparam("player"), REQUESTS.c.key == sa.bindparam("request")
)
UPDATE_GAME = (
    sa.update(GAMES)
    .where(GAMES.c.id == sa.bindparam("game"), GAMES.c.revision == sa.bindparam("before"))
    .values(bindparams(*CHANGED_COLUMNS))
)
INSERT_MOVE = sa.insert(MOVES)
INSERT_KEY = sqlite_insert(REQUESTS).on_conflict_do_nothing()

SELECT_GAME = sa.select(GAMES).where(GAMES.c.id == sa.bindparam("game"))

Operation = Callable[[int], None]
"""Stores a move by its ply, or reads a game."""


def memory() -> sqlite3.Connection:
    """Return a database in memory with the server's tables and one game."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    engine = sa.create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    METADATA.create_all(engine)
    row = {"id": "game", "rules": "standard", "start": "standard w", "ply": 0, "revision": 0, "tags": {}}
    with engine.begin() as begun:
        begun.execute(sa.insert(GAMES), {**row, "created": NOW, "updated": NOW})
    return connection


def move_direct() -> Operation:
    """Return the server's way: the text of each statement, compiled once, to the driver."""
    connection = memory()
    select_key, update_game, insert_move = sql(SELECT_KEY), sql(UPDATE_GAME), sql(INSERT_MOVE)
    insert_key = insert_or_ignore(REQUESTS)
    write_undone, _ = json_converters(GAMES.c.undone)

    def play(ply: int) -> None:
        now = to_db_time(NOW)
        connection.execute("BEGIN IMMEDIATE")
        assert connection.execute(select_key, {"player": "player", "request": f"key-{ply}"}).fetchone() is None
        changes = {**changes_of(ply), "updated": now, "undone": write_undone(None), "ticking": now, "deadline": now}
        assert connection.execute(update_game, {"game": "game", "before": ply, **changes}).rowcount == 1
        assert connection.execute(insert_key, {**key_of(ply), "at": now}).rowcount == 1
        connection.executemany(insert_move, [{**move_of(ply), "played": now}])
        connection.execute("COMMIT")

    return play


def move_through_core() -> Operation:
    """Return SQLAlchemy's way: each expression to a connection of its engine."""
    raw = memory()
    engine = sa.create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    now = NOW.replace(tzinfo=None)

    def play(ply: int) -> None:
        with engine.begin() as connection:
            assert connection.execute(SELECT_KEY, {"player": "player", "request": f"key-{ply}"}).first() is None
            changes = {**changes_of(ply), "updated": now, "undone": None, "ticking": now, "deadline": now}
            assert connection.execute(UPDATE_GAME, {"game": "game", "before": ply, **changes}).rowcount == 1
            assert connection.execute(INSERT_KEY, {**key_of(ply), "at": now}).rowcount == 1
            connection.execute(INSERT_MOVE, {**move_of(ply), "played": now})

    return play


def changes_of(ply: int) -> dict[str, object]:
    return {"ply": ply + 1, "revision": ply + 1, "winner": None, "ending": None, "left_w": 300_000, "left_b": 300_000}


def move_of(ply: int) -> dict[str, object]:
    return {"game_id": "game", "ply": ply, "text": "d5-h9se", "comment": None, "seconds": None}


def key_of(ply: int) -> dict[str, object]:
    return {"player_id": "player", "key": f"key-{ply}", "made": "turn game", "wish": "0" * 32}


def read_direct() -> Operation:
    """Return the server's way: its own pool of connections."""
    pool: ConnectionPool[sqlite3.Connection] = ConnectionPool()
    pool.release(memory())
    select_game = sql(SELECT_GAME)

    def read(_: int) -> None:
        connection = pool.acquire()
        assert connection is not None
        try:
            assert len(connection.execute(select_game, {"game": "game"}).fetchall()) == 1
        finally:
            pool.release(connection)

    return read


def read_through_queue_pool() -> Operation:
    """Return SQLAlchemy's way: its pool of connections, with the same statement."""
    # Its protocol of a connection does not know the methods that sqlite3 adds.
    pool = QueuePool(memory, use_lifo=True, reset_on_return=None)  # type: ignore[arg-type]
    select_game = sql(SELECT_GAME)

    def read(_: int) -> None:
        connection = pool.connect()
        try:
            raw = connection.driver_connection
            assert raw is not None and len(raw.execute(select_game, {"game": "game"}).fetchall()) == 1
        finally:
            connection.close()

    return read


def measure(operation: Operation, first: int) -> float:
    """Return the processor's seconds for a round."""
    start = time.process_time()
    for number in range(first, first + REPETITIONS):
        operation(number)
    return time.process_time() - start


def compare(name: str, own: Operation, other: Operation) -> None:
    """Print how many times the processor time of the server's way the other one takes."""
    rounds = [[measure(way, number * REPETITIONS) for way in (own, other)] for number in range(ROUNDS)]
    print(f"{name}: {median(theirs / ours for ours, theirs in rounds):.1f} times the processor time of ours")


def main() -> None:
    compare("a move through SQLAlchemy Core", move_direct(), move_through_core())
    compare("a read through SQLAlchemy's QueuePool", read_direct(), read_through_queue_pool())


if __name__ == "__main__":
    main()
