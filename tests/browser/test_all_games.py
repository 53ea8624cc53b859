"""All games of the player: filtered in the address, page by page, downloaded; nobody is kept out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from punct import records

from .screens import Screens
from .serving import Server
from .test_accessibility import keeps_nobody_out


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with 26 games, of which 17 are lost: those of others would be among them."""
    with Server(tmp_path_factory.mktemp("games")) as server:
        for number in range(26):
            seats = {"w": {"name": ("Anna", "Carl")[number % 2]}, "b": {"type": "engine", "level": 1}}
            game = server.begin(seats=seats)
            if number % 3:
                server.ask(f"/games/{game}/resign", {"colour": "w"})
        yield server


def test_games_are_filtered_listed_and_downloaded(screens: Screens, own_server: Server, tmp_path: Path) -> None:
    page = screens.open({})
    page.goto(own_server.address)
    page.get_by_test_id("all-games").click()
    found, rows = page.get_by_test_id("found"), page.locator("[data-testid=games-page] ul.rows li")
    expect(found).to_have_text("26 games")
    expect(rows).to_have_count(20)
    page.get_by_test_id("more-games").click()
    expect(rows).to_have_count(26)
    page.get_by_test_id("filter-result").select_option("lost")
    expect(found).to_have_text("17 games")
    page.get_by_test_id("filter-opponent").fill("Anna")
    page.get_by_test_id("filter-opponent").press("Enter")
    expect(found).to_have_text("8 games")
    assert page.url == f"{own_server.address}/games?opponent=Anna&result=lost"
    with page.expect_download() as download:
        page.get_by_test_id("download-text").click()
    download.value.save_as(tmp_path / "games.punct")
    games = records.load(tmp_path / "games.punct")
    assert len(games) == 8 and {game.tags["White"] for game in games} == {"Anna"}
    page.go_back()
    expect(found).to_have_text("17 games")
    expect(page.get_by_test_id("filter-opponent")).to_have_value("")
    page.get_by_test_id("clear-filters").click()
    expect(found).to_have_text("26 games")
    assert page.url == f"{own_server.address}/games"
    page.goto(f"{own_server.address}/games?opening=Ed5ne")
    expect(page.get_by_test_id("filter-opening")).to_be_visible()
    expect(found).to_have_text("0 games")
    keeps_nobody_out(screens, page)
