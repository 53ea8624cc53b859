"""Two processes as one server: people at one board, each connected to another process."""

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
from tests.server.accounts.test_accounts import account
from tests.server.games.test_live_routes import at_board, next_of
from tests.server.lobby.test_lobby import ids, in_lobby, until
from tests.server.online_client import PROOF, Browser, refused
from tests.server.two_player_games import Watch, agree, found, play, stands, turn

from punct.server.app import create_app
from punct.server.db import idempotency
from punct.server.db.database import Connection
from punct.server.db.idempotency import IdempotencyKey, IdempotentResult
from punct.server.live import probes

Pair = tuple[TestClient, TestClient]
PATIENCE = 60


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def address(postgresql: Postgresql) -> str:
    return postgresql.new_database()


@pytest.fixture(scope="module")
def pair(address: str, redis: Redis, watch: Watch) -> Iterator[Pair]:
    broker = redis.address()
    with (
        TestClient(create_app(address, online=True, broker_url=broker, now=watch)) as one,
        TestClient(create_app(address, online=True, broker_url=broker, now=watch)) as other,
    ):
        yield one, other


def test_who_is_there_is_known_in_every_process(pair: Pair) -> None:
    anna, ben, eve = Browser(pair[0]), Browser(pair[1]), Browser(pair[1])
    game = agree(anna, ben)
    with at_board(anna, game) as here:
        assert not next_of(here, "presence")["b"]
        with at_board(ben, game) as there, at_board(eve, game):
            while not (seen := next_of(here, "presence"))["b"] or not seen["watchers"]:
                pass
            while not (seen := next_of(there, "presence"))["w"] or not seen["watchers"]:
                pass
            assert seen == {"type": "presence", "w": True, "b": True, "watchers": 1}
        while (seen := next_of(here, "presence"))["b"] or seen["watchers"]:
            pass


