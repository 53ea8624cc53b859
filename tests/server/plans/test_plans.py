"""Conditional moves: played with the move that triggers them, dropped when they no longer fit, seen by their owner."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import column, insert, table
from starlette.testclient import TestClient
from tests.server.live_client import connect_to_game, message_where
from tests.server.online_client import Browser, NewBrowser, create_account, error_of, log_in
from tests.server.two_player_games import (
    EIGHT_MOVES,
    ManualClock,
    game_in_conflict,
    json_of,
    play_moves,
    post_move,
    start_game,
)

from punct.server.app import create_app
from punct.server.db.database import Database
from punct.server.db.sql import sql
from punct.server.games import statements
from punct.server.games.service import Games
from punct.server.notifications.model import Message, StoredNotice
from punct.server.notifications.service import Notifications
from punct.server.notifications.store import NotificationStore
from punct.server.plans.model import MAX_REPLIES
from punct.server.timekeeping.heartbeat import Heartbeat

FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, *_ = EIGHT_MOVES
DAYS = {"time": "3d", "rules": "basic"}


def reply(turn: str, answer: str, *then: dict[str, Any]) -> dict[str, Any]:
    return {"turn": turn, "reply": answer, "then": list(then)}


def put_plan(browser: Browser, game: dict[str, Any], *replies: dict[str, Any], **fields: object) -> Any:
    return browser.send("PUT", f"/games/{game['id']}/plan", {"ply": game["ply"], "replies": replies, **fields})


def plan_of(browser: Browser, game: dict[str, Any]) -> dict[str, Any]:
    return json_of(browser.get(f"/games/{game['id']}/plan"))


def texts(game: dict[str, Any]) -> list[str]:
    return [turn["text"] for turn in game["turns"]]


def notices(client: TestClient, kind: str = "plan") -> list[tuple[str, str]]:
    database: Database = client.app.state.services.get(Games)._store.database  # type: ignore[attr-defined]
    return [tuple(row) for row in database.fetch_all(f"SELECT player_id, subject FROM notices WHERE kind = '{kind}'")]


@pytest.fixture
def pair(new_browser: NewBrowser) -> tuple[Browser, Browser]:
    return new_browser(), new_browser()


def test_a_reply_is_played_with_the_move_it_answers(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    game = start_game(white, black, **DAYS)
    game = play_moves(game, (white, FIRST))
    plan = json_of(put_plan(white, game, reply(SECOND, THIRD, reply(FOURTH, FIFTH)), reply("Tl5s", "Mb3n")))
    assert plan["ply"] == 1 and plan["version"] > 0 and plan["dropped"] is None
    assert json_of(white.get(f"/games/{game['id']}")) == game  # nothing shows that it exists
    with connect_to_game(white, game) as live:
        after = json_of(post_move(black, game, SECOND))
        told = message_where(live, "game", lambda message: message["game"]["ply"] > 1)["game"]
    assert texts(after) == [FIRST, SECOND, THIRD] and after == told
    assert after["revision"] == game["revision"] + 1
    assert after["turns"][1]["at"] == after["turns"][2]["at"]
    assert after["clock"]["ticking"] == "b"
    left = plan_of(white, after)
    assert left["ply"] == 3 and [each["turn"] for each in left["replies"]] == [FOURTH]
    last = play_moves(after, (black, FOURTH))
    assert texts(last)[-2:] == [FOURTH, FIFTH]
    assert plan_of(white, last) == {
        "game": game["id"], "ply": 5, "version": 0, "first": None, "replies": [], "dropped": None
    }  # fmt: skip


def test_a_repeated_move_is_answered_as_the_first_time(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(put_plan(white, game, reply(SECOND, THIRD)))
    body = {"text": SECOND, "ply": 1}
    answers = [
        json_of(black.send("POST", f"/games/{game['id']}/turns", body, **headers))
        for headers in ({"Idempotency_Key": "once"}, {"Idempotency_Key": "once"}, {})
    ]
    assert answers[0]["ply"] == 3 and answers == [answers[0]] * 3


def test_both_players_may_have_planned(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    game = start_game(white, black, **DAYS)
    assert error_of(put_plan(white, game, reply(SECOND, THIRD))) == (409, "not_possible")  # it is White's turn
    json_of(put_plan(white, game, reply(SECOND, THIRD, reply(FOURTH, FIFTH)), first=FIRST))
    json_of(put_plan(black, game, reply(FIRST, SECOND, reply(THIRD, FOURTH))))
    after = play_moves(game, (white, FIRST))
    assert texts(after) == [FIRST, SECOND, THIRD, FOURTH, FIFTH]
    assert after["revision"] == game["revision"] + 1 and after["turn"] == "b"
    assert plan_of(white, after)["replies"] == [] == plan_of(black, after)["replies"]
    assert plan_of(black, after)["dropped"] is None


def test_an_unexpected_move_drops_the_plan_with_a_word(pair: tuple[Browser, Browser], online: TestClient) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(put_plan(white, game, reply(SECOND, THIRD)))
    after = play_moves(game, (black, "Tl5s"))
    assert after["ply"] == 2
    plan = plan_of(white, after)
    assert plan["dropped"] == {"reason": "other", "ply": 1, "turn": "Tl5s"} and not plan["replies"]
    assert (white.me()["id"], game["id"]) in notices(online)
    json_of(white.delete(f"/games/{game['id']}/plan"))
    assert plan_of(white, after)["dropped"] is None
    # A move of one's own that was not planned drops it without a message.
    game = start_game(white, black, **DAYS)
    json_of(put_plan(white, game, reply(SECOND, THIRD), first=FIRST))
    play_moves(game, (white, "Td5n"))
    assert plan_of(white, game)["dropped"] == {"reason": "own", "ply": 0, "turn": "Td5n"}
    assert (white.me()["id"], game["id"]) not in notices(online)


def test_moves_taken_back_drop_the_plan(pair: tuple[Browser, Browser], online: TestClient) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(put_plan(white, game, reply(SECOND, THIRD)))
    game = play_moves(game, (black, SECOND))
    json_of(put_plan(white, game, reply(FOURTH, FIFTH)))
    json_of(black.post(f"/games/{game['id']}/offers", {"kind": "undo"}))
    game = json_of(white.post(f"/games/{game['id']}/offers/accept", {"kind": "undo"}))
    assert game["ply"] == 1  # Black's move, and the reply to it
    assert plan_of(white, game)["dropped"]["reason"] == "taken_back"
    assert (white.me()["id"], game["id"]) in notices(online)
    assert play_moves(game, (black, SECOND))["ply"] == 2


def test_the_end_of_a_game_deletes_plans(pair: tuple[Browser, Browser], online: TestClient) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(put_plan(white, game, reply(SECOND, THIRD)))
    game = json_of(black.post(f"/games/{game['id']}/resign"))
    assert plan_of(white, game)["replies"] == []
    assert error_of(put_plan(white, game, reply(SECOND, THIRD))) == (409, "game_over")
    database: Database = online.app.state.services.get(Games)._store.database  # type: ignore[attr-defined]
    assert not database.fetch_all(f"SELECT 1 FROM plans WHERE game_id = '{game['id']}'")


def test_offers_lapse_as_with_any_move(pair: tuple[Browser, Browser]) -> None:
    """A plan accepts nothing: an offer of the opponent ends with the opponent's own move, one of the owner likewise."""
    for by_owner in (False, True):
        white, black = pair
        game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
        json_of(put_plan(white, game, reply(SECOND, THIRD)))
        json_of((white if by_owner else black).post(f"/games/{game['id']}/offers", {"kind": "draw"}))
        after = play_moves(game, (black, SECOND))
        assert (after["ply"], after["offer"], after["outcome"]) == (3, None, None)


