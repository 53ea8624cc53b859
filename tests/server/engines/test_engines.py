"""Engines in seats: they move, stop when nobody needs them, survive broken processes, and resume games."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

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

from punct import Colour, Position
from punct.server.app import create_app
from punct.server.db.database import open_database
from punct.server.engines.service import Engines, _job
from punct.server.games import game as game_module
from punct.server.games.errors import NotYourTurnError
from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredSeat
from punct.server.games.service import Games
from punct.server.games.setup import game_from_position as start
from punct.server.games.store import GameStore
from punct.server.workers.pool import JobError
from punct.server.workers.process import WorkerLimits
from punct.server.workers.think import ThinkJob

COMPUTER = {"type": "engine", "level": 1}


def until_person(client: TestClient, game: dict[str, Any]) -> dict[str, Any]:
    """Watch until it is a person's turn, or the game is over."""
    with client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:
        while True:
            message = socket.receive_json()
            if message["type"] == "thinking":
                assert message["thinking"]["state"] != "failed", message
            if message["type"] == "game":
                game = message["game"]
                assert game["thinking"]["state"] != "failed", game["thinking"]
                if game["outcome"] or game["seats"][game["turn"]]["type"] == "person":
                    return game


def test_an_engine_replies(client: TestClient) -> None:
    game = play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne")
    assert game["thinking"]["state"] in {"queued", "thinking"}
    assert (game["thinking"]["colour"], game["thinking"]["level"]) == ("b", 1)
    assert error_of(post_action(client, game, "turns", {"text": "Tl5s", "ply": 1}))[0] == 409
    game = until_person(client, game)
    assert (game["ply"], game["turn"], game["thinking"]["state"]) == (2, "w", "idle")
    assert game["turns"][1]["colour"] == "b"
    assert not game["may_draw"] and error_of(post_action(client, game, "draw")) == (409, "not_possible")
    assert error_of(post_action(client, game, "resign", {"colour": "b"})) == (409, "not_possible")


def test_an_engine_starts_as_white(client: TestClient) -> None:
    game = until_person(client, create_game(client, rules="basic", seats={"w": COMPUTER, "b": {}}))
    assert game["ply"] == 1 and not game["may_undo"]
    assert error_of(post_action(client, game, "undo")) == (409, "not_possible")


