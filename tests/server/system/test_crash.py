"""A real ``punct serve --online``, killed between the steps of a game: what was acknowledged is kept."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.polling import TIMEOUT_SECONDS, wait_until
from tests.server.server_process import run_server

from punct import puzzles


class Person:
    """Somebody with a browser, whose cookie outlives the server."""

    def __init__(self) -> None:
        self.address = ""
        self.cookie = ""

    def request(self, method: str, path: str, body: object = None, **headers: str) -> dict[str, Any]:
        said = {"Content-Type": "application/json", "Origin": self.address, "Cookie": self.cookie}
        said |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.address}/api/v1{path}", data, said, method=method)
        with urlopen(asked, timeout=TIMEOUT_SECONDS) as answer:
            for given in answer.headers.get_all("Set-Cookie") or ():  # the last one holds
                self.cookie = given.partition(";")[0]
            found = json.load(answer)
        assert isinstance(found, dict)
        return found


@contextlib.contextmanager
def killed_after(data: Path, *people: Person) -> Iterator[None]:
    """Run a server for these people, and kill it without a warning."""
    with run_server(data, "--online", "--port", "0") as (process, address):
        for person in people:
            person.address = address
        yield
        process.kill()


def test_a_game_survives_kills_between_all_its_steps(tmp_path: Path) -> None:
    anna, ben = Person(), Person()
    everybody = (anna, ben)
    with killed_after(tmp_path, *everybody):
        challenge = anna.request("POST", "/challenges", {"colour": "w", "time": "3+0"}, Idempotency_Key="game-1")
    with killed_after(tmp_path, *everybody):
        assert (
            anna.request("POST", "/challenges", {"colour": "w", "time": "3+0"}, Idempotency_Key="game-1") == challenge
        )
        game = ben.request("POST", f"/challenges/{challenge['id']}/accept")
        path = f"/games/{game['id']}"
        anna.request("POST", f"{path}/turns", {"text": "Ed5ne", "ply": 0})
        anna.request("POST", f"{path}/offers", {"kind": "undo"})
    with killed_after(tmp_path, *everybody):
        assert ben.request("POST", f"/challenges/{challenge['id']}/accept")["id"] == game["id"]
        game = anna.request("POST", f"{path}/turns", {"text": "Ed5ne", "ply": 0})  # the answer may have got lost
        assert (game["ply"], game["offer"]) == (1, {"kind": "undo", "by": "w"})
        assert ben.request("POST", f"{path}/offers/accept", {"kind": "undo"}, Idempotency_Key="yes")["ply"] == 0
    with killed_after(tmp_path, *everybody):
        assert ben.request("POST", f"{path}/offers/accept", {"kind": "undo"}, Idempotency_Key="yes")["ply"] == 0
        anna.request("POST", f"{path}/turns", {"text": "Td5n", "ply": 0})
        before = ben.request("POST", f"{path}/turns", {"text": "Tl5s", "ply": 1})
        assert before["clock"]["ticking"] == "w"
    with killed_after(tmp_path, *everybody):
        game = ben.request("GET", path)
        assert [turn["text"] for turn in game["turns"]] == ["Td5n", "Tl5s"] and game["outcome"] is None
        clock = game["clock"]
        at, deadline = (datetime.fromisoformat(clock[name]) for name in ("at", "deadline"))
        assert deadline - at == timedelta(milliseconds=clock["w"]) and clock["w"] == before["clock"]["w"]
        assert at >= datetime.fromisoformat(before["clock"]["at"])  # an outage moves it on, nothing moves it back
    _let_time_pass(tmp_path, timedelta(minutes=5))
    with killed_after(tmp_path, *everybody):  # nobody comes; the timekeeper alone ends it
        wait_until(lambda: _ended(tmp_path))
        assert _ended(tmp_path) == [("b", "time")]
        over = anna.request("GET", path)
        assert over["outcome"] == {"winner": "b", "reason": "time"} and over["clock"]["ticking"] is None


def test_a_puzzle_try_counts_once_in_spite_of_kills(tmp_path: Path) -> None:
    anna = Person()
    told: dict[str, Any] = {}
    for puzzle in [each.id for each in puzzles.shipped()[:2]]:
        tries = {"tries": [{"puzzle": puzzle, "solved": True, "at": "2026-11-17T12:00:00Z", "mode": "rush"}]}
        with killed_after(tmp_path, anna):
            if told:
                assert anna.request("GET", "/puzzles/standing") == told
            else:
                anna.request("POST", "/account", {"login": "anna", "password": "three blue bridges"})
            told = anna.request("POST", "/puzzles/tries", tries, Idempotency_Key=puzzle)["standing"]
        with killed_after(tmp_path, anna):  # the answer may have got lost
            assert anna.request("POST", "/puzzles/tries", tries, Idempotency_Key=puzzle)["standing"] == told
            assert anna.request("POST", "/puzzles/tries", tries)["standing"] == told
    assert told["tries"] == told["solved"] == 2


def _let_time_pass(data: Path, time: timedelta) -> None:
    """Make it so that the one to move began to think so much earlier, while the server ran."""
    with contextlib.closing(sqlite3.connect(data / "punct.sqlite3")) as connection, connection:
        for game_id, *moments in connection.execute("SELECT id, ticking, deadline FROM games").fetchall():
            earlier = [(datetime.fromisoformat(moment) - time).isoformat(" ", "microseconds") for moment in moments]
            connection.execute("UPDATE games SET ticking = ?, deadline = ? WHERE id = ?", (*earlier, game_id))


def _ended(data: Path) -> list[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(data / "punct.sqlite3")) as connection:
        return connection.execute("SELECT winner, ending FROM games WHERE ending IS NOT NULL").fetchall()