def test_illegal_lines_are_named(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    refused = put_plan(white, game, reply(SECOND, THIRD, reply(FOURTH, SECOND)))
    assert error_of(refused) == (422, "invalid_plan")
    error = refused.json()["error"]
    assert error["detail"] == {"line": [SECOND, THIRD, FOURTH], "turn": SECOND}
    assert error["message"].startswith(f"{SECOND} cannot be played: ")
    assert error_of(put_plan(white, game, reply(SECOND, THIRD), reply(SECOND, "Mb3n"))) == (422, "invalid_plan")
    assert error_of(put_plan(white, game, reply("nonsense", THIRD))) == (422, "invalid_plan")
    # Other notations of a move are stored in the one of games.
    plan = json_of(put_plan(white, game, reply(SECOND.upper().replace("L10N", "l10n"), THIRD)))
    assert plan["replies"][0]["turn"] == SECOND


def test_plans_are_bounded(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    many = [reply(SECOND, THIRD)] * (MAX_REPLIES + 1)
    assert put_plan(white, game, *many).status_code in (413, 422)
    deep = '{"turn":"a","reply":"b","then":[' * 300 + "]}" * 300
    assert put_plan(white, game, *([reply(SECOND, THIRD, *many[:150])] * 2)).status_code in (413, 422)
    path, headers = f"/api/v1/games/{game['id']}/plan", {**white.headers, "content-type": "application/json"}
    body = '{"ply":1,"replies":[' + deep + "]}"
    assert white.client.put(path, content=body, headers=headers).status_code in (413, 422)
    white.client.cookies.clear()


def test_two_devices_do_not_overwrite_each_other(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    first = json_of(put_plan(white, game, reply(SECOND, THIRD)))
    assert json_of(put_plan(white, game, reply(SECOND, THIRD))) == first  # sent again
    assert error_of(put_plan(white, game, reply("Tl5s", THIRD))) == (409, "plan_changed")
    second = json_of(put_plan(white, game, reply("Tl5s", THIRD), version=first["version"]))
    assert second["version"] > first["version"]
    after = play_moves(game, (black, SECOND))
    late = put_plan(white, game, reply(SECOND, THIRD), version=second["version"])
    assert error_of(late) == (409, "wrong_ply") and game_in_conflict(late)["ply"] == after["ply"]


def test_a_plan_that_arrives_after_its_withdrawal_is_refused(pair: tuple[Browser, Browser]) -> None:
    """It was sent before, and held up on the way: its owner believes that nothing is planned."""
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    path = f"/games/{game['id']}/plan"
    assert json_of(white.delete(path))["replies"] == []  # the plan has not arrived yet
    assert error_of(put_plan(white, game, reply(SECOND, THIRD))) == (409, "plan_changed")
    empty = plan_of(white, game)
    assert empty["version"] > 0 and empty["dropped"] is None
    stored = json_of(put_plan(white, game, reply(SECOND, THIRD), version=empty["version"]))
    withdrawn = json_of(white.delete(f"{path}?version={stored['version']}"))
    assert withdrawn == json_of(white.delete(f"{path}?version={stored['version']}"))  # sent again
    assert error_of(put_plan(white, game, reply("Tl5s", THIRD))) == (409, "plan_changed")
    assert play_moves(game, (black, SECOND))["ply"] == 2 and plan_of(white, game)["dropped"] is None


def test_a_withdrawal_that_arrives_late_leaves_a_new_plan(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    first = json_of(put_plan(white, game, reply(SECOND, THIRD)))
    json_of(put_plan(white, game, reply(SECOND, "Mb3n"), version=first["version"]))
    late = white.delete(f"/games/{game['id']}/plan?version={first['version']}")
    assert error_of(late) == (409, "plan_changed")
    assert play_moves(game, (black, SECOND))["ply"] == 3


def test_a_withdrawn_plan_leaves_nothing_when_the_game_ends(pair: tuple[Browser, Browser], online: TestClient) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(white.delete(f"/games/{game['id']}/plan"))
    json_of(black.post(f"/games/{game['id']}/resign"))
    json_of(white.delete(f"/games/{game['id']}/plan"))
    database: Database = online.app.state.services.get(Games)._store.database  # type: ignore[attr-defined]
    assert not database.fetch_all(f"SELECT 1 FROM plans WHERE game_id = '{game['id']}'")


def test_only_games_of_two_players_without_a_live_clock(pair: tuple[Browser, Browser]) -> None:
    white, black = pair
    live = play_moves(start_game(white, black, time="5+3", rules="basic"), (white, FIRST))
    assert error_of(put_plan(white, live, reply(SECOND, THIRD))) == (409, "not_possible")
    without = play_moves(start_game(white, black, time="none", rules="basic"), (white, FIRST))
    json_of(put_plan(white, without, reply(SECOND, THIRD)))
    assert play_moves(without, (black, SECOND))["ply"] == 3
    own = json_of(white.post("/games", {}), 201)
    assert error_of(white.get(f"/games/{own['id']}/plan")) == (409, "not_possible")


def test_nobody_else_sees_or_changes_a_plan(pair: tuple[Browser, Browser], new_browser: NewBrowser) -> None:
    owner, opponent = pair
    stranger, guest = new_browser(), new_browser()
    guest.post("/me", {"name": "Eve"})
    with_plan, without = (
        play_moves(start_game(owner, opponent, **DAYS, listed=True), (owner, FIRST)) for _ in range(2)
    )
    stored = json_of(put_plan(owner, with_plan, reply(SECOND, THIRD)))
    for thief in (opponent, stranger, guest):
        seen = []
        for game in (with_plan, without):
            answers = [
                thief.get(f"/games/{game['id']}/plan"),
                put_plan(thief, game, reply(SECOND, THIRD)),
                thief.get(f"/games/{game['id']}"),
                thief.get(f"/games/{game['id']}/record?format=text"),
                thief.get(f"/games/{game['id']}/you"),
            ]
            if thief is not opponent:
                answers.append(thief.delete(f"/games/{game['id']}/plan"))
            body = [answer.text.replace(game["id"], "").replace(str(game["created"]), "") for answer in answers]
            seen.append([answer.status_code for answer in answers])
            assert not any(THIRD in text or 'version":1' in text for text in body)
        assert seen[0] == seen[1]
    assert owner.get(f"/games/{with_plan['id']}").json()["updated"] == with_plan["updated"]
    assert plan_of(owner, with_plan) == stored


def test_tokens_need_the_scope_to_play(pair: tuple[Browser, Browser], new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    _, black = pair
    game = play_moves(start_game(anna, black, **DAYS), (anna, FIRST))
    json_of(put_plan(anna, game, reply(SECOND, THIRD)))
    path = f"/api/v1/games/{game['id']}/plan"
    for scopes, allowed in ((["read"], False), (["challenge"], False), (["play"], True)):
        headers = {"authorization": f"Bearer {anna.token(*scopes)['secret']}"}
        answers = [
            anna.client.get(path, headers=headers).status_code,
            anna.client.put(path, json={"ply": 1, "replies": [reply(SECOND, THIRD)]}, headers=headers).status_code,
        ]
        assert answers == ([200, 200] if allowed else [403, 403])
    notebook = anna.client.get(path.replace("plan", "notebook"), headers=headers)
    assert notebook.status_code == 403


def test_a_failed_commit_stores_neither_move_nor_reply(
    pair: tuple[Browser, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    stored = json_of(put_plan(white, game, reply(SECOND, THIRD, reply(FOURTH, FIFTH))))
    with monkeypatch.context() as broken:
        broken.setattr(statements, "INSERT_MOVE", sql(insert(table("nowhere", column("game_id")))))
        assert post_move(black, game, SECOND).status_code == 503
    assert json_of(white.get(f"/games/{game['id']}")) == game and plan_of(white, game) == stored
    assert play_moves(game, (black, SECOND))["ply"] == 3


def test_a_plan_that_cannot_be_played_does_not_keep_the_move(pair: tuple[Browser, Browser], online: TestClient) -> None:
    white, black = pair
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(put_plan(white, game, reply(SECOND, THIRD)))
    database: Database = online.app.state.services.get(Games)._store.database  # type: ignore[attr-defined]
    damaged = f'{{"first":null,"replies":[["{SECOND}","{FIRST}",[]]],"dropped":null}}'
    database.change(
        lambda connection: connection.execute(f"UPDATE plans SET replies = '{damaged}' WHERE game_id = '{game['id']}'")
    ).result()
    after = play_moves(game, (black, SECOND))
    assert after["ply"] == 2 and plan_of(white, after)["dropped"]["reason"] == "illegal"


def test_a_guest_takes_plans_into_the_account(new_browser: NewBrowser, pair: tuple[Browser, Browser]) -> None:
    _, login = create_account(new_browser)
    guest, black = pair
    game = play_moves(start_game(guest, black, **DAYS), (guest, FIRST))
    json_of(put_plan(guest, game, reply(SECOND, THIRD)))
    json_of(guest.send("PUT", f"/games/{game['id']}/notebook", {"note": "beware"}))
    assert log_in(guest, login)[0] == 200
    assert plan_of(guest, game)["replies"][0]["reply"] == THIRD
    assert json_of(guest.get(f"/games/{game['id']}/notebook"))["note"] == "beware"
    assert play_moves(game, (black, SECOND))["ply"] == 3


def test_a_deleted_account_leaves_no_plans(new_browser: NewBrowser, online: TestClient) -> None:
    anna, _ = create_account(new_browser)
    black = new_browser()
    game = play_moves(start_game(anna, black, **DAYS), (anna, FIRST))
    json_of(put_plan(anna, game, reply(SECOND, THIRD)))
    json_of(anna.send("PUT", f"/games/{game['id']}/notebook", {"note": "beware"}))
    assert anna.delete("/me", {"password": "three blue bridges"}).status_code == 204
    database: Database = online.app.state.services.get(Games)._store.database  # type: ignore[attr-defined]
    for name in ("plans", "notebooks"):
        assert not database.fetch_all(f"SELECT 1 FROM {name} WHERE game_id = '{game['id']}'")


def test_the_owner_is_told_in_words(timed: tuple[TestClient, ManualClock], monkeypatch: pytest.MonkeyPatch) -> None:
    client, clock = timed
    services = client.app.state.services  # type: ignore[attr-defined]
    told: list[Message | None] = []
    expand = NotificationStore.expand

    def note(self: NotificationStore, notice: StoredNotice, message: Message | None, *rest: Any) -> Any:
        told.extend([message] if notice.kind == "plan" else [])
        return expand(self, notice, message, *rest)

    monkeypatch.setattr(NotificationStore, "expand", note)
    white, black = Browser(client), Browser(client)
    black.post("/me", {"name": "Ben"})
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(put_plan(white, game, reply(SECOND, THIRD)))
    game = play_moves(game, (black, "Tl5s"))
    clock.advance(minutes=1)
    assert client.portal is not None
    client.portal.call(services.get(Notifications).work)
    (message,) = told
    assert message is not None
    assert (message.title, message.path) == ("Conditional moves dropped", f"/game/{game['id']}")
    assert message.body == "Ben played something you had not planned for. It is your turn."
    # Whoever has seen it is not told.
    game = play_moves(game, (white, THIRD))
    json_of(put_plan(white, game, reply(FOURTH, FIFTH), version=plan_of(white, game)["version"]))
    game = play_moves(game, (black, "Tm5n"))
    json_of(white.delete(f"/games/{game['id']}/plan"))
    clock.advance(minutes=1)
    client.portal.call(services.get(Notifications).work)
    assert told[1:] == [None]


@pytest.fixture
def timed(store_url: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, ManualClock]]:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    clock = ManualClock()
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        yield client, clock


def test_a_plan_plays_nothing_once_the_time_is_up(timed: tuple[TestClient, ManualClock]) -> None:
    client, clock = timed
    white, black = Browser(client), Browser(client)
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST), (black, SECOND), (white, THIRD))
    json_of(put_plan(white, game, reply(FOURTH, FIFTH)))
    clock.advance(days=3, seconds=2)
    late = post_move(black, game, FOURTH)
    assert error_of(late) == (409, "game_over")
    over = json_of(white.get(f"/games/{game['id']}"))
    assert over["outcome"] == {"winner": "w", "reason": "time"} and over["ply"] == 3


def test_a_reply_takes_none_of_its_owners_time(timed: tuple[TestClient, ManualClock]) -> None:
    client, clock = timed
    white, black = Browser(client), Browser(client)
    game = play_moves(start_game(white, black, **DAYS), (white, FIRST))
    json_of(put_plan(white, game, reply(SECOND, THIRD)))
    clock.advance(seconds=30)
    after = play_moves(game, (black, SECOND))
    assert after["clock"]["ticking"] == "b" and after["clock"]["w"] == after["clock"]["b"] == 3 * 86_400_000