def test_undo_goes_back_to_the_persons_move(client: TestClient) -> None:
    game = until_person(client, play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne"))
    game = until_person(client, play_moves(client, game, "Tk2n" if "Tk2n" in legal(game) else legal(game)[0]))
    assert game["ply"] == 4
    status, game = post_action(client, game, "undo", {"ply": 4})
    assert (status, game["ply"], game["turn"]) == (200, 2, "w")
    # While it thinks, taking back ends its thinking.
    game = play_moves(client, game, legal(game)[0])
    answer = post_action(client, game, "undo", {"ply": 3})
    if answer[0] == 200:
        assert (answer[1]["ply"], answer[1]["thinking"]["state"]) == (2, "idle")
    else:  # it was quicker, and the undo was meant for a position that is gone
        assert error_of(answer) == (409, "wrong_ply")
        assert get_game(client, game)["ply"] == 4


def test_redo_restores_the_engines_move(client: TestClient) -> None:
    game = until_person(client, play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne"))
    _, back = post_action(client, game, "undo", {"ply": 2})
    assert (back["ply"], back["may_redo"]) == (0, True)
    status, again = post_action(client, game, "redo", {"ply": 0})
    assert (status, again["ply"], again["thinking"]["state"], again["may_redo"]) == (200, 2, "idle", False)
    assert again["turns"] == game["turns"]


def legal(game: dict[str, Any]) -> list[str]:
    return sorted(map(str, Position(game["view"]["text"]).legal_moves))


def test_a_hint_is_a_legal_move(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne")
    status, hint = post_action(client, game, "hint")
    assert status == 200 and hint["turn"] in legal(game)
    assert hint["line"][0] == hint["turn"] and 0 <= hint["chance"] <= 1 and hint["ply"] == 1
    assert get_game(client, game) == game


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_weak_levels_play_differently_in_each_game(level: int) -> None:
    def reply(turns: tuple[str, ...], seed: int) -> str:
        return ThinkJob("standard w", turns, level, seed).run(lambda _: None, threading.Event()).move

    for turns in (("Tl10n",), ("Ed5ne",)):
        replies = [reply(turns, seed) for seed in range(8)]
        assert len(set(replies)) >= (2 if level == 5 else 4), replies  # it weighs but three, some of them mirrored
        assert reply(turns, 3) == replies[3]  # but in one game the same position is answered alike


def test_every_game_has_a_seed_of_its_own(tmp_path: Path) -> None:
    store = GameStore(open_database(tmp_path))
    seats = {Colour.WHITE: StoredSeat(), Colour.BLACK: StoredSeat("engine", level=1)}
    stored = store.create([start("standard w", seats) for _ in range(20)]).result()
    games = [PlayedGame.replay(game, []) for game in stored]
    assert len({_job(game, 1).seed for game in games}) == 20
    store.close()


def test_levels_are_described(client: TestClient) -> None:
    levels = client.get(f"{API}/levels").json()["levels"]
    assert [level["level"] for level in levels] == list(range(1, 9))
    assert all(level["name"] and level["description"] for level in levels)


def test_two_engines_play_while_somebody_watches(client: TestClient) -> None:
    game = create_game(client, seats={"w": COMPUTER, "b": COMPUTER})
    assert game["thinking"]["state"] == "idle"  # nobody watches yet
    with client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:
        plies: set[int] = set()
        while len(plies) < 3:
            message = socket.receive_json()
            if message["type"] == "game":
                plies.add(message["game"]["ply"])
    assert error_of(post_action(client, game, "resign")) == (409, "not_possible")
    assert error_of(post_action(client, game, "undo"))[0] == 409
    client.delete(f"{API}/games/{game['id']}")


def test_a_failed_engine_is_shown_and_can_be_retried(empty_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client = empty_client
    attempts = 0

    async def fail(*_: object) -> None:
        nonlocal attempts
        attempts += 1
        raise JobError("It broke down.")

    services = client.app.state.services  # type: ignore[attr-defined]
    with monkeypatch.context() as broken:
        broken.setattr(services.get(Engines)._pool, "run", fail)
        game = play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne")
        with client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:
            thinking = game["thinking"]
            while thinking["state"] != "failed":
                message = socket.receive_json()
                thinking = message["game"]["thinking"] if message["type"] == "game" else message["thinking"]
        assert (thinking["code"], thinking["message"]) == ("engine_failed", "It broke down.") and attempts >= 2
        game = create_game(client)
        assert error_of(post_action(client, game, "hint")) == (503, "engine_failed")
        broken.setattr(services.get(Engines)._pool, "waiting", 1000)
        assert error_of(post_action(client, game, "hint")) == (429, "busy")
    game = play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne")
    assert until_person(client, game)["ply"] == 2


def test_a_hung_engine_is_replaced_and_the_game_goes_on(
    empty_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = empty_client
    pool = client.app.state.services.get(Engines)._pool  # type: ignore[attr-defined]
    assert (
        until_person(client, play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne"))["ply"]
        == 2
    )
    with monkeypatch.context() as hanging:
        hanging.setattr(pool, "limits", WorkerLimits(seconds=0.0))  # for workers yet to start
        for worker in pool._workers:
            hanging.setattr(worker, "limits", WorkerLimits(seconds=0.0))
        game = play_moves(client, create_game(client, seats={"w": {}, "b": {"type": "engine", "level": 8}}), "Ed5ne")
        with client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:
            thinking = game["thinking"]
            while thinking["state"] != "failed":
                message = socket.receive_json()
                thinking = message["game"]["thinking"] if message["type"] == "game" else message["thinking"]
    assert "was ended" in thinking["message"]
    assert until_person(client, game)["ply"] == 2  # looking at it again is asking again


def test_closing_waits_for_an_engines_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played, closed = Games.play, Engines.close
    begun, closing = threading.Event(), asyncio.Event()

    async def slowly(self: Games, *asked: Any, engine: bool = False, **further: Any) -> Any:
        if engine:
            begun.set()
            await closing.wait()
        return await played(self, *asked, engine=engine, **further)

    async def close(self: Engines) -> None:
        closing.set()
        await closed(self)

    monkeypatch.setattr(Games, "play", slowly)
    monkeypatch.setattr(Engines, "close", close)
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game = play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne")
        begun.wait()
    store = GameStore(open_database(tmp_path))
    loaded = store.load(game["id"])
    store.close()
    assert loaded is not None and loaded[0].ply == 2


def test_a_game_that_can_go_no_further_is_a_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is to move cannot: the computer ends it, and lets a person do so."""
    monkeypatch.setattr(game_module, "MAX_PLIES", 1)
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game = play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne")
        while (game := get_game(client, game))["outcome"] is None:
            assert game["thinking"]["state"] == "idle"
        assert game["outcome"] == {"winner": None, "reason": "agreement"}
        game = until_person(client, create_game(client, seats={"w": COMPUTER, "b": {}}))
        assert game["ply"] == 1 and game["may_draw"]
        assert error_of(post_action(client, game, "turns", {"text": "Tl5s", "ply": 1})) == (409, "not_possible")
        assert post_action(client, game, "draw")[1]["outcome"] == {"winner": None, "reason": "agreement"}


def test_a_refused_engine_move_ends_thinking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Games.play

    async def refused(self: Games, *asked: Any, engine: bool = False, **further: Any) -> PlayedGame:
        if engine:
            raise NotYourTurnError("Not now.")
        return await played(self, *asked, engine=engine, **further)

    monkeypatch.setattr(Games, "play", refused)
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game = play_moves(client, create_game(client, seats={"w": {}, "b": COMPUTER}), "Ed5ne")
        while (game := get_game(client, game))["thinking"]["state"] != "failed":
            pass
        assert game["ply"] == 1 and "Not now." in game["thinking"]["message"]


def test_interrupted_games_are_resumed_at_the_start(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game = create_game(client, seats={"w": {}, "b": COMPUTER})
    store = GameStore(open_database(tmp_path))
    play_in_other_process(store, game["id"], "Ed5ne")  # as if the server had been killed right after storing it
    store.close()
    with TestClient(create_app(tmp_path, workers=1)) as client:
        assert until_person(client, game)["ply"] == 2


def test_persons_and_engines_play_only_their_own_seats(tmp_path: Path) -> None:
    async def try_both() -> None:
        store = GameStore(open_database(tmp_path))
        games = Games(store)
        game = await games.create(start("standard w", {Colour.WHITE: StoredSeat(), Colour.BLACK: StoredSeat("engine")}))
        with pytest.raises(NotYourTurnError):
            await games.play(game.id, "Ed5ne", 0, engine=True)
        await games.play(game.id, "Ed5ne", 0)
        with pytest.raises(NotYourTurnError):
            await games.play(game.id, "Tl5s", 1)
        await games.play(game.id, "Tl5s", 1, engine=True)
        await games.close()
        store.close()

    asyncio.run(try_both())
