"""A store that other processes use too, or that fails: reads are consistent, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.game_requests import API, create_game, error_of, get_game, play_moves, post_action

from punct import Colour
from punct.server.app import create_app
from punct.server.broker.broker import Broker
from punct.server.db import database, sqlite
from punct.server.db.database import Connection, open_database
from punct.server.db.errors import CommitUnknownError, StoreBusyError, StoreDamagedError, StoreError, StoreFullError
from punct.server.db.sqlite import FILE_NAME, SqliteDatabase
from punct.server.engines.service import Engines
from punct.server.errors import StoppingError
from punct.server.events import EventBus
from punct.server.games import store as store_module
from punct.server.games.events import GameChanged, GameRemoved
from punct.server.games.game import PlayedGame
from punct.server.games.model import NewStoredGame, StoredGame, StoredMove, StoredSeat
from punct.server.games.repository import MAX_ATTEMPTS
from punct.server.games.service import Games
from punct.server.games.setup import game_from_position as start
from punct.server.games.snapshots import SnapshotCache
from punct.server.games.statements import COUNT_ALL, SELECT_ALL
from punct.server.games.store import GameStore

SEATS = {colour: StoredSeat() for colour in Colour}


@pytest.fixture
def store(store_url: Path | str) -> Iterator[GameStore]:
    opened = GameStore(open_database(store_url))
    yield opened
    opened.close()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep the store locked, as another program might."""
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


# ---------------------------------------------------------------------- one state for each reader


def test_a_reader_sees_one_state(store: GameStore) -> None:
    """A list read in two questions, with a game deleted in between, was half of one state and half of another."""
    games = store.create([NewStoredGame("standard w", SEATS)] * 3).result()
    with store._database.read_transaction() as connection:
        assert len(connection.execute(SELECT_ALL, {"offset": 0, "limit": 9}).fetchall()) == 3
        assert store.delete(games[0].id).result()
        assert connection.execute(COUNT_ALL).fetchone() == (3,)
        with store._database.read_transaction() as later:
            assert later.execute(COUNT_ALL).fetchone() == (2,)


def test_lists_are_consistent_while_games_are_deleted(store: GameStore) -> None:
    done = threading.Event()
    faults: list[BaseException] = []

    def read() -> None:
        try:
            while not done.is_set():
                games, total = store.list_all(0, 100)
                assert len(games) == total
        except BaseException as error:
            faults.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(30):
        games = store.create([NewStoredGame("standard w", SEATS, "Ed5ne")] * 2).result()
        for game in games:
            store.delete(game.id).result()
    done.set()
    for reader in readers:
        reader.join()
    assert faults == []


# ---------------------------------------------------------------------- two servers on one folder


def test_two_servers_on_one_store_agree(store_url: Path | str) -> None:
    with (
        TestClient(create_app(store_url, workers=1)) as one,
        TestClient(create_app(store_url, workers=1)) as other,
    ):
        game = create_game(one)
        assert get_game(other, game) == game
        for here, there, turn in ((one, other, "Ed5ne"), (other, one, "Tl5s"), (one, other, "d5-d6ne")):
            game = play_moves(here, game, turn)  # a correct turn is never refused
            assert get_game(there, game) == game  # and what is told is what is stored
            assert error_of(post_action(there, game, "turns", {"text": "Tb5n", "ply": 0})) == (409, "wrong_ply")
        status, game = post_action(other, game, "undo", {"ply": 3})
        assert status == 200 and get_game(one, game) == game and game["ply"] == 2
        status, game = post_action(one, game, "redo", {"ply": 2})
        assert status == 200 and get_game(other, game) == game and game["ply"] == 3
        status, game = post_action(other, game, "undo", {"ply": 3})
        status, game = post_action(one, game, "resign")
        assert (status, error_of(post_action(other, game, "turns", {"text": "d5-d6ne", "ply": 2}))) == (
            200,
            (409, "game_over"),
        )
        status, game = post_action(other, game, "undo")
        assert status == 200 and play_moves(one, game, "d5-d6ne")["ply"] == 3
        assert one.delete(f"{API}/games/{game['id']}").status_code == 204
        for method, path in (("GET", ""), ("POST", "/undo"), ("GET", "/positions/0"), ("DELETE", "")):
            answer = other.request(method, f"{API}/games/{game['id']}{path}")
            assert error_of((answer.status_code, answer.json())) == (404, "unknown_game"), path


# ---------------------------------------------------------------------- a store that fails


