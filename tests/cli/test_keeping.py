"""Backups, moving to another database, and looking after games and players: on both databases."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.databases import Postgresql, run_postgresql
from tests.server.stored_games import Players

from punct import Colour, records
from punct.outcome import Ending, Outcome
from punct.server.accounts.store import AccountStore
from punct.server.auth.store import AuthStore
from punct.server.db.backup import back_up
from punct.server.db.database import migrate_to, open_database, open_without_migrating
from punct.server.db.migrate import revisions
from punct.server.db.sqlite import FILE_NAME
from punct.server.dumps.folder import DumpFolder
from punct.server.games.model import NewStoredGame, StoredMove, StoredSeat
from punct.server.games.store import GameStore
from punct.server.puzzles.service import initial_puzzle_rating, rate_tries
from punct.server.puzzles.store import PuzzleStore, StoredTry

from .running import run

SEATS = {Colour.WHITE: StoredSeat("person", "Änne"), Colour.BLACK: StoredSeat("engine", level=4)}
NOW = datetime(2026, 1, 2, 3, 4, 5, 120000, tzinfo=UTC)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    with run_postgresql() as service:
        yield service


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    return a_store(request, tmp_path / "games")


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    return a_store(request, tmp_path / "elsewhere")


def a_store(request: pytest.FixtureRequest, folder: Path) -> Path | str:
    if request.param == "sqlite":
        return folder
    service: Postgresql = request.getfixturevalue("postgresql")
    return service.new_database()


def options(where: Path | str) -> list[str]:
    return ["--database-url", where] if isinstance(where, str) else ["--data", str(where)]


def filled(where: Path | str) -> tuple[list[str], str]:
    """Put something of everything into a store; return the games' ids and a player's."""
    store = GameStore(open_database(where))
    game, ended, record = store.create(
        [
            NewStoredGame("standard w", SEATS, listed=True, tags={"Event": 'x "y" ü'}),
            NewStoredGame("basic w", SEATS, outcome=Outcome(Colour.WHITE, Ending.RESIGNATION)),
            NewStoredGame("standard w", SEATS, "Ed5ne Tl5s", {1: "tight"}),
        ],
        NOW,
    ).result()
    store.add_moves(game.next_revision(NOW, 1, None), StoredMove("Ed5ne", NOW)).result()
    session = AuthStore(store.database).create_guest("hash", NOW, NOW).result()
    AccountStore(store.database).create_account(session.player.id, "anna", "secret-hash").result()
    tries = [StoredTry("k3v9qa", True, "day", NOW, 20455), StoredTry("0f1fph", False, "rush", NOW, None)]
    starts = {tried.puzzle: initial_puzzle_rating(1500.0) for tried in tries}
    PuzzleStore(store.database).record_tries(
        session.player.id, tries, starts, partial(rate_tries, now=NOW), NOW
    ).result()
    store.close()
    return [game.id, ended.id, record.id], session.player.id


def everything(where: Path | str, ids: list[str], player: str) -> list[Any]:
    store = GameStore(open_database(where))
    found: list[Any] = [store.load(game_id) for game_id in ids]
    found += [AuthStore(store.database).get(player), AccountStore(store.database).find_credentials("anna")]
    found += [PuzzleStore(store.database).progress(player), PuzzleStore(store.database).ratings()]
    store.close()
    return found


def test_a_backup_is_all_there_is_and_comes_back(where: Path | str, elsewhere: Path | str, tmp_path: Path) -> None:
    ids, player = filled(where)
    file = tmp_path / "kept.backup"
    kept = run("backup", str(file), *options(where))
    assert kept.exit_code == 0 and "3 games" in kept.stdout and "1 players" in kept.stdout
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
    again = run("backup", str(file), *options(where))
    assert again.exit_code == 2 and "not overwritten" in again.stderr
    back = run("restore", str(file), *options(elsewhere))
    assert back.exit_code == 0 and "3 games" in back.stdout, back.stderr
    assert everything(elsewhere, ids, player) == everything(where, ids, player)
    again = run("restore", str(file), *options(elsewhere))
    assert again.exit_code == 2 and "only an empty store" in again.stderr
    assert everything(elsewhere, ids, player) == everything(where, ids, player)


def test_moving_to_postgresql_is_all_or_nothing(postgresql: Postgresql, tmp_path: Path) -> None:
    ids, player = filled(tmp_path)
    target = postgresql.new_database()
    open_database(target).close()
    store = GameStore(open_database(target))
    AuthStore(store.database).get_or_create_secret("cookies").result()  # a server was started there once
    store.close()
    database = open_database(tmp_path)
    database.change(
        lambda connection: connection.execute(f"UPDATE games SET created = 'once' WHERE id = '{ids[0]}'")
    ).result()
    database.close()
    broken = run("move-data", "--from", str(tmp_path), "--to", target)
    assert broken.exit_code == 2 and ids[0] in broken.stderr and "makes no sense" in broken.stderr
    database = open_database(target)
    assert database.fetch_all("SELECT count(*) FROM games") == [(0,)]
    database.close()
    database = open_database(tmp_path)
    database.change(
        lambda connection: connection.execute("UPDATE games SET created = '2026-01-02 03:04:05.120000'")
    ).result()
    database.close()
    moved = run("move-data", "--from", str(tmp_path), "--to", target)
    assert moved.exit_code == 0 and "3 games" in moved.stdout, moved.stderr
    assert everything(target, ids, player) == everything(tmp_path, ids, player)


def step_of(where: Path | str) -> str:
    """Return at which step a store's tables are."""
    with contextlib.closing(open_without_migrating(where)) as database:
        ((step,),) = database.fetch_all("SELECT version_num FROM alembic_version")
    return str(step)


