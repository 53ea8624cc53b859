"""Boards in other sites' pages: what they show, their headers, and oEmbed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import Browser
from tests.server.two_player_games import EIGHT_MOVES, json_of, start_and_play, start_game

from punct.puzzles import shipped
from punct.server.app import create_app

PAGE = '<!doctype html><html><head><script type="application/json" id="board"></script></head><body></body></html>'
SHELL = "<!doctype html><html><head><title>PÜNCT</title></head><body></body></html>"
ORIGIN = "http://testserver"


@pytest.fixture
def server(store_url: Path | str, tmp_path: Path) -> Iterator[TestClient]:
    web = tmp_path / "web"
    web.mkdir()
    (web / "index.html").write_text(SHELL)
    (web / "embed.html").write_text(PAGE)
    with TestClient(create_app(store_url, workers=1, online=True, web=web)) as client:
        yield client


def shown(server: TestClient, path: str) -> dict[str, Any]:
    """Return what an embedded board shows."""
    page = server.get(f"/embed{path}")
    assert page.status_code == 200 and "set-cookie" not in page.headers
    found = re.search(r'<script type="application/json" id="board">(.*?)</script>', page.text, re.S)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_a_game_is_stepped_through(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    anna.post("/me", {"name": "</script><b>Anna"})
    game = start_and_play(anna, ben)
    data = shown(server, f"/game/{game['id']}")
    assert data["title"] == "</script><b>Anna – Black" and data["page"] == f"/game/{game['id']}"
    assert data["moves"] == list(EIGHT_MOVES) and len(data["pictures"]) == 9
    for picture in data["pictures"][:2]:
        assert server.get(f"{picture}&theme=dark&size=200").headers["content-type"] == "image/svg+xml"


def test_analyses_and_puzzles_are_shown(server: TestClient) -> None:
    anna = Browser(server)
    analysis = json_of(anna.post("/analyses", {"tree": '[Rules "basic"]\n\n1. Ed5ne Tl10n *\n'}), 201)
    data = shown(server, f"/analysis/{analysis['id']}")
    assert data["moves"] == ["Ed5ne", "Tl10n"]
    assert [picture.partition("=")[2] for picture in data["pictures"]] == [
        "basic+w",
        "basic+b+wEd5ne",
        "basic+w+wEd5ne+bTl10n",
    ]
    data = shown(server, f"/puzzles/{shipped()[0].id}")
    assert data["moves"] == [] and len(data["pictures"]) == 1
    assert server.get(f"{data['pictures'][0]}&size=200").headers["content-type"] == "image/svg+xml"


def test_only_embedded_boards_may_be_framed(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    game = start_game(anna, ben)
    framed = server.get(f"/embed/game/{game['id']}").headers
    policy = dict(part.split(" ", 1) for part in framed["content-security-policy"].split("; "))
    assert policy["frame-ancestors"] == "*" and policy["default-src"] == "'none'" and "connect-src" not in policy
    assert "x-frame-options" not in framed and framed["cross-origin-resource-policy"] == "cross-origin"
    others = ("/", f"/game/{game['id']}", f"/api/v1/games/{game['id']}", "/embed/nothing", "/oembed", "/embed.html")
    for path in others:
        headers = server.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["x-frame-options"] == "DENY", path


@pytest.mark.parametrize("path", ["/game/nothing", "/join/x", "/player/x", "/", "/analysis/x", "/puzzles/streak"])
def test_other_pages_are_not_embedded(server: TestClient, path: str) -> None:
    assert server.get(f"/embed{path}").status_code == 404
    assert server.get("/oembed", params={"url": ORIGIN + path}).status_code == 404


def test_players_and_invitations_are_not_embedded(server: TestClient) -> None:
    anna = Browser(server)
    challenge = json_of(anna.post("/challenges", {}), 201)
    for path in (f"/join/{challenge['id']}", f"/player/{anna.me()['id']}"):
        assert server.get(f"/embed{path}").status_code == 404
        assert server.get("/oembed", params={"url": ORIGIN + path}).status_code == 404


def test_oembed_is_found_and_describes_the_frame(server: TestClient) -> None:
    anna, ben = Browser(server), Browser(server)
    anna.post("/me", {"name": 'A"nna'})
    game = start_game(anna, ben)
    page = server.get(f"/game/{game['id']}").text
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)">', page)
    assert found is not None
    about = json_of(server.get(found[1].replace("&amp;", "&").removeprefix(ORIGIN)))
    assert (about["version"], about["type"], about["width"], about["height"]) == ("1.0", "rich", 480, 560)
    assert f'src="{ORIGIN}/embed/game/{game["id"]}"' in about["html"] and "A&quot;nna" in about["html"]
    assert about["thumbnail_url"].startswith(f"{ORIGIN}/api/v1/games/{game['id']}/picture.png?")

    def ask(**values: Any) -> Any:
        return server.get("/oembed", params={"url": f"{ORIGIN}/game/{game['id']}", **values})

    small = ask(maxwidth=300, maxheight=320).json()
    assert (small["width"], small["height"]) == (300, 320) and 'width="300" height="320"' in small["html"]
    assert ask(maxwidth=10_000).json()["width"] == 480
    assert ask(format="xml").status_code == 501
    assert ask(url=f"https://elsewhere.example/game/{game['id']}").status_code == 404
    assert ask(url="http://[").status_code == 404
    assert ask(maxwidth=0).status_code == server.get("/oembed").status_code == 422
