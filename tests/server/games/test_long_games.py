"""A game of two thousand moves, the longest there may be: a further move costs no more than in a short game.

What it costs is counted in steps of the kernel and in the threads that do it, not in seconds.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import API, event_loop_thread, get_game

from punct import Colour, Game, Heading, Kind, kernel, position, records
from punct.errors import PunctError
from punct.outcome import Ending, Outcome
from punct.server.games import snapshots
from punct.server.games.engine_status import IDLE
from punct.server.games.errors import NotPossibleError
from punct.server.games.game import MAX_PLIES, PlayedGame, PlayedMove
from punct.server.games.model import StoredGame, StoredMove, StoredSeat
from punct.server.games.presenter import move as move_json
from punct.server.games.snapshots import SnapshotCache
from punct.server.http import encoding

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
START = "standard w wEd5ne bTl5s"
"""One piece each: they wander about, and join nothing."""


@cache
def wandering(turns: int) -> tuple[str, ...]:
    played = tuple(map(str, kernel.Position(START).play_random(7, turns, moved=100)))
    assert len(played) == turns and not any(text[0].isupper() for text in played)
    return played


def game_of(turns: int, comment: str | None = None) -> PlayedGame:
    seats = {colour: StoredSeat("person", "Anna") for colour in Colour}
    stored = StoredGame("a-game", "standard", START, seats, turns, 1, None, {"Event": "ü"}, NOW, NOW)
    return PlayedGame.replay(stored, [StoredMove(text, NOW, comment) for text in wandering(turns)])


@pytest.fixture
def pops(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Have it noted how often a turn is taken back on a board."""
    counted: list[None] = []
    pop = kernel.Position.pop

    def counting(self: kernel.Position) -> Any:
        counted.append(None)
        return pop(self)

    monkeypatch.setattr(kernel.Position, "pop", counting)
    return counted


def test_a_move_is_played_and_recognized_without_undoing_moves(pops: list[None]) -> None:
    last = wandering(MAX_PLIES)[-1]
    game = game_of(MAX_PLIES - 1)
    pops.clear()
    game = game.push(last)
    assert game.ply == MAX_PLIES and game.repetitions == 1 and not pops
    assert game.was_played(wandering(1)[0], 0) and not game.was_played("Td5n", 0) and not pops
    with pytest.raises(NotPossibleError):
        game.push(last)


def there_and_back(game: PlayedGame) -> tuple[str, str]:
    """Return a turn that moves a piece, and the one that would take it back where it lay."""
    there = next(move for move in game.position().legal_moves if not move.is_add)
    board = position.Position(str(game.position()))
    piece = None if there.origin is None else board.top(there.origin)
    assert piece is not None
    return str(there), f"{there.space}-{there.origin}{piece.heading}"


def test_only_similar_positions_are_compared_for_repetition(pops: list[None]) -> None:
    first = game_of(MAX_PLIES - 12)
    white, white_back = there_and_back(first)
    black, black_back = there_and_back(first.push(white))
    game = first.push(white).push(black).push(white_back)
    pops.clear()
    game = game.push(black_back)
    assert game.repetitions == 2 and len(pops) == 4
    for text in (white, black, white_back, black_back):
        assert game.outcome is None
        game = game.push(text)
    assert game.repetitions == 3 and game.outcome == Outcome(None, Ending.REPETITION)
    game = game.take_back(first.ply)
    assert game.repetitions == 1 and game.outcome is None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_repeated_move_is_recognized_in_any_notation(seed: int) -> None:
    """As the position tells that it was played in."""
    stored = StoredGame("a-game", "basic", "basic w", {c: StoredSeat() for c in Colour}, 0, 1, None, {}, NOW, NOW)
    game = PlayedGame.replay(stored, [])
    for move in kernel.Position("basic w").play_random(seed, 40, raised=30, bridge=30, moved=60):
        game = game.push(str(move))
    written = 0
    for ply, played in enumerate(game.moves):
        bare = played.text.rstrip("nesw")
        piece = bare.lstrip("TCEMLR")
        texts = [f"{bare}{heading}" for heading in Heading]
        texts += [f"{kind}{piece}{heading}" for kind in Kind for heading in Heading]
        texts += [f" {played.text} ", game.moves[ply - 1].text, "what?", ""]
        before = game.position(ply)
        for text in texts:
            try:
                was = str(before.parse(text)) == played.text
            except PunctError:
                was = False
            assert game.was_played(text, ply) is was, (text, played.text)
            written += was
    assert written > 3 * game.ply


