"""CONTRIBUTING lists every file of the server and the library that a move at home runs through."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Final

from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, play_moves

from punct.server.app import create_app

ROOT: Final = Path(__file__).resolve().parents[2]


def files_of_a_move(data: Path) -> set[str]:
    """Play a move on a server at home; return the files whose functions run from the request to the response."""
    files: set[str] = set()
    is_tracing = False

    def trace(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if is_tracing and event == "call" and "/src/punct/" in path:
            files.add("src/punct/" + path.split("/src/punct/")[1])

    threading.setprofile(trace)  # of the threads that start from now on: the event loop, readers and the writer
    try:
        with TestClient(create_app(data, workers=1)) as client:
            assert client.portal is not None
            client.portal.call(sys.setprofile, trace)
            # The same moves once before: what the process caches, such as parsed moves, is then always cached.
            play_moves(client, create_game(client), "Ed5ne", "Tl10n")
            game = play_moves(client, create_game(client), "Ed5ne")
            client.get(f"{API}/games/{game['id']}")
            is_tracing = True
            move = {"text": "Tl10n", "ply": 1}
            answer = client.post(f"{API}/games/{game['id']}/turns", json=move, headers={"Idempotency-Key": "one"})
            is_tracing = False
            assert answer.status_code == 200
    finally:
        threading.setprofile(None)
    return files


def test_the_path_of_a_move_is_the_documented_one(tmp_path: Path) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### One move")[2].partition("## Checking")[0]
    listed = re.findall(r"^\| `(src/punct/\S+)` \|", page, re.M)
    assert len(listed) == len(set(listed))
    assert files_of_a_move(tmp_path) == set(listed)
