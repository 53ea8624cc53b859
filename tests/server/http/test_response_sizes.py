"""The size of responses, which bounds how a board feels over a slow line."""

from __future__ import annotations

import json
import random

from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game

from punct import Position

MID_GAME = 10_000
"""No answer of a game in full swing may be larger than this, compressed."""


def random_turns(count: int, seed: int) -> list[str]:
    """Return the turns of a random game that is still open after so many; every other one moves a piece, if it can."""
    dice = random.Random(seed)
    while True:
        position = Position()
        while len(position.moves) < count and position.outcome() is None:
            moves = sorted(position.legal_moves)
            shifts = [move for move in moves if not move.is_add]
            position.push(dice.choice(shifts if shifts and dice.random() < 0.6 else moves))
        if position.outcome() is None:
            return [str(move) for move in position.moves]


def received(client: TestClient, path: str) -> tuple[int, int]:
    """Return how many bytes came over the line, and how many they were unpacked."""
    with client.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.status_code == 200 and answer.headers["content-encoding"] == "gzip"
    return len(raw), len(client.get(path).content)


def test_a_typical_game_is_small(client: TestClient) -> None:
    turns = random_turns(50, seed=1)
    moves = "".join(
        f"{number // 2 + 1}. {text} " if number % 2 == 0 else f"{text} " for number, text in enumerate(turns)
    )
    game = create_game(client, record=f"{moves}*")
    assert len(game["view"]["pieces"]) >= 15 and game["view"]["legal"]["count"] > 1000 and game["ply"] == 50
    compressed, plain = received(client, f"{API}/games/{game['id']}")
    assert compressed < MID_GAME / 2, (compressed, plain)
    compressed, plain = received(client, f"{API}/games/{game['id']}/positions/40")
    assert compressed < MID_GAME / 2, (compressed, plain)


def test_the_largest_game_is_small(client: TestClient) -> None:
    """Every piece but one on the board, all of one player's free: more to tell than a real game ever has."""
    dice = random.Random(2)
    position = Position()
    while position.on_board(position.turn) < 17 and position.outcome() is None:
        position.push(dice.choice([move for move in sorted(position.legal_moves) if move.is_add]))
    answer = client.post(f"{API}/positions/view", json={"position": str(position)}, headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200 and int(answer.headers["content-length"]) < MID_GAME
    assert len(json.dumps(answer.json()["legal"])) > 2000


def test_the_board_is_compressed_and_cacheable(client: TestClient) -> None:
    compressed, plain = received(client, f"{API}/board")
    assert compressed < 3000 < plain
    assert "max-age" in client.get(f"{API}/board").headers["cache-control"]
