"""Two processes as one server: people at one game, each connected to another process."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis
from tests.polling import TIMEOUT_SECONDS
from tests.server.live_client import connect_to_game, connect_to_lobby, ids_of, message_where, next_message
from tests.server.online_client import API, ORIGIN, PROOF, Browser, create_account, error_of
from tests.server.two_player_games import ManualClock, game_in_conflict, json_of, play_moves, post_move, start_game

from punct.server.app import create_app
from punct.server.db import idempotency
from punct.server.db.database import Connection
from punct.server.db.idempotency import IdempotencyKey, IdempotentResult
from punct.server.live import probes

Pair = tuple[TestClient, TestClient]


@pytest.fixture(scope="module")
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="module")
def address(postgresql: Postgresql) -> str:
    return postgresql.new_store()


@pytest.fixture(scope="module")
def pair(address: str, redis: Redis, clock: ManualClock) -> Iterator[Pair]:
    broker = redis.address()
    with (
        TestClient(create_app(address, online=True, broker_url=broker, now=clock)) as one,
        TestClient(create_app(address, online=True, broker_url=broker, now=clock)) as other,
    ):
        yield one, other


def test_presence_is_shared_by_processes(pair: Pair) -> None:
    anna, ben, eve = Browser(pair[0]), Browser(pair[1]), Browser(pair[1])
    game = start_game(anna, ben)
    with connect_to_game(anna, game) as here:
        assert not next_message(here, "presence")["b"]
        with connect_to_game(ben, game) as there, connect_to_game(eve, game):
            while not (seen := next_message(here, "presence"))["b"] or not seen["watchers"]:
                pass
            while not (seen := next_message(there, "presence"))["w"] or not seen["watchers"]:
                pass
            assert seen == {"type": "presence", "w": True, "b": True, "watchers": 1}
        while (seen := next_message(here, "presence"))["b"] or seen["watchers"]:
            pass


def test_lag_is_shared_by_processes(pair: Pair, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes.Probes.__init__, "__defaults__", (lambda: clock.time.timestamp(),))
    anna, ben = Browser(pair[0]), Browser(pair[1])
    game = play_moves(start_game(anna, ben, time="5+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    anna_elsewhere = Browser(pair[1], anna.cookie)
    with connect_to_game(ben, game) as there, connect_to_game(anna, game) as here:
        while not next_message(there, "presence")["w"]:
            pass
        probe = next_message(here, "probe")
        clock.advance(seconds=0.25)
        here.send_json({"type": "probe", "n": probe["n"]})
        json_of(ben.post(f"/games/{game['id']}/offers", {"kind": "draw"}))  # what is told of it comes after the measure
        while next_message(here, "game")["game"]["offer"] is None:
            pass
        json_of(anna.delete(f"/games/{game['id']}/offers"))
        while (told := next_message(there, "game")["game"])["offer"] is not None or told["revision"] == game[
            "revision"
        ]:
            pass
        clock.advance(seconds=3)
        after = play_moves(game, (anna_elsewhere, "Tb9ne"))
        assert after["clock"]["w"] == 300_000 - 3000


def test_the_lobby_is_shared_by_processes(pair: Pair) -> None:
    anna, ben = Browser(pair[0]), Browser(pair[1])
    anna.post("/me")
    with connect_to_lobby(anna) as lobby, connect_to_lobby(ben) as other:
        listed = json_of(anna.post("/challenges", {"listed": True}), 201)
        message_where(other, "lobby", lambda told: listed["id"] in ids_of(told["challenges"]))
        game = json_of(ben.post(f"/challenges/{listed['id']}/accept"), 201)
        assert message_where(lobby, "accepted", lambda told: True)["game"] == game["id"]
        message_where(lobby, "yours", lambda told: game["id"] in ids_of(told["games"]))
        message_where(other, "lobby", lambda told: game["id"] in ids_of(told["running"]))


def test_one_ply_is_played_once_across_processes(pair: Pair) -> None:
    anna, ben = Browser(pair[0]), Browser(pair[1])
    game = start_game(anna, ben)
    elsewhere = Browser(pair[1], anna.cookie)
    played = play_moves(game, (anna, "Ed5ne"))
    late = post_move(elsewhere, game, "Td5n")
    assert error_of(late) == (409, "wrong_ply")
    assert game_in_conflict(late) == played
    assert json_of(post_move(elsewhere, game, "Ed5ne"))["revision"] == played["revision"]


AtOnce = Callable[..., list[Any]]


@pytest.fixture
def at_once(postgresql: Postgresql, address: str, monkeypatch: pytest.MonkeyPatch) -> AtOnce:
    """Ask several processes, each of which has begun before any has stored something, and return what comes of it.

    None goes on before every other one has looked for the key in vain, or waits in the database for one that has: as
    it does where a player's row is locked first.
    """

    def ask_all(*asked: Callable[[], Any]) -> list[Any]:
        strangers, met = itertools.count(1), threading.Event()
        find_result = idempotency.find_result

        def look(connection: Connection, request: IdempotencyKey) -> IdempotentResult | None:
            found = find_result(connection, request)
            if found is None and not met.is_set():
                arrived, end = next(strangers), time.monotonic() + TIMEOUT_SECONDS
                while not met.is_set() and arrived + postgresql.count_waiting(address) < len(asked):
                    assert time.monotonic() < end, "the others neither look nor wait"
                    met.wait(0.02)
                met.set()
            return found

        with monkeypatch.context() as patched, ThreadPoolExecutor(len(asked)) as together:
            patched.setattr(idempotency, "find_result", look)
            answers = [future.result(TIMEOUT_SECONDS) for future in [together.submit(ask) for ask in asked]]
        assert met.is_set()
        return answers

    return ask_all


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/games", {}),
        ("/challenges", {}),
        ("/records", {"text": "1. Ed5ne Tl5s *"}),
        ("/analyses", {"tree": "1. Ed5ne *"}),
    ],
)
def test_one_key_at_two_processes_creates_one_object(
    pair: Pair, at_once: AtOnce, path: str, wanted: dict[str, object]
) -> None:
    anna = Browser(pair[0])
    anna.post("/me")
    browsers = [Browser(client, anna.cookie) for client in pair]
    asked = [partial(browser.post, path, wanted, Idempotency_Key="once") for browser in browsers]
    first, second = (json_of(answer, 201) for answer in at_once(*asked))
    assert first == second
    if path in ("/games", "/records"):
        assert json_of(anna.get("/games"))["total"] == 1


def test_one_key_at_two_processes_creates_one_token(pair: Pair, at_once: AtOnce) -> None:
    anna, _ = create_account(lambda: Browser(pair[0]))
    browsers = [Browser(client, anna.cookie) for client in pair]
    wanted = {"name": "program", "scopes": ["read"], **PROOF}
    asked = [partial(browser.post, "/tokens", wanted, Idempotency_Key="once") for browser in browsers]
    made = [json_of(answer, 201) for answer in at_once(*asked)]
    (kept,) = json_of(anna.get("/tokens"))["tokens"]
    assert kept["id"] in {token["id"] for token in made}  # the other one's secret is worth nothing


def test_one_key_at_two_processes_deletes_once(pair: Pair, at_once: AtOnce) -> None:
    anna = Browser(pair[0])
    game, challenge = json_of(anna.post("/games", {}), 201), json_of(anna.post("/challenges", {}), 201)
    browsers = [Browser(client, anna.cookie) for client in pair]
    for path in (f"/games/{game['id']}", f"/challenges/{challenge['id']}"):
        asked = [partial(browser.delete, path, Idempotency_Key=path[-20:]) for browser in browsers]
        assert [answer.status_code for answer in at_once(*asked)] == [204, 204]


def test_clocks_corrected_after_an_outage_are_sent(pair: Pair, clock: ManualClock) -> None:
    """Each process has a game that only it knows, and whoever watches there hears of it, whichever puts clocks back."""
    tables = []
    for client in pair:
        white, black = Browser(client), Browser(client)
        game = play_moves(start_game(white, black, time="5+0"), (white, "Ed5ne"), (black, "Tl5s"))
        tables.append((white, game))
    with connect_to_game(*tables[0]) as here, connect_to_game(*tables[1]) as there:
        for socket in (here, there):
            next_message(socket, "game")
        clock.advance(seconds=60)
        for socket, (_, game) in zip((here, there), tables, strict=True):
            told = next_message(socket, "game")["game"]
            assert told["revision"] == game["revision"] + 1 and told["ply"] == game["ply"]


def test_the_lobby_counts_connections_of_all_processes(pair: Pair) -> None:
    anna, ben, eve = Browser(pair[0]), Browser(pair[1]), Browser(pair[1])
    game = start_game(anna, ben)
    with connect_to_lobby(anna) as lobby:
        alone = message_where(lobby, "lobby", lambda told: told["players"] == 1)
        with connect_to_lobby(eve) as other, connect_to_game(ben, game):
            message_where(lobby, "lobby", lambda told: told["players"] == 3)
            message_where(other, "lobby", lambda told: told["players"] == 3)
            assert json_of(ben.get("/lobby"))["players"] == json_of(anna.get("/lobby"))["players"] == 3
        message_where(lobby, "lobby", lambda told: told["players"] == alone["players"])


def test_a_changed_name_is_sent_by_every_process(pair: Pair) -> None:
    anna, ben = Browser(pair[0]), Browser(pair[1])
    game = start_game(anna, ben)
    with connect_to_game(ben, game) as there:
        assert next_message(there, "game")["game"]["seats"]["w"]["name"] is None
        json_of(anna.post("/me", {"name": "Änne"}))
        assert next_message(there, "game")["game"]["seats"]["w"]["name"] == "Änne"
        assert json_of(ben.get(f"/games/{game['id']}"))["seats"]["w"]["name"] == "Änne"


def test_two_players_on_different_processes(pair: Pair) -> None:
    one, other = pair
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
    for stranger in map(Browser, pair):
        assert error_of(post_move(stranger, game, "l5-l6s")) == (403, "not_your_seat")


def test_logging_out_holds_for_all_processes(pair: Pair) -> None:
    one, other = pair
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


def test_a_challenge_is_accepted_once_across_processes(pair: Pair) -> None:
    maker, *rivals = Browser(pair[0]), Browser(pair[0]), Browser(pair[1])
    challenge = json_of(maker.post("/challenges", {}), 201)
    answers = [rival.post(f"/challenges/{challenge['id']}/accept") for rival in rivals]
    assert sorted(answer.status_code for answer in answers) == [201, 409]
