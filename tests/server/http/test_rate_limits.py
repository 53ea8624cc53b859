"""Rate limits by address and by player, shared through Redis where there is one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from tests.databases import Redis
from tests.server.online_client import API, PROOF, Browser, NewBrowser, api_routes, error_of
from tests.server.still_limits import stop_clock
from tests.server.two_player_games import json_of, start_game

from punct.server.accounts import passwords
from punct.server.accounts.errors import PasswordsBusyError
from punct.server.accounts.passwords import MAX_CONCURRENT, MAX_WAITING, Passwords
from punct.server.app import create_app
from punct.server.auth import identity, middleware
from punct.server.games import ownership
from punct.server.games.store import GameStore, Quota
from punct.server.http.errors import TooManyError
from punct.server.http.rate_limits import (
    ANALYSES,
    GUESTS,
    LOGIN_FROM_ADDRESS,
    LOGINS,
    MOVES,
    PUZZLE_ATTEMPTS,
    READS,
    WRITES,
    Limit,
    Limits,
)


@pytest.fixture(autouse=True)
def still_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_clock(monkeypatch)


def test_a_limit_refuses_further_requests() -> None:
    async def count() -> None:
        limits = Limits()
        limit = Limit("test", "3/minute", "2/minute")
        for _ in range(2):
            await limits.hit(limit, "192.0.2.1", "anna")
        with pytest.raises(TooManyError) as refusal:
            await limits.hit(limit, "192.0.2.1", "anna")
        assert refusal.value.retry_after is not None and 1 <= refusal.value.retry_after <= 60
        with pytest.raises(TooManyError):  # by now the address has had its three
            await limits.hit(limit, "192.0.2.1", "ben")
        await limits.hit(limit, "192.0.2.2", "ben")
        for _ in range(9):
            await limits.hit(Limit("test", "3/minute"), None, "anna")  # this machine's own address is not counted

    asyncio.run(count())


def test_processes_count_together_through_redis(redis: Redis) -> None:
    async def count() -> None:
        here, there = Limits(redis.address(9)), Limits(redis.address(9))
        limit = Limit("test", None, "4/hour")
        for limits in (here, there, here, there):
            await limits.hit(limit, player="anna")
        for limits in (here, there):
            with pytest.raises(TooManyError):
                await limits.hit(limit, player="anna")
            await limits.close()

    asyncio.run(count())


def test_limits_are_counted_locally_while_redis_is_away(caplog: pytest.LogCaptureFixture) -> None:
    async def count() -> None:
        limits = Limits("redis://127.0.0.1:1/0")
        for _ in range(3):
            await limits.hit(Limit("test", None, "3/hour"), player="anna")
        with pytest.raises(TooManyError):  # whoever guesses passwords gains nothing by Redis being away
            await limits.hit(Limit("test", None, "3/hour"), player="anna")
        for _ in range(240):
            await limits.hit(MOVES, player="anna")
        with pytest.raises(TooManyError):  # counted here
            await limits.hit(MOVES, player="anna")
        await limits.close()

    asyncio.run(count())
    assert "limits are counted by each process alone" in caplog.text


def test_every_route_has_a_rate_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(api_routes()) > 60
    counted: list[Limit] = []

    async def take(self: Limits, limit: Limit, *who: object, **more: object) -> None:
        counted.append(limit)

    monkeypatch.setattr(Limits, "hit", take)
    with TestClient(create_app(tmp_path, workers=1, online=True), client=("192.0.2.7", 5000)) as client:
        for method, path, route in api_routes():
            counted.clear()
            client.request(method, path, headers={"origin": "http://testserver"})
            client.cookies.clear()
            assert counted[:1] == [route.limit(method)], f"{method} {path}"
            for written in (
                f"{path}%0A",
                f"{path}%0a",
                f"{path}%0D%0A",
                path.replace("/api/", "/api%0A/"),
                f"{path}%7F",
            ):
                counted.clear()
                answer = client.request(method, written, headers={"origin": "http://testserver"})
                assert error_of(answer) == (404, "not_found") and not counted, f"{method} {written}"


def test_routes_that_verify_identity_share_the_limit_of_logins() -> None:
    limits = {f"{method} {path}": route.limit(method) for method, path, route in api_routes()}
    for asked in ("POST /account/reset", "POST /session", "POST /session/passkey", "PUT /account/password"):
        assert limits[f"{asked.replace(' ', f' {API}')}"] is LOGINS, asked
    for asked in ("POST /passkeys/options", "POST /tokens", "DELETE /me", "POST /admin/adopt"):
        assert limits[f"{asked.replace(' ', f' {API}')}"] is LOGINS, asked
    assert limits[f"POST {API}/puzzles/tries"] is PUZZLE_ATTEMPTS and limits[f"POST {API}/analyses"] is ANALYSES


@pytest.mark.parametrize("end", ["", "%0A"])
def test_a_line_break_in_the_path_does_not_evade_limits(tmp_path: Path, end: str) -> None:
    with TestClient(create_app(tmp_path, workers=1, online=True), client=("192.0.2.7", 5000)) as client:
        anna = Browser(client)
        anna.post("/account", {"login": "anna", **PROOF})
        wanted = {"name": "stolen", "scopes": ["play"]}
        for path, guess in (
            ("/session", lambda number: {"login": f"anna-{number}", "password": "guess number x"}),
            ("/tokens", lambda number: {**wanted, "password": f"guess number {number}"}),
        ):
            answers = [
                client.post(f"{API}{path}{end}", json=guess(number), headers=anna.headers).status_code
                for number in range(30)
            ]
            assert answers.count(401) <= 20 and answers[-1] in (404, 429), answers


def test_live_connections_refuse_a_line_break_in_the_path(tmp_path: Path) -> None:
    with (
        TestClient(create_app(tmp_path, workers=1, online=True)) as client,
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"{API}/lobby/live%0A"),
    ):
        raise AssertionError("a live connection by another name")


def test_the_queue_of_password_checks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2 is held: so many wait, and whoever comes then is told to come again."""
    held, began = threading.Event(), threading.Semaphore(0)

    def hold(work: Callable[[], Any]) -> Any:
        began.release()
        assert held.wait(60)
        return work()

    async def flood() -> None:
        passwords = Passwords()
        run = passwords._threads.submit
        monkeypatch.setattr(passwords._threads, "submit", lambda work: run(hold, work))
        waiting = [asyncio.create_task(passwords.verify("guess", None)) for _ in range(MAX_CONCURRENT + MAX_WAITING)]
        await asyncio.to_thread(began.acquire)
        with pytest.raises(PasswordsBusyError):
            await passwords.verify("guess", None)
        waiting.pop().cancel()  # whoever gives up makes room for another
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(passwords.verify("guess", None)))
        held.set()
        assert await asyncio.gather(*waiting) == [(False, None)] * (MAX_CONCURRENT + MAX_WAITING)
        passwords.close()

    asyncio.run(flood())


