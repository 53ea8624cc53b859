"""Changes made by other programs, and changed names and ratings: subscribers are sent them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from tests.cli.running import run
from tests.databases import Postgresql
from tests.server.live_client import connect_to_game, next_message
from tests.server.online_client import API, Browser, NewBrowser, error_of
from tests.server.two_player_games import EIGHT_MOVES, json_of, play_moves, start_game

from punct.server.app import create_app
from punct.server.db import change_monitor

PASSWORD = "a long enough one"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path | str:
    if request.param == "sqlite":
        return tmp_path_factory.mktemp("data")
    service: Postgresql = request.getfixturevalue("postgresql")
    return service.new_store()


@pytest.fixture(scope="module")
def online(where: Path | str) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch, TestClient(create_app(where, workers=1, online=True)) as client:
        patch.setattr(change_monitor, "POLL_SECONDS", 0.05)
        yield client


@pytest.fixture
def new_browser(online: TestClient) -> NewBrowser:
    return lambda: Browser(online)


@pytest.fixture
def admin(where: Path | str) -> Callable[..., None]:
    """Run ``punct admin`` on the server's store."""

    def admin(*words: str) -> None:
        store = ["--database-url", where] if isinstance(where, str) else ["--data", str(where)]
        result = run("admin", *words, *store)
        assert result.exit_code == 0, result.output

    return admin


def names(socket: WebSocketTestSession) -> list[str | None]:
    seats = next_message(socket, "game")["game"]["seats"]
    return [seats[colour]["player"] and seats[colour]["player"]["name"] for colour in ("w", "b")]


def test_subscribers_are_sent_games_closed_by_an_administrator(
    new_browser: NewBrowser, admin: Callable[..., None]
) -> None:
    anna, ben = new_browser(), new_browser()
    game, other = start_game(anna, ben), start_game(anna, ben)
    with connect_to_game(anna, game) as here, connect_to_game(ben, other) as elsewhere:
        assert next_message(here, "game")["game"]["outcome"] is None
        admin("close", game["id"], "--loser", "b")
        assert next_message(here, "game")["game"]["outcome"] == {"winner": "w", "reason": "resignation"}
        admin("delete-game", game["id"])
        assert next_message(here, "gone")["reason"] == "deleted"
        assert next_message(elsewhere, "game")["game"]["ply"] == 0
        play_moves(other, (anna, "Ed5ne"))
        assert next_message(elsewhere, "game")["game"]["ply"] == 1  # what has not changed was not told again


def test_players_deleted_or_blocked_by_an_administrator_lose_access_at_once(
    new_browser: NewBrowser, admin: Callable[..., None]
) -> None:
    anna, ben = new_browser(), new_browser()
    json_of(anna.post("/me", {"name": "Anna"}))
    game = start_game(anna, ben)
    with connect_to_game(ben, game) as there:
        assert next_message(there, "game")["game"]["outcome"] is None
        admin("block", anna.me()["id"])
        while refused_code(anna) != "blocked":
            pass
        admin("delete-account", anna.me()["id"], "--yes")
        told = next_message(there, "game")["game"]
        assert told["outcome"] == {"winner": "b", "reason": "resignation"} and told["seats"]["w"]["name"] is None
        while anna.me() is not None:
            pass


def refused_code(who: Browser) -> str:
    answer = who.post("/challenges", {})
    return "" if answer.status_code == 201 else error_of(answer)[1]


def test_a_changed_name_is_sent_to_every_game(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    json_of(anna.post("/me", {"name": "Anna"}))
    game = start_game(anna, ben)
    with connect_to_game(ben, game) as there:
        assert names(there)[0] == "Anna"
        json_of(anna.post("/me", {"name": "Änne"}))
        assert names(there)[0] == "Änne"
        assert json_of(ben.get(f"/games/{game['id']}"))["seats"]["w"]["name"] == "Änne"
        assert json_of(ben.get(f"/games/{game['id']}"))["revision"] == game["revision"]


def test_a_changed_rating_is_sent_to_its_game(new_browser: NewBrowser) -> None:
    players = anna, ben = new_browser(), new_browser()
    for number, who in enumerate(players):
        json_of(who.post("/account", {"login": f"rated-{number}-{id(who)}", "password": PASSWORD}), 201)
    game = start_game(anna, ben, time="5+3", rated=True)
    with connect_to_game(ben, game) as there:
        assert next_message(there, "game")["game"]["seats"]["w"]["player"]["rating"] is None
        play_moves(game, *zip([anna, ben] * 4, EIGHT_MOVES, strict=True))  # with fewer it would not count
        json_of(ben.post(f"/games/{game['id']}/resign"))
        while (rating := next_message(there, "game")["game"]["seats"]["w"]["player"]["rating"]) is None:
            pass
        assert rating > 1500
    shown = anna.client.get(f"{API}/games/{game['id']}").json()
    assert shown["seats"]["w"]["player"]["rating"] == rating