def test_a_foreign_lock_refuses_writes_but_not_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.05)
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game = play_moves(client, create_game(client, seats={"b": {"type": "engine", "level": 1}}))
        with locked(tmp_path):
            assert get_game(client, game) == game
            assert client.get(f"{API}/games").json()["total"] == 1
            for action, body in (("turns", {"text": "Ed5ne", "ply": 0}), ("resign", None)):
                status, answer = post_action(client, game, action, body)
                assert error_of((status, answer)) == (503, "store_busy")
                assert "SQL" not in str(answer) and "locked" in answer["error"]["message"]
            answered = client.delete(f"{API}/games/{game['id']}")
            assert error_of((answered.status_code, answered.json())) == (503, "store_busy")
        assert get_game(client, game) == game
        assert play_moves(client, game, "Ed5ne")["ply"] == 1


def test_an_engine_move_that_cannot_be_stored_reveals_no_internals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.05)
    with TestClient(create_app(tmp_path, workers=1)) as client:
        services = client.app.state.services  # type: ignore[attr-defined]
        thought: dict[str, Any] = {}

        async def think(*_: object) -> object:
            await asyncio.to_thread(thought["may"].wait)
            return thought["of"]

        from punct.server.workers.think import ThinkResult

        thought.update(may=threading.Event(), of=ThinkResult("Tl5s", 0.5, ("Tl5s",), 1, 1))
        monkeypatch.setattr(services.get(Engines)._pool, "run", think)
        game = play_moves(client, create_game(client, seats={"b": {"type": "engine", "level": 1}}), "Ed5ne")
        with client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:
            assert socket.receive_json()["type"] == "game"
            with locked(tmp_path):
                thought["may"].set()
                message = socket.receive_json()
            assert (message["type"], message["thinking"]["state"]) == ("thinking", "failed")
            assert "Tl5s" in message["thinking"]["message"] and "locked" in message["thinking"]["message"]
            for inside in ("SQL", "sqlite", "UPDATE", "INSERT", "BEGIN"):
                assert inside not in message["thinking"]["message"]
        with client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:  # looked at again: another chance
            while (message := socket.receive_json())["type"] != "game" or message["game"]["ply"] < 2:
                pass


def test_a_full_disk_is_not_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = GameStore(open_database(tmp_path))
    long = [NewStoredGame("standard w", SEATS, "Ed5ne", {0: "x" * 100_000})]
    store.create([NewStoredGame("standard w", SEATS)]).result()
    assert isinstance(store._database, SqliteDatabase) and store._database._writer is not None
    store._database._writer.execute("PRAGMA max_page_count = 1")  # no larger than it is
    with pytest.raises(StoreFullError, match="disk is full"):
        store.create(long).result()
    assert store.list_all(0, 9)[1] == 1
    store.close()

    connect = sqlite.connect

    def small(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
        connection = connect(path, readonly=readonly)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(sqlite, "connect", small)
    with pytest.raises(StoreFullError, match="disk is full"):
        open_database(tmp_path / "new")


def test_a_damaged_file_is_reported_at_the_start_and_later(tmp_path: Path) -> None:
    opened = GameStore(open_database(tmp_path))
    games = opened.create([NewStoredGame("standard w", SEATS, "Ed5ne", {0: "x" * 2000})] * 20).result()
    opened.close()
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 8192) + whole[-4096:])
    with pytest.raises(StoreDamagedError, match="damaged"):
        open_database(tmp_path)
    unchecked = GameStore(SqliteDatabase(path))
    with pytest.raises(StoreDamagedError, match="damaged"):
        unchecked.load(games[0].id)
    unchecked.close()
    path.write_bytes(b"this is certainly not a database " * 500)
    with pytest.raises(StoreDamagedError, match="not a database"):
        open_database(tmp_path)


