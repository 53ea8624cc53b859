"""Records imported and exported, and pictures by URL."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, error_of, get_game, play_moves, post_action

from punct import records
from punct.server.games.records import RecordReader
from punct.server.games.service import Games
from punct.server.workers.pool import JobLimitError


@pytest.mark.parametrize("form", ["text", "sgf"])
def test_an_exported_record_can_be_imported(client: TestClient, form: str) -> None:
    game = create_game(client, seats={"w": {"name": "Anna"}, "b": {"name": "Żaneta"}})
    game = play_moves(client, game, "Ed5ne", "Tl5s", "d5-d6ne")
    post_action(client, game, "resign")
    answer = client.get(f"{API}/games/{game['id']}/record", params={"format": form})
    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
    (written,) = records.loads(answer.text)
    assert [str(move) for move in written.moves] == ["Ed5ne", "Tl5s", "d5-d6ne"]
    taken = client.post(f"{API}/records", json={"text": answer.text})
    assert taken.status_code == 201
    (summary,) = taken.json()["games"]
    copy = get_game(client, summary)
    assert [turn["text"] for turn in copy["turns"]] == ["Ed5ne", "Tl5s", "d5-d6ne"]
    assert copy["seats"] == game["seats"] and copy["result"] == "1-0"
    assert copy["id"] != game["id"] and copy["turns"][0]["at"] is None


def test_comments_are_imported_and_exported(client: TestClient) -> None:
    text = '[White "Anna"]\n[Event "Summer"]\n\n1. Ed5ne {far from\nhome} Tl5s *\n'
    summary = client.post(f"{API}/records", json={"text": text}).json()["games"][0]
    assert get_game(client, summary)["turns"][0]["comment"]
    written = client.get(f"{API}/games/{summary['id']}/record").text
    assert records.loads(written)[0].tags["Event"] == "Summer"
    assert "far from" in written


def test_imported_moves_can_be_undone_and_redone(client: TestClient) -> None:
    summary = client.post(f"{API}/records", json={"text": "1. Ed5ne {far} Tl5s 2. d5-d6ne *"}).json()["games"][0]
    whole = get_game(client, summary)
    game = play_moves(client, whole, "l5-l6s")
    for ply in (3, 2, 1):
        status, game = post_action(client, game, "undo")
        assert (status, game["ply"]) == (200, ply)
        client.app.state.services.get(Games)._cache.clear()  # type: ignore[attr-defined]  # the store alone knows
    for ply in (2, 3):
        status, game = post_action(client, game, "redo")
        assert (status, game["ply"]) == (200, ply)
        client.app.state.services.get(Games)._cache.clear()  # type: ignore[attr-defined]
    assert get_game(client, game)["turns"] == whole["turns"] and whole["turns"][0]["comment"] == "far"
    other = play_moves(client, post_action(client, game, "undo")[1], "d5-d7ne")
    written = client.get(f"{API}/games/{other['id']}/record").text
    assert "d5-d7ne" in written and "d5-d6ne" not in written


def test_an_invalid_record_imports_nothing(empty_client: TestClient) -> None:
    good = '[White "Anna"]\n\n1. Ed5ne Tl5s *\n\n'
    for text in (good + "1. Ed5ne Ed5ne *\n", "(;GM[1])", "", " ", "[[[", good.replace("Tl5s", "Tz9s")):
        answer = empty_client.post(f"{API}/records", json={"text": text})
        assert answer.status_code == 422, text
        assert error_of((422, answer.json()))[1] in {"invalid_record", "malformed"}
    assert empty_client.get(f"{API}/games").json()["total"] == 0


def test_a_record_of_too_many_games_is_refused_early(empty_client: TestClient) -> None:
    for text in ("* " * 500_000, "(;)" * 300_000):
        answer = empty_client.post(f"{API}/records", json={"text": text})
        assert error_of((answer.status_code, answer.json())) == (422, "invalid_record")
        assert "500" in answer.json()["error"]["message"]
    for text in ("1. Ed5ne *\n\n1. Tl5s *", "* " * 7000, "(;)(;)"):
        answer = empty_client.post(f"{API}/games", json={"record": text})
        assert error_of((answer.status_code, answer.json())) == (422, "invalid_record")
    assert empty_client.get(f"{API}/games").json()["total"] == 0


def test_a_record_that_takes_too_long_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def overrun(*_: object) -> None:
        raise JobLimitError("This took too long.")

    pool = client.app.state.services.get(RecordReader)._pool  # type: ignore[attr-defined]
    with monkeypatch.context() as hostile:
        hostile.setattr(pool, "run", overrun)
        for path, body in (("/records", {"text": "*"}), ("/games", {"record": "*"})):
            answer = client.post(f"{API}{path}", json=body)
            assert error_of((answer.status_code, answer.json())) == (413, "too_large")
    assert client.post(f"{API}/records", json={"text": "*"}).status_code == 201


def test_a_record_is_written_in_another_format_with_its_variations(client: TestClient) -> None:
    tree = '[White "Anna"]\n\n1. Ed5ne {good} (1. Cc5ne 1... Tl10n) 1... Tl10n *\n'
    before = client.get(f"{API}/games").json()["total"]
    sgf = client.post(f"{API}/records/convert", json={"text": tree, "format": "sgf"}).json()["text"]
    assert sgf.startswith("(;") and "Anna" in sgf and "good" in sgf and sgf.count("(;") > 1
    back = client.post(f"{API}/records/convert", json={"text": sgf, "format": "text"}).json()["text"]
    assert "1. Ed5ne {good} (1. Cc5ne Tl10n) 1... Tl10n" in back
    assert client.get(f"{API}/games").json()["total"] == before
    refused = client.post(f"{API}/records/convert", json={"text": "1. Zz9 *", "format": "sgf"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "invalid_record")
    large = client.post(f"{API}/records/convert", json={"text": "{" + "x" * 300_000 + "} *", "format": "sgf"})
    assert large.status_code == 413


def test_records_may_be_larger_than_other_bodies(empty_client: TestClient) -> None:
    text = "".join(f'[Round "{number}"]\n\n1. Ed5ne {{{"x" * 500}}} Tl5s *\n\n' for number in range(60))
    assert len(text) > 20_000
    answer = empty_client.post(f"{API}/records", json={"text": text, "format": "text"})
    assert answer.status_code == 201 and len(answer.json()["games"]) == 60
    assert empty_client.get(f"{API}/games").json()["total"] == 60


def test_pictures_of_games_and_positions(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl5s")
    svg = client.get(f"{API}/games/{game['id']}/picture.svg", params={"theme": "dark", "ply": 1})
    assert svg.status_code == 200 and svg.headers["content-type"] == "image/svg+xml" and "<svg" in svg.text
    assert svg.text != client.get(f"{API}/games/{game['id']}/picture.svg", params={"theme": "dark"}).text
    png = client.get(f"{API}/games/{game['id']}/picture.png", params={"size": 200})
    assert png.status_code == 200 and png.content.startswith(b"\x89PNG") and png.headers["content-type"] == "image/png"
    position = client.get(f"{API}/picture.svg", params={"position": "standard w wTb9ne"})
    assert position.status_code == 200 and "max-age" in position.headers["cache-control"]
    for path, params in (
        (f"/games/{game['id']}/picture.svg", {"ply": "9"}),
        (f"/games/{game['id']}/picture.gif", {}),
        (f"/games/{game['id']}/picture.png", {"size": "100000"}),
        ("/picture.svg", {"position": "standard w wTz9ne"}),
        ("/picture.svg", {}),
    ):
        answer = client.get(f"{API}{path}", params=params)
        assert answer.status_code in {404, 422}, path
        error_of((answer.status_code, answer.json()))
