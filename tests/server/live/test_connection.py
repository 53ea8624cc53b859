"""Live connections: every change is sent, invalid messages get errors, slow subscribers delay nobody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.game_requests import API, create_game, play_moves, post_action

from punct.server.events import EventBus
from punct.server.live.connection import CLOSE_INVALID_MESSAGES, CLOSE_NOT_FOUND, MAX_INVALID_MESSAGES
from punct.server.live.events import GameUnwatched
from punct.server.live.hub import Hub
from punct.server.live.subscriber import Subscriber


def live(game: dict[str, Any]) -> str:
    return f"{API}/games/{game['id']}/live"


def test_every_change_is_sent_to_all_subscribers(client: TestClient) -> None:
    game = create_game(client)
    with client.websocket_connect(live(game)) as one, client.websocket_connect(live(game)) as two:
        assert one.receive_json() == two.receive_json() == {"type": "game", "game": game}
        game = play_moves(client, game, "Ed5ne")
        assert one.receive_json() == two.receive_json() == {"type": "game", "game": game}
        _, game = post_action(client, game, "undo")
        assert one.receive_json() == two.receive_json() == {"type": "game", "game": game}
        two.close()
        _, game = post_action(client, game, "resign")
        assert one.receive_json() == {"type": "game", "game": game}
        client.delete(f"{API}/games/{game['id']}")
        assert one.receive_json() == {"type": "gone", "reason": "deleted"}


def test_pings_are_answered(client: TestClient) -> None:
    with client.websocket_connect(live(create_game(client))) as socket:
        socket.receive_json()
        socket.send_json({"type": "ping"})
        assert socket.receive_json() == {"type": "pong"}


@pytest.mark.parametrize(
    "nonsense", ["", "{", "[]", '{"type": "turn"}', '{"type": "ping", "x": 1}', "\x00", "é" * 4000]
)
def test_invalid_messages_get_an_error_and_the_connection_stays(client: TestClient, nonsense: str) -> None:
    game = create_game(client)
    with client.websocket_connect(live(game)) as socket:
        socket.receive_json()
        socket.send_text(nonsense)
        answer = socket.receive_json()
        assert answer["type"] == "error" and answer["error"]["code"] == "malformed"
        socket.send_bytes(b"\xff\xfe\x00")
        assert socket.receive_json()["type"] == "error"
        socket.send_bytes(b'{"type": "ping"}')
        assert socket.receive_json() == {"type": "pong"}
        game = play_moves(client, game, "Ed5ne")
        assert socket.receive_json() == {"type": "game", "game": game}


def test_many_invalid_messages_close_the_connection(client: TestClient) -> None:
    with client.websocket_connect(live(create_game(client))) as socket:
        socket.receive_json()
        for _ in range(MAX_INVALID_MESSAGES):
            socket.send_text("nonsense")
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                assert socket.receive_json()["type"] == "error"
        assert closed.value.code == CLOSE_INVALID_MESSAGES


def test_the_connection_of_an_unknown_game_is_closed(client: TestClient) -> None:
    with client.websocket_connect(f"{API}/games/nobody-knows/live") as socket:
        assert socket.receive_json()["error"]["code"] == "unknown_game"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == CLOSE_NOT_FOUND


def test_a_slow_subscriber_gets_the_newest_of_each_type() -> None:
    async def watch() -> None:
        watcher = Subscriber()
        for number in range(1000):
            watcher.put("game", f"game {number}")
            watcher.put("thinking", f"thinking {number}")
        assert [await watcher.take(), await watcher.take()] == ["game 999", "thinking 999"]
        waiting = asyncio.create_task(watcher.take())
        await asyncio.sleep(0)
        assert not waiting.done()
        watcher.put("game", "last")
        assert await waiting == "last"
        # What a watcher begins with, read while news came in, does not take their place.
        watcher.put("game", "news")
        watcher.put_if_absent("game", "what was read before")
        assert await watcher.take() == "news"
        watcher.put_if_absent("game", "what was read")
        assert await watcher.take() == "what was read"

    asyncio.run(watch())


def test_the_hub_publishes_that_the_last_subscriber_left() -> None:
    async def watch() -> None:
        bus, left = EventBus(), list[str]()
        bus.subscribe(GameUnwatched, lambda event: left.append(event.game_id))
        hub = Hub(bus=bus)
        one, two = await hub.subscribe("game"), await hub.subscribe("game")
        hub.publish("game", "gone", "so it is")
        assert await one.take() == await two.take() == "so it is"
        hub.unsubscribe("game", one)
        assert hub.is_watched("game") and left == []
        hub.unsubscribe("game", two)
        hub.unsubscribe("game", two)
        assert not hub.is_watched("game") and left == ["game"]

    asyncio.run(watch())