def test_a_damaged_file_gets_the_usual_error_body(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    game = create_game(client)
    services = client.app.state.services  # type: ignore[attr-defined]

    def damaged(*_: object) -> None:
        raise StoreDamagedError("The file with the games is damaged.")

    monkeypatch.setattr(services.get(Games)._store, "revision", damaged)
    answer = client.get(f"{API}/games/{game['id']}")
    assert error_of((answer.status_code, answer.json())) == (503, "store_damaged")


def test_a_stored_game_that_does_not_replay_is_the_servers_fault(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game, other = play_moves(client, create_game(client), "Ed5ne"), create_game(client)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("UPDATE turns SET text = 'Ti9n'")
        connection.commit()
    with TestClient(create_app(tmp_path, workers=1)) as client:
        for method, path in (("GET", ""), ("GET", "/positions/0"), ("GET", "/record"), ("POST", "/undo")):
            answer = client.request(method, f"{API}/games/{game['id']}{path}")
            assert error_of((answer.status_code, answer.json())) == (500, "broken_game"), path
        assert client.get(f"{API}/games").json()["total"] == 2 and get_game(client, other) == other
        with client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:
            assert socket.receive_json()["error"]["code"] == "broken_game"
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
            assert closed.value.code == 1011
        assert client.delete(f"{API}/games/{game['id']}").status_code == 204


# ---------------------------------------------------------------------- one writer


def test_waiting_changes_share_a_commit_but_fail_alone(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    games = store.create([NewStoredGame("standard w", SEATS)] * 20).result()
    begun, go_on = threading.Event(), threading.Event()
    transactions: list[int] = []
    writing = store._database.write_transaction

    @contextlib.contextmanager
    def counted() -> Iterator[Connection]:
        with writing() as connection:
            transactions.append(1)
            yield connection

    monkeypatch.setattr(store._database, "write_transaction", counted)

    def wait(_: object) -> None:
        begun.set()
        go_on.wait()

    first = store._database.writer.submit(wait)
    begun.wait()
    moved = [store.add_moves(game.next_revision(game.updated, 1, None), StoredMove("Ed5ne")) for game in games]
    late = store.add_moves(
        games[0].next_revision(games[0].updated, 1, None), StoredMove("Td5n")
    )  # for a revision that has passed
    go_on.set()
    first.result()
    assert [future.result().id for future in moved] == [game.id for game in games]
    with pytest.raises(Exception, match=games[0].id):
        late.result()
    assert len(transactions) == 2
    assert all((found := store.load(game.id)) and found[1] == [StoredMove("Ed5ne")] for game in games)

    # One that cannot be stored at all stands in nobody's way.
    begun.clear()
    go_on.clear()
    first = store._database.writer.submit(wait)
    begun.wait()
    changed = [game.next_revision(game.updated, 1, None).next_revision(game.updated, 2, None) for game in games]
    good = store.add_moves(changed[1], StoredMove("Tl5s"))
    bad = store.add_moves(changed[2], StoredMove(None))  # type: ignore[arg-type]
    last = store.add_moves(changed[3], StoredMove("Tl5s"))
    go_on.set()
    assert [good.result(), last.result()] == [changed[1], changed[3]]
    with pytest.raises(StoreError):
        bad.result()
    found = store.load(games[2].id)
    assert found is not None and found[0].revision == 2


def test_changes_that_may_be_stored_are_not_applied_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_database(tmp_path)
    begun, go_on = threading.Event(), threading.Event()
    applied: list[Connection] = []
    write = opened.write_transaction

    @contextlib.contextmanager
    def lose_commit() -> Iterator[Connection]:
        with write() as connection:
            yield connection
        if len(applied) == 2:
            raise CommitUnknownError("Whether it was stored is not known.")

    def wait(_: Connection) -> None:
        begun.set()
        go_on.wait()

    monkeypatch.setattr(opened, "write_transaction", lose_commit)
    first = opened.change(wait)
    begun.wait()
    batch = [opened.change(applied.append) for _ in range(2)]
    go_on.set()
    first.result()
    for change in batch:
        with pytest.raises(CommitUnknownError):
            change.result()
    assert len(applied) == 2
    opened.close()


def test_a_closing_store_finishes_waiting_changes_and_takes_no_more(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    (game,) = store.create([NewStoredGame("standard w", SEATS)]).result()
    moved = store.add_moves(game.next_revision(game.updated, 1, None), StoredMove("Ed5ne"))
    store.close()
    assert moved.result().ply == 1
    with pytest.raises(StoreError, match="shutting down"):
        store.delete(game.id)
    again = GameStore(open_database(store_url))
    assert again.revision(game.id) == 2
    again.close()


def test_closing_waits_for_a_move_being_played(store_url: Path | str) -> None:
    async def close() -> None:
        store = GameStore(open_database(store_url))
        games = Games(store)
        game = await games.create(start("standard w", SEATS))
        go_on = threading.Event()
        store._database.writer.submit(lambda _: go_on.wait())
        playing = asyncio.create_task(games.play(game.id, "Ed5ne", 0))
        await asyncio.sleep(0)
        closing = asyncio.create_task(games.close())
        playing.cancel()  # whoever asked for it has gone
        await asyncio.sleep(0)
        with pytest.raises(StoppingError):
            await games.play(game.id, "Td5n", 0)
        assert not closing.done()
        go_on.set()
        await closing
        found = store.load(game.id)
        assert found is not None and [move.text for move in found[1]] == ["Ed5ne"]
        store.close()

    asyncio.run(close())


def test_a_game_that_cannot_be_reloaded_does_not_stop_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refresh() -> None:
        store = GameStore(open_database(tmp_path))
        bus = EventBus()
        games = Games(store, bus)
        ids = [(await games.create(start("standard w", SEATS))).id for _ in range(3)]
        await games.delete(ids[2])
        told: list[str] = []
        bus.subscribe(GameChanged, lambda event: told.append(event.game.id))
        bus.subscribe(GameRemoved, lambda event: told.append(event.game_id))
        load = store.load

        def failing(game_id: str) -> Any:
            if game_id == ids[0]:
                raise StoreError("It cannot be reached.")
            return load(game_id)

        monkeypatch.setattr(store, "load", failing)
        with pytest.raises(StoreError, match="reached"):
            await games.refresh(ids)
        assert told == ids[1:]
        await games.close()
        store.close()

    asyncio.run(refresh())


def test_errors_of_a_resync_are_logged(
    empty_client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody waits for that: it went to nobody, and Python complained of it whenever it tidied up."""
    services = empty_client.app.state.services  # type: ignore[attr-defined]

    async def failing(*_: object) -> None:
        raise StoreError("It cannot be reached.")

    monkeypatch.setattr(services.get(Games), "refresh", failing)
    assert empty_client.portal is not None
    for back in services.get(Broker)._reconnect_callbacks:
        empty_client.portal.call(back)
    empty_client.portal.call(asyncio.sleep, 0.01)
    assert "reading again what was missed failed" in caplog.text and "It cannot be reached." in caplog.text


def test_games_evicted_from_the_cache_are_unchanged(
    empty_client: TestClient,
) -> None:
    services = empty_client.app.state.services  # type: ignore[attr-defined]
    caches = services.get(Games)._cache, services.get(SnapshotCache)._snapshots
    for cache, size in zip(caches, (20_000, 20_000), strict=True):
        cache.max_bytes = size
    games = [create_game(empty_client) for _ in range(5)]
    for turn in ("Ed5ne", "Tl5s", "d5-d6ne"):
        games = [play_moves(empty_client, game, turn) for game in games]
    assert [get_game(empty_client, game) for game in games] == games
    for cache in caches:
        assert 0 < len(cache) < 5 and cache.size <= cache.max_bytes


def test_a_store_opened_twice_is_still_locked_for_others(tmp_path: Path) -> None:
    """Closing a file anew, past SQLite, would end all locks of this process; the next program that leaves then takes
    the journal with it, and whatever is written to it from then on.
    """
    store = GameStore(open_database(tmp_path))
    try:
        (game,) = store.create([NewStoredGame("standard w", SEATS)]).result()
        GameStore(open_database(tmp_path)).close()
        leave = f"import sqlite3; other = sqlite3.connect({str(tmp_path / FILE_NAME)!r})"
        leave += "; other.execute('SELECT * FROM games')"
        subprocess.run([sys.executable, "-c", f"{leave}.fetchall(); other.close()"], check=True)
        played = game.next_revision(game.updated, 1, None)
        store.add_moves(played, StoredMove("Ed5ne", game.updated)).result()
        with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
            assert other.execute("SELECT ply FROM games").fetchall() == [(1,)]
    finally:
        store.close()


@pytest.mark.parametrize("changes", [1, MAX_ATTEMPTS, MAX_ATTEMPTS + 1])
def test_a_move_is_tried_again_while_another_process_changes_the_game(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, changes: int
) -> None:
    """As after an outage, when all clocks are adjusted. A second conflict was a refusal, though nothing was wrong."""
    game = play_moves(client, create_game(client), "Ed5ne")
    add_moves, remaining = GameStore.add_moves, [None] * changes

    def add_moves_too_late(store: GameStore, stored: StoredGame, *moves: StoredMove, **options: Any) -> Any:
        if remaining:
            remaining.pop()
            current = store.load(stored.id)
            assert current is not None
            store.update(replace(current[0], revision=current[0].revision + 1)).result()
        return add_moves(store, stored, *moves, **options)

    monkeypatch.setattr(GameStore, "add_moves", add_moves_too_late)
    status, body = post_action(client, game, "turns", {"text": "Tl10n", "ply": 1})
    if changes <= MAX_ATTEMPTS:
        assert (status, body["ply"], body["revision"]) == (200, 2, game["revision"] + changes + 1)
    else:
        assert error_of((status, body)) == (409, "wrong_ply")
        assert [turn["text"] for turn in get_game(client, game)["turns"]] == ["Ed5ne"]


def test_only_a_change_that_failed_claims_that_nothing_has_changed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed read after a stored change said so too."""
    game = create_game(client)
    total = client.get(f"{API}/games").json()["total"]

    def fail(*_: object, **__: object) -> None:
        raise StoreBusyError("Busy.")

    def message_of(response: tuple[int, dict[str, Any]]) -> str:
        assert error_of(response) == (503, "store_busy")
        return str(response[1]["error"]["message"])

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "_update", fail)
        response = post_action(client, game, "turns", {"text": "Ed5ne", "ply": 0})
        assert message_of(response) == "Busy. Nothing has changed."
    with monkeypatch.context() as patch:
        patch.setattr(PlayedGame, "replay", fail)
        created = client.post(f"{API}/games", json={})
        assert message_of((created.status_code, created.json())) == "Busy."
    assert client.get(f"{API}/games").json()["total"] == total + 1
