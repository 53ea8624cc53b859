"""The database: migrations, SQLite's journal, and folders that cannot be used."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect, text
from typer.testing import CliRunner

from punct import Colour
from punct.cli.admin import admin
from punct.server.db import postgresql, sqlite
from punct.server.db.database import is_database_url, open_database
from punct.server.db.errors import StoreError
from punct.server.db.migrate import downgrade, revisions, upgrade
from punct.server.db.sqlite import FILE_NAME
from punct.server.db.tables import METADATA
from punct.server.db.values import new_id
from punct.server.games.model import NewStoredGame, Pause, StoredClock, StoredMove, StoredSeat
from punct.server.games.store import GameStore

SEATS = {Colour.WHITE: StoredSeat("person", "Änne"), Colour.BLACK: StoredSeat("engine", level=4)}


def migrating(where: Path | str) -> Engine:
    return (
        postgresql.migration_engine(str(where))
        if is_database_url(where)
        else sqlite.migration_engine(Path(where) / FILE_NAME)
    )


def test_every_migration_upgrades_and_downgrades(store_url: Path | str) -> None:
    open_database(store_url).close()
    engine = migrating(store_url)
    try:
        assert {"games", "seats", "turns"} <= set(inspect(engine).get_table_names())
        for below in ["base", *revisions()[:-1]][::-1]:
            downgrade(engine, below)
            upgrade(engine)
            downgrade(engine, below)
        assert inspect(engine).get_table_names() == ["alembic_version"]
        for revision in revisions():
            upgrade(engine, revision)
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, METADATA) == []
    finally:
        engine.dispose()


def test_admin_migrate_downgrades_and_upgrades(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    (game,) = store.create([NewStoredGame("standard w", SEATS)]).result()
    store.close()
    where = ["--database-url", store_url] if is_database_url(store_url) else ["--data", str(store_url)]
    for to, step in ((["--to", "0004"], "0004"), ([], revisions()[-1])):
        told = CliRunner().invoke(admin, ["migrate", *to, *map(str, where)])
        assert (told.exit_code, told.output) == (0, f"at step {step}\n")
        engine = migrating(store_url)
        with engine.connect() as connection:
            assert MigrationContext.configure(connection).get_current_revision() == step
        engine.dispose()
    assert CliRunner().invoke(admin, ["migrate", "--to", "none", *map(str, where)]).exit_code != 0
    store = GameStore(open_database(store_url))
    assert store.load(game.id) == (game, [])
    store.close()


def test_migrations_keep_games(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    (game,) = store.create([NewStoredGame("standard w", SEATS)]).result()
    store.close()
    store = GameStore(open_database(store_url))  # runs the steps again: there is nothing to do
    assert store.load(game.id) == (game, [])
    store.close()


def test_nobody_loses_on_time_in_a_version_without_pauses_and_banks(store_url: Path | str) -> None:
    now = datetime(2026, 11, 19, tzinfo=UTC)
    clock, people = StoredClock(10**8, 10**8, now, now + timedelta(days=1)), {colour: StoredSeat() for colour in Colour}
    paused = clock._replace(running_since=None, deadline=None, pauses=(Pause(None, now + timedelta(days=9)),))
    new = [
        NewStoredGame("standard w", people, time=time, clock=clock)
        for time, clock in (("3d", clock), ("5+3", clock), ("3d", paused), ("7d+12h/10d", clock), ("3d-wd", clock))
    ]
    store = GameStore(open_database(store_url))
    games = store.create(new, now).result()
    store.close()
    engine = migrating(store_url)
    downgrade(engine, "0011")
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT id FROM games WHERE ticking IS NOT NULL OR deadline IS NOT NULL"))
        assert {row[0] for row in rows} == {game.id for game in games[:2]}
    engine.dispose()
    store = GameStore(open_database(store_url))
    stood = store.load(games[3].id)
    assert stood is not None and stood[0].clock == clock._replace(running_since=None, deadline=None)
    store.close()


def test_ids_can_be_written_on_a_command_line() -> None:
    made = {new_id() for _ in range(2000)}
    assert len(made) == 2000 and not any(each.startswith("-") for each in made)


def test_pragmas_of_sqlite_connections(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    for begun, readonly in ((database.write_transaction, 0), (database.read_transaction, 1)):
        with begun() as connection:
            for pragma, value in {**wanted, "query_only": readonly}.items():
                assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)
    database.close()


def test_imported_moves_survive_migrations(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    new = NewStoredGame("standard w", SEATS, "Ed5ne Tl5s d5-d6ne", {0: "first"})
    game, bare = store.create([new, NewStoredGame("standard w", SEATS)]).result()
    now = datetime.now(UTC)
    game = game.next_revision(now, 2, None, (StoredMove("d5-d6ne"),))
    store.take_back(game).result()
    store.close()
    engine = migrating(store_url)
    downgrade(engine, "0002")
    with engine.connect() as connection:
        turns = connection.exec_driver_sql("SELECT ply, text, comment FROM turns ORDER BY ply").all()
    engine.dispose()
    assert turns == [(0, "Ed5ne", "first"), (1, "Tl5s", None)]
    store = GameStore(open_database(store_url))
    assert store.load(game.id) == (game, [StoredMove("Ed5ne", None, "first"), StoredMove("Tl5s")])
    assert store.load(bare.id) == (bare, [])
    store.close()


def test_unusable_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError, match="cannot write to the data folder"):
        open_database(tmp_path / "file")
    (tmp_path / FILE_NAME).write_text("this is certainly not a database " * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        open_database(tmp_path)


def test_a_store_of_a_newer_version_is_refused(store_url: Path | str) -> None:
    database = open_database(store_url)
    with database.write_transaction() as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(StoreError, match="newer version"):
        open_database(store_url)


def test_the_journal_is_checkpointed_beside_writers(tmp_path: Path) -> None:
    database = sqlite.open_sqlite(tmp_path)
    journal = tmp_path / f"{sqlite.FILE_NAME}-wal"
    tidying = sqlite.Checkpointer(tmp_path / sqlite.FILE_NAME)
    with closing(sqlite.connect(tmp_path / sqlite.FILE_NAME)) as connection:

        def write(length: int) -> None:
            row = {"name": token_hex(8), "value": "x" * length}
            database.change(lambda writer: writer.execute("INSERT INTO secrets VALUES (:name, :value)", row)).result()

        write(2 * sqlite.CHECKPOINT_BYTES)
        grown = journal.stat().st_size
        assert grown > 2 * sqlite.CHECKPOINT_BYTES  # nobody put it away while they wrote
        tidying.checkpoint(connection)
        write(1)
        assert journal.stat().st_size == sqlite.CHECKPOINT_BYTES  # begun anew
        write(1)
        tidying.checkpoint(connection)
        assert connection.execute("SELECT count(*) FROM secrets").fetchone() == (3,)
    database.close()
    assert not journal.exists()


def test_a_failed_checkpoint_is_repeated_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file to spare the first look fails; were it the last, the journal would grow for ever."""
    sqlite.open_sqlite(tmp_path).close()
    monkeypatch.setattr(sqlite, "CHECKPOINT_SECONDS", 0.001)
    tidied, tries = threading.Event(), []

    def connect(path: Path) -> sqlite3.Connection:
        tries.append(path)
        if len(tries) == 1:
            raise sqlite3.OperationalError("unable to open database file")
        return sqlite3.connect(path, check_same_thread=False)

    monkeypatch.setattr(sqlite, "connect", connect)
    tidying = sqlite.Checkpointer(tmp_path / sqlite.FILE_NAME)
    monkeypatch.setattr(tidying, "checkpoint", lambda connection: tidied.set())
    tidying.start()
    try:
        assert tidied.wait(60)
    finally:
        tidying.close()
    assert len(tries) == 2  # and the connection is kept
