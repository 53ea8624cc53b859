"""A player's page says how soon they answer and when they play; public games are listed to download."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.polling import wait_until
from tests.server.stored_games import HOUR, Players

from punct.outcome import Ending
from punct.server.db.database import open_database
from punct.server.games.store import GameStore

from ..serving import COMMAND, Server
from ..test_accessibility import AXE, violations
from .conftest import Invite
from .test_finding_players import with_account

GAMES = 40


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    """A server with the games of Hedda, who plays in the evening and answers within five hours, and of Jan."""
    data, files = tmp_path_factory.mktemp("played"), tmp_path_factory.mktemp("files")
    today = datetime.now(UTC).replace(hour=21, minute=0, second=0, microsecond=0)
    store = GameStore(open_database(data))
    players = Players(store, "hedda", "jan")
    players.play(
        GAMES, "jan", "hedda", today - 60 * 24 * HOUR, apart=24 * HOUR, pace=lambda ply: (23 if ply % 2 else 5) * HOUR
    )
    players.play(1, "jan", "hedda", today - 10 * 24 * HOUR, ending=Ending.TIME)
    store.close()
    command = [*COMMAND, "--online", "--dumps", str(files), "--dumps-licence", "CC0 1.0"]
    with Server(data, command) as server:
        yield server, players.ids


def test_a_profile_says_how_somebody_plays(invite: Invite, played: tuple[Server, dict[str, str]]) -> None:
    server, ids = played
    ida = with_account(invite("Ida", server), "ida.looks")
    ida.go(f"/player/{ids['jan']}")
    expect(ida.see("answer")).to_have_text("Usually answers within 5 hours")
    expect(ida.see("timeouts")).to_have_text(f"None of the last {GAMES + 1} games by days lost on time")
    expect(ida.see("hours")).to_contain_text("Monday to Friday")
    ida.go(f"/player/{ids['hedda']}")
    expect(ida.see("answer")).to_have_text("Usually answers within 23 hours")
    expect(ida.see("timeouts")).to_have_text(f"1 of the last {GAMES + 1} games by days lost on time")
    ida.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert violations(ida.page) == []
    ida.go(f"/player/{ida.ask('GET', '/me')['player']['id']}")
    expect(ida.see("counts")).to_contain_text("Playing now")
    expect(ida.page.get_by_test_id("habits")).to_have_count(0)  # too few games say nothing


def test_hours_are_hidden_by_a_switch(invite: Invite, played: tuple[Server, dict[str, str]]) -> None:
    server, _ = played
    ida = with_account(invite("Ida", server), "ida.hides")
    ida.go("/account")
    expect(ida.see("show-hours")).to_be_checked()
    ida.see("show-hours").click()
    expect(ida.see("show-hours")).not_to_be_checked()
    wait_until(lambda: ida.ask("GET", "/me/habits") == {"hours": False})
    ida.page.reload()
    expect(ida.see("show-hours")).not_to_be_checked()


def test_a_seat_by_days_says_how_soon_its_player_answers(invite: Invite, played: tuple[Server, dict[str, str]]) -> None:
    """Joe has no games here: for him the server answers what it says of Hedda."""
    server, ids = played
    ida, joe = with_account(invite("Ida", server), "ida.sits"), with_account(invite("Joe", server), "joe.offers")
    joe_id = joe.ask("GET", "/me")["player"]["id"]

    def as_hedda(route: object) -> None:
        """Answer for Joe what the server says of Hedda."""
        url = route.request.url  # type: ignore[attr-defined]
        answer = route.fetch(url=url.replace(joe_id, ids["hedda"]))  # type: ignore[attr-defined]
        route.fulfill(response=answer, body=answer.text().replace(ids["hedda"], joe_id))  # type: ignore[attr-defined]

    ida.page.route("**/api/v1/habits?players=*", as_hedda)
    seat = joe.ask("POST", "/challenges", {"time": "3d", "listed": True})
    joe.ask("POST", "/challenges", {"time": "5+3", "listed": True})
    ida.go("/")
    expect(ida.see(f"seat-{seat['id']}")).to_contain_text("Usually answers within 23 hours · 1 of 41 lost on time")
    expect(ida.page.get_by_test_id("answer-habits")).to_have_count(1)  # nothing at the live game
    ida.go(f"/join/{seat['id']}")
    expect(ida.see("answer-habits")).to_contain_text("Usually answers within 23 hours")


def test_public_games_are_listed_and_downloaded(
    invite: Invite, played: tuple[Server, dict[str, str]], tmp_path: Path
) -> None:
    server, _ = played
    ida = invite("Ida", server)
    wait_until(lambda: len(ida.ask("GET", "/dumps")["files"]) >= 1)
    ida.go("/account")
    expect(ida.see("public-note")).to_contain_text("This server publishes")
    ida.see("public-note").get_by_role("link").click()
    expect(ida.see("licence")).to_have_text("Licence: CC0 1.0")
    ida.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert violations(ida.page) == []
    file = next(file for file in ida.ask("GET", "/dumps")["files"] if file["games"])
    with ida.page.expect_download() as download:
        ida.see(f"file-{file['month']}").get_by_role("link").click()
    target = tmp_path / "games"
    download.value.save_as(target)
    assert len([json.loads(line) for line in gzip.decompress(target.read_bytes()).splitlines()]) == file["games"]
    ida.go("/about")
    expect(ida.see("public-note")).to_contain_text("One exception:")