def test_whoever_keeps_or_looks_after_a_store_leaves_its_tables_as_they_are(where: Path | str, tmp_path: Path) -> None:
    """An older server may be running on them. A folder can be kept before a new version has touched it."""
    ids, player = filled(where)
    *_, earlier, last = revisions()
    migrate_to(where, earlier)  # with what only the last version knows
    before = everything(where, ids, player)
    migrate_to(where, earlier)
    file, at = tmp_path / "kept.backup", options(where)
    kept = run("backup", str(file), *at)
    if isinstance(where, Path):
        assert kept.exit_code == 0 and "3 games" in kept.stdout, kept.stderr
        assert run("restore", str(file), "--data", str(tmp_path / "back")).exit_code == 0
        assert everything(tmp_path / "back", ids, player) == before
    else:
        assert kept.exit_code == 2 and not file.exists()
        assert f"are at step {earlier}" in kept.stderr and last in kept.stderr
    for command in (["games"], ["players"], ["block", "anna"], ["delete-account", "anna", "--yes"]):
        told = run("admin", *command, *at)
        assert told.exit_code == 2 and f"are at step {earlier}" in told.stderr, command
    assert step_of(where) == earlier
    assert run("admin", "migrate", *at).exit_code == 0
    assert run("admin", "games", *at).exit_code == 0 and step_of(where) == last
    assert everything(where, ids, player) == before


def test_looking_after_nothing_makes_nothing(tmp_path: Path) -> None:
    told = run("admin", "games", "--data", str(tmp_path / "none"))
    assert told.exit_code == 2 and "no games in" in " ".join(told.stderr.split())
    assert not (tmp_path / "none").exists()


def test_what_cannot_be_copied_is_told(tmp_path: Path) -> None:
    for command, words in (
        (["backup", str(tmp_path / "b"), "--data", str(tmp_path / "none")], "no games in"),
        (["restore", str(tmp_path / "none"), "--data", str(tmp_path / "new")], "no file"),
        (["move-data", "--from", str(tmp_path), "--to", "somewhere"], "--to needs"),
        (["backup", "b", "--data", "x", "--database-url", "postgresql://h/d"], "not both"),
    ):
        told = run(*command)
        assert told.exit_code == 2 and words in " ".join(told.stderr.split()), command
    (tmp_path / "bad").write_text("no database " * 100)
    told = run("restore", str(tmp_path / "bad"), "--data", str(tmp_path / "new"))
    assert told.exit_code == 2 and "bad is damaged" in " ".join(told.stderr.split())
    assert not (tmp_path / "new" / FILE_NAME).exists()


def test_players_are_found_whatever_the_case_of_their_letters(where: Path | str) -> None:
    _, player = filled(where)
    with contextlib.closing(GameStore(open_database(where))) as store:
        AccountStore(store.database).rename(player, "Ärmel Öz").result()
    for matching in ("Ärmel", "ärmel", "ÄRMEL", "öz", "rmel", "ANN"):
        assert run("admin", "players", matching, *options(where)).stdout.startswith(player), matching
    assert run("admin", "players", "Ürmel", *options(where)).stdout == ""


