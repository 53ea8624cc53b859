"""Shared analyses, and reviews that are stored with their games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, play_moves, post_action

from punct.analysis import scale
from punct.server.analyses.schemas import Review
from punct.server.analyses.store import AnalysisStore
from punct.server.app import create_app
from punct.server.db.database import open_database

TREE = '[White "Anna"]\n\n1. Ed5ne {good} (1. Cc5ne 1... Tl10n) 1... Tl10n *\n'


def reviewed_move(turn: str, given_away: float = 0.0, **more: object) -> dict[str, object]:
    return {"turn": turn, "chance": 0.5, "given_away": given_away, **more}


def review(*turns: dict[str, object]) -> dict[str, object]:
    return {"engine": "test", "nodes": 100, "start": 0.5, "turns": list(turns)}


def over(client: TestClient) -> dict[str, Any]:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl10n")
    assert post_action(client, game, "resign", {"colour": "w"})[0] == 200
    return game


def error_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_a_stored_analysis_has_all_its_variations(client_on_both: TestClient) -> None:
    client = client_on_both
    made = client.post(f"{API}/analyses", json={"tree": TREE})
    assert made.status_code == 201 and made.headers["Location"] == f"{API}/analyses/{made.json()['id']}"
    assert len(made.json()["id"]) >= 16
    found = client.get(made.headers["Location"]).json()
    for part in ("{good}", "(1. Cc5ne Tl10n)", '[White "Anna"]'):
        assert part in found["tree"], found["tree"]
    assert found["kept_until"] > found["created"]
    other = client.post(f"{API}/analyses", json={"tree": TREE})
    assert other.json()["id"] != made.json()["id"]


def test_a_repeated_request_with_one_key_stores_one_analysis(client: TestClient) -> None:
    key = {"Idempotency-Key": "tree-1"}
    one, two = (client.post(f"{API}/analyses", json={"tree": TREE}, headers=key) for _ in range(2))
    assert one.json() == two.json()
    begun = client.post(f"{API}/games", json={}, headers={"Idempotency-Key": "game-1"})
    assert begun.status_code == 201
    again = client.post(f"{API}/analyses", json={"tree": TREE}, headers={"Idempotency-Key": "game-1"})
    assert error_of(again) == (422, "key_reused")


@pytest.mark.parametrize(
    ("tree", "code"),
    [
        ("Ed5ne Ed5ne *", (422, "invalid_record")),
        ("Ed5ne (Ch9n) *", (422, "invalid_record")),
        ("", (422, "malformed")),
        ("\n\n", (422, "invalid_record")),
        ("Ed5ne *\n\nEd5ne *", (422, "invalid_record")),
        ("{" + "x" * 300_000 + "}", (413, "too_large")),
    ],
)
def test_an_invalid_analysis_is_refused_with_a_reason(client: TestClient, tree: str, code: tuple[int, str]) -> None:
    answer = client.post(f"{API}/analyses", json={"tree": tree})
    assert error_of(answer) == code
    assert answer.json()["error"]["message"]


def test_an_unknown_analysis_is_not_found(client: TestClient) -> None:
    assert error_of(client.get(f"{API}/analyses/nobody-knows-this")) == (404, "unknown_analysis")
    assert client.get(f"{API}/analyses/no%20id").status_code == 422


def test_reading_an_analysis_extends_its_lifetime(tmp_path: Path) -> None:
    time = [datetime(2026, 1, 1, tzinfo=UTC)]
    with TestClient(create_app(tmp_path, workers=1, now=lambda: time[0])) as client:
        paths = [client.post(f"{API}/analyses", json={"tree": TREE}).headers["Location"] for _ in range(2)]
        time[0] += timedelta(days=100)
        assert client.get(paths[0]).json()["kept_until"].startswith("2026-10-08")
        time[0] += timedelta(days=100)
        assert client.get(paths[0]).status_code == 200
        assert error_of(client.get(paths[1])) == (404, "unknown_analysis")
        client.post(f"{API}/analyses", json={"tree": TREE})
    database = open_database(tmp_path)
    assert AnalysisStore(database).get(paths[1].rpartition("/")[2]) is None, "it is swept out"
    assert AnalysisStore(database).get(paths[0].rpartition("/")[2]) is not None
    database.close()


# ---------------------------------------------------------------------- reviews


def test_a_review_is_stored_with_its_game(client_on_both: TestClient) -> None:
    client = client_on_both
    game = over(client)
    path = f"{API}/games/{game['id']}/review"
    assert error_of(client.get(path)) == (404, "unknown_review")
    sent = review(
        reviewed_move("Ed5ne", 0.2, judgement="mistake", best=["Cc5ne", "Tl10n", "c5-e7ne"]),
        reviewed_move("Tl10n", proven=-4),
    )
    kept = client.put(path, json=sent)
    assert kept.status_code == 200, kept.text
    found = client.get(path).json()
    assert found == kept.json()
    assert Review.model_validate(found).model_dump(mode="json") == {**found, "updated": found["updated"]}
    first, second = found["turns"]
    assert (first["ply"], first["colour"], first["judgement"]) == (0, "w", "mistake")
    assert first["best"] == ["Cc5ne", "Tl10n", "c5-e7ne"]
    assert (second["ply"], second["colour"], second["proven"], second["best"]) == (1, "b", -4, [])
    assert found["accuracy"] == {"w": pytest.approx(scale.accuracy([0.2])), "b": 100.0}
    assert client.put(path, json=review(reviewed_move("Ed5ne"), reviewed_move("Tl10n"))).status_code == 200
    assert client.get(path).json()["accuracy"] == {"w": 100.0, "b": 100.0}, "the last one counts"


def test_a_review_is_hidden_while_its_game_is_continued(client: TestClient) -> None:
    game = over(client)
    path = f"{API}/games/{game['id']}/review"
    assert client.put(path, json=review(reviewed_move("Ed5ne"), reviewed_move("Tl10n"))).status_code == 200
    post_action(client, game, "undo")
    post_action(client, game, "undo")
    assert error_of(client.get(path)) == (404, "unknown_review")
    play_moves(client, {**game, "ply": 1}, "Tl10n")
    post_action(client, game, "resign", {"colour": "w"})
    assert client.get(path).status_code == 200
    assert client.delete(f"{API}/games/{game['id']}").status_code == 204
    assert error_of(client.get(path)) == (404, "unknown_game")


@pytest.mark.parametrize(
    ("turns", "code"),
    [
        ([reviewed_move("Ed5ne")], "invalid_review"),
        ([reviewed_move("Ed5ne"), reviewed_move("Tl10s")], "invalid_review"),
        ([reviewed_move("Ed5ne", best=["Cc5ne", "Cc5ne"]), reviewed_move("Tl10n")], "invalid_review"),
        ([reviewed_move("Ed5ne", best=["nonsense"]), reviewed_move("Tl10n")], "invalid_review"),
        ([reviewed_move("Ed5ne", 1.5), reviewed_move("Tl10n")], "malformed"),
        ([reviewed_move("Ed5ne", judgement="terrible"), reviewed_move("Tl10n")], "malformed"),
        ([reviewed_move("Ed5ne", best=["Cc5ne"] * 33), reviewed_move("Tl10n")], "malformed"),
    ],
)
def test_a_review_of_another_game_is_refused(client: TestClient, turns: list[dict[str, object]], code: str) -> None:
    game = over(client)
    answer = client.put(f"{API}/games/{game['id']}/review", json=review(*turns))
    assert error_of(answer) == (422, code)


def test_a_review_of_an_unfinished_game_is_refused(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne")
    answer = client.put(f"{API}/games/{game['id']}/review", json=review(reviewed_move("Ed5ne")))
    assert error_of(answer) == (409, "not_possible")
    assert error_of(client.put(f"{API}/games/nobody/review", json=review())) == (404, "unknown_game")
