"""Animations by URL: drawn once, in a process of their own, within limits."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, play_moves

from punct.server.workers.draw import AnimateJob
from punct.server.workers.remote import JOB_KINDS


def count_frames(content: bytes) -> int:
    with Image.open(io.BytesIO(content)) as image:
        return int(getattr(image, "n_frames", 1))


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_a_game_and_a_variation_are_animated(client: TestClient, form: str) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl10n")
    path = f"{API}/games/{game['id']}/animation.{form}"
    answer = client.get(path, params={"size": 64})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == f"image/{form}"
    assert count_frames(answer.content) == 3
    tag = answer.headers["ETag"]
    assert client.get(path, params={"size": 64}, headers={"If-None-Match": tag}).status_code == 304
    assert count_frames(client.get(path, params={"size": 64, "from": 1, "to": 2}).content) == 2
    same = client.get(f"{API}/animation.{form}", params={"position": "standard w", "turns": "Ed5ne Tl10n", "size": 64})
    assert same.content == answer.content, "the same picture, drawn once"
    play_moves(client, game, "Eg3n")
    assert client.get(path, params={"size": 64}, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        ({"turns": "Ed5ne Ed5ne"}, (422, "illegal_turn")),
        ({"turns": "nonsense"}, (422, "invalid_turn")),
        ({"turns": "Ed5ne", "position": "chess w"}, (422, "invalid_position")),
        ({"turns": "Ed5ne", "to": "2"}, (404, "unknown_ply")),
        ({"turns": "Ed5ne", "from": "1", "to": "0"}, (404, "unknown_ply")),
        ({"turns": "Ed5ne", "size": "601"}, (422, "malformed")),
        ({"turns": "Ed5ne", "delay": "0"}, (422, "malformed")),
        ({"turns": "Ed5ne Tl10n d5-f7n l10-l12n " * 50}, (422, "illegal_turn")),
    ],
)
def test_invalid_animations_are_refused(client: TestClient, asked: dict[str, str], refused: tuple[int, str]) -> None:
    answer = client.get(f"{API}/animation.gif", params={"position": "standard w", **asked})
    assert (answer.status_code, answer.json()["error"]["code"]) == refused


def test_too_many_frames_are_refused(client: TestClient) -> None:
    """Four pieces go there and back in ever other ways, so that nothing stands a third time."""
    import random

    from punct.game import Game

    game, dice = Game("standard w"), random.Random(3)
    while len(game.moves) < 170:
        moves = [move for move in game.position.legal_moves if not move.is_add] if len(game.moves) >= 6 else None
        game.push(dice.choice(moves or list(game.position.legal_moves)))
        if game.outcome() is not None:
            game.pop()
    turns = " ".join(map(str, game.moves))
    asked = {"position": "standard w", "turns": turns, "size": "64"}
    answer = client.get(f"{API}/animation.webp", params=asked)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_possible")


def test_pages_of_other_sites_are_refused(client: TestClient) -> None:
    asked = {"position": "standard w", "turns": "Ed5ne"}
    answer = client.get(f"{API}/animation.gif", params=asked, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")


def test_an_animation_job_survives_serialization() -> None:
    from dataclasses import asdict

    wanted = AnimateJob("gif", "standard w", ("Ed5ne",), delay=0.5)
    given = asdict(wanted)
    given["turns"] = list(given["turns"])  # as JSON has it
    assert JOB_KINDS[AnimateJob].read(given) == wanted