def test_too_many_concurrent_logins_get_retry_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(tmp_path, workers=1, online=True)) as client:
        monkeypatch.setattr(passwords, "MAX_WAITING", -MAX_CONCURRENT)
        answer = Browser(client).post("/session", {"login": "anna", "password": "guess number x"})
        assert error_of(answer) == (503, "busy") and int(answer.headers["retry-after"]) > 0


def test_guests_per_address_are_limited(tmp_path: Path) -> None:
    app = create_app(tmp_path, workers=1, online=True)
    with TestClient(app, client=("192.0.2.7", 5000)) as client:
        most = int(str(GUESTS.address).partition("/")[0])
        for _ in range(most):
            assert Browser(client).post("/me").status_code == 200
        answer = Browser(client).post("/me")
        assert error_of(answer) == (429, "too_many")
        assert int(answer.headers["retry-after"]) == answer.json()["error"]["detail"]["seconds"] > 0
        assert "set-cookie" not in answer.headers
        for _ in range(240):
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{API}/games/x/live") as socket:
                socket.receive_json()
                socket.receive_json()
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{API}/games/x/live"):
            raise AssertionError("one connection too many")


def test_live_connections_per_address_are_limited_behind_proxies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "MAX_LIVE_CONNECTIONS", 2)
    app = create_app(tmp_path, workers=1, online=True, proxies="172.18.0.0/16")

    def connect(address: str) -> WebSocketTestSession:
        return client.websocket_connect(f"{API}/lobby/live", headers={"x-forwarded-for": address})

    with TestClient(app, client=("172.18.0.3", 5000)) as client, ExitStack() as others:
        for number in range(4):
            others.enter_context(connect(f"192.0.2.{10 + number}")).receive_json()
        with connect("192.0.2.7") as first, connect("192.0.2.7"):
            with pytest.raises(WebSocketDisconnect), connect("192.0.2.7"):
                raise AssertionError("one connection too many")
            assert first.receive_json()["type"] == "lobby"
        with connect("192.0.2.7") as again:  # those that have ended count no more
            assert again.receive_json()["type"] == "lobby"


