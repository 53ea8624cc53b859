"""Rows that make no sense: they break one game, never a list."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, error_of, get_game, play_moves

from punct.server.app import create_app
from punct.server.db.errors import StoreBusyError, StoreError
from punct.server.db.sqlite import FILE_NAME
from punct.server.engines.service import Engines
from punct.server.games.errors import UnknownGameError
from punct.server.games.service import Games

ENGINE = {"type": "engine", "level": 1}
DAMAGE = [
    "UPDATE games SET start = '' WHERE id = :game",
    "UPDATE games SET start = 'standard' WHERE id = :game",
    "UPDATE games SET start = 'standard x' WHERE id = :game",
    "UPDATE games SET start = x'00ff' WHERE id = :game",
    "UPDATE games SET start = CAST(x'7374ff20' AS TEXT) WHERE id = :game",
    "UPDATE games SET rules = 'chess' WHERE id = :game",
    "UPDATE games SET ending = 'boredom' WHERE id = :game",
    "UPDATE games SET ending = 'agreement', winner = 'x' WHERE id = :game",
    "UPDATE games SET tags = '{' WHERE id = :game",
    "UPDATE games SET tags = '[1]' WHERE id = :game",
    "UPDATE games SET tags = '{\"Event\": 1}' WHERE id = :game",
    "UPDATE games SET created = 'once' WHERE id = :game",
    "UPDATE games SET updated = '' WHERE id = :game",
    "UPDATE games SET updated = 12 WHERE id = :game",
    "UPDATE games SET ply = 'two' WHERE id = :game",
    "UPDATE games SET revision = 'second' WHERE id = :game",
    "UPDATE games SET undone = '[[1]]' WHERE id = :game",
    "UPDATE seats SET kind = 'ghost' WHERE game_id = :game",
    "UPDATE seats SET kind = 'engine', level = 'high' WHERE game_id = :game",
    "UPDATE seats SET kind = 'engine', level = NULL WHERE game_id = :game AND colour = 'w'",
    "UPDATE seats SET name = x'ff' WHERE game_id = :game",
    "DELETE FROM seats WHERE game_id = :game AND colour = 'b'",
]
"""To a game as lists read it."""
WITHIN = [
    "UPDATE turns SET played = 'late' WHERE game_id = :game",
    "UPDATE turns SET text = x'ff' WHERE game_id = :game",
    "UPDATE turns SET comment = x'ff' WHERE game_id = :game",
    "UPDATE records SET moves = x'ff' WHERE game_id = :game",
    "UPDATE records SET moves = 'Ed5ne' WHERE game_id = :game",
    "UPDATE records SET comments = '7' WHERE game_id = :game",
    "UPDATE records SET ply = 'all' WHERE game_id = :game",
    "DELETE FROM records WHERE game_id = :game",
]
"""To its moves, which only those who look at it read."""


def change(folder: Path, statement: str, **values: object) -> None:
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        assert connection.execute(statement, values).rowcount > 0
        connection.commit()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with TestClient(create_app(folder, workers=1)) as client:
        yield client


@pytest.mark.parametrize("statement", DAMAGE + WITHIN)
def test_a_damaged_game_does_not_break_lists(
    client: TestClient, folder: Path, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    other = create_game(client)
    game = play_moves(client, create_game(client, record="1. Ed5ne {far} Tl5s *"), "d5-d6ne")
    before = client.get(f"{API}/games").json()["total"]
    change(folder, statement, game=game["id"])
    client.app.state.services.get(Games)._cache.clear()  # type: ignore[attr-defined]  # as after a start
    listed = client.get(f"{API}/games", params={"limit": 100})
    assert listed.status_code == 200 and listed.json()["total"] == before
    found = {each["id"] for each in listed.json()["games"]}
    assert other["id"] in found and (game["id"] in found) is (statement in WITHIN)
    assert (game["id"] in caplog.text) is (statement in DAMAGE)
    answer = client.get(f"{API}/games/{game['id']}")
    assert error_of((answer.status_code, answer.json())) == (500, "broken_game")
    assert client.get(f"{API}/results").status_code == 200
    assert get_game(client, other) == other
    assert client.delete(f"{API}/games/{game['id']}").status_code == 204


def test_a_damaged_byte_in_a_name_damages_one_letter(client: TestClient, folder: Path) -> None:
    game = create_game(client, seats={"w": {"name": "Anna"}})
    change(folder, "UPDATE seats SET name = CAST(x'41ff6e61' AS TEXT) WHERE game_id = :game", game=game["id"])
    listed = client.get(f"{API}/games").json()["games"]
    assert {each["id"]: each["seats"]["w"]["name"] for each in listed}[game["id"]] == "A\N{REPLACEMENT CHARACTER}na"


def test_results_leave_out_unreadable_seats(client: TestClient, folder: Path) -> None:
    games = [create_game(client, seats={"b": ENGINE}) for _ in range(2)]
    for game in games:
        client.post(f"{API}/games/{game['id']}/resign")
    change(folder, "UPDATE seats SET level = 'high' WHERE game_id = :game AND colour = 'b'", game=games[0]["id"])
    (result,) = client.get(f"{API}/results").json()["results"]
    assert (result["level"], result["losses"]) == (1, 1)


def test_a_server_starts_in_spite_of_games_it_cannot_resume(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        bad, good = (create_game(client, seats={"w": {"type": "engine", "level": 1}}) for _ in range(2))
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:  # whatever the engine did meanwhile
        connection.executescript("DELETE FROM turns; UPDATE games SET ply = 0, winner = NULL, ending = NULL;")
    change(tmp_path, "UPDATE games SET start = 'standard' WHERE id = :game", game=bad["id"])
    with TestClient(create_app(tmp_path, workers=1)) as client:
        with client.websocket_connect(f"{API}/games/{good['id']}/live") as live:
            while (message := live.receive_json())["type"] != "game" or message["game"]["ply"] < 1:
                pass
        answer = client.get(f"{API}/games/{bad['id']}")
        assert error_of((answer.status_code, answer.json())) == (500, "broken_game")


def test_a_game_deleted_before_it_is_resumed_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    class Games:
        async def waiting_for_engine(self) -> list[str]:
            return ["gone"]

        async def get(self, game_id: str) -> None:
            raise UnknownGameError

    async def resume(games: Any) -> None:
        await Engines(games, SimpleNamespace(), lambda _: False).resume()

    with caplog.at_level(logging.DEBUG, "punct"):
        asyncio.run(resume(Games()))
    assert not [record for record in caplog.records if record.name.startswith("punct")]


def test_a_store_that_fails_at_the_start_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody waits for the task that takes games up again: what it meets must not be lost."""

    class Games:
        def __init__(self, *found: object) -> None:
            self.found = list(found)
            self.asked: list[str] = []

        async def waiting_for_engine(self) -> Any:
            found = self.found.pop(0)
            if isinstance(found, Exception):
                raise found
            return found

        async def get(self, game_id: str) -> None:
            self.asked.append(game_id)
            raise StoreBusyError("Another program keeps the stored games locked.")

    async def resume(games: Any) -> None:
        await Engines(games, SimpleNamespace(), lambda _: False).resume()

    games = Games(StoreError("The stored games cannot be reached."), ["one", "two"])
    with caplog.at_level(logging.ERROR):
        asyncio.run(resume(games))
        assert "cannot be reached" in caplog.text
        asyncio.run(resume(games))
    assert games.asked == ["one", "two"] and "cannot resume game two" in caplog.text
