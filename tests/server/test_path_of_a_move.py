"""CONTRIBUTING lists every file of the server and the library that a move, and a puzzle try, runs through."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, play_moves
from tests.server.online_client import PASSWORD, Browser
from tests.server.puzzles.test_puzzles import IDS, tried
from tests.server.two_player_games import start_game

from punct.server.app import create_app

ROOT: Final = Path(__file__).resolve().parents[2]


class Tracer:
    """Records the files whose functions run while it is on, in threads that start after it."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.is_on = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if self.is_on and event == "call" and "/src/punct/" in path:
            self.files.add("src/punct/" + path.split("/src/punct/")[1])


@contextmanager
def traced_server(data: Path, *, online: bool) -> Iterator[tuple[TestClient, Tracer]]:
    """Run a server whose threads are traced, without its background tasks."""
    tracer = Tracer()
    threading.setprofile(tracer)  # of the threads that start from now on: the event loop, readers and the writer
    try:
        with TestClient(create_app(data, workers=1, online=online)) as client:
            assert client.portal is not None
            for task in client.app.state.services._tasks:  # type: ignore[attr-defined]
                client.portal.call(task.cancel)
            client.portal.call(sys.setprofile, tracer)
            yield client, tracer
    finally:
        threading.setprofile(None)


def walk_at_home(data: Path) -> set[str]:
    with traced_server(data, online=False) as (client, tracer):
        # The same moves once before: what the process caches, such as parsed moves, is then always cached.
        play_moves(client, create_game(client), "Ed5ne", "Tl10n")
        path = f"{API}/games/{play_moves(client, create_game(client), 'Ed5ne')['id']}"
        client.get(path)
        move, key = {"text": "Tl10n", "ply": 1}, {"Idempotency-Key": "one"}
        tracer.is_on = True
        assert client.post(f"{path}/turns", json=move, headers=key).status_code == 200
        tracer.is_on = False
    return tracer.files


def walk_online(data: Path) -> set[str]:
    with traced_server(data, online=True) as (client, tracer):
        white, black = Browser(client), Browser(client)
        for is_traced in (False, True):
            path = f"/games/{start_game(white, black, time='5+3')['id']}"
            assert white.post(f"{path}/turns", {"text": "Ed5ne", "ply": 0}).status_code == 200
            tracer.is_on = is_traced
            assert black.post(f"{path}/turns", {"text": "Tl10n", "ply": 1}, Idempotency_Key=path).status_code == 200
            tracer.is_on = False
    return tracer.files


def walk_of_a_puzzle_try(data: Path) -> set[str]:
    with traced_server(data, online=True) as (client, tracer):
        player = Browser(client)
        assert player.post("/account", {"login": "anna", "password": PASSWORD}).status_code == 201
        for is_traced, puzzle in zip((False, True), IDS, strict=False):
            tracer.is_on = is_traced
            assert player.post("/puzzles/tries", {"tries": [tried(puzzle)]}, Idempotency_Key=puzzle).status_code == 200
            tracer.is_on = False
    return tracer.files


@pytest.mark.parametrize(
    ("heading", "walk"),
    [
        ("One move at home", walk_at_home),
        ("One move online", walk_online),
        ("One puzzle try", walk_of_a_puzzle_try),
    ],
)
def test_contributing_lists_the_files_of_a_request(
    heading: str, walk: Callable[[Path], set[str]], tmp_path: Path
) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    listed = re.findall(r"^\| `(src/punct/\S+)` \|", _section(page, heading), re.M)
    assert len(listed) == len(set(listed))
    if heading == "One move online":  # lists what runs besides the files of a move at home
        at_home = set(re.findall(r"^\| `(src/punct/\S+)` \|", _section(page, "One move at home"), re.M))
        assert at_home.isdisjoint(listed)
        listed += at_home
    assert walk(tmp_path) == set(listed)


def _section(page: str, heading: str) -> str:
    """Return the part of a page under a heading."""
    _, found, rest = page.partition(f"\n### {heading}")
    assert found, heading
    return rest.partition("\n##")[0]
