"""Plans that are changed while the move arrives that they answer: in two processes, and in one that is killed."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis
from tests.server.online_client import Browser
from tests.server.server_process import run_server
from tests.server.system.test_crash import Person
from tests.server.two_player_games import EIGHT_MOVES, json_of, play_moves, post_move, start_game

from punct.server.app import create_app

FIRST, SECOND, THIRD, FOURTH, FIFTH, *_ = EIGHT_MOVES
DAYS = {"time": "3d", "rules": "basic"}
ROUNDS = 24
PLAN = {"ply": 1, "replies": [{"turn": SECOND, "reply": THIRD}]}


@pytest.fixture(scope="module")
def pair(postgresql: Postgresql, redis: Redis) -> Iterator[tuple[TestClient, TestClient]]:
    address, broker = postgresql.new_store(), redis.address()
    with (
        TestClient(create_app(address, online=True, broker_url=broker)) as one,
        TestClient(create_app(address, online=True, broker_url=broker)) as other,
    ):
        yield one, other


@pytest.mark.parametrize("change", ["put", "replace", "withdraw"])
def test_a_change_wins_or_loses_cleanly(pair: tuple[TestClient, TestClient], change: str) -> None:
    """The move arrives at one process while its answer is changed at the other."""
    white, black = Browser(pair[0]), Browser(pair[1])
    outcomes = set()
    for round_number in range(ROUNDS):
        game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
        path, version = f"/games/{game['id']}/plan", 0
        if change != "put":
            version = json_of(white.send("PUT", path, PLAN))["version"]
        # The later one of the two varies, so that each comes first in some rounds.
        lead = (round_number % 8 - 4) * 0.002
        barrier = threading.Barrier(2)

        def plan(path: str = path, version: int = version, lead: float = lead, start: Any = barrier) -> int:
            start.wait()
            time.sleep(max(0.0, lead))
            if change == "withdraw":
                return white.delete(path).status_code
            reply = "Td9n" if change == "replace" else THIRD
            body = {**PLAN, "version": version, "replies": [{"turn": SECOND, "reply": reply}]}
            return white.send("PUT", path, body).status_code

        def play(game: Any = game, lead: float = lead, start: Any = barrier) -> int:
            start.wait()
            time.sleep(max(0.0, -lead))
            return int(post_move(black, game, SECOND).status_code)

        with ThreadPoolExecutor(2) as threads:
            planned, played = [future.result() for future in (threads.submit(plan), threads.submit(play))]
        assert played == 200
        after = json_of(black.get(f"/games/{game['id']}"))
        texts = [turn["text"] for turn in after["turns"]]
        plan_left = json_of(white.get(path))
        assert plan_left["replies"] == []
        if change == "put":
            assert (planned, texts) in ((200, [FIRST, SECOND, THIRD]), (409, [FIRST, SECOND]))
        elif change == "replace":
            assert (planned, texts) in ((200, [FIRST, SECOND, "Td9n"]), (409, [FIRST, SECOND, THIRD]))
        else:
            # A withdrawal is granted in any case: before the move nothing is played, after it nothing is left.
            assert planned == 200 and texts in ([FIRST, SECOND], [FIRST, SECOND, THIRD])
        outcomes.add(len(texts) if change != "replace" else texts[-1])
    assert len(outcomes) == 2  # each has won some rounds


def test_both_processes_may_play_the_same_move(pair: tuple[TestClient, TestClient]) -> None:
    white, black = Browser(pair[0]), Browser(pair[1])
    for _ in range(8):
        game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
        json_of(white.send("PUT", f"/games/{game['id']}/plan", PLAN))
        elsewhere = Browser(pair[0], black.cookie)
        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(lambda browser, game=game: post_move(browser, game, SECOND), (black, elsewhere)))
        assert [json_of(answer)["ply"] for answer in answers] == [3, 3]
        assert answers[0].json()["revision"] == answers[1].json()["revision"]


def test_a_killed_server_has_played_both_moves_or_none(tmp_path: Path) -> None:
    anna, ben = Person(), Person()
    plies = []
    for round_number in range(3):
        with run_server(tmp_path, "--online", "--port", "0") as (process, address):
            anna.address = ben.address = address
            challenge = anna.request("POST", "/challenges", {"colour": "w", **DAYS})
            game = ben.request("POST", f"/challenges/{challenge['id']}/accept")
            path = f"/games/{game['id']}"
            anna.request("POST", f"{path}/turns", {"text": FIRST, "ply": 0})
            then = [{"turn": FOURTH, "reply": FIFTH}]
            replies = [{"turn": SECOND, "reply": THIRD, "then": then}]
            anna.request("PUT", f"{path}/plan", {"ply": 1, "replies": replies})

            key = f"once-{round_number}"

            def play(path: str = path, key: str = key) -> None:
                with contextlib.suppress(URLError, ConnectionError):
                    ben.request("POST", f"{path}/turns", {"text": SECOND, "ply": 1}, Idempotency_Key=key)

            thread = threading.Thread(target=play)
            thread.start()
            time.sleep(0.004 * round_number)
            process.kill()
            thread.join()
        with run_server(tmp_path, "--online", "--port", "0") as (_, address):
            anna.address = ben.address = address
            found, plan = anna.request("GET", path), anna.request("GET", f"{path}/plan")
            plies.append(found["ply"])
            left = [reply["turn"] for reply in plan["replies"]]
            assert (found["ply"], plan["ply"], left) in ((1, 1, [SECOND]), (3, 3, [FOURTH]))
            again = ben.request("POST", f"{path}/turns", {"text": SECOND, "ply": 1}, Idempotency_Key=key)
            assert [turn["text"] for turn in again["turns"]] == [FIRST, SECOND, THIRD]
    assert set(plies) <= {1, 3}
