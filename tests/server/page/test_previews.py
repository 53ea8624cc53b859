"""What links show where they are pasted: tags in the page's head, and the picture they name."""

from __future__ import annotations

import asyncio
import gzip
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import Browser, create_account
from tests.server.two_player_games import json_of, start_and_play, start_game

from punct.puzzles import shipped
from punct.server.app import create_app
from punct.server.games.service import Games
from punct.server.http.rate_limits import PREVIEWS
from punct.server.page import previews

SHELL = "<!doctype html><html><head><title>PÜNCT</title></head><body></body></html>"
ORIGIN = "http://testserver"


@pytest.fixture
def server(store_url: Path | str, tmp_path: Path) -> Iterator[TestClient]:
    web = tmp_path / "web"
    web.mkdir()
    (web / "index.html").write_text(SHELL)
    app = create_app(store_url, workers=1, online=True, web=web)
    with TestClient(app, client=("203.0.113.7", 50000)) as client:
        yield client


def tags(server: TestClient, path: str) -> dict[str, str]:
    """Return the page's tags, by name."""
    page = server.get(path)
    assert page.status_code == 200
    found = re.findall(r'<(?:meta|link) (?:property|name|rel)="([^"]+)" (?:content|href)="([^"]*)">', page.text)
    return {name: html.unescape(value) for name, value in found}


def picture_size(server: TestClient, address: str) -> tuple[int, int]:
    """Return the size of the picture at an address of the server."""
    assert address.startswith(ORIGIN + "/")
    picture = server.get(address.removeprefix(ORIGIN))
    assert picture.status_code == 200 and picture.headers["content-type"] == "image/png"
    width, height = picture.content[16:20], picture.content[20:24]
    return int.from_bytes(width, "big"), int.from_bytes(height, "big")


def test_a_game_shows_its_players_and_its_board(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    anna.post("/me", {"name": "Anna"})
    ben.post("/me", {"name": "Ben"})
    game = start_and_play(anna, ben, time="3d")
    found = tags(server, f"/game/{game['id']}")
    assert found["og:title"] == "Anna – Ben" and found["og:site_name"] == "PÜNCT"
    assert found["og:description"] == "Standard game, 3 days for each move. White to move after 8 moves."
    assert found["og:url"] == found["canonical"] == f"{ORIGIN}/game/{game['id']}"
    assert found["twitter:card"] == "summary_large_image"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert picture_size(server, found["og:image"]) == (1200, 630)
    json_of(anna.post(f"/games/{game['id']}/resign"))
    assert "Black wins (resignation)" in tags(server, f"/game/{game['id']}/review")["og:description"]


def test_names_are_escaped(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    name = "\"><script>alert('&')"
    anna.post("/me", {"name": name})
    game = start_game(anna, ben)
    assert tags(server, f"/game/{game['id']}")["og:title"] == f"{name} – Black"
    assert "<script>" not in server.get(f"/game/{game['id']}").text


def test_challenges_analyses_puzzles_and_players_show_a_board(server: TestClient) -> None:
    def new_browser() -> Browser:
        return Browser(server)

    anna, _ = create_account(new_browser)
    anna.post("/me", {"name": "Anna"})
    challenge = json_of(anna.post("/challenges", {"rules": "basic", "time": "5+3"}), 201)
    analysis = json_of(anna.post("/analyses", {"tree": '[Rules "basic"]\n\n1. Ed5ne Tl10n *\n'}), 201)
    puzzle = shipped()[0].id
    expected = {
        f"/join/{challenge['id']}": "Anna invites you to a game of PÜNCT",
        f"/analysis/{analysis['id']}": "An analysis of PÜNCT",
        f"/puzzles/{puzzle}": "A PÜNCT puzzle",
        f"/player/{anna.me()['id']}": "Anna plays PÜNCT",
    }
    for path, title in expected.items():
        found = tags(server, path)
        assert found["og:title"] == title and found["og:url"] == ORIGIN + path
        assert picture_size(server, found["og:image"]) == (1200, 630)
    assert "Basic game, 5+3." in tags(server, f"/join/{challenge['id']}")["og:description"]
    assert "2 moves" in tags(server, f"/analysis/{analysis['id']}")["og:description"]
    assert "position=basic+w+wEd5ne+bTl10n" in tags(server, f"/analysis/{analysis['id']}")["og:image"]


@pytest.mark.parametrize("path", ["/", "/settings", "/game/nothing", "/join/nothing", "/player/x", "/puzzles/streak"])
def test_other_pages_have_no_preview(server: TestClient, path: str) -> None:
    assert server.get(path).text == SHELL


def test_a_players_preview_shows_no_private_game(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    anna.post("/me", {"name": "Anna"})
    private = start_game(anna, ben)
    found = tags(server, f"/player/{anna.me()['id']}")
    assert private["id"] not in found["og:image"] and found["og:description"] == "0 public games."
    public = start_game(anna, ben, listed=True)
    assert public["id"] in tags(server, f"/player/{anna.me()['id']}")["og:image"]


def test_the_page_is_compressed_and_revalidated_by_its_content(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    game = start_game(anna, ben)
    path = f"/game/{game['id']}"
    page = server.get(path)
    assert page.headers["cache-control"] == "no-cache" and page.headers["vary"] == "Accept-Encoding"
    assert server.get(path, headers={"if-none-match": page.headers["etag"]}).status_code == 304
    with server.stream("GET", path, headers={"accept-encoding": "gzip"}) as packed:
        assert gzip.decompress(b"".join(packed.iter_raw())).decode() == page.text
    json_of(anna.post(f"/games/{game['id']}/resign"))
    again = server.get(path, headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 200 and again.headers["etag"] != page.headers["etag"]
    assert server.get("/").headers["etag"] != again.headers["etag"]


def test_a_host_that_is_none_is_not_repeated(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    game = start_game(anna, ben)
    assert server.get(f"/game/{game['id']}", headers={"host": 'a"><script>'}).text == SHELL


def test_the_page_opens_without_a_preview_if_it_takes_too_long(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = Browser(server), Browser(server)
    game = start_game(anna, ben)
    services = server.app.state.services  # type: ignore[attr-defined]

    async def wait(*_: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(previews, "PREVIEW_SECONDS", 0.05)
    monkeypatch.setattr(services.get(Games), "get", wait)
    assert server.get(f"/game/{game['id']}").text == SHELL


def test_too_many_pages_are_sent_without_a_preview(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = Browser(server), Browser(server)
    game = start_game(anna, ben)
    monkeypatch.setattr(previews, "PREVIEWS", PREVIEWS._replace(name="few", address="2/minute"))
    shown = ["og:title" in tags(server, f"/game/{game['id']}") for _ in range(3)]
    assert shown == [True, True, False]


def test_at_home_a_game_shows_its_board_too(tmp_path: Path) -> None:
    web = tmp_path / "web"
    web.mkdir()
    (web / "index.html").write_text(SHELL)
    with TestClient(create_app(tmp_path / "data", workers=1, web=web)) as home:
        game = json_of(home.post("/api/v1/games", json={"seats": {"b": {"type": "engine", "level": 3}}}), 201)
        assert tags(home, f"/game/{game['id']}")["og:title"] == "White – PÜNCT level 3"
        assert home.get("/player/x").text == SHELL
