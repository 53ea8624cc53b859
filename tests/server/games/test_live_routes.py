"""Live connections of online games: presence, rights, reconnecting, lag, sessions that end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from tests.server.live_client import connect_to_game, next_message
from tests.server.online_client import API, Browser, NewBrowser, create_account
from tests.server.two_player_games import ManualClock, json_of, play_moves, run_timekeeper, start_game

from punct.server.app import create_app
from punct.server.auth import connections
from punct.server.games.service import Games
from punct.server.live import probes
from punct.server.live.connection import CLOSE_SESSION_ENDED


def test_a_new_connection_gets_game_rights_and_presence(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = start_game(anna, ben)
    with connect_to_game(anna, game) as socket:
        assert socket.receive_json() == {"type": "game", "game": game}
        you = socket.receive_json()
        assert (you["type"], you["seats"], you["owner"], you["may"]["offer"]) == ("you", ["w"], True, True)
        assert socket.receive_json() == {"type": "presence", "w": True, "b": False, "watchers": 0}
        with connect_to_game(eve, game) as stranger, connect_to_game(ben, game):
            assert next_message(stranger, "you")["seats"] == []
            while (seen := next_message(socket, "presence"))["watchers"] == 0 or not seen["b"]:
                pass
            assert seen == {"type": "presence", "w": True, "b": True, "watchers": 1}
        while (seen := next_message(socket, "presence"))["b"] or seen["watchers"]:
            pass


def test_two_devices_of_one_player_at_one_game(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = start_game(anna, ben)
    with connect_to_game(ben, game) as ben_sees:
        with connect_to_game(anna, game), connect_to_game(anna, game) as phone:
            while not next_message(ben_sees, "presence")["w"]:
                pass
            assert next_message(phone, "game")["game"]["ply"] == 0
            game = play_moves(game, (anna, "Ed5ne"))
            assert next_message(phone, "game")["game"] == game
        while next_message(ben_sees, "presence")["w"]:
            pass


def test_a_reconnect_gets_only_missed_revisions(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    with connect_to_game(ben, game, seen=game["revision"]) as socket:
        assert socket.receive_json() == {"type": "current", "revision": game["revision"], "seats": game["seats"]}
    after = play_moves(game, (ben, "Tl5s"))
    with connect_to_game(ben, game, seen=game["revision"]) as socket:
        assert socket.receive_json() == {"type": "game", "game": after}


def test_a_reconnect_gets_changed_names(new_browser: NewBrowser) -> None:
    """Of a game that nobody watches, too: a name makes no new revision."""
    anna, ben = new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    json_of(anna.post("/me", {"name": "Anna the Second"}))
    with connect_to_game(ben, game, seen=game["revision"]) as socket:
        told = socket.receive_json()
        assert (told["type"], told["revision"]) == ("current", game["revision"])
        assert (
            told["seats"]["w"]["name"]
            == "Anna the Second"
            == json_of(ben.get(f"/games/{game['id']}"))["seats"]["w"]["name"]
        )
        json_of(anna.post("/me", {"name": "Anna the Third"}))
        assert next_message(socket, "game")["game"]["seats"]["w"]["name"] == "Anna the Third"


def test_a_changed_name_reloads_only_subscribed_games(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = new_browser(), new_browser()
    *games, watched = [start_game(anna, ben) for _ in range(5)]
    store = anna.client.app.state.services.get(Games)._store  # type: ignore[attr-defined]
    load, read = store.load, list[str]()

    def noted(game_id: str) -> Any:
        read.append(game_id)
        return load(game_id)

    with connect_to_game(ben, watched) as socket:
        next_message(socket, "presence")
        monkeypatch.setattr(store, "load", noted)
        json_of(anna.post("/me", {"name": "Anna"}))
        assert next_message(socket, "game")["game"]["seats"]["w"]["name"] == "Anna"
        assert read == [watched["id"]]
        assert json_of(anna.get(f"/games/{games[0]['id']}"))["seats"]["w"]["name"] == "Anna"


def test_offers_and_endings_are_sent(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = start_game(anna, ben)
    with connect_to_game(ben, game) as socket:
        next_message(socket, "game")
        json_of(anna.post(f"/games/{game['id']}/offers", {"kind": "draw"}))
        assert next_message(socket, "game")["game"]["offer"] == {"kind": "draw", "by": "w"}
        assert anna.post(f"/games/{game['id']}/greetings", {"greeting": "hello"}).status_code == 204
        assert next_message(socket, "greeting") == {"type": "greeting", "by": "w", "greeting": "hello"}
        assert anna.post(f"/games/{game['id']}/abort").status_code == 204
        assert next_message(socket, "gone") == {"type": "gone", "reason": "aborted"}


@pytest.mark.parametrize("seconds", [0.0, 0.2, 2.0])  # all in all less than an outage, which would be pardoned
@pytest.mark.parametrize("stepped", [0.0, -20.0])
def test_measured_lag_is_compensated(
    tmp_path: Path, seconds: float, stepped: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured by a clock that nobody sets: the server's time may step back meanwhile."""
    clock, elapsed = ManualClock(), ManualClock()
    monkeypatch.setattr(probes.Probes.__init__, "__defaults__", (lambda: elapsed.time.timestamp(),))
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, ben = Browser(client), Browser(client)
        game = play_moves(start_game(anna, ben, time="5+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        with connect_to_game(anna, game) as socket:
            probe = next_message(socket, "probe")
            elapsed.advance(seconds=seconds)
            clock.advance(seconds=seconds + stepped)
            socket.send_json({"type": "probe", "n": probe["n"]})
            socket.send_json({"type": "probe", "n": probe["n"] + 5})  # nobody asked
            socket.send_json({"type": "ping"})
            next_message(socket, "pong")
            clock.advance(seconds=3 - stepped)
            game = play_moves(game, (anna, "Tb9ne"))
            assert game["clock"]["w"] == 300_000 - 3000 - 1000 * seconds + 1000 * min(seconds, 0.5)
            game = play_moves(game, (ben, "Tl9ne"))
            assert game["clock"]["b"] == 300_000  # Ben is not connected


def test_games_ended_by_the_timekeeper_are_sent(tmp_path: Path) -> None:
    clock = ManualClock()
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, ben, eve = Browser(client), Browser(client), Browser(client)
        game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        with connect_to_game(eve, game) as socket:
            next_message(socket, "game")
            for _ in range(31):
                clock.advance(seconds=2)
                run_timekeeper(client)
            ended = next_message(socket, "game")["game"]
            assert ended["outcome"] == {"winner": "b", "reason": "time"}


@pytest.mark.parametrize("path", ["session", "sessions"])
def test_logging_out_closes_live_connections(new_browser: NewBrowser, path: str) -> None:
    anna, ben = new_browser(), new_browser()
    game = start_game(anna, ben)
    lobby = f"{API}/lobby/live"
    with (
        connect_to_game(anna, game) as board,
        anna.client.websocket_connect(lobby, headers=anna.headers) as hall,
        connect_to_game(ben, game) as other,
    ):
        next_message(board, "presence")
        assert anna.delete(f"/{path}").status_code == 204
        for socket in (board, hall):
            with pytest.raises(WebSocketDisconnect) as closed:
                while True:
                    socket.receive_json()
            assert closed.value.code == 4401
        while next_message(other, "presence")["w"]:
            pass  # her seat is empty


def is_closed(socket: WebSocketTestSession) -> bool:
    """Wait until the server hangs up because nobody is known any more."""
    with pytest.raises(WebSocketDisconnect) as closed:
        while True:
            socket.receive_json()
    return bool(closed.value.code == CLOSE_SESSION_ENDED)


@contextmanager
def listening(client: TestClient, game: dict[str, Any], token: dict[str, Any]) -> Iterator[list[WebSocketTestSession]]:
    """Connect a program to a game and to the lobby."""
    bearer = {"authorization": f"Bearer {token['secret']}"}
    with (
        client.websocket_connect(f"{API}/games/{game['id']}/live", headers=bearer) as board,
        client.websocket_connect(f"{API}/lobby/live", headers=bearer) as lobby,
    ):
        assert next_message(board, "you")["seats"] == ["w"]
        next_message(lobby, "yours")
        yield [board, lobby]


def test_revoking_a_token_closes_its_live_connections(online: TestClient, new_browser: NewBrowser) -> None:
    (anna, _), ben = create_account(new_browser), new_browser()
    game = start_game(anna, ben)
    kept, deleted = anna.token("read", "play"), anna.token("read", "play")
    with listening(online, game, deleted) as sockets, listening(online, game, kept) as (still, _):
        assert anna.delete(f"/tokens/{deleted['id']}").status_code == 204
        assert all(map(is_closed, sockets))
        play_moves(game, (anna, "Ed5ne"))
        assert next_message(still, "game")["game"]["ply"] == 1


def test_expired_sessions_close_their_live_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    monkeypatch.setattr(connections, "CHECK_SECONDS", 0.01)
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        (anna, _), ben = create_account(lambda: Browser(client)), Browser(client)
        game = start_game(anna, ben)
        brief, lasting = anna.token("read", "play", days=1), anna.token("read", "play")
        with listening(client, game, brief) as sockets, connect_to_game(anna, game) as page:
            clock.advance(days=1)
            assert all(map(is_closed, sockets))
            clock.advance(days=364)
            assert is_closed(page)
        with listening(client, game, lasting) as (board, _):
            board.send_json({"type": "ping"})
            next_message(board, "pong")