def test_costly_reads_have_a_lower_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(tmp_path, workers=1, online=True), client=("192.0.2.7", 5000)) as client:
        tallies = mock.Mock(return_value=[])
        monkeypatch.setattr(GameStore, "tallies", tallies)
        answers = [client.get(f"{API}/results").status_code for _ in range(61)]
        assert answers == [200] * 60 + [429]
        assert tallies.call_count == 1  # games were gone through once for all of them
        assert client.get(f"{API}/board").status_code == 200
        most = int(str(READS.address).partition("/")[0])
        answers = [client.get(f"{API}/me").status_code for _ in range(most)]
        assert answers == [200] * (most - 1) + [429]


def test_games_of_a_guest_are_limited(
    online: TestClient, new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "GUEST_QUOTA", Quota(games=3, characters=60))
    anna, ben = new_browser(), new_browser()
    start_game(anna, ben), start_game(anna, ben), start_game(ben, anna)  # games with others are not counted
    first = json_of(anna.post("/games", {}), 201)
    long = {"text": "1. Ed5ne Tl5s {" + 60 * "x" + "} *"}
    assert error_of(anna.post("/records", long)) == (409, "no_room")
    two, three = ({"text": "\n\n".join(["1. Ed5ne Tl5s *"] * number)} for number in (2, 3))
    assert error_of(anna.post("/records", three)) == (409, "no_room")
    kept = json_of(anna.post("/records", two, Idempotency_Key="two"), 201)
    assert json_of(anna.post("/records", two, Idempotency_Key="two"), 201) == kept  # it is there: nobody asks for room
    assert error_of(anna.post("/games", {})) == (409, "no_room")
    assert anna.delete(f"/games/{first['id']}").status_code == 204
    json_of(anna.post("/games", {"seats": {"b": {"type": "engine"}}}), 201)
    assert error_of(anna.post("/games", {})) == (409, "no_room")
    json_of(ben.post("/games", {}), 201)
    json_of(anna.post("/account", {"login": f"keeper-{id(anna)}", **PROOF}), 201)
    json_of(anna.post("/games", {}), 201)  # an account holder has room


def test_stored_kilobytes_per_address_and_day_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ownership, "STORED_KILOBYTES", Limit("kept", "20/day"))
    record = {"text": "1. Ed5ne Tl5s {" + 8 * 1024 * "x" + "} *"}
    with TestClient(create_app(tmp_path, workers=1, online=True), client=("192.0.2.7", 5000)) as client:
        for _ in range(2):
            assert Browser(client).post("/records", record).status_code == 201
        assert error_of(Browser(client).post("/records", record)) == (429, "too_many")
        for number in range(3):
            assert Browser(client).post("/games", {}).status_code == (201 if number < 2 else 429)


@pytest.fixture
def behind_proxy(tmp_path: Path) -> Iterator[TestClient]:
    """A server behind a proxy that says whom it brings."""
    app = create_app(tmp_path, workers=1, online=True, proxies="172.18.0.0/16")
    with TestClient(app, client=("172.18.0.3", 5000)) as client:
        yield client


