"""A player's own games: found by what they were, page by page, and downloaded as one file."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message
from tests.server.online_client import Browser, NewBrowser, create_account, error_of
from tests.server.two_player_games import EIGHT_MOVES, json_of, play_moves, start_and_play, start_game

from punct import Colour, records
from punct.outcome import Ending, Outcome
from punct.server.auth.actor import Actor
from punct.server.db.database import open_database
from punct.server.games.model import NewStoredGame, StoredMove, StoredSeat
from punct.server.games.search import GameSearch, images_of_opening
from punct.server.games.search_store import GameFilter, GameSearchStore
from punct.server.games.store import GameStore
from punct.server.http import rate_limits

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def found(browser: Browser, query: str = "") -> set[str]:
    """Return the ids of the games that a search finds."""
    page = json_of(browser.get(f"/me/games?limit=100&{query}"))
    assert page["total"] == len(page["games"]) and page["next"] is None
    return {game["id"] for game in page["games"]}


@pytest.fixture
def games(new_browser: NewBrowser) -> tuple[Browser, dict[str, str]]:
    """A player with six games of different kinds; others have games, too."""
    anna, ben = create_account(new_browser)[0], create_account(new_browser)[0]
    anna.post("/me", {"name": "Anna"})
    ben.post("/me", {"name": "Élodie_B"})
    won = start_and_play(anna, ben, time="5+3", listed=True)
    json_of(ben.post(f"/games/{won['id']}/resign"))
    lost = start_and_play(ben, anna, time="3d", rated=True)
    json_of(anna.post(f"/games/{lost['id']}/resign"))
    drawn = start_game(anna, ben, rules="basic")
    json_of(anna.post(f"/games/{drawn['id']}/offers", {"kind": "draw"}))
    json_of(ben.post(f"/games/{drawn['id']}/offers/accept", {"kind": "draw"}))
    # The first moves of the other games, turned by a sixth.
    turned = images_of_opening(" ".join(EIGHT_MOVES[:2]), "standard")[1].split()
    running = play_moves(start_game(anna, ben), *zip((anna, ben), turned, strict=True))
    level = json_of(anna.post("/games", {"seats": {"b": {"type": "engine", "level": 2}}}), 201)
    (imported,) = json_of(
        anna.post("/records", {"text": f'[White "Zoë"]\n\n1. {EIGHT_MOVES[0]} {EIGHT_MOVES[1]} *\n'}), 201
    )["games"]
    start_and_play(ben, create_account(new_browser)[0])
    names = ("won", "lost", "drawn", "running", "level", "imported")
    made = (won, lost, drawn, running, level, imported)
    return anna, {name: game["id"] for name, game in zip(names, made, strict=True)}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "won lost drawn running level imported"),
        ("result=won", "won"),
        ("result=lost", "lost"),
        ("result=drawn", "drawn"),
        ("result=running", "running level imported"),
        ("opponent=lodie", "won lost drawn running"),
        ("opponent=élodie", "won lost drawn running"),
        ("opponent=e_b", "won lost drawn running"),
        ("opponent=e%25b", ""),
        ("opponent=anna", ""),
        ("opponent=zo", "imported"),
        ("against=levels", "level"),
        ("level=2", "level"),
        ("level=3", ""),
        ("against=people&result=running", "running imported"),
        ("rules=basic", "drawn"),
        ("speed=live", "won"),
        ("speed=days", "lost"),
        ("speed=untimed", "drawn running level imported"),
        ("rated=true", "lost"),
        ("rated=false&min_moves=8", "won"),
        ("min_moves=1&max_moves=2", "running imported"),
        ("opening=Ed5ne", "won lost running imported"),
        ("opening=Ed5ne+Tl10n", "won lost running imported"),
        ("opening=Ed5ne+Tl10n+Mb3n", "won lost"),
        ("opening=Tl10n", ""),
        ("since=2020-01-01", "won lost drawn running level imported"),
        ("until=2020-01-01", ""),
    ],
)
def test_games_are_found_by_what_they_were(games: tuple[Browser, dict[str, str]], query: str, expected: str) -> None:
    anna, ids = games
    assert {name for name, game_id in ids.items() if game_id in found(anna, query)} == set(expected.split())
    assert found(anna, query) <= set(ids.values())


def test_an_opponent_is_found_by_id(new_browser: NewBrowser) -> None:
    anna, ben, carl = new_browser(), new_browser(), new_browser()
    game = start_game(anna, ben)
    start_game(anna, carl)
    assert found(anna, f"opponent_id={ben.me()['id']}") == {game["id"]}
    assert found(anna, f"opponent_id={anna.me()['id']}") == set()
    assert found(new_browser()) == set()


@pytest.mark.parametrize("query", ["result=win", "since=yesterday", "min_moves=-1", "opening=Ed5", "nothing=1&limit=0"])
def test_nonsense_is_refused(new_browser: NewBrowser, query: str) -> None:
    anna = new_browser()
    assert error_of(anna.get(f"/me/games?{query}"))[0] == 422
    assert error_of(anna.get(f"/me/games?opening={'+'.join(['Ed5ne'] * 13)}")) == (422, "invalid_opening")


def store_games(store: GameStore, count: int, owner: str | None = None, moves: str = "Ed5ne Tl10n") -> list[str]:
    """Store games that began one after another, one minute apart; return their ids, newest first."""
    seats = {Colour.WHITE: StoredSeat("person", "Anna"), Colour.BLACK: StoredSeat("person", "Ben")}
    outcome = Outcome(Colour.WHITE, Ending.RESIGNATION)
    ids = []
    for number in range(count):
        game = NewStoredGame("standard w", seats, moves, {1: f"number {number}"}, outcome, owner=owner)
        (stored,) = store.create([game], NOW + timedelta(minutes=number // 2)).result()  # two at each time
        ids.append((stored.created, stored.id))
    return [game_id for _, game_id in sorted(ids, reverse=True)]


def test_pages_stay_the_same_while_games_are_played(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    search = GameSearchStore(store.database)
    ids = store_games(store, 45)
    seen: list[str] = []
    games, place = search.find(None, GameFilter(), None, 10)
    while True:
        seen += [game.id for game in games]
        if place is None:
            break
        last = games[-1]  # it changes, and a new game begins: neither shifts the pages
        store.add_moves(last.next_revision(NOW + timedelta(days=1), 3, None), StoredMove("Mb3n")).result()
        store.create([NewStoredGame("standard w", last.seats)], NOW + timedelta(days=1)).result()
        games, place = search.find(None, GameFilter(), place, 10)
    assert seen == ids
    assert search.count(None, GameFilter(until=NOW + timedelta(hours=1))) == 45
    store.close()


def test_at_home_results_are_those_against_the_computer(client: TestClient) -> None:
    home = client.get("/api/v1/me/games?result=lost").json()["total"]
    level = {"seats": {"b": {"type": "engine", "level": 1}}}
    game = client.post("/api/v1/games", json=level).json()
    client.post(f"/api/v1/games/{game['id']}/resign")
    both = client.post("/api/v1/games", json={}).json()
    client.post(f"/api/v1/games/{both['id']}/resign")
    lost = client.get("/api/v1/me/games?result=lost").json()
    assert lost["total"] == home + 1 and lost["games"][0]["id"] == game["id"]


def test_all_games_are_downloaded(client_on_both: TestClient) -> None:
    store = client_on_both.app.state.services.get(GameSearch)._store  # type: ignore[attr-defined]
    ids = store_games(store, 2300)
    path = "/api/v1/me/games/download"
    lines = [json.loads(line) for line in client_on_both.get(path, params={"format": "jsonl"}).text.splitlines()]
    assert [line["id"] for line in lines] == ids
    assert lines[0]["turns"][1] == {"text": "Tl10n", "at": None, "comment": lines[0]["turns"][1]["comment"]}
    assert {line["turns"][1]["comment"] for line in lines} == {f"number {number}" for number in range(2300)}
    assert lines[0]["start"] == "standard w" and lines[0]["result"] == "1-0"
    text = client_on_both.get(path)
    assert text.headers["content-disposition"] == 'attachment; filename="punct-games.punct"'
    games = records.loads(text.text)
    assert len(games) == 2300 and games[0].tags["White"] == "Anna" and games[0].result() == "1-0"
    few = {"format": "sgf", "since": "2026-03-02", "until": "2026-03-02"}
    expected = [line for line in lines if line["created"].startswith("2026-03-02")]
    assert 0 < len(expected) == len(records.loads(client_on_both.get(path, params=few).text)) < 2300
    packed = client_on_both.get(path, headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip" and packed.text == text.text


def test_a_download_reads_as_far_as_its_client(store_url: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = GameStore(open_database(store_url))
    store_games(store, 700)

    async def read_some() -> None:
        search = GameSearch(store)
        loaded: list[str] = []
        load = store.load

        def note(game_id: str) -> Any:
            loaded.append(game_id)
            return load(game_id)

        monkeypatch.setattr(store, "load", note)
        parts = search.download(Actor(is_unrestricted=True), GameFilter(), lambda game, _: game.id.encode() + b"\n")
        assert len((await anext(parts)).splitlines()) == len(loaded) == 200
        await anext(parts)
        await asyncio.sleep(0.05)
        assert len(loaded) == 400  # nothing is read ahead
        await parts.aclose()  # type: ignore[attr-defined]
        assert len(loaded) == 400
        others = [part async for part in search.download(Actor(is_unrestricted=True), GameFilter(), lambda *_: b"x")]
        assert b"".join(others) == b"x" * 700

    asyncio.run(read_some())
    store.close()


def test_a_client_that_disconnects_ends_its_download(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    app: Any = client.app
    search = app.state.services.get(GameSearch)
    store_games(search._store, 1200)
    pages: list[int] = []
    write_page = search._write_page

    def note(*values: Any) -> Any:
        pages.append(1)
        return write_page(*values)

    monkeypatch.setattr(search, "_write_page", note)

    async def leave() -> None:
        sent: list[Message] = []
        gone = asyncio.Event()
        messages = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            if messages:
                return messages.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)
            if message.get("body"):
                gone.set()
                await asyncio.sleep(0)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "path": "/api/v1/me/games/download",
            "raw_path": b"/api/v1/me/games/download",
            "query_string": b"format=jsonl",
            "root_path": "",
            "scheme": "http",
            "app": app,
            "state": {},
            "headers": [(b"host", b"testserver")],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
        }
        await app(scope, receive, send)
        assert sent[0]["status"] == 200

    client.portal.call(leave)  # type: ignore[union-attr]
    assert 1 <= len(pages) < 5  # of 6 and more


def test_downloads_are_counted(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = create_account(new_browser)[0]
    answers = [anna.get("/me/games/download").status_code for _ in range(11)]
    assert rate_limits.DOWNLOADS.player == "10/hour" and answers == [200] * 10 + [429]


def test_a_token_needs_the_scope(new_browser: NewBrowser) -> None:
    anna = create_account(new_browser)[0]
    game = start_game(anna, new_browser())
    stranger = new_browser()
    for scopes, status in ((["play"], 403), (["read"], 200)):
        token = anna.token(*scopes)["secret"]
        for path in ("/me/games", "/me/games/download?format=jsonl"):
            answer = stranger.get(path, authorization=f"Bearer {token}")
            assert answer.status_code == status and (status == 403 or game["id"] in answer.text)
