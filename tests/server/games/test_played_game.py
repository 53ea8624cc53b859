"""``PlayedGame``, held to the library: every move, in games that jump, bridge and repeat themselves."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from punct import Colour, Game, kernel
from punct.errors import PunctError
from punct.kernel.view import view_json
from punct.outcome import Ending, Outcome
from punct.position import Position
from punct.server.engines import presenter as engine_presenter
from punct.server.engines import schemas as engine_schemas
from punct.server.errors import BrokenGameError
from punct.server.games import live_schemas as game_live_schemas
from punct.server.games import messages as game_messages
from punct.server.games import presenter as game_presenter
from punct.server.games import schemas as game_schemas
from punct.server.games.engine_status import IDLE, Thinking
from punct.server.games.events import RemovalReason
from punct.server.games.game import Manner, PlayedGame
from punct.server.games.model import StoredGame, StoredMove, StoredSeat, Tally
from punct.server.games.snapshots import SnapshotCache
from punct.server.http import encoding
from punct.server.http import schemas as http_schemas
from punct.server.live import messages as live_messages
from punct.server.live import schemas as live_schemas
from punct.server.positions import presenter as position_presenter
from punct.server.positions import schemas as position_schemas

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
SEATS = {Colour.WHITE: StoredSeat("person", "Änne \U0001f600"), Colour.BLACK: StoredSeat("engine", level=4)}
THINKING = Thinking("thinking", Colour.BLACK, 4, NOW)


def stored(start: str, ply: int = 0) -> StoredGame:
    return StoredGame("a-game", start.split()[0], start, SEATS, ply, 1, None, {"Event": "ü"}, NOW, NOW)


def begin(start: str = "standard w") -> PlayedGame:
    return PlayedGame.replay(stored(start), [])


def random_game(seed: int, rules: str = "standard") -> list[str]:
    """Return a game's moves, with many jumps and bridges; some return where they came from."""
    position = kernel.Position(f"{rules} w")
    return [str(move) for move in position.play_random(seed, 70, raised=40, bridge=40, moved=50)]


def compare(state: tuple[kernel.Position, Outcome | None], game: Game) -> None:
    """Assert that a game is where the library's is. What a view shows of it is tested in tests/kernel/test_view.py."""
    position, outcome = state
    assert (str(position), position.turn, outcome) == (str(game.position), game.position.turn, game.outcome())
    assert [str(move) for move in position.moves] == [str(move) for move in game.moves]


@pytest.mark.parametrize(("seed", "rules"), [(1, "standard"), (2, "basic"), (3, "standard"), (4, "standard")])
def test_every_position_matches_the_library(seed: int, rules: str) -> None:
    played, game = begin(f"{rules} w"), Game(f"{rules} w")
    manners = set()
    for text in random_game(seed, rules):
        played = played.push(text)
        move = game.push(text)
        compare(played.state(), game)
        assert (played.turn, played.outcome, played.repetitions) == (
            game.position.turn, game.outcome(), game.repetitions
        )  # fmt: skip
        last, after = played.moves[-1], game.position.top(move.space)
        assert after is not None
        assert (last.kind, last.colour, last.level) == (after.kind, after.colour, after.level)
        manners.add(last.manner)
    assert manners >= {Manner.ADD, Manner.MOVE, Manner.JUMP, Manner.BRIDGE}
    # Stored and set up again it is the same, and its past is what it was.
    again = PlayedGame.replay(played.stored, [move.stored for move in played.moves])
    assert again.moves == played.moves and view_json(*again.state()) == view_json(*played.state())
    moves = game.moves
    for ply in range(0, len(moves), 7):
        earlier = Game(f"{rules} w")
        for move in moves[:ply]:
            earlier.push(move)
        compare(again.state(ply), earlier)


def test_threefold_repetition_is_a_draw() -> None:
    played, game = begin(), Game()
    there_and_back = ("d5-d6ne", "l5-l6s", "d6-d5ne", "l6-l5s")
    for text in ("Ed5ne", "Tl5s", *there_and_back, *there_and_back):
        assert played.outcome is None
        played = played.push(text)
        game.push(text)
        assert (played.repetitions, played.outcome) == (game.repetitions, game.outcome())
    assert played.outcome is not None and played.repetitions == 3


def test_invalid_stored_games_are_refused() -> None:
    for moves in (["Ti9n"], ["what?"], ["Ed5ne", "Ed5ne"], []):
        with pytest.raises(BrokenGameError):
            PlayedGame.replay(stored("standard w", max(1, len(moves))), [StoredMove(text) for text in moves])
    over = stored("standard b wEh1n wEh4n wEh7n wEh10n wCh14n wTi16ne")  # it says the game goes on
    with pytest.raises(BrokenGameError):
        PlayedGame.replay(over, [])


