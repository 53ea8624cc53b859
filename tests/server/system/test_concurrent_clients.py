"""Many clients at one game at once: every response is in order, and what is sent is what is stored."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import create_game, get_game, post_action

from punct import Game, Position
from punct.server.app import create_app

CLIENTS, REQUESTS = 6, 20


@pytest.mark.parametrize("seats", [{}, {"b": {"type": "engine", "level": 1}}], ids=["two persons", "computer"])
def test_concurrent_clients_leave_a_consistent_game(tmp_path: Path, seats: dict[str, object]) -> None:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game_id = create_game(client, seats=seats)

        def meddle(number: int) -> set[int]:
            dice = random.Random(number)
            statuses = set()
            for _ in range(REQUESTS):
                seen = get_game(client, game_id)
                match dice.randrange(10):
                    case 0 | 1:
                        statuses.add(post_action(client, seen, "undo", {"ply": seen["ply"]})[0])
                    case 2:
                        statuses.add(post_action(client, seen, "resign")[0])
                        statuses.add(post_action(client, seen, "undo")[0])
                    case _:
                        moves = sorted(map(str, Position(seen["view"]["text"]).legal_moves))
                        turn = {"text": dice.choice(moves), "ply": seen["ply"]} if moves else {"text": "", "ply": 0}
                        statuses.add(post_action(client, seen, "turns", turn)[0])
            return statuses

        with ThreadPoolExecutor(CLIENTS) as threads:
            statuses = set().union(*threads.map(meddle, range(CLIENTS)))
        assert 200 in statuses and statuses <= {200, 409, 422}
        status, _ = post_action(client, game_id, "resign")  # from here on nobody, no engine either, plays on
        assert status in {200, 409}
        told = get_game(client, game_id)
    game = Game(told["start"])
    for ply, turn in enumerate(told["turns"]):
        assert turn["ply"] == ply
        game.push(turn["text"])
    assert told["view"]["text"] == str(game.position)
    with TestClient(create_app(tmp_path, workers=1)) as client:
        assert get_game(client, game_id) == told
