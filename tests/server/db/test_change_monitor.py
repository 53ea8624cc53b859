"""What was changed past the server, and players who go by another name: whoever watches is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from tests.cli.running import run
from tests.databases import Postgresql
from tests.server.games.test_live_routes import at_board, next_of
from tests.server.online_client import API, Browser, refused
from tests.server.two_player_games import EIGHT, agree, found, play

from punct.server.app import create_app
from punct.server.db import change_monitor

PASSWORD = "a long enough one"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path | str:
    if request.param == "sqlite":
        return tmp_path_factory.mktemp("data")
    service: Postgresql = request.getfixturevalue("postgresql")
    return service.new_database()


@pytest.fixture(scope="module")
def online(where: Path | str) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch, TestClient(create_app(where, workers=1, online=True)) as client:
        patch.setattr(change_monitor, "POLL_SECONDS", 0.05)
        yield client


@pytest.fixture
def browser(online: TestClient) -> Callable[[], Browser]:
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
    seats = next_of(socket, "game")["game"]["seats"]
    return [seats[colour]["player"] and seats[colour]["player"]["name"] for colour in ("w", "b")]


def test_a_game_that_an_administrator_closes_is_told_to_its_watchers(
    browser: Callable[[], Browser], admin: Callable[..., None]
) -> None:
    anna, ben = browser(), browser()
    game, other = agree(anna, ben), agree(anna, ben)
    with at_board(anna, game) as here, at_board(ben, other) as elsewhere:
        assert next_of(here, "game")["game"]["outcome"] is None
        admin("close", game["id"], "--loser", "b")
        assert next_of(here, "game")["game"]["outcome"] == {"winner": "w", "reason": "resignation"}
        admin("delete-game", game["id"])
        assert next_of(here, "gone")["reason"] == "deleted"
        assert next_of(elsewhere, "game")["game"]["ply"] == 0
        play(other, (anna, "Ed5ne"))
        assert next_of(elsewhere, "game")["game"]["ply"] == 1  # what has not changed was not told again


def test_a_player_whom_an_administrator_forgets_or_shuts_out_is_so_at_once(
    browser: Callable[[], Browser], admin: Callable[..., None]
) -> None:
    anna, ben = browser(), browser()
    found(anna.post("/me", {"name": "Anna"}))
    game = agree(anna, ben)
    with at_board(ben, game) as there:
        assert next_of(there, "game")["game"]["outcome"] is None
        admin("block", anna.me()["id"])
        while refused_code(anna) != "blocked":
            pass
        admin("delete-account", anna.me()["id"], "--yes")
        told = next_of(there, "game")["game"]
        assert told["outcome"] == {"winner": "b", "reason": "resignation"} and told["seats"]["w"]["name"] is None
        while anna.me() is not None:
            pass


def refused_code(who: Browser) -> str:
    answer = who.post("/challenges", {})
    return "" if answer.status_code == 201 else refused(answer)[1]


def test_another_name_is_seen_at_every_board(browser: Callable[[], Browser]) -> None:
    anna, ben = browser(), browser()
    found(anna.post("/me", {"name": "Anna"}))
    game = agree(anna, ben)
    with at_board(ben, game) as there:
        assert names(there)[0] == "Anna"
        found(anna.post("/me", {"name": "Änne"}))
        assert names(there)[0] == "Änne"
        assert found(ben.get(f"/games/{game['id']}"))["seats"]["w"]["name"] == "Änne"
        assert found(ben.get(f"/games/{game['id']}"))["revision"] == game["revision"]


def test_a_rating_is_seen_where_it_was_won(browser: Callable[[], Browser]) -> None:
    players = anna, ben = browser(), browser()
    for number, who in enumerate(players):
        found(who.post("/account", {"login": f"rated-{number}-{id(who)}", "password": PASSWORD}), 201)
    game = agree(anna, ben, time="5+3", rated=True)
    with at_board(ben, game) as there:
        assert next_of(there, "game")["game"]["seats"]["w"]["player"]["rating"] is None
        play(game, *zip([anna, ben] * 4, EIGHT, strict=True))  # with fewer it would not count
        found(ben.post(f"/games/{game['id']}/resign"))
        while (rating := next_of(there, "game")["game"]["seats"]["w"]["player"]["rating"]) is None:
            pass
        assert rating > 1500
    shown = anna.client.get(f"{API}/games/{game['id']}").json()
    assert shown["seats"]["w"]["player"]["rating"] == rating
