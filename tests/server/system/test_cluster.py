"""Several processes as one server: one database, one Redis, and remote workers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis
from tests.polling import POLL_SECONDS, wait_until_async
from tests.server.game_requests import API, create_game, error_of, get_game, play_moves, post_action
from tests.server.remote_workers import remote_workers

from punct.server.app import create_app
from punct.server.engines.service import Engines
from punct.server.pictures.service import Pictures
from punct.server.workers.process import WorkerLimits

ENGINE = {"type": "engine", "level": 1}


@contextmanager
def servers(postgresql: Postgresql, redis: Redis, number: int = 2) -> Iterator[list[TestClient]]:
    address = postgresql.new_store()
    with ExitStack() as stack:
        yield [stack.enter_context(TestClient(create_app(address, broker_url=redis.address()))) for _ in range(number)]


def test_moves_reach_subscribers_in_other_processes(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis) as (one, other):
        game = create_game(one)
        with (
            one.websocket_connect(f"{API}/games/{game['id']}/live") as here,
            other.websocket_connect(f"{API}/games/{game['id']}/live") as there,
        ):
            assert here.receive_json()["game"] == there.receive_json()["game"] == game
            for player, text in ((one, "Ed5ne"), (other, "Tl5s"), (other, "d5-d6ne"), (one, "l5-l6s")):
                game = play_moves(player, game, text)
                assert here.receive_json()["game"] == there.receive_json()["game"] == game == get_game(one, game)
            assert other.delete(f"{API}/games/{game['id']}").status_code == 204
            assert here.receive_json()["type"] == there.receive_json()["type"] == "gone"


def test_moves_missed_during_an_outage_of_redis_are_sent_afterwards(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis) as (one, other):
        game = create_game(one)
        with other.websocket_connect(f"{API}/games/{game['id']}/live") as there:
            assert there.receive_json()["type"] == "game"
            redis.kill()
            try:
                game = play_moves(one, game, "Ed5ne", "Tl5s")  # nobody needs Redis to play
            finally:
                redis.start()
            while (message := there.receive_json())["game"]["ply"] < 2:
                pass
            assert message["game"] == game
            game = play_moves(one, game, "d5-d6ne")
            while (message := there.receive_json())["game"]["ply"] < 3:
                pass


def test_a_remote_worker_thinks_once_and_subscribers_get_the_move(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis, 3) as clients, remote_workers(redis.address()):
        game = create_game(clients[0], seats={"b": ENGINE})
        with clients[1].websocket_connect(f"{API}/games/{game['id']}/live") as there:
            assert there.receive_json()["type"] == "game"
            game = play_moves(clients[2], game, "Ed5ne")
            told = []
            while (message := there.receive_json())["type"] != "game" or message["game"]["ply"] < 2:
                told.append(message["type"])
            assert "thinking" in told
        assert len(get_game(clients[0], message["game"])["turns"]) == 2
        svg = clients[0].get(f"{API}/games/{game['id']}/picture.svg")
        assert svg.status_code == 200 and svg.text.startswith("<svg")


def test_only_one_process_thinks_about_a_move(postgresql: Postgresql, redis: Redis) -> None:
    """A process that looks for games somebody left does not think where another one does already."""
    with servers(postgresql, redis) as (one, other):
        game = play_moves(one, create_game(one, seats={"b": ENGINE}), "Ed5ne")  # nobody works: it waits
        opponents = other.app.state.services.get(Engines)  # type: ignore[attr-defined]
        thinks = one.app.state.services.get(Engines)  # type: ignore[attr-defined]
        assert other.portal is not None

        async def resume() -> None:
            while not await opponents._broker.is_leased_elsewhere(f"think:{game['id']}:{game['revision']}"):
                await asyncio.sleep(POLL_SECONDS)  # the first has been told, but may not have begun
            await opponents.resume()
            await wait_until_async(lambda: not opponents._tasks)

        other.portal.call(resume)
        assert list(thinks._tasks) == [game["id"]] and not opponents._tasks
        assert opponents._states[game["id"]][1].state == "thinking"  # elsewhere
        with remote_workers(redis.address()), one.websocket_connect(f"{API}/games/{game['id']}/live") as live:
            while (message := live.receive_json())["type"] != "game" or message["game"]["ply"] < 2:
                pass


def test_every_process_shows_that_an_engine_thinks(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis) as (one, other):  # and nobody who would do the thinking
        game = create_game(one, seats={"b": ENGINE})
        assert get_game(other, game)["thinking"]["state"] == "idle"
        game = play_moves(one, game, "Ed5ne")
        assert get_game(one, game)["thinking"]["state"] == "queued"
        told = get_game(other, game)["thinking"]
        assert (told["state"], told["colour"], told["level"]) == ("thinking", "b", 1)
        assert one.post(f"{API}/games/{game['id']}/undo", json={}).status_code == 200
        assert get_game(other, game)["thinking"]["state"] == "idle"


@pytest.mark.parametrize(
    ("params", "code", "detail"),
    [
        ({"position": "standard w wTa9n"}, "invalid_position", {"fault": "space", "token": "a9"}),
        ({"position": "standard w wTd5n wEd5n"}, "invalid_position", {"fault": "support", "token": "wEd5n"}),
        ({"position": "chess w"}, "invalid_position", {"fault": "beginning", "token": "chess"}),
    ],
)
def test_errors_of_remote_drawing_are_those_of_local_drawing(
    client: TestClient,
    postgresql: Postgresql,
    redis: Redis,
    params: dict[str, str],
    code: str,
    detail: dict[str, str],
) -> None:
    at_home = client.get(f"{API}/picture.svg", params=params)
    assert error_of((at_home.status_code, at_home.json())) == (422, code)
    assert at_home.json()["error"]["detail"] == detail
    with servers(postgresql, redis, 1) as (one,), remote_workers(redis.address()):
        answer = one.get(f"{API}/picture.svg", params=params)
    assert (answer.status_code, answer.json()) == (at_home.status_code, at_home.json())


def test_a_job_that_no_worker_takes_times_out(
    postgresql: Postgresql, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with servers(postgresql, redis, 1) as (one,):  # and nobody who works
        services = one.app.state.services  # type: ignore[attr-defined]
        pools = services.get(Pictures)._pool, services.get(Engines)._pool
        for pool in pools:
            monkeypatch.setattr(pool, "limits", WorkerLimits(seconds=0.3))
        game = create_game(one)
        drawn = one.get(f"{API}/picture.svg", params={"position": "standard w"})
        assert error_of((drawn.status_code, drawn.json())) == (503, "work_failed")
        hint = post_action(one, game, "hint")
        assert error_of(hint) == (503, "engine_failed")
        for told in (drawn.json(), hint[1]):
            assert "No worker was free within 0.3 seconds" in told["error"]["message"]
        assert one.portal is not None
        for pool in pools:
            assert pool.waiting == 0
            while one.portal.call(pool.length):  # nor is it done later, for nobody
                pass
        # A seat waits however long it takes: longer than whoever comes after it.
        computer = play_moves(one, create_game(one, seats={"b": ENGINE}), "Ed5ne")
        assert error_of(post_action(one, game, "hint")) == (503, "engine_failed")
        assert get_game(one, computer)["thinking"]["state"] == "queued"
