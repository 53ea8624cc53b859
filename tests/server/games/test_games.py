"""Games at one screen: moves, refusals, repeats, undo, endings."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import (
    API,
    create_game,
    error_of,
    get_game,
    play_in_other_process,
    play_moves,
    post_action,
)

from punct import Position
from punct.server.db.errors import StoreFullError
from punct.server.games.service import Games


@pytest.fixture(scope="module")
def client(client_on_both: TestClient) -> TestClient:
    return client_on_both


def test_a_new_game_is_at_its_start(client: TestClient) -> None:
    game = create_game(client, rules="basic", seats={"w": {"name": "  Anna "}, "b": {}})
    assert game["rules"] == "basic" and game["start"] == game["view"]["text"] == "basic w"
    assert game["seats"]["w"] == {"type": "person", "name": "Anna", "level": None, "player": None}
    assert (game["ply"], game["turn"], game["result"], game["outcome"]) == (0, "w", "*", None)
    assert game["view"]["legal"]["count"] == len(Position("basic w").legal_moves)
    assert not game["may_undo"] and game["may_resign"] and game["may_draw"]
    assert get_game(client, game) == game


def test_moves_are_played_and_stored(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl5s", "d5-d6ne")
    assert [turn["text"] for turn in game["turns"]] == ["Ed5ne", "Tl5s", "d5-d6ne"]
    assert [turn["manner"] for turn in game["turns"]] == ["add", "add", "move"]
    assert all(turn["at"].endswith("Z") for turn in game["turns"])
    assert game["view"]["last"]["path"] == ["d5", "d6"]
    assert game["revision"] == 4 and game["turn"] == "b"
    assert get_game(client, game) == game
    for ply, text in enumerate(["standard w", "standard b wEd5ne", "standard w wEd5ne bTl5s"]):
        view = client.get(f"{API}/games/{game['id']}/positions/{ply}").json()
        assert (view["ply"], view["text"]) == (ply, text)
        assert (view["last"] and view["last"]["text"]) == (game["turns"][ply - 1]["text"] if ply else None)
    answer = client.get(f"{API}/games/{game['id']}/positions/4")
    assert error_of((answer.status_code, answer.json())) == (404, "unknown_ply")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"text": "Ti9n", "ply": 0}, 422, "illegal_turn"),
        ({"text": "Zd5n", "ply": 0}, 422, "invalid_turn"),
        ({"text": "Ed5ne", "ply": 1}, 409, "wrong_ply"),
        ({"text": "Ed5ne"}, 422, "malformed"),
        ({"text": "Ed5ne", "ply": -1}, 422, "malformed"),
        ({"text": "Ed5ne", "ply": 10**30}, 422, "malformed"),
        ({"text": "Ed5ne", "ply": 0, "colour": "w"}, 422, "malformed"),
        ({"text": "x" * 100, "ply": 0}, 422, "malformed"),
        ([], 422, "malformed"),
        (None, 422, "malformed"),
    ],
)
def test_refused_moves_change_nothing(client: TestClient, body: object, status: int, code: str) -> None:
    game = create_game(client)
    assert error_of(post_action(client, game, "turns", body)) == (status, code)
    assert get_game(client, game) == game


def test_an_illegal_move_names_the_rule(client: TestClient) -> None:
    _, body = post_action(client, create_game(client), "turns", {"text": "Ti9n", "ply": 0})
    assert body["error"]["detail"] == {"turn": "Ti9n", "reason": "ADDED_IN_CENTRE", "section": "G"}


def test_a_repeated_move_is_played_once(client: TestClient) -> None:
    game = create_game(client)
    first = post_action(client, game, "turns", {"text": "Cd5n", "ply": 0})
    again = post_action(client, game, "turns", {"text": " CD5s", "ply": 0})  # the same turn, written otherwise
    assert first == again and first[0] == 200 and first[1]["ply"] == 1
    assert error_of(post_action(client, game, "turns", {"text": "Td5n", "ply": 0})) == (409, "wrong_ply")
    assert error_of(post_action(client, game, "turns", {"text": "nonsense", "ply": 0})) == (409, "wrong_ply")
    assert get_game(client, game) == first[1]


def test_of_simultaneous_moves_one_is_played(client: TestClient) -> None:
    game = create_game(client)
    turns = [f"T{column}5n" for column in "cdefghjk"]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda text: post_action(client, game, "turns", {"text": text, "ply": 0}), turns))
    played = [(text, body) for text, (status, body) in zip(turns, answers, strict=True) if status == 200]
    assert len(played) == 1
    assert {error_of(answer) for answer in answers if answer[0] != 200} == {(409, "wrong_ply")}
    assert [turn["text"] for turn in get_game(client, game)["turns"]] == [played[0][0]]


def test_undo_on_one_screen_takes_back_one_move(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl5s")
    status, undone = post_action(client, game, "undo", {"ply": 2})
    assert status == 200 and undone["ply"] == 1 and undone["revision"] > game["revision"]
    assert error_of(post_action(client, game, "undo", {"ply": 2})) == (409, "wrong_ply")
    again = play_moves(client, undone, "Tk5s")
    assert [turn["text"] for turn in again["turns"]] == ["Ed5ne", "Tk5s"]
    post_action(client, game, "undo")
    status, undone = post_action(client, game, "undo")
    assert (status, undone["ply"], undone["may_undo"]) == (200, 0, False)
    assert error_of(post_action(client, game, "undo")) == (409, "not_possible")


def test_undone_moves_can_be_redone(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl5s", "d5-d8n")
    assert not game["may_redo"] and error_of(post_action(client, game, "redo")) == (409, "not_possible")
    _, once = post_action(client, game, "undo")
    _, twice = post_action(client, game, "undo")
    assert (twice["ply"], twice["may_redo"]) == (1, True)
    assert error_of(post_action(client, game, "redo", {"ply": 2})) == (409, "wrong_ply")
    status, again = post_action(client, game, "redo", {"ply": 1})
    assert (status, again["turns"], again["may_redo"]) == (200, once["turns"], True)  # as it was, with its time
    _, again = post_action(client, game, "redo")
    assert (again["turns"], again["view"], again["may_redo"]) == (game["turns"], game["view"], False)


def test_playing_an_undone_move_keeps_the_redo_list_and_another_clears_it(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl5s", "d5-d8n")
    for _ in range(3):
        _, game = post_action(client, game, "undo")
    game = play_moves(client, game, "Ed5ne")
    assert game["may_redo"]
    _, over = post_action(client, game, "resign")
    assert not over["may_redo"] and error_of(post_action(client, game, "redo")) == (409, "game_over")
    _, game = post_action(client, game, "undo")  # the resignation, and nothing else is lost by it
    _, game = post_action(client, game, "redo")
    assert [turn["text"] for turn in game["turns"]] == ["Ed5ne", "Tl5s"] and game["may_redo"]
    game = play_moves(client, game, "Tb5n")
    assert not game["may_redo"]


def test_resignation_ends_a_game_and_can_be_undone(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne")
    status, over = post_action(client, game, "resign")
    assert status == 200
    assert over["outcome"] == over["view"]["outcome"] == {"winner": "w", "reason": "resignation"}
    assert over["result"] == "1-0" and over["view"]["legal"]["count"] == 0
    assert error_of(post_action(client, game, "resign")) == (409, "game_over")
    assert error_of(post_action(client, game, "turns", {"text": "Tl5s", "ply": 1})) == (409, "game_over")
    assert error_of(post_action(client, game, "draw")) == (409, "game_over")
    assert error_of(post_action(client, game, "hint")) == (409, "game_over")
    assert get_game(client, game) == over
    status, back = post_action(client, game, "undo")
    assert (status, back["ply"], back["result"]) == (200, 1, "*")
    assert post_action(client, game, "resign", {"colour": "w"})[1]["result"] == "0-1"


def test_two_persons_agree_on_a_draw(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne")
    assert post_action(client, game, "draw")[1]["outcome"] == {"winner": None, "reason": "agreement"}
    assert get_game(client, game)["result"] == "1/2-1/2"


def test_threefold_repetition_is_a_draw(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl5s")
    assert game["repetitions"] == 1
    there_and_back = ("d5-d6ne", "l5-l6s", "d6-d5ne", "l6-l5s")
    game = play_moves(client, game, *there_and_back)
    assert game["repetitions"] == 2
    game = play_moves(client, game, *there_and_back)
    assert (game["repetitions"], game["outcome"]) == (3, {"winner": None, "reason": "repetition"})
    assert game["view"]["legal"]["count"] == 0 and not game["may_draw"]


def test_a_connection_wins(client: TestClient) -> None:
    start = "standard w wEh1n wEh4n wEh7n wEh10n wCi14ne bTc5n bTc8n"
    game = create_game(client, position=start)
    assert game["view"]["threats"]["w"]["count"] >= 1
    assert len(game["view"]["threats"]["w"]["chain"]) >= 17
    over = play_moves(client, game, "Tj16n")
    assert over["outcome"] == {"winner": "w", "reason": "connection"}
    assert len(over["view"]["chain"]) >= 17
    assert over["view"]["threats"]["w"]["count"] == 0
    status, back = post_action(client, game, "undo")
    assert (status, back["result"], back["view"]) == (200, "*", game["view"])


def test_a_move_that_cannot_be_stored_is_not_played(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    game = create_game(client)
    services = client.app.state.services  # type: ignore[attr-defined]

    def full(*_: object, **__: object) -> None:
        raise StoreFullError("The disk is full.")

    with monkeypatch.context() as disk:
        disk.setattr(services.get(Games)._store, "add_moves", full)
        assert error_of(post_action(client, game, "turns", {"text": "Ed5ne", "ply": 0})) == (503, "store_failed")
    assert get_game(client, game) == game
    assert play_moves(client, game, "Ed5ne")["ply"] == 1


def test_a_change_by_another_process_is_noticed(client: TestClient) -> None:
    game = create_game(client)
    services = client.app.state.services  # type: ignore[attr-defined]
    play_in_other_process(services.get(Games)._store, game["id"], "Ed5ne")
    assert error_of(post_action(client, game, "turns", {"text": "Td5n", "ply": 0})) == (409, "wrong_ply")
    assert [turn["text"] for turn in get_game(client, game)["turns"]] == ["Ed5ne"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"text": "\\ud800", "ply": 0}',
        b"[" * 10_000,
        b"9" * 10_000,
        b"NaN",
        b'"text"',
        b"\x00",
    ],
)
def test_invalid_json_is_refused(client: TestClient, content: bytes) -> None:
    game = create_game(client)
    answer = client.post(
        f"{API}/games/{game['id']}/turns", content=content, headers={"content-type": "application/json"}
    )
    assert error_of((answer.status_code, answer.json())) == (422, "malformed")


def test_a_move_is_explained(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne")
    assert post_action(client, game, "explain", {"text": "Cl5s"})[1] == {
        "legal": True, "turn": "Cl5n", "reason": None, "section": None, "sentence": None, "spaces": [],
        "headings": [{"heading": "n", "reason": None}],
    }  # fmt: skip
    told = post_action(client, game, "explain", {"text": "d5-d6ne"})[1]
    assert (told["legal"], told["reason"], told["section"]) == (False, "OPPONENTS_PIECE", "E2.1") and told["sentence"]
    assert post_action(client, game, "explain", {"text": "d5-d6ne", "ply": 0})[1]["reason"] == "NO_PIECE"
    told = post_action(client, game, "explain", {"text": "what?"})[1]
    assert (told["legal"], told["turn"], told["reason"]) == (False, None, "UNREADABLE")


def test_unknown_games_are_not_found(client: TestClient) -> None:
    for method, path in [
        ("GET", ""), ("DELETE", ""), ("GET", "/positions/0"), ("POST", "/undo"), ("POST", "/resign"),
        ("POST", "/draw"), ("POST", "/hint"), ("GET", "/record"), ("GET", "/picture.svg"),
    ]:  # fmt: skip
        answer = client.request(method, f"{API}/games/nobody-knows{path}")
        assert error_of((answer.status_code, answer.json())) == (404, "unknown_game"), path


def test_deleted_games_are_not_found(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne")
    assert client.delete(f"{API}/games/{game['id']}").status_code == 204
    for method in ("GET", "DELETE"):
        assert client.request(method, f"{API}/games/{game['id']}").status_code == 404


def test_the_list_shows_the_last_changed_first(empty_client: TestClient) -> None:
    first, second, third = (create_game(empty_client) for _ in range(3))
    play_moves(empty_client, first, "Ed5ne")
    page = empty_client.get(f"{API}/games", params={"limit": 2}).json()
    assert [game["id"] for game in page["games"]] == [first["id"], third["id"]]
    assert page["games"][0]["ply"] == 1 and page["games"][0]["turn"] == "b"
    assert (page["total"], page["offset"], page["limit"]) == (3, 0, 2)
    page = empty_client.get(f"{API}/games", params={"offset": 2}).json()
    assert [game["id"] for game in page["games"]] == [second["id"]]
    assert empty_client.get(f"{API}/games", params={"limit": 1000}).status_code == 422


def test_a_game_starts_from_a_position_or_a_record(client: TestClient) -> None:
    game = create_game(client, position="basic b wTd5n")
    assert (game["rules"], game["turn"], game["start"]) == ("basic", "b", "basic b wTd5n")
    first = play_moves(client, create_game(client, seats={"w": {"name": "Anna"}, "b": {}}), "Ed5ne", "Tl5s")
    record = client.get(f"{API}/games/{first['id']}/record").text
    game = create_game(client, record=record)
    assert game["ply"] == 2 and game["seats"]["w"]["name"] == "Anna"
    assert play_moves(client, game, "d5-d6ne")["ply"] == 3
    for wrong in ({"position": "basic x"}, {"record": "[[["}, {"record": record, "position": "basic w"}):
        answer = client.post(f"{API}/games", json=wrong)
        assert answer.status_code == 422 and answer.json()["error"]["code"] in {"invalid_position", "invalid_record"}