def test_the_networks_part_is_known_where_the_turn_is_played(
    pair: Pair, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes.Probes.__init__, "__defaults__", (lambda: watch.time.timestamp(),))
    anna, ben = Browser(pair[0]), Browser(pair[1])
    game = play(agree(anna, ben, time="5+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    anna_elsewhere = Browser(pair[1], anna.cookie)
    with at_board(ben, game) as there, at_board(anna, game) as here:
        while not next_of(there, "presence")["w"]:
            pass
        probe = next_of(here, "probe")
        watch.wait(seconds=0.25)
        here.send_json({"type": "probe", "n": probe["n"]})
        found(ben.post(f"/games/{game['id']}/offers", {"kind": "draw"}))  # what is told of it comes after the measure
        while next_of(here, "game")["game"]["offer"] is None:
            pass
        found(anna.delete(f"/games/{game['id']}/offers"))
        while (told := next_of(there, "game")["game"])["offer"] is not None or told["revision"] == game["revision"]:
            pass
        watch.wait(seconds=3)
        after = play(game, (anna_elsewhere, "Tb9ne"))
        assert after["clock"]["w"] == 300_000 - 3000


def test_the_lobby_is_one(pair: Pair) -> None:
    anna, ben = Browser(pair[0]), Browser(pair[1])
    anna.post("/me")
    with in_lobby(anna) as lobby, in_lobby(ben) as other:
        listed = found(anna.post("/challenges", {"listed": True}), 201)
        until(other, "lobby", lambda told: listed["id"] in ids(told["challenges"]))
        game = found(ben.post(f"/challenges/{listed['id']}/accept"), 201)
        assert until(lobby, "accepted", lambda told: True)["game"] == game["id"]
        until(lobby, "yours", lambda told: game["id"] in ids(told["games"]))
        until(other, "lobby", lambda told: game["id"] in ids(told["running"]))


def test_one_ply_is_played_once_whoever_asks_whom(pair: Pair) -> None:
    anna, ben = Browser(pair[0]), Browser(pair[1])
    game = agree(anna, ben)
    elsewhere = Browser(pair[1], anna.cookie)
    played = play(game, (anna, "Ed5ne"))
    late = turn(elsewhere, game, "Td5n")
    assert refused(late) == (409, "wrong_ply")
    assert stands(late) == played
    assert found(turn(elsewhere, game, "Ed5ne"))["revision"] == played["revision"]


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
                arrived, end = next(strangers), time.monotonic() + PATIENCE
                while not met.is_set() and arrived + postgresql.waiting(address) < len(asked):
                    assert time.monotonic() < end, "the others neither look nor wait"
                    met.wait(0.02)
                met.set()
            return found

        with monkeypatch.context() as patched, ThreadPoolExecutor(len(asked)) as together:
            patched.setattr(idempotency, "find_result", look)
            answers = [future.result(2 * PATIENCE) for future in [together.submit(ask) for ask in asked]]
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
def test_one_key_at_two_processes_makes_one_thing(
    pair: Pair, at_once: AtOnce, path: str, wanted: dict[str, object]
) -> None:
    anna = Browser(pair[0])
    anna.post("/me")
    browsers = [Browser(client, anna.cookie) for client in pair]
    asked = [partial(browser.post, path, wanted, Idempotency_Key="once") for browser in browsers]
    first, second = (found(answer, 201) for answer in at_once(*asked))
    assert first == second
    if path in ("/games", "/records"):
        assert found(anna.get("/games"))["total"] == 1


def test_one_key_at_two_processes_makes_one_token(pair: Pair, at_once: AtOnce) -> None:
    anna, _ = account(lambda: Browser(pair[0]))
    browsers = [Browser(client, anna.cookie) for client in pair]
    wanted = {"name": "program", "scopes": ["read"], **PROOF}
    asked = [partial(browser.post, "/tokens", wanted, Idempotency_Key="once") for browser in browsers]
    made = [found(answer, 201) for answer in at_once(*asked)]
    (kept,) = found(anna.get("/tokens"))["tokens"]
    assert kept["id"] in {token["id"] for token in made}  # the other one's secret is worth nothing


def test_one_key_at_two_processes_deletes_once(pair: Pair, at_once: AtOnce) -> None:
    anna = Browser(pair[0])
    game, challenge = found(anna.post("/games", {}), 201), found(anna.post("/challenges", {}), 201)
    browsers = [Browser(client, anna.cookie) for client in pair]
    for path in (f"/games/{game['id']}", f"/challenges/{challenge['id']}"):
        asked = [partial(browser.delete, path, Idempotency_Key=path[-20:]) for browser in browsers]
        assert [answer.status_code for answer in at_once(*asked)] == [204, 204]


def test_what_an_outage_took_is_given_back_before_everybodys_eyes(pair: Pair, watch: Watch) -> None:
    """Each process has a game that only it knows, and whoever watches there hears of it, whichever puts clocks back."""
    tables = []
    for client in pair:
        white, black = Browser(client), Browser(client)
        game = play(agree(white, black, time="5+0"), (white, "Ed5ne"), (black, "Tl5s"))
        tables.append((white, game))
    with at_board(*tables[0]) as here, at_board(*tables[1]) as there:
        for socket in (here, there):
            next_of(socket, "game")
        watch.wait(seconds=60)
        for socket, (_, game) in zip((here, there), tables, strict=True):
            told = next_of(socket, "game")["game"]
            assert told["revision"] == game["revision"] + 1 and told["ply"] == game["ply"]


def test_the_lobby_counts_everybody(pair: Pair) -> None:
    anna, ben, eve = Browser(pair[0]), Browser(pair[1]), Browser(pair[1])
    game = agree(anna, ben)
    with in_lobby(anna) as lobby:
        alone = until(lobby, "lobby", lambda told: told["players"] == 1)
        with in_lobby(eve) as other, at_board(ben, game):
            until(lobby, "lobby", lambda told: told["players"] == 3)
            until(other, "lobby", lambda told: told["players"] == 3)
            assert found(ben.get("/lobby"))["players"] == found(anna.get("/lobby"))["players"] == 3
        until(lobby, "lobby", lambda told: told["players"] == alone["players"])


def test_another_name_is_seen_in_every_process(pair: Pair) -> None:
    anna, ben = Browser(pair[0]), Browser(pair[1])
    game = agree(anna, ben)
    with at_board(ben, game) as there:
        assert next_of(there, "game")["game"]["seats"]["w"]["name"] is None
        found(anna.post("/me", {"name": "Änne"}))
        assert next_of(there, "game")["game"]["seats"]["w"]["name"] == "Änne"
        assert found(ben.get(f"/games/{game['id']}"))["seats"]["w"]["name"] == "Änne"
