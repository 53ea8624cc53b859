"""The store: steps up and down, durability settings, conflicts, and folders that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from punct import Colour
from punct.outcome import Ending, Outcome
from punct.server.store import ConflictError, GameStore, NewStoredGame, StoredSeat, StoreError, open_database
from punct.server.store.database import FILE, migrate, revisions, step_back
from punct.server.store.models import Base

SEATS = {Colour.WHITE: StoredSeat("person", "Änne"), Colour.BLACK: StoredSeat("engine", level=4)}


def test_every_step_goes_up_and_down(tmp_path: Path) -> None:
    engine = open_database(tmp_path)
    try:
        assert {"games", "seats", "turns"} <= set(inspect(engine).get_table_names())
        for below in ["base", *revisions()[:-1]][::-1]:
            step_back(engine, below)
            migrate(engine)
            step_back(engine, below)
        assert inspect(engine).get_table_names() == ["alembic_version"]
        for revision in revisions():
            migrate(engine, revision)
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, Base.metadata) == []
    finally:
        engine.dispose()


def test_steps_keep_the_games(tmp_path: Path) -> None:
    store = GameStore(open_database(tmp_path))
    (game,) = store.create([NewStoredGame("standard w", SEATS)])
    store.close()
    store = GameStore(open_database(tmp_path))  # runs the steps again: there is nothing to do
    assert store.load(game.id) == game
    store.close()


def test_the_journal_lets_readers_and_a_writer_work_together(tmp_path: Path) -> None:
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
    engine.dispose()


def test_a_change_is_made_for_one_revision_only(tmp_path: Path) -> None:
    store = GameStore(open_database(tmp_path))
    (game,) = store.create([NewStoredGame("standard w", SEATS)])
    store.add_turn(game.id, 1, 0, "Ed5ne", None)
    with pytest.raises(ConflictError):
        store.add_turn(game.id, 1, 0, "Td5n", None)
    with pytest.raises(ConflictError):
        store.take_back(game.id, 1, 0)
    with pytest.raises(ConflictError):
        store.end(game.id, 1, Outcome(None, Ending.AGREEMENT))
    with pytest.raises(ConflictError):
        store.add_turn("nobody-knows", 1, 0, "Td5n", None)
    stored = store.load(game.id)
    assert stored is not None and stored.turns is not None
    assert [turn.text for turn in stored.turns] == ["Ed5ne"]
    assert (stored.revision, stored.ply, stored.turn, stored.outcome) == (2, 1, Colour.BLACK, None)
    assert [waiting.id for waiting in store.open_with_engine()] == [game.id]
    store.end(game.id, 2, Outcome(Colour.WHITE, Ending.RESIGNATION))
    assert store.open_with_engine() == []
    assert store.delete(game.id) and not store.delete(game.id)
    assert store.load(game.id) is None
    store.close()


def test_nothing_of_a_failed_import_is_stored(tmp_path: Path) -> None:
    store = GameStore(open_database(tmp_path))

    def games() -> object:
        yield NewStoredGame("standard w", SEATS)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.create(games())  # type: ignore[arg-type]
    assert store.page(0, 10) == ([], 0)
    store.close()


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError, match="cannot write to the data folder"):
        open_database(tmp_path / "file")
    (tmp_path / FILE).write_text("this is certainly not a database " * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        open_database(tmp_path)


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    engine = open_database(tmp_path)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer version"):
        open_database(tmp_path)
