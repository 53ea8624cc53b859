"""Handles: unique, never alike, seldom changed; and players found by handle or name."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.server.online_client import PROOF, Browser, NewBrowser, block_player, create_account, error_of, log_in
from tests.server.two_player_games import ManualClock, json_of, start_game

from punct.server.accounts.handle_store import HandleStore
from punct.server.accounts.handles import CHANGE_INTERVAL
from punct.server.accounts.store import AccountStore
from punct.server.app import create_app
from punct.server.auth.errors import InvalidHandleError
from punct.server.auth.handles import MAX_KEY_LENGTH, clean_handle, handle_key, search_key
from punct.server.auth.store import AuthStore
from punct.server.db.database import open_database

_numbers = count(1)


def new_handle() -> str:
    """Return a handle that no other test has."""
    return f"Hero-{next(_numbers):03d}-x"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna", "ANNA"),
        ("bill", "biII"),
        ("bill", "b1ll"),
        ("moon", "m00n"),
        ("burner", "bumer"),
        ("crown", "crovvn"),
        ("close", "d0se"),
        ("anna-karl", "annakarl"),
        ("s-a-m", "5am"),
        ("zoe", "2oe"),
        ("bob", "8ob"),
        ("vvvox", "vwox"),
        ("vvvox", "wvox"),
    ],
)
def test_handles_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert handle_key(one) == handle_key(other)


def test_different_handles_have_different_keys() -> None:
    assert len({handle_key(handle) for handle in ("anna", "ana", "hanna", "anne", "anna9", "anna7")}) == 6


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9-]{2,19}", fullmatch=True))
def test_keys_fit_and_are_their_own(handle: str) -> None:
    key = handle_key(handle)
    assert len(key) <= MAX_KEY_LENGTH and handle_key(key) == key and handle_key(handle.swapcase()) == key


@pytest.mark.parametrize("handle", ["Anna", "a1b", "Anna-K-2", "x" * 20, "@anna"])
def test_valid_handles(handle: str) -> None:
    assert clean_handle(f" {handle} ") == handle.removeprefix("@")


@pytest.mark.parametrize(
    "handle",
    [
        *(
            "",
            "ab",
            "x" * 21,
            "-anna",
            "anna-",
            "an--na",
            "1anna",
            "an na",
            "änna",
            "anna_k",
            "аnna",
            "anna\n1",
            "@@anna",
        ),
        *("Admin", "adm1n", "Punct", "PUNCT-team", "systern", "Leve1-4", "rnod", "you", "Support-1", "nu11"),
    ],
)
def test_invalid_and_reserved_handles(handle: str) -> None:
    with pytest.raises(InvalidHandleError):
        clean_handle(handle)


def test_search_keys() -> None:
    assert search_key("  ÄNNE   Łącka ") == "anne lacka" and search_key("Straße") == "strasse"


def test_a_handle_is_shown_wherever_its_player_is(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser, name="Anna")
    ben = new_browser()
    handle = new_handle()
    assert anna.me()["handle"] is None
    assert json_of(anna.send("PUT", "/me/handle", {"handle": f"@{handle}"}))["player"]["handle"] == handle
    player_id = anna.me()["id"]
    assert anna.me()["handle"] == handle
    for reference in (player_id, f"@{handle}", f"@{handle.upper()}", f"@{handle.replace('-', '').replace('0', 'o')}"):
        assert json_of(ben.get(f"/players/{reference}"))["player"] == {
            "id": player_id,
            "name": "Anna",
            "handle": handle,
            "kind": "person",
            "created": anna.me()["created"],
        }
    game = start_game(anna, ben)
    assert game["seats"]["w"]["player"]["handle"] == handle and game["seats"]["b"]["player"]["handle"] is None
    made = json_of(anna.post("/challenges", {}), 201)
    assert made["challenger"]["handle"] == handle
    assert error_of(ben.get("/players/@nobody-has-this")) == (404, "unknown_player")
    assert error_of(ben.get("/players/@x"))[0] == 422


def test_only_account_holders_have_handles(new_browser: NewBrowser) -> None:
    guest = new_browser()
    assert error_of(guest.send("PUT", "/me/handle", {"handle": "Somebodyx"})) == (401, "stranger")
    guest.post("/me", {"name": "Guest"})
    assert error_of(guest.send("PUT", "/me/handle", {"handle": "Somebodyx"})) == (403, "no_account")
    anna, _ = create_account(new_browser)
    assert error_of(anna.send("PUT", "/me/handle", {"handle": "admin"})) == (422, "invalid_handle")
    token = anna.token("read", "play", "challenge")["secret"]
    answer = new_browser().send("PUT", "/me/handle", {"handle": new_handle()}, Authorization=f"Bearer {token}")
    assert error_of(answer) == (403, "not_in_scope")


def test_nobody_takes_a_handle_that_looks_like_anothers(new_browser: NewBrowser) -> None:
    anna, ben = create_account(new_browser)[0], create_account(new_browser)[0]
    handle = new_handle()
    anna.send("PUT", "/me/handle", {"handle": handle})
    for alike in (handle, handle.lower(), handle.replace("0", "O"), handle.replace("-", "")):
        assert error_of(ben.send("PUT", "/me/handle", {"handle": alike})) == (409, "handle_taken")
    assert ben.me()["handle"] is None
    assert json_of(anna.send("PUT", "/me/handle", {"handle": handle.upper()}))["player"]["handle"] == handle.upper()


def test_one_of_many_gets_a_handle(new_browser: NewBrowser) -> None:
    rivals = [create_account(new_browser)[0] for _ in range(6)]
    spellings = [f"R{zero}ya{ell}-Crown" for zero in "0Oo" for ell in "1l"]
    with ThreadPoolExecutor(len(rivals)) as at_once:
        answers = list(
            at_once.map(
                lambda pair: pair[0].send("PUT", "/me/handle", {"handle": pair[1]}),
                zip(rivals, spellings, strict=True),
            )
        )
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 5}
    owners = [rival.me()["handle"] for rival in rivals]
    assert sum(owner is not None for owner in owners) == 1


def test_one_of_two_processes_gets_a_handle(store_url: Path | str) -> None:
    databases = [open_database(store_url), open_database(store_url)]
    now = datetime.now(UTC)
    try:
        players = []
        for number, database in enumerate(databases):
            player_id = AuthStore(database).create_guest(f"secret {number}", now, now).result().player.id

            AccountStore(database).create_account(player_id, f"rival{number}", "hash").result()
            players.append(player_id)
        for attempt in range(10):
            futures = [
                HandleStore(database).change(
                    player, f"Rival-{attempt}x", now + attempt * CHANGE_INTERVAL, CHANGE_INTERVAL
                )
                for database, player in zip(databases, players, strict=True)
            ]
            errors = [future.exception() for future in futures]
            assert sorted(type(error).__name__ for error in errors) == ["DuplicateKeyError", "NoneType"]
    finally:
        for database in databases:
            database.close()


def test_a_handle_changes_once_a_month_and_the_last_one_stays(store_url: Path | str) -> None:
    clock = ManualClock()
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        anna, _ = create_account(lambda: Browser(client))
        ben, _ = create_account(lambda: Browser(client))
        assert anna.send("PUT", "/me/handle", {"handle": "First"}).status_code == 200
        clock.advance(days=29)
        answer = anna.send("PUT", "/me/handle", {"handle": "Second"})
        assert error_of(answer) == (409, "handle_too_soon")
        until = datetime.fromisoformat(answer.json()["error"]["detail"]["until"])
        assert until == clock() + timedelta(days=1)
        clock.advance(days=1)
        assert anna.send("PUT", "/me/handle", {"handle": "Second"}).status_code == 200
        assert error_of(ben.send("PUT", "/me/handle", {"handle": "F1rst"})) == (409, "handle_taken")
        assert json_of(ben.get("/players/@first"))["player"]["handle"] == "Second"  # old links lead to her
        clock.advance(days=30)
        assert anna.send("PUT", "/me/handle", {"handle": "first"}).status_code == 200  # hers again
        clock.advance(days=30)
        assert anna.send("PUT", "/me/handle", {"handle": "Third"}).status_code == 200
        assert ben.send("PUT", "/me/handle", {"handle": "Second"}).status_code == 200  # free: it is two changes ago
        anna.delete("/me", PROOF)
        assert error_of(ben.get("/players/@third")) == (404, "unknown_player")


def found(browser: Browser, query: str) -> list[str | None]:
    return [player["name"] for player in json_of(browser.get(f"/players?query={query}"))["players"]]


def test_players_are_found_by_name_and_handle(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser, name="Änne Qwertz")
    ben, _ = create_account(new_browser, name="anne qwerty")
    guest = new_browser()
    guest.post("/me", {"name": "Anne Qwertz"})
    cara, _ = create_account(new_browser, name="Cara")
    cara.send("PUT", "/me/handle", {"handle": "Anne-Qwe"})
    stranger = new_browser()
    assert found(stranger, "ANNE%20QWERT") == ["anne qwerty", "Änne Qwertz"]
    assert found(stranger, "änne%20qwertz") == ["Änne Qwertz"]
    assert found(stranger, "anneq") == ["Cara"] and found(stranger, "@ANNE-Q") == ["Cara"]
    assert found(stranger, "nne") == [] and found(stranger, "%25") == [] and found(stranger, "@") == []
    block_player(ben)
    assert found(stranger, "anne%20qwert") == ["Änne Qwertz"]
    anna.send("PATCH", "/me", {"name": "Zoe Qwertz"})
    assert found(stranger, "anne%20qwert") == [] and found(stranger, "zoe%20qwertz") == ["Zoe Qwertz"]
    assert error_of(stranger.get("/players?query="))[0] == 422


def test_a_search_finds_twenty_at_most(new_browser: NewBrowser) -> None:
    browsers = [create_account(new_browser)[0] for _ in range(22)]
    for browser in browsers:
        browser.send("PATCH", "/me", {"name": "Many Of Them"})
    assert len(found(browsers[0], "many%20of")) == 20


def test_a_guests_name_is_found_once_they_have_an_account(new_browser: NewBrowser) -> None:
    guest = new_browser()
    guest.post("/me", {"name": "Ðuro Merged"})
    holder, login = create_account(new_browser)
    assert found(holder, "đuro") == [] and log_in(guest, login) == (200, None)
    assert guest.me()["name"] == "Ðuro Merged"
    assert found(holder, search_key("Ðuro")) == ["Ðuro Merged"]
