"""PostgreSQL: lost connections, several processes at once, translated errors."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, insert, literal, select, update
from starlette.testclient import TestClient
from tests.databases import Postgresql, free_port
from tests.server.game_requests import create_game, get_game, play_moves

from punct import Colour
from punct.server.app import create_app
from punct.server.db import database, migrate
from punct.server.db.database import Connection, open_database
from punct.server.db.errors import (
    ConflictError,
    ConnectionLostError,
    DuplicateKeyError,
    RetryError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    translate_error,
)
from punct.server.db.postgresql import PostgresqlDatabase, migration_engine
from punct.server.db.sql import Statement, bindparams, insert_or_ignore, sql, upsert
from punct.server.db.tables import GAMES, PLAYERS, PULSE, REQUESTS
from punct.server.games.model import NewStoredGame, StoredMove, StoredSeat
from punct.server.games.store import GameStore

SEATS = {colour: StoredSeat() for colour in Colour}
NEW = NewStoredGame("standard w", SEATS)


@pytest.fixture
def address(postgresql: Postgresql) -> str:
    return postgresql.new_database()


@pytest.fixture
def store(address: str) -> Iterator[GameStore]:
    opened = GameStore(open_database(address))
    yield opened
    opened.close()


# ---------------------------------------------------------------------- lost connections


def test_lost_connections_are_reopened(postgresql: Postgresql, address: str, store: GameStore) -> None:
    (game,) = store.create([NEW]).result()
    for ply in range(1, 4):
        assert store.list_all(0, 9)[1] == 1 and store.revision(game.id) == ply
        assert postgresql.drop_connections(address) >= 1
        game = game.next_revision(game.updated, ply, None)
        store.add_moves(game, StoredMove("Ed5ne")).result()
        assert postgresql.drop_connections(address) >= 1
        assert store.revision(game.id) == ply + 1
        found = store.load(game.id)
        assert found is not None and found[0] == game and len(found[1]) == ply


def test_a_connection_lost_within_a_change_loses_nothing(
    postgresql: Postgresql, address: str, store: GameStore
) -> None:
    (game,) = store.create([NEW]).result()
    dropped: list[int] = []

    def change(connection: Any) -> int:
        """Lose the connection the first time, half way through."""
        changed = connection.execute(_MARK, {"game": game.id}).rowcount
        if not dropped:
            dropped.append(postgresql.drop_connections(address))
            connection.execute("SELECT 1")
        return int(changed)

    assert store._database.change(change).result() == 1
    (found,) = postgresql.query("SELECT ply FROM games", address.rpartition("/")[2])
    assert found == (7,) and dropped


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "not stored"])
def test_a_connection_lost_during_commit_is_resolved(store: GameStore, stored: bool) -> None:
    """Whether a lost COMMIT was one decides whether the change must be made again: a game is made once."""
    database = store._database
    assert isinstance(database, PostgresqlDatabase)
    store.create([]).result()
    writer = database._writer
    assert writer is not None

    class Cut:
        """A connection whose COMMIT, or what says that it was one, is lost on the way."""

        def __init__(self, raw: Any) -> None:
            self._raw = raw

        def __getattr__(self, name: str) -> Any:
            return getattr(self._raw, name)

        def execute(self, statement: Any, *values: Any) -> Any:
            if statement != "COMMIT":
                return self._raw.execute(statement, *values)
            if stored:
                self._raw.execute(statement)
            self._raw.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")

    writer.raw = Cut(writer.raw)  # type: ignore[assignment]
    (game,) = store.create([NEW]).result()
    assert writer.is_lost
    assert store.list_all(0, 9) == ([game], 1)


def test_an_unreachable_database_is_reported_and_recovers(
    postgresql: Postgresql, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.3)
    with TestClient(create_app(address, workers=1)) as client:
        game = play_moves(client, create_game(client), "Ed5ne")
        postgresql.kill()
        try:
            for answer in (
                client.get(f"/api/v1/games/{game['id']}"),
                client.post(f"/api/v1/games/{game['id']}/turns", json={"text": "Tl5s", "ply": 1}),
            ):
                assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_busy")
                assert "cannot be reached" in answer.text and "psycopg" not in answer.text
        finally:
            postgresql.start()
        assert get_game(client, game) == game
        assert play_moves(client, game, "Tl5s")["ply"] == 2


# ---------------------------------------------------------------------- several processes


def test_one_of_many_processes_plays_a_ply(address: str) -> None:
    """Each with a writer of its own, as processes have: the revision decides, and the losers are told."""
    stores = [GameStore(open_database(address)) for _ in range(4)]
    games = stores[0].create([NEW] * 8).result()
    for ply in range(1, 4):
        games = [game.next_revision(game.updated, ply, None) for game in games]
        tried = [
            (game, number, stores[number].add_moves(game, StoredMove(f"E{number}")))
            for number in range(4)
            for game in (games if number % 2 else games[::-1])  # crosswise: they may deadlock, and are tried again
        ]
        won: dict[str, int] = {}
        for game, number, future in tried:
            with contextlib.suppress(ConflictError):
                future.result()
                assert game.id not in won
                won[game.id] = number
        assert len(won) == 8
        for game in games:
            found = stores[0].load(game.id)
            assert found is not None and found[0].revision == ply + 1 and len(found[1]) == ply
            assert found[1][-1].text == f"E{won[game.id]}"
    for opened in stores:
        opened.close()


def test_a_deadlock_is_retried(address: str, store: GameStore) -> None:
    other = GameStore(open_database(address))
    first, second = (game.id for game in store.create([NEW] * 2).result())
    both = threading.Barrier(2)

    def mark(ids: tuple[str, str]) -> Any:
        tried: list[int] = []

        def change(connection: Any) -> int:
            tried.append(1)
            connection.execute(_MARK, {"game": ids[0]})
            if len(tried) == 1:
                both.wait()
            connection.execute(_MARK, {"game": ids[1]})
            return len(tried)

        return change

    futures = [
        store._database.change(mark((first, second))),
        other._database.change(mark((second, first))),
    ]
    assert sorted(future.result() for future in futures) == [1, 2]
    other.close()


def test_processes_can_start_and_migrate_at_once(address: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(open_database, [address] * 4))
    for each in opened:
        each.close()


@pytest.mark.parametrize("way", ["up", "down"])
def test_migrations_and_games_do_not_block_each_other(address: str, way: str) -> None:
    """Somebody is in the middle of a change: a step that needs the table tries again and again."""
    store = GameStore(open_database(address))
    store.create([NEW]).result()
    store.close()
    engine = migration_engine(address)
    if way == "up":
        migrate.downgrade(engine, "0003")
    done = threading.Event()

    def step() -> None:
        if way == "up":
            migrate.upgrade(engine)
        else:
            migrate.downgrade(engine, "0003")
        done.set()

    with psycopg.connect(address) as busy:
        busy.execute("UPDATE games SET ply = 0")
        stepping = threading.Thread(target=step)
        stepping.start()
        assert not done.wait(0.5)
        with psycopg.connect(address, autocommit=True) as player:  # waits for the step, and the step only for a moment
            player.execute("SET statement_timeout = '20s'")
            assert player.execute("SELECT count(*) FROM games").fetchone() == (1,)
        busy.commit()
    stepping.join(60)
    assert done.is_set()
    engine.dispose()
    GameStore(open_database(address)).close()


# ---------------------------------------------------------------------- faults and statements


@pytest.mark.parametrize(
    ("state", "kind", "words"),
    [
        ("53100", StoreFullError, "full"),
        ("53300", StoreBusyError, "too much"),
        ("40001", RetryError, "same"),
        ("40P01", RetryError, "same"),
        ("55P03", RetryError, "same"),
        ("57P01", ConnectionLostError, "reached"),
        ("57P03", ConnectionLostError, "reached"),
        ("57014", StoreBusyError, "too long"),
        ("08006", ConnectionLostError, "reached"),
        ("23505", DuplicateKeyError, "already"),
        ("23503", StoreError, "reached"),
        ("28P01", StoreError, "password"),
        ("3D000", StoreError, "no such database"),
        ("XX001", StoreDamagedError, "damaged"),
        ("25006", StoreError, "written"),
        ("99999", StoreError, "reached"),
    ],
)
def test_database_errors_are_translated(state: str, kind: type[StoreError], words: str) -> None:
    error = psycopg.errors.lookup(state)() if state != "99999" else psycopg.DatabaseError()
    found = translate_error(error)
    assert type(found) is kind and words in str(found)


def test_an_unreachable_address_is_reported_without_its_password(postgresql: Postgresql) -> None:
    secret = "pass-word"
    for address, words in (
        (f"postgresql://punct:{secret}@127.0.0.1:{free_port()}/games", "reached"),
        (f"postgresql://punct:{secret}@127.0.0.1:{postgresql.port}/nothing", "no such database"),
        (f"postgresql://nobody:{secret}@127.0.0.1:{postgresql.port}/postgres", "let this user in"),
    ):
        with pytest.raises(StoreError, match=words) as told:
            open_database(address)
        assert secret not in str(told.value) and "127.0.0.1" in str(told.value)


def execute(statement: Statement, values: dict[str, Any], connection: Connection) -> int:
    return connection.execute(statement, values).rowcount


def test_insert_or_ignore_and_upsert(store_url: Any) -> None:
    """The ways to add what may be there, on both databases; and the unique key's word is told apart."""
    opened = open_database(store_url)
    asked = {"player_id": "one", "key": "k", "made": "game", "at": "2026-01-02 03:04:05.000000", "wish": None}
    again = {**asked, "made": "other"}

    def both(connection: Any) -> tuple[int, int]:
        return tuple(connection.execute(_UNLESS_THERE, row).rowcount for row in (asked, again))

    assert opened.change(both).result() == (1, 0)
    for at in ("2026-01-02 03:04:05.000000", "2026-01-02 03:04:05.123400"):
        opened.change(partial(execute, _PULSE, {"id": 1, "at": at})).result()
    ((at,),) = opened.fetch_all(sql(select(PULSE.c.at)))
    assert at.startswith("2026-01-02 03:04:05.1234")
    player: dict[str, Any] = {
        "id": "p",
        "kind": "person",
        "name": "A\0b",
        "login": "anna",
        "password": None,
        "blocked": None,
    }
    player |= {"settings": '{"a": 1}', "created": at, "seen": at, "handle": None, "handle_key": None, "name_key": None}
    player["hides_hours"] = False
    opened.change(partial(execute, _PLAYER, player)).result()
    with pytest.raises(DuplicateKeyError):
        opened.change(partial(execute, _PLAYER, {**player, "id": "q"})).result()
    ((settings, blocked),) = opened.fetch_all(_FOUND, {"login": "anna"})
    assert (settings, blocked) == ('{"a": 1}', None)
    assert opened.change(partial(execute, _SEEN, {"player": "p", "seen": at})).result() == 1
    opened.close()


def test_constants_are_part_of_a_statement(store_url: Any) -> None:
    opened = open_database(store_url)
    told = sql(
        select(literal("it's 100% \\ :w %(x)s"), GAMES.c.id).where(GAMES.c.ply >= 0, GAMES.c.rules == "basic").limit(3)
    )
    assert opened.fetch_all(told) == []
    asked = sql(select(literal("it's 100% \\ :w %(x)s"), literal(7)).limit(3))
    assert opened.fetch_all(asked) == [("it's 100% \\ :w %(x)s", 7)]
    opened.close()


_MARK = sql(update(GAMES).where(GAMES.c.id == bindparam("game")).values(ply=7))
_UNLESS_THERE = insert_or_ignore(REQUESTS)
_PULSE = upsert(PULSE, "at")
_PLAYER = sql(insert(PLAYERS))
_FOUND = sql(
    select(PLAYERS.c.settings, PLAYERS.c.blocked).where(PLAYERS.c.login == bindparam("login")).with_for_update()
)
_SEEN = sql(update(PLAYERS).where(PLAYERS.c.id == bindparam("player")).values(bindparams("seen")))
