"""The lobby: open seats, games to watch, and what waits for whom."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from tests.server.accounts.test_accounts import account
from tests.server.games.test_live_routes import at_board
from tests.server.online_client import API, Browser, refused
from tests.server.two_player_games import agree, found, play

from punct.server.broker import open_broker
from punct.server.db.errors import StoreBusyError
from punct.server.lobby import connection_count
from punct.server.lobby.connection_count import EXPIRY_SECONDS, ConnectionCount
from punct.server.lobby.feed import Lobby

New = Callable[[], Browser]


@contextmanager
def in_lobby(who: Browser) -> Iterator[WebSocketTestSession]:
    with who.client.websocket_connect(f"{API}/lobby/live", headers=who.headers) as socket:
        yield socket


def until(socket: WebSocketTestSession, kind: str, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Return the first message of a type of which something holds."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind and holds(message):
            return message


def ids(games: list[dict[str, Any]]) -> set[str]:
    return {game["id"] for game in games}


def test_listed_challenges_are_seen_by_all(browser: New) -> None:
    anna, ben = browser(), browser()
    hidden = found(anna.post("/challenges", {"time": "5+3"}), 201)
    with in_lobby(browser()) as lobby:
        first = lobby.receive_json()
        assert first["type"] == "lobby" and first["players"] >= 1 and hidden["id"] not in ids(first["challenges"])
        listed = found(anna.post("/challenges", {"time": "5+3", "listed": True}), 201)
        news = until(lobby, "lobby", lambda told: listed["id"] in ids(told["challenges"]))
        assert listed in news["challenges"] and hidden["id"] not in ids(news["challenges"])
        game = found(ben.post(f"/challenges/{listed['id']}/accept"), 201)
        news = until(lobby, "lobby", lambda told: game["id"] in ids(told["running"]))
        assert listed["id"] not in ids(news["challenges"])
        found(anna.post(f"/games/{game['id']}/resign"))
        until(lobby, "lobby", lambda told: game["id"] not in ids(told["running"]))
    assert set(found(ben.get("/lobby"))) == {"challenges", "running", "players"}


def test_a_player_hears_that_a_game_is_gone(browser: New) -> None:
    anna, ben = browser(), browser()
    game, own = agree(anna, ben), found(anna.post("/games", {}), 201)
    with in_lobby(anna) as lobby:
        until(lobby, "yours", lambda told: ids(told["games"]) == {game["id"], own["id"]})
        assert ben.post(f"/games/{game['id']}/abort").status_code == 204
        until(lobby, "yours", lambda told: ids(told["games"]) == {own["id"]})
        assert anna.delete(f"/games/{own['id']}").status_code == 204
        until(lobby, "yours", lambda told: not told["games"])


def test_a_player_hears_of_their_own_games(browser: New) -> None:
    anna, ben = browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"))
    with in_lobby(anna) as lobby:
        (mine,) = until(lobby, "yours", lambda told: True)["games"]
        assert mine["id"] == game["id"] and not mine["your_turn"]
        play(game, (ben, "Tl5s"))
        (mine,) = until(lobby, "yours", lambda told: told["games"][0]["your_turn"])["games"]
        assert mine["ply"] == 2
        challenge = found(anna.post("/challenges", {}), 201)
        other = found(ben.post(f"/challenges/{challenge['id']}/accept"), 201)
        accepted = until(lobby, "accepted", lambda told: True)
        assert accepted == {"type": "accepted", "challenge": challenge["id"], "game": other["id"]}
        until(lobby, "yours", lambda told: other["id"] in ids(told["games"]))
    with in_lobby(browser()) as stranger:
        stranger.receive_json()
        stranger.send_json({"type": "ping"})
        until(stranger, "pong", lambda told: True)


def test_whoever_comes_to_a_board_or_goes_is_counted(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = agree(anna, ben)
    with in_lobby(eve) as lobby:
        for _ in range(2):  # the second time what is told is the same as before
            until(lobby, "lobby", lambda told: told["players"] == 1)
            with at_board(ben, game):
                until(lobby, "lobby", lambda told: told["players"] == 2)
        until(lobby, "lobby", lambda told: told["players"] == 1)
    with at_board(ben, game), in_lobby(eve) as lobby:  # meanwhile nobody was there to be told
        until(lobby, "lobby", lambda told: told["players"] == 2)


def test_a_program_hears_of_games_only_if_it_may_read_them(browser: New) -> None:
    (anna, _), ben = account(browser), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"))
    bearer = {"authorization": f"Bearer {anna.token('challenge', 'play')['secret']}"}
    with in_lobby(anna) as at_browser, anna.client.websocket_connect(f"{API}/lobby/live", headers=bearer) as program:
        play(game, (ben, "Tl5s"))
        until(at_browser, "yours", lambda told: told["games"][0]["your_turn"])
        challenge = found(anna.post("/challenges", {}), 201)
        other = found(ben.post(f"/challenges/{challenge['id']}/accept"), 201)
        until(at_browser, "yours", lambda told: other["id"] in ids(told["games"]))  # whatever else is told, is by now
        program.send_json({"type": "ping"})
        told: list[dict[str, Any]] = []
        while not told or told[-1]["type"] != "pong":
            told.append(program.receive_json())
        assert {message["type"] for message in told} == {"lobby", "accepted", "pong"}


def test_at_home_there_is_no_lobby(client: TestClient) -> None:
    assert refused(client.get(f"{API}/lobby")) == (409, "not_offered")
    with client.websocket_connect(f"{API}/lobby/live") as socket:
        assert socket.receive_json()["error"]["code"] == "not_offered"


def test_whoever_could_not_be_shown_the_lobby_is_not_in_it(browser: New, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = browser()
    found(anna.post("/games", {}), 201)
    lobby = anna.client.app.state.services.get(Lobby)  # type: ignore[attr-defined]

    async def fail(*args: object, **options: object) -> None:
        raise StoreBusyError("The database cannot be reached at the moment; try again in a while.")

    before = found(anna.get("/lobby"))["players"]
    for reads in ("list_public", "list_for"):  # what everybody sees, and what is one's own
        with monkeypatch.context() as broken:
            broken.setattr(lobby._games, reads, fail)
            with in_lobby(anna) as socket:
                assert socket.receive_json()["error"]["code"] == "store_busy"
                with pytest.raises(WebSocketDisconnect):
                    socket.receive_json()
        assert not lobby._subscribers and not lobby._without_games
        assert found(anna.get("/lobby"))["players"] == before


def test_the_lobby_is_sent_as_soon_as_it_can_be_read_again(browser: New, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that happens while the store cannot be read is not forgotten."""
    anna = browser()
    lobby = anna.client.app.state.services.get(Lobby)  # type: ignore[attr-defined]
    list_public = lobby._games.list_public
    failures: list[object] = []

    async def fail_once(*args: object, **options: object) -> Any:
        if not failures:
            failures.append(args)
            raise StoreBusyError("The database cannot be reached at the moment; try again in a while.")
        return await list_public(*args, **options)

    with in_lobby(anna) as socket:
        until(socket, "lobby", lambda told: told["players"] >= 1)
        monkeypatch.setattr(lobby._games, "list_public", fail_once)
        challenge = found(anna.post("/challenges", {"listed": True}), 201)
        until(socket, "lobby", lambda told: challenge["id"] in ids(told["challenges"]))
    assert failures


def test_a_process_that_announces_nothing_any_more_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[int] = []
    broker = open_broker(None)
    count = ConnectionCount(broker, lambda: 1, lambda: changes.append(count.total()))
    count._on_message("here", b"killed 3")
    count._on_message("here", b"other 1")
    count._on_message("here", b"other 1")
    assert changes == [4, 5] and count.total() == 5

    async def run_once() -> None:
        task = asyncio.create_task(count.run())
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(run_once())
    assert changes == [4, 5]
    later = time.monotonic() + EXPIRY_SECONDS + 1
    monkeypatch.setattr(connection_count, "time", mock.Mock(monotonic=lambda: later))
    count._on_message("here", b"other 1")
    asyncio.run(run_once())
    assert changes == [4, 5, 2]