MOST_GUESSES = int(str(LOGIN_FROM_ADDRESS.player).partition("/")[0])
WRONG = {"login": "anna", "password": "guess number x"}


def guess(client: TestClient, address: str, **wanted: str) -> tuple[int, str]:
    return error_of(Browser(client).post("/session", {**WRONG, **wanted}, x_forwarded_for=address))


def test_guesses_from_other_addresses_do_not_lock_the_owner_out(behind_proxy: TestClient) -> None:
    anna = Browser(behind_proxy)
    anna.post("/account", {"login": "anna", **PROOF}, x_forwarded_for="192.0.2.1")
    for _ in range(MOST_GUESSES):
        assert guess(behind_proxy, "192.0.2.66") == (401, "wrong_password")
    assert guess(behind_proxy, "192.0.2.66", login=" ANNA ") == (429, "too_many")
    phone = Browser(behind_proxy)
    assert phone.post("/session", {"login": "anna", **PROOF}, x_forwarded_for="192.0.2.1").status_code == 200
    wanted = {"name": "program", "scopes": ["play"], **PROOF}
    assert phone.post("/tokens", wanted, x_forwarded_for="192.0.2.1").status_code == 201


def test_guesses_from_many_addresses_are_limited(behind_proxy: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "LOGIN_ANYWHERE", Limit("login anywhere", None, "5/15 minutes"))
    answers = [guess(behind_proxy, f"192.0.2.{number}")[0] for number in range(1, 7)]
    assert answers == [401] * 5 + [429]


def test_guesses_by_password_confirmation_are_limited(behind_proxy: TestClient) -> None:
    """Neither by one route that asks for it nor by all of them together, nor by logging in besides."""
    eve, home = Browser(behind_proxy), {"x_forwarded_for": "192.0.2.66"}
    eve.post("/account", {"login": "anna", **PROOF}, **home)
    wrong = {"password": "guess number x"}
    routes: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("POST", "/tokens", {"name": "stolen", "scopes": ["play"], **wrong}),
        ("PUT", "/account/password", {"old": "guess number x", "new": "four red bridges"}),
        ("DELETE", "/me", wrong),
        ("POST", "/me/bot", wrong),
        ("POST", "/passkeys/options", wrong),
        ("DELETE", "/passkeys/nobodys", wrong),
    )
    for number in range(MOST_GUESSES):
        method, path, body = routes[number % len(routes)]
        assert error_of(eve.send(method, path, body, **home)) == (401, "wrong_password"), path
    for method, path, body in routes:
        assert error_of(eve.send(method, path, body, **home)) == (429, "too_many"), path
    assert guess(behind_proxy, "192.0.2.66") == (429, "too_many")
    assert guess(behind_proxy, "192.0.2.67") == (401, "wrong_password")


def test_the_right_password_resets_the_limit(behind_proxy: TestClient) -> None:
    anna = Browser(behind_proxy)
    anna.post("/account", {"login": "anna", **PROOF}, x_forwarded_for="192.0.2.1")
    for number in range(2 * MOST_GUESSES):
        if number % (MOST_GUESSES - 1) == 0:
            found = Browser(behind_proxy).post("/session", {"login": "anna", **PROOF}, x_forwarded_for="192.0.2.1")
            assert found.status_code == 200
        else:
            assert guess(behind_proxy, "192.0.2.1") == (401, "wrong_password")


def test_writes_per_player_are_limited(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, workers=1, online=True)) as client:
        anna = Browser(client)
        anna.post("/me")
        most = int(str(WRITES.player).partition("/")[0])
        answers = [anna.post("/me").status_code for _ in range(most + 1)]
        assert answers == [200] * most + [429]


def test_expired_counters_are_removed_now_and_then() -> None:
    async def count() -> int:
        limits, sweeps = Limits(), set()
        for number in range(200):
            await limits.hit(MOVES, player=str(number))
            await asyncio.sleep(0)  # a sweep that has begun is done
            sweeps.add(limits._memory.timer)
        await limits.close()
        return len(sweeps)

    assert asyncio.run(count()) == 2  # one sweep, then a rest: not one for every turn