# ---------------------------------------------------------------------- as a record


@pytest.mark.parametrize("form", ["text", "sgf"])
def test_a_record_is_written_without_the_slow_rules(monkeypatch: pytest.MonkeyPatch, form: records.Format) -> None:
    game = game_of(MAX_PLIES, "far")

    def slow(*_: object) -> None:
        raise AssertionError("the library plays")

    with monkeypatch.context() as library:
        library.setattr(position.Position, "push", slow)
        text = records.dumps([game.to_record()], format=form)
    (read,) = records.loads(text)
    assert tuple(map(str, read.moves)) == wandering(MAX_PLIES) and read.node.comment == "far"


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        Outcome(None, Ending.AGREEMENT),
        Outcome(Colour.BLACK, Ending.RESIGNATION),
        Outcome(Colour.WHITE, Ending.TIME),
    ],
)
def test_a_record_is_that_of_the_library(outcome: Outcome | None) -> None:
    for turns in (0, 9):
        played = game_of(turns, "far")
        game = Game(START, {"Event": "ü", "White": "Anna", "Black": "Anna", "Date": "2026-01-02"})
        for move in played.moves:
            game.push(move.text)
            game.comment = "far"
        if outcome is not None:
            played = played.end(outcome)
            if outcome.reason is Ending.AGREEMENT:
                game.agree_draw()
            elif outcome.reason is Ending.TIME:
                game.lose_on_time(Colour.BLACK)
            else:
                game.resign(Colour.WHITE)
        assert played.to_record() == game


# ---------------------------------------------------------------------- as it is sent


def test_only_the_new_move_is_serialized(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def noted(ply: int, played: PlayedMove) -> encoding.Json:
        written.append(ply)
        return move_json(ply, played)

    monkeypatch.setattr(snapshots, "move", noted)
    presenter = SnapshotCache(lambda _: IDLE)
    game = game_of(MAX_PLIES - 1)
    presenter.get(game)
    assert len(written) == game.ply
    written.clear()
    game = game.push(wandering(MAX_PLIES)[-1])
    after = presenter.get(game).body
    assert written == [MAX_PLIES - 1]
    assert after == SnapshotCache(lambda _: IDLE).get(game).body


def test_a_long_game_is_first_serialized_outside_the_event_loop(
    empty_client: TestClient, record_threads: Callable[[object, str], set[int]]
) -> None:
    text = f'[Position "{START}"]\n\n{" ".join(wandering(MAX_PLIES))} *'
    taken = empty_client.post(f"{API}/records", json={"text": text, "format": "text"})
    assert taken.status_code == 201, taken.text
    (summary,) = taken.json()["games"]
    threads = record_threads(snapshots, "move")
    game = get_game(empty_client, summary)
    assert game["ply"] == len(game["turns"]) == MAX_PLIES
    assert threads and event_loop_thread(empty_client) not in threads
    threads.clear()
    assert get_game(empty_client, summary) == game and not threads
    with empty_client.websocket_connect(f"{API}/games/{game['id']}/live") as live:
        assert live.receive_json()["game"] == game and not threads


def test_the_memory_of_a_game_is_estimated() -> None:
    for turns in (0, 60, 2000):
        for comment in (None, "x" * 1000):
            game_of(turns, comment)
            tracemalloc.start()
            game = game_of(turns, comment and comment + "y")
            taken, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert game.ply == turns and taken <= game.estimate_bytes() + 1000, (turns, taken, game.estimate_bytes())
            assert game.estimate_bytes() >= turns * len(comment or "")
