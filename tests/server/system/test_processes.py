"""People on a server of several processes: whichever is asked, they are who they are, and their game is one game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis
from tests.server.online_client import API, ORIGIN, Browser, error_of
from tests.server.two_player_games import json_of, play_moves, post_move, start_game

from punct.server.app import create_app


@pytest.fixture(scope="module")
def processes(postgresql: Postgresql, redis: Redis) -> Iterator[list[TestClient]]:
    address = postgresql.new_database()
    with ExitStack() as stack:
        yield [
            stack.enter_context(TestClient(create_app(address, online=True, broker_url=redis.address())))
            for _ in range(2)
        ]


def test_two_people_play_through_different_processes(processes: list[TestClient]) -> None:
    one, other = processes
    white, black = Browser(one), Browser(other)
    game = start_game(white, black)
    elsewhere = Browser(other, white.cookie)  # the same person, asked by another process
    assert elsewhere.me() == white.me()
    with (
        one.websocket_connect(f"{API}/games/{game['id']}/live", headers={**white.headers, "origin": ORIGIN}) as here,
        other.websocket_connect(f"{API}/games/{game['id']}/live", headers={**black.headers, "origin": ORIGIN}) as there,
    ):
        game = play_moves(game, (elsewhere, "Ed5ne"), (black, "Tl5s"), (white, "d5-d6ne"))
        for live in (here, there):
            while (message := live.receive_json())["type"] != "game" or message["game"]["ply"] < 3:
                pass
            assert [each["text"] for each in message["game"]["turns"]] == ["Ed5ne", "Tl5s", "d5-d6ne"]
    for browser in (white, elsewhere):
        assert error_of(post_move(browser, game, "l5-l6s")) == (409, "not_your_turn")
    for stranger in map(Browser, processes):
        assert error_of(post_move(stranger, game, "l5-l6s")) == (403, "not_your_seat")


def test_whoever_logs_out_in_one_process_is_out_in_all(processes: list[TestClient]) -> None:
    one, other = processes
    here = Browser(one)
    json_of(here.post("/account", {"login": "petra", "password": "a long password"}), 201)
    there = Browser(other, here.cookie)
    assert there.me()["login"]
    cookie = here.cookie
    assert here.delete("/session").status_code in (200, 204)
    assert Browser(one, cookie).me() is None

    def is_out() -> bool:
        return Browser(other, cookie).me() is None

    assert any(is_out() for _ in range(2000))  # as soon as it has heard of it


def test_only_one_of_two_accepts_a_challenge(processes: list[TestClient]) -> None:
    maker, *rivals = Browser(processes[0]), Browser(processes[0]), Browser(processes[1])
    challenge = json_of(maker.post("/challenges", {}), 201)
    answers = [rival.post(f"/challenges/{challenge['id']}/accept") for rival in rivals]
    assert sorted(answer.status_code for answer in answers) == [201, 409]
