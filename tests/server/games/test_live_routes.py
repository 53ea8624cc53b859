"""Live connections of people far apart: who is there, what one is, coming back, and how long the network takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from tests.server.accounts.test_accounts import account
from tests.server.online_client import API, Browser
from tests.server.two_player_games import Watch, agree, found, look, play

from punct.server.app import create_app
from punct.server.auth import connections
from punct.server.games.service import Games
from punct.server.live import probes
from punct.server.live.connection import CLOSE_SESSION_ENDED

New = Callable[[], Browser]


@contextmanager
def at_board(who: Browser, game: dict[str, Any], seen: int | None = None) -> Iterator[WebSocketTestSession]:
    """Connect somebody to a game."""
    path = f"{API}/games/{game['id']}/live" + ("" if seen is None else f"?seen={seen}")
    with who.client.websocket_connect(path, headers=who.headers) as socket:
        yield socket


def next_of(socket: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """Return the next message of a type."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind:
            return message


def test_on_connecting_one_learns_the_game_what_one_is_and_who_is_there(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = agree(anna, ben)
    with at_board(anna, game) as socket:
        assert socket.receive_json() == {"type": "game", "game": game}
        you = socket.receive_json()
        assert (you["type"], you["seats"], you["owner"], you["may"]["offer"]) == ("you", ["w"], True, True)
        assert socket.receive_json() == {"type": "presence", "w": True, "b": False, "watchers": 0}
        with at_board(eve, game) as stranger, at_board(ben, game):
            assert next_of(stranger, "you")["seats"] == []
            while (seen := next_of(socket, "presence"))["watchers"] == 0 or not seen["b"]:
                pass
            assert seen == {"type": "presence", "w": True, "b": True, "watchers": 1}
        while (seen := next_of(socket, "presence"))["b"] or seen["watchers"]:
            pass


def test_two_devices_on_one_seat(browser: New) -> None:
    anna, ben = browser(), browser()
    game = agree(anna, ben)
    with at_board(ben, game) as ben_sees:
        with at_board(anna, game), at_board(anna, game) as phone:
            while not next_of(ben_sees, "presence")["w"]:
                pass
            assert next_of(phone, "game")["game"]["ply"] == 0
            game = play(game, (anna, "Ed5ne"))
            assert next_of(phone, "game")["game"] == game
        while next_of(ben_sees, "presence")["w"]:
            pass


def test_coming_back_one_gets_only_what_one_missed(browser: New) -> None:
    anna, ben = browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"))
    with at_board(ben, game, seen=game["revision"]) as socket:
        assert socket.receive_json() == {"type": "current", "revision": game["revision"], "seats": game["seats"]}
    after = play(game, (ben, "Tl5s"))
    with at_board(ben, game, seen=game["revision"]) as socket:
        assert socket.receive_json() == {"type": "game", "game": after}


def test_coming_back_one_learns_who_goes_by_another_name(browser: New) -> None:
    """Of a game that nobody watches, too: a name makes no new revision."""
    anna, ben = browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"))
    found(anna.post("/me", {"name": "Anna the Second"}))
    with at_board(ben, game, seen=game["revision"]) as socket:
        told = socket.receive_json()
        assert (told["type"], told["revision"]) == ("current", game["revision"])
        assert (
            told["seats"]["w"]["name"]
            == "Anna the Second"
            == found(ben.get(f"/games/{game['id']}"))["seats"]["w"]["name"]
        )
        found(anna.post("/me", {"name": "Anna the Third"}))
        assert next_of(socket, "game")["game"]["seats"]["w"]["name"] == "Anna the Third"


def test_another_name_has_only_watched_games_read_anew(browser: New, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = browser(), browser()
    *games, watched = [agree(anna, ben) for _ in range(5)]
    store = anna.client.app.state.services.get(Games)._store  # type: ignore[attr-defined]
    load, read = store.load, list[str]()

    def noted(game_id: str) -> Any:
        read.append(game_id)
        return load(game_id)

    with at_board(ben, watched) as socket:
        next_of(socket, "presence")
        monkeypatch.setattr(store, "load", noted)
        found(anna.post("/me", {"name": "Anna"}))
        assert next_of(socket, "game")["game"]["seats"]["w"]["name"] == "Anna"
        assert read == [watched["id"]]
        assert found(anna.get(f"/games/{games[0]['id']}"))["seats"]["w"]["name"] == "Anna"


def test_offers_and_endings_are_told(browser: New) -> None:
    anna, ben = browser(), browser()
    game = agree(anna, ben)
    with at_board(ben, game) as socket:
        next_of(socket, "game")
        found(anna.post(f"/games/{game['id']}/offers", {"kind": "draw"}))
        assert next_of(socket, "game")["game"]["offer"] == {"kind": "draw", "by": "w"}
        assert anna.post(f"/games/{game['id']}/greetings", {"greeting": "hello"}).status_code == 204
        assert next_of(socket, "greeting") == {"type": "greeting", "by": "w", "greeting": "hello"}
        assert anna.post(f"/games/{game['id']}/abort").status_code == 204
        assert next_of(socket, "gone") == {"type": "gone", "reason": "aborted"}


@pytest.mark.parametrize("seconds", [0.0, 0.2, 2.0])  # all in all less than an outage, which would be pardoned
@pytest.mark.parametrize("stepped", [0.0, -20.0])
def test_what_the_network_takes_is_taken_off(
    tmp_path: Path, seconds: float, stepped: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured by a clock that nobody sets: the server's time may step back meanwhile."""
    watch, elapsed = Watch(), Watch()
    monkeypatch.setattr(probes.Probes.__init__, "__defaults__", (lambda: elapsed.time.timestamp(),))
    with TestClient(create_app(tmp_path, workers=1, online=True, now=watch)) as client:
        anna, ben = Browser(client), Browser(client)
        game = play(agree(anna, ben, time="5+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        with at_board(anna, game) as socket:
            probe = next_of(socket, "probe")
            elapsed.wait(seconds=seconds)
            watch.wait(seconds=seconds + stepped)
            socket.send_json({"type": "probe", "n": probe["n"]})
            socket.send_json({"type": "probe", "n": probe["n"] + 5})  # nobody asked
            socket.send_json({"type": "ping"})
            next_of(socket, "pong")
            watch.wait(seconds=3 - stepped)
            game = play(game, (anna, "Tb9ne"))
            assert game["clock"]["w"] == 300_000 - 3000 - 1000 * seconds + 1000 * min(seconds, 0.5)
            game = play(game, (ben, "Tl9ne"))
            assert game["clock"]["b"] == 300_000  # Ben is not connected


def test_the_timekeeper_ends_a_game_before_everybodys_eyes(tmp_path: Path) -> None:
    watch = Watch()
    with TestClient(create_app(tmp_path, workers=1, online=True, now=watch)) as client:
        anna, ben, eve = Browser(client), Browser(client), Browser(client)
        game = play(agree(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        with at_board(eve, game) as socket:
            next_of(socket, "game")
            for _ in range(31):
                watch.wait(seconds=2)
                look(client)
            ended = next_of(socket, "game")["game"]
            assert ended["outcome"] == {"winner": "b", "reason": "time"}


@pytest.mark.parametrize("path", ["session", "sessions"])
def test_whoever_logs_out_is_out_everywhere(browser: New, path: str) -> None:
    anna, ben = browser(), browser()
    game = agree(anna, ben)
    lobby = f"{API}/lobby/live"
    with (
        at_board(anna, game) as board,
        anna.client.websocket_connect(lobby, headers=anna.headers) as hall,
        at_board(ben, game) as other,
    ):
        next_of(board, "presence")
        assert anna.delete(f"/{path}").status_code == 204
        for socket in (board, hall):
            with pytest.raises(WebSocketDisconnect) as closed:
                while True:
                    socket.receive_json()
            assert closed.value.code == 4401
        while next_of(other, "presence")["w"]:
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
        assert next_of(board, "you")["seats"] == ["w"]
        next_of(lobby, "yours")
        yield [board, lobby]


def test_what_a_token_opened_ends_with_it(online: TestClient, browser: New) -> None:
    (anna, _), ben = account(browser), browser()
    game = agree(anna, ben)
    kept, deleted = anna.token("read", "play"), anna.token("read", "play")
    with listening(online, game, deleted) as sockets, listening(online, game, kept) as (still, _):
        assert anna.delete(f"/tokens/{deleted['id']}").status_code == 204
        assert all(map(is_closed, sockets))
        play(game, (anna, "Ed5ne"))
        assert next_of(still, "game")["game"]["ply"] == 1


def test_what_expires_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    monkeypatch.setattr(connections, "CHECK_SECONDS", 0.01)
    with TestClient(create_app(tmp_path, workers=1, online=True, now=watch)) as client:
        (anna, _), ben = account(lambda: Browser(client)), Browser(client)
        game = agree(anna, ben)
        brief, lasting = anna.token("read", "play", days=1), anna.token("read", "play")
        with listening(client, game, brief) as sockets, at_board(anna, game) as page:
            watch.wait(days=1)
            assert all(map(is_closed, sockets))
            watch.wait(days=364)
            assert is_closed(page)
        with listening(client, game, lasting) as (board, _):
            board.send_json({"type": "ping"})
            next_of(board, "pong")
