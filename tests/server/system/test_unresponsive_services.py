"""A database or a Redis that stops responding: clients get an error, and the server goes on."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis
from tests.polling import TIMEOUT_SECONDS, wait_until, wait_until_async
from tests.server.game_requests import API, create_game, get_game, play_moves
from tests.server.server_process import request_json, run_server
from tests.tcp_proxy import TcpProxy, run_tcp_proxy

from punct import Colour
from punct.server.app import create_app
from punct.server.broker.redis import RedisBroker
from punct.server.db import database, postgresql
from punct.server.db.database import Connection, open_database
from punct.server.db.errors import CommitUnknownError, StoreBusyError, StoreError
from punct.server.games.model import NewStoredGame, StoredMove, StoredSeat
from punct.server.games.store import GameStore

NEW = NewStoredGame("standard w", {colour: StoredSeat() for colour in Colour})


@pytest.fixture
def proxy(postgresql: Postgresql) -> Iterator[TcpProxy]:
    with run_tcp_proxy(postgresql.port) as proxy:
        yield proxy


@pytest.fixture
def address(postgresql: Postgresql, proxy: TcpProxy) -> str:
    return postgresql.new_store().replace(f":{postgresql.port}/", f":{proxy.port}/")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "MAX_SILENCE_SECONDS", 0.5)
    monkeypatch.setattr(postgresql, "STATEMENT_SECONDS", 0.4)
    monkeypatch.setattr(database, "LOCK_SECONDS", 1.0)


@pytest.mark.usefixtures("impatient")
def test_a_silent_database_is_reported_and_recovers(proxy: TcpProxy, address: str) -> None:
    with TestClient(create_app(address, workers=1)) as client:
        games = [create_game(client) for _ in range(3)]
        with ThreadPoolExecutor(8) as many:
            for game in games:
                list(many.map(lambda _: client.get(f"{API}/games"), range(8)))  # several idle connections
                proxy.silence()
                asked = [many.submit(client.get, f"{API}/games") for _ in range(24)]
                asked += [many.submit(client.post, f"{API}/games/{game['id']}/turns", json={"text": "Ed5ne", "ply": 0})]
                for future in asked:
                    answer = future.result()
                    assert answer.status_code == 503 and answer.json()["error"]["code"] == "store_busy"
                proxy.speak()
                while client.get(f"{API}/games").status_code == 503:
                    pass
                game = play_moves(client, get_game(client, game), "Ed5ne")
                assert get_game(client, game)["ply"] == 1


@pytest.mark.usefixtures("impatient")
def test_a_change_lost_in_silence_is_made_once_or_reported_uncertain(proxy: TcpProxy, address: str) -> None:
    with contextlib.closing(GameStore(open_database(address))) as store:
        (game,) = store.create([NEW]).result()

        def swallowed(connection: Connection) -> None:  # before it is told to commit: nothing is stored
            proxy.silence()
            connection.execute("SELECT 1")

        with pytest.raises(StoreBusyError):
            store.database.change(swallowed).result()
        proxy.speak()

        changed = game.next_revision(game.updated, 1, None)
        silent = threading.Event()

        def unanswered(connection: Connection) -> None:
            if not silent.is_set():
                silent.set()
                proxy.silence()  # what comes next is COMMIT, which never arrives

        stored = store.database.change(unanswered)
        with pytest.raises((CommitUnknownError, StoreBusyError)):
            stored.result()
        proxy.speak()
        while True:
            with contextlib.suppress(StoreBusyError):
                store.add_moves(changed, StoredMove("Ed5ne")).result()
                break
        found = store.load(game.id)
        assert found is not None and len(found[1]) == 1


@pytest.mark.usefixtures("impatient")
def test_a_slow_statement_does_not_count_as_silence(address: str) -> None:
    with contextlib.closing(open_database(address)) as database:
        database.fetch_all("SELECT 1")
        with pytest.raises(StoreBusyError, match="too long"):
            database.fetch_all("SELECT pg_sleep(20)")
        assert database.fetch_all("SELECT 1") == [(1,)]
    with contextlib.closing(open_database(address)) as database:
        database.disable_timeouts()
        database.fetch_all("SELECT pg_sleep(0.7)")


def test_a_server_shuts_down_though_its_database_is_silent(proxy: TcpProxy, address: str) -> None:
    with run_server(None, "--port", "0", "--database-url", address) as (process, url):
        game = request_json(f"{url}/api/v1/games", {})
        proxy.silence()
        with ThreadPoolExecutor(8) as many:
            asked = [
                many.submit(request_json, f"{url}/api/v1/games/{game['id']}/turns", {"text": "Ed5ne", "ply": 0})
                for _ in range(3)
            ]
            asked += [many.submit(request_json, f"{url}/api/v1/games") for _ in range(5)]
            wait_until(lambda: proxy.swallowed)
            process.send_signal(signal.SIGTERM)
            assert process.wait(TIMEOUT_SECONDS) == 0
            for future in asked:
                with pytest.raises(OSError) as told:
                    future.result()
                if isinstance(told.value, HTTPError):
                    told.value.close()


def test_a_broker_recovers_from_a_silent_redis(redis: Redis) -> None:
    async def test() -> None:
        with run_tcp_proxy(redis.port) as proxy:
            one, other = RedisBroker(redis.address()), RedisBroker(f"redis://127.0.0.1:{proxy.port}/0")
            heard: list[bytes] = []
            back: list[bool] = []
            other.on_message("game:", lambda _, message: heard.append(message))
            other.on_reconnect(lambda: back.append(True))
            await one.start()
            await other.start()
            await other.subscribe("game:a")
            proxy.silence()
            assert await other.acquire_lease("a", 5)  # as without Redis
            await other.release_lease("a")
            assert not await other.is_reachable()
            other.publish("game:b", b"unheard")
            await other.subscribe("game:c")
            proxy.speak()
            await wait_until_async(lambda: back)
            for topic in ("game:a", "game:c"):
                one.publish(topic, topic.encode())
            await wait_until_async(lambda: len(heard) >= 2)
            assert heard == [b"game:a", b"game:c"]
            await one.close()
            await other.close()

    asyncio.run(test())


def test_an_uncertain_commit_does_not_claim_that_nothing_changed() -> None:
    from punct.server.http.errors import describe_error

    status, body = describe_error(CommitUnknownError("Whether it did is not known yet."))
    assert (status, body.code, body.message) == (503, "store_failed", "Whether it did is not known yet.")
    failed_read = StoreError("Away.")  # perhaps after a change that is stored
    assert "Nothing has changed." not in describe_error(failed_read)[1].message