def test_a_repeated_move_is_recognized_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playing a game again in the library takes a long time, and this is asked on the event loop."""
    played = begin()
    for text in random_game(5)[:40]:
        played = played.push(text)

    def slow(*_: object) -> None:
        raise AssertionError("the library plays")

    with monkeypatch.context() as library:
        for name in ("__init__", "push"):
            library.setattr(Position, name, slow)
        for ply, move in enumerate(played.moves):
            assert played.was_played(f" {move.text} ", ply)
        assert not played.was_played(played.moves[0].text, 40)
        view_json(*played.state(3))
        view_json(*played.state())


# ---------------------------------------------------------------------- as it is sent


def body_of(game: PlayedGame, thinking: Thinking = IDLE) -> bytes:
    return SnapshotCache(lambda _: thinking).get(game).body


def check(body: bytes) -> None:
    """Assert that a game is sent exactly as it is described: nothing missing, nothing more."""
    assert game_schemas.Game.model_validate_json(body, strict=True).model_dump(mode="json") == json.loads(body)


@pytest.mark.parametrize(("seed", "rules"), [(11, "standard"), (12, "basic"), (13, "standard")])
def test_games_match_their_schema(seed: int, rules: str) -> None:
    state = IDLE
    snapshots = SnapshotCache(lambda _: state)
    game = begin(f"{rules} w")
    games = [game, *(game := game.push(text) for text in random_game(seed, rules))]
    for before, game in pairwise(games):
        state = IDLE
        check(snapshots.get(game).body)
        assert snapshots.get(game).body == body_of(game)  # made from what was sent before, or from nothing
        state = THINKING
        check(snapshots.get(game).body)
        assert snapshots.get(game).body == body_of(game, THINKING) != body_of(game)
        assert snapshots.get(game) is snapshots.get(game)
        assert snapshots.get(before).body == body_of(before, THINKING)  # and yet nobody is shown the past as present
        assert snapshots.get(game).body == body_of(game, THINKING)
        assert json.loads(snapshots.get(game).message) == {"type": "game", "game": json.loads(body_of(game, THINKING))}
    back = games[-1].undo()
    assert snapshots.get(back).body == body_of(back, THINKING)
    for game in (games[0], games[0].end(Outcome(None, Ending.AGREEMENT))):
        fresh = SnapshotCache(lambda _: IDLE)
        fresh.get(games[0])
        assert fresh.get(game).body == body_of(game)


def test_positions_explanations_and_messages_match_their_schemas() -> None:
    game = begin()
    for text in random_game(21)[:30]:
        game = game.push(text)
    for ply in range(31):
        view = view_json(*game.state(ply))
        assert position_schemas.PositionView.model_validate_json(view, strict=True).model_dump(
            mode="json"
        ) == json.loads(view)
    for text in ("what?", "Ti9n", "d5-d6ne", str(next(iter(game.position().legal_moves)))):
        said = position_presenter.explanation(*game.state(), text)
        assert position_schemas.Explanation.model_validate_json(said, strict=True).model_dump() == json.loads(said)
    from punct.server.workers.think import ThinkProgress, ThinkResult

    for progress in (None, ThinkProgress(3, 1000, 0.5, ("Ed5ne",), 0.25)):
        message = game_messages.thinking_message(game, THINKING, progress)
        assert game_live_schemas.LiveThinking.model_validate_json(message).model_dump(mode="json") == json.loads(
            message
        )
        assert json.loads(message)["revision"] == game.revision
    fault = live_messages.error_message("malformed", 'not "this"')
    assert http_schemas.LiveError.model_validate_json(fault).model_dump() == json.loads(fault)
    gone = game_messages.gone_message(RemovalReason.ABORTED)
    assert game_live_schemas.LiveGone.model_validate_json(gone).model_dump_json() == gone
    assert (
        live_schemas.LivePong.model_validate_json(live_messages.PONG_MESSAGE).model_dump_json()
        == live_messages.PONG_MESSAGE
    )
    hint = encoding.encode(engine_presenter.hint(game, ThinkResult("Ed5ne", 0.5, ("Ed5ne", "Tl5s"), 3, 1000)))
    assert engine_schemas.Hint.model_validate_json(hint, strict=True).model_dump(mode="json") == json.loads(hint)
    tallies = encoding.encode(game_presenter.results([Tally("standard", 3, 1, 2, 3)]))
    assert game_schemas.Results.model_validate_json(tallies, strict=True).model_dump(mode="json") == json.loads(tallies)
    listed = encoding.encode(game_presenter.summary(game.stored))
    assert game_schemas.GameSummary.model_validate_json(listed, strict=True).model_dump(mode="json") == json.loads(
        listed
    )


def test_a_game_is_compressed_once() -> None:
    game = begin().push("Ed5ne")
    snapshots = SnapshotCache(lambda _: IDLE)
    assert snapshots.get(game).blocks is snapshots.get(game).blocks


def test_refused_moves_do_not_change_the_game() -> None:
    dice = random.Random(3)
    game = begin()
    for text in random_game(31)[:20]:
        body = body_of(game)
        for wrong in ("Ti9n", "nonsense", f"{dice.choice('TCEMLR')}a1n", text[:-1] + "x"):
            with pytest.raises(PunctError):
                game.push(wrong)
        assert body_of(game) == body
        game = game.push(text)