def test_looking_after_games_and_players(where: Path | str, tmp_path: Path) -> None:
    (game, ended, record), player = filled(where)
    at = options(where)
    listed = run("admin", "games", *at)
    assert listed.exit_code == 0 and all(each in listed.stdout for each in (game, ended, record))
    assert "Änne - level 4" in listed.stdout
    running = run("admin", "games", "--running", *at)
    assert game in running.stdout and ended not in running.stdout
    found = run("admin", "players", "ANN", *at)
    assert found.stdout.startswith(f"{player}\tperson") and "anna" in found.stdout
    assert run("admin", "players", "ben", *at).stdout == ""

    closed = run("admin", "close", game, "--loser", "b", *at)
    assert (closed.exit_code, closed.stdout) == (0, f"{game}: 1-0\n")
    assert run("admin", "close", game, *at).exit_code == 2
    assert run("admin", "close", record, *at).stdout == f"{record}: 1/2-1/2\n"
    assert run("admin", "close", "nobody-knows", *at).exit_code == 2

    file = tmp_path / "all.punct"
    assert run("admin", "export", str(file), *at).stdout.startswith("3 games")
    assert len(records.loads(file.read_text())) == 3
    assert len(records.loads(run("admin", "export", "-", record, "--format", "sgf", *at).stdout)) == 1

    assert run("admin", "block", "anna", *at).stdout == "anna is blocked\n"
    assert "blocked since" in run("admin", "players", *at).stdout
    assert run("admin", "block", player, "--lift", *at).exit_code == 0
    assert "blocked" not in run("admin", "players", *at).stdout
    assert run("admin", "block", "nobody", *at).exit_code == 2
    assert run("admin", "delete-account", "anna", *at, stdin="n\n").exit_code == 1
    standing, ratings = everything(where, [], player)[-2:]
    assert standing.tried == {"0f1fph": False, "k3v9qa": True} and ratings.keys() == standing.tried.keys()
    assert run("admin", "delete-account", "anna", "--yes", *at).exit_code == 0
    assert run("admin", "players", *at).stdout == ""
    assert everything(where, [], player) == [None, None, (None, {}, []), ratings]  # a puzzle's rating is nobody's
    assert (
        run("admin", "delete-game", game, *at).exit_code == 0 and run("admin", "delete-game", game, *at).exit_code == 2
    )


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("", "no copy of a store"),
        ("CREATE TABLE other (id TEXT)", "no copy of a store"),
        (f"CREATE VIEW games (id) AS {ENDLESS}", "neither a plain table nor an index"),
        (f"ALTER TABLE games RENAME TO kept; CREATE VIEW games AS {ENDLESS}", "neither a plain table nor an index"),
        (f"CREATE VIEW more AS {ENDLESS}", "neither a plain table nor an index"),
        (
            "CREATE TRIGGER more AFTER UPDATE ON alembic_version BEGIN DELETE FROM games; END",
            "neither a plain table nor an index",
        ),
        ("CREATE VIRTUAL TABLE more USING fts5 (text)", "neither a plain table nor an index"),
        ("DELETE FROM alembic_version", "does not say which version"),
        ("UPDATE alembic_version SET version_num = '9999'", "was written by a newer version"),
    ],
)
@pytest.mark.timeout(60)
def test_what_only_looks_like_a_copy_is_not_brought_back(tmp_path: Path, made: str, words: str) -> None:
    file, target = tmp_path / "crafted", tmp_path / "new"
    if made.startswith(("ALTER", "CREATE VIEW more", "CREATE TRIGGER", "CREATE VIRTUAL", "DELETE", "UPDATE")):
        filled(tmp_path / "games")
        assert run("backup", str(file), "--data", str(tmp_path / "games")).exit_code == 0
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.executescript(made)
        connection.commit()
    told = run("restore", str(file), "--data", str(target))
    assert told.exit_code == 2 and words in " ".join(told.stderr.split()), told.output
    assert not (target / FILE_NAME).exists()


def back_up_as_somebody(folder: Path, file: Path, answer: Any) -> None:
    """Back a folder up without an administrator's rights; tell how many games there are, or what went wrong."""
    try:
        if os.geteuid() == 0:
            os.seteuid(65534)
        answer.put(back_up(folder, file)["games"])
    except Exception as error:
        answer.put(repr(error))


def test_a_folder_that_cannot_be_written_to_is_backed_up() -> None:
    """By somebody whom the system does not let write there, which it lets its administrator anyway."""
    with tempfile.TemporaryDirectory(prefix="punct-") as folder:
        games, out = Path(folder) / "games", Path(folder) / "out"
        ids, _ = filled(games)
        Path(folder).chmod(0o755)
        out.mkdir()
        out.chmod(0o777)
        with contextlib.closing(
            sqlite3.connect(games / FILE_NAME)
        ) as kept:  # so that a journal is there, not yet put away
            kept.execute("PRAGMA wal_autocheckpoint = 0")
            kept.execute("UPDATE games SET updated = updated")
            kept.commit()
            copied = Path(folder) / "copied"
            shutil.copytree(games, copied)
        for path in (*copied.iterdir(), copied):
            path.chmod(0o555 if path.is_dir() else 0o444)
        context = multiprocessing.get_context("fork")
        answer = context.SimpleQueue()
        process = context.Process(target=back_up_as_somebody, args=(copied, out / "copy", answer))
        process.start()
        process.join(60)
        assert answer.get() == len(ids)
        copied.chmod(0o755)


def test_public_files_are_written_at_once(where: Path | str, tmp_path: Path) -> None:
    store = GameStore(open_database(where))
    Players(store, "anna", "ben").play(2, "anna", "ben", NOW)
    store.close()
    folder = tmp_path / "public"
    done = run("admin", "dump", str(folder), *options(where))
    month, games, *_, name = done.stdout.splitlines()[0].split("\t")
    assert done.exit_code == 0 and (month, games) == ("2026-01", "2 games") and (folder / name).is_file()
    assert run("admin", "dump", str(folder), *options(where)).stdout == ""
    with DumpFolder(folder).locked():
        refused = run("admin", "dump", str(folder), *options(where))
    assert refused.exit_code == 2 and "another process" in refused.stderr
    (tmp_path / "file").write_text("")
    assert run("admin", "dump", str(tmp_path / "file"), *options(where)).exit_code == 2
