"""The lobby: challenges, running games, and one's own games."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from unittest import mock

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.live_client import connect_to_game, connect_to_lobby, ids_of, message_where
from tests.server.online_client import API, NewBrowser, create_account, error_of
from tests.server.two_player_games import json_of, play_moves, start_game

from punct.server.broker import open_broker
from punct.server.db.errors import StoreBusyError
from punct.server.lobby import connection_count
from punct.server.lobby.connection_count import EXPIRY_SECONDS, ConnectionCount
from punct.server.lobby.feed import Lobby


def test_listed_challenges_are_in_the_lobby(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    hidden = json_of(anna.post("/challenges", {"time": "5+3"}), 201)
    with connect_to_lobby(new_browser()) as lobby:
        first = lobby.receive_json()
        assert first["type"] == "lobby" and first["players"] >= 1 and hidden["id"] not in ids_of(first["challenges"])
        listed = json_of(anna.post("/challenges", {"time": "5+3", "listed": True}), 201)
        news = message_where(lobby, "lobby", lambda told: listed["id"] in ids_of(told["challenges"]))
        assert listed in news["challenges"] and hidden["id"] not in ids_of(news["challenges"])
        game = json_of(ben.post(f"/challenges/{listed['id']}/accept"), 201)
        news = message_where(lobby, "lobby", lambda told: game["id"] in ids_of(told["running"]))
        assert listed["id"] not in ids_of(news["challenges"])
        json_of(anna.post(f"/games/{game['id']}/resign"))
        message_where(lobby, "lobby", lambda told: game["id"] not in ids_of(told["running"]))
    assert set(json_of(ben.get("/lobby"))) == {"challenges", "running", "players"}


def test_a_player_is_sent_the_deletion_of_a_game(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game, own = start_game(anna, ben), json_of(anna.post("/games", {}), 201)
    with connect_to_lobby(anna) as lobby:
        message_where(lobby, "yours", lambda told: ids_of(told["games"]) == {game["id"], own["id"]})
        assert ben.post(f"/games/{game['id']}/abort").status_code == 204
        message_where(lobby, "yours", lambda told: ids_of(told["games"]) == {own["id"]})
        assert anna.delete(f"/games/{own['id']}").status_code == 204
        message_where(lobby, "yours", lambda told: not told["games"])


def test_a_player_is_sent_their_own_games(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    with connect_to_lobby(anna) as lobby:
        (mine,) = message_where(lobby, "yours", lambda told: True)["games"]
        assert mine["id"] == game["id"] and not mine["your_turn"]
        play_moves(game, (ben, "Tl5s"))
        (mine,) = message_where(lobby, "yours", lambda told: told["games"][0]["your_turn"])["games"]
        assert mine["ply"] == 2
        challenge = json_of(anna.post("/challenges", {}), 201)
        other = json_of(ben.post(f"/challenges/{challenge['id']}/accept"), 201)
        accepted = message_where(lobby, "accepted", lambda told: True)
        assert accepted == {"type": "accepted", "challenge": challenge["id"], "game": other["id"]}
        message_where(lobby, "yours", lambda told: other["id"] in ids_of(told["games"]))
    with connect_to_lobby(new_browser()) as stranger:
        stranger.receive_json()
        stranger.send_json({"type": "ping"})
        message_where(stranger, "pong", lambda told: True)


def test_the_lobby_counts_connections(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = start_game(anna, ben)
    with connect_to_lobby(eve) as lobby:
        for _ in range(2):  # the second time what is told is the same as before
            message_where(lobby, "lobby", lambda told: told["players"] == 1)
            with connect_to_game(ben, game):
                message_where(lobby, "lobby", lambda told: told["players"] == 2)
        message_where(lobby, "lobby", lambda told: told["players"] == 1)
    with connect_to_game(ben, game), connect_to_lobby(eve) as lobby:  # meanwhile nobody was there to be told
        message_where(lobby, "lobby", lambda told: told["players"] == 2)


def test_a_token_is_sent_games_only_with_the_read_scope(new_browser: NewBrowser) -> None:
    (anna, _), ben = create_account(new_browser), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    bearer = {"authorization": f"Bearer {anna.token('challenge', 'play')['secret']}"}
    with (
        connect_to_lobby(anna) as at_browser,
        anna.client.websocket_connect(f"{API}/lobby/live", headers=bearer) as program,
    ):
        play_moves(game, (ben, "Tl5s"))
        message_where(at_browser, "yours", lambda told: told["games"][0]["your_turn"])
        challenge = json_of(anna.post("/challenges", {}), 201)
        other = json_of(ben.post(f"/challenges/{challenge['id']}/accept"), 201)
        message_where(
            at_browser, "yours", lambda told: other["id"] in ids_of(told["games"])
        )  # whatever else is told, is by now
        program.send_json({"type": "ping"})
        told: list[dict[str, Any]] = []
        while not told or told[-1]["type"] != "pong":
            told.append(program.receive_json())
        assert {message["type"] for message in told} == {"lobby", "accepted", "pong"}


def test_there_is_no_lobby_at_home(client: TestClient) -> None:
    assert error_of(client.get(f"{API}/lobby")) == (409, "not_offered")
    with client.websocket_connect(f"{API}/lobby/live") as socket:
        assert socket.receive_json()["error"]["code"] == "not_offered"


def test_a_connection_that_failed_to_load_the_lobby_is_not_counted(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = new_browser()
    json_of(anna.post("/games", {}), 201)
    lobby = anna.client.app.state.services.get(Lobby)  # type: ignore[attr-defined]

    async def fail(*args: object, **options: object) -> None:
        raise StoreBusyError("The database cannot be reached at the moment; try again in a while.")

    before = json_of(anna.get("/lobby"))["players"]
    for reads in ("list_public", "list_for"):  # what everybody sees, and what is one's own
        with monkeypatch.context() as broken:
            broken.setattr(lobby._games, reads, fail)
            with connect_to_lobby(anna) as socket:
                assert socket.receive_json()["error"]["code"] == "store_busy"
                with pytest.raises(WebSocketDisconnect):
                    socket.receive_json()
        assert not lobby._subscribers and not lobby._without_games
        assert json_of(anna.get("/lobby"))["players"] == before


def test_the_lobby_is_sent_once_the_store_is_back(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that happens while the store cannot be read is not forgotten."""
    anna = new_browser()
    lobby = anna.client.app.state.services.get(Lobby)  # type: ignore[attr-defined]
    list_public = lobby._games.list_public
    failures: list[object] = []

    async def fail_once(*args: object, **options: object) -> Any:
        if not failures:
            failures.append(args)
            raise StoreBusyError("The database cannot be reached at the moment; try again in a while.")
        return await list_public(*args, **options)

    with connect_to_lobby(anna) as socket:
        message_where(socket, "lobby", lambda told: told["players"] >= 1)
        monkeypatch.setattr(lobby._games, "list_public", fail_once)
        challenge = json_of(anna.post("/challenges", {"listed": True}), 201)
        message_where(socket, "lobby", lambda told: challenge["id"] in ids_of(told["challenges"]))
    assert failures


def test_counts_of_silent_processes_expire(monkeypatch: pytest.MonkeyPatch) -> None:
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
