"""Notebooks: a player's notes and variations in a game, on every device, and seen by nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import bindparam, literal_column, update
from starlette.testclient import TestClient
from tests.server.online_client import Browser, NewBrowser, create_account, error_of
from tests.server.two_player_games import EIGHT_MOVES, json_of, play_moves, start_game

from punct.server.auth.sessions import Sessions
from punct.server.db.database import Connection, Database
from punct.server.db.locks import lock_player
from punct.server.db.sql import sql
from punct.server.db.tables import PLAYERS
from punct.server.games.service import Games
from punct.server.notebooks.schemas import MAX_NOTE_CHARACTERS, MAX_TREE_CHARACTERS

_MAKE_ADMIN = sql(update(PLAYERS).where(PLAYERS.c.id == bindparam("player")).values(kind=literal_column("'admin'")))


def put(browser: Browser, game_id: str, version: int = 0, **fields: object) -> Any:
    return browser.send("PUT", f"/games/{game_id}/notebook", {"version": version, **fields})


def make_admin(browser: Browser) -> None:
    services, player_id = browser.client.app.state.services, browser.me()["id"]  # type: ignore[attr-defined]

    def change(connection: Connection) -> None:
        lock_player(connection, player_id)
        connection.execute(_MAKE_ADMIN, {"player": player_id})

    services.get(Games)._store.database.change(change).result()
    services.get(Sessions).invalidate(player_id)


@pytest.fixture
def played(new_browser: NewBrowser) -> tuple[Browser, Browser, str]:
    white, black = new_browser(), new_browser()
    game = play_moves(start_game(white, black, time="3d", rules="basic"), (white, EIGHT_MOVES[0]))
    return white, black, game["id"]


def test_notes_and_variations_are_kept_for_their_owner(played: tuple[Browser, Browser, str]) -> None:
    white, black, game_id = played
    empty = json_of(white.get(f"/games/{game_id}/notebook"))
    assert empty == {"game": game_id, "version": 0, "note": "", "tree": ""}
    noted = json_of(put(white, game_id, note="Watch the centre.\nAnd c3."))
    tree = "1. Ed5ne Tl10n (1... Tl5s 2. Mb3n)"
    kept = json_of(put(white, game_id, noted["version"], tree=tree))
    assert kept["note"] == "Watch the centre.\nAnd c3." and "Tl5s" in kept["tree"] and "Mb3n" in kept["tree"]
    assert json_of(Browser(white.client, white.cookie).get(f"/games/{game_id}/notebook")) == kept
    json_of(black.post(f"/games/{game_id}/resign"))
    after = json_of(put(white, game_id, kept["version"], note="Won."))
    assert after["tree"] == kept["tree"]  # also when the game is over
    emptied = json_of(put(white, game_id, after["version"], tree=""))
    assert (emptied["note"], emptied["tree"]) == ("Won.", "")
    assert white.delete(f"/games/{game_id}/notebook").status_code == 204
    assert json_of(white.get(f"/games/{game_id}/notebook"))["version"] == 0


def test_two_devices_do_not_overwrite_each_other(played: tuple[Browser, Browser, str]) -> None:
    white, _, game_id = played
    first = json_of(put(white, game_id, note="one"))
    assert json_of(put(white, game_id, note="one")) == first  # sent again: the answer was lost
    assert error_of(put(white, game_id, note="two")) == (409, "notebook_changed")
    assert json_of(white.get(f"/games/{game_id}/notebook")) == first
    assert json_of(put(white, game_id, first["version"], note="two"))["version"] > first["version"]


def test_notebooks_are_bounded_and_read(played: tuple[Browser, Browser, str]) -> None:
    white, _, game_id = played
    assert put(white, game_id, note="x" * (MAX_NOTE_CHARACTERS + 1)).status_code == 422
    assert put(white, game_id, tree="x" * (MAX_TREE_CHARACTERS + 1)).status_code == 422
    assert error_of(put(white, game_id, tree="1. nonsense")) == (422, "invalid_record")
    assert put(white, game_id, tree="x" * 300_000).status_code == 413
    zeros = json_of(put(white, game_id, note="a\0b"))
    assert "\0" not in json_of(white.get(f"/games/{game_id}/notebook"))["note"] or zeros["note"] == "a\0b"


def test_nobody_else_sees_or_changes_a_notebook(played: tuple[Browser, Browser, str], new_browser: NewBrowser) -> None:
    owner, opponent, game_id = played
    stored = json_of(put(owner, game_id, note="secret", tree="1. Ed5ne Tl5s"))
    eve, stranger = new_browser(), new_browser()
    eve.post("/me", {"name": "Eve"})
    for thief, codes in ((eve, {403}), (stranger, {401}), (opponent, {200})):
        answers = [thief.get(f"/games/{game_id}/notebook"), put(thief, game_id, stored["version"], note="mine")]
        if thief is opponent:
            codes = {200, 409}  # an empty one of their own, of another version
        else:
            answers.append(thief.delete(f"/games/{game_id}/notebook"))
        assert {answer.status_code for answer in answers} == codes
        assert not any("secret" in answer.text or "Tl5s" in answer.text for answer in answers)
    assert json_of(owner.get(f"/games/{game_id}/notebook")) == stored
    admin, _ = create_account(new_browser)
    make_admin(admin)
    assert admin.me()["kind"] == "admin"
    for path in ("notebook", "plan"):
        assert error_of(admin.get(f"/games/{game_id}/{path}")) == (403, "not_your_seat")


def test_a_deleted_game_takes_its_notebooks_along(new_browser: NewBrowser, online: TestClient) -> None:
    white, black = new_browser(), new_browser()
    game = start_game(white, black, time="3d")
    json_of(put(white, game["id"], note="gone"))
    assert white.post(f"/games/{game['id']}/abort").status_code == 204
    assert put(white, game["id"], note="gone").status_code == 404
    database: Database = online.app.state.services.get(Games)._store.database  # type: ignore[attr-defined]
    assert not database.fetch_all(f"SELECT 1 FROM notebooks WHERE game_id = '{game['id']}'")
