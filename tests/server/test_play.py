"""A game being played, held to the library: every move, in games that jump, bridge and repeat themselves."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from punct import SPACES, Colour, Game, kernel
from punct.errors import PunctError
from punct.legal import landings
from punct.outcome import Ending, Outcome
from punct.position import Position
from punct.server.api import present, schemas
from punct.server.api.present import Presenter
from punct.server.opponents.seats import IDLE, Thinking
from punct.server.play.game import PlayedGame
from punct.server.play.games import Gone
from punct.server.play.moment import Manner, Moment
from punct.server.play.refusals import BrokenGameError
from punct.server.store import StoredGame, StoredMove, StoredSeat, Tally

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
SEATS = {Colour.WHITE: StoredSeat("person", "Änne \U0001f600"), Colour.BLACK: StoredSeat("engine", level=4)}
THINKING = Thinking("thinking", Colour.BLACK, 4, NOW)


def stored(start: str, ply: int = 0) -> StoredGame:
    return StoredGame("a-game", start.split()[0], start, SEATS, ply, 1, None, {"Event": "ü"}, NOW, NOW)


def begin(start: str = "standard w") -> PlayedGame:
    return PlayedGame.replayed(stored(start), [])


def random_game(seed: int, rules: str = "standard") -> list[str]:
    """Return a game's moves, with many jumps and bridges; some return where they came from."""
    position = kernel.Position(f"{rules} w")
    return [str(move) for move in position.play_random(seed, 70, raised=40, bridge=40, moved=50)]


def compare(moment: Moment, game: Game) -> None:
    """Assert that a moment tells what the library knows."""
    position, over = game.position, game.outcome() is not None
    assert (moment.text, moment.outcome, moment.turn) == (str(position), game.outcome(), position.turn)
    assert moment.centre == position.centre_count() and moment.chain == position.winning_chain
    assert [(piece.colour, piece.kind, piece.space, piece.heading, piece.level) for piece in moment.pieces] == [
        (piece.colour, piece.kind, piece.space, piece.heading, piece.level) for piece in position.pieces
    ]
    named = {piece: told.name for piece, told in zip(position.pieces, moment.pieces, strict=True)}
    for piece, told in zip(position.pieces, moment.pieces, strict=True):
        assert told.bridge == position.is_bridge(piece) and told.spaces == piece.spaces
        assert told.above == tuple((space, named[other]) for space, other in position.blockers(piece).items())
    assert [dict(left) for left in moment.in_set] == [dict(position.in_set(colour)) for colour in Colour]
    real = {} if over else {(piece and piece.space, kind, way): mask for piece, kind, way, mask in landings(position)}
    assert {found[:3]: sum(SPACES[i].mask for i in range(211) if found[3] >> i & 1) for found in moment.legal} == real


@pytest.mark.parametrize(("seed", "rules"), [(1, "standard"), (2, "basic"), (3, "standard"), (4, "standard")])
def test_every_moment_is_the_librarys(seed: int, rules: str) -> None:
    played, game = begin(f"{rules} w"), Game(f"{rules} w")
    manners = set()
    for text in random_game(seed, rules):
        before = game.position.copy()
        played = played.push(text)
        move = game.push(text)
        moment = played.moment()
        compare(moment, game)
        assert (played.turn, played.outcome, played.repetitions) == (
            game.position.turn, game.outcome(), game.repetitions
        )  # fmt: skip
        last, after = moment.last, game.position.top(move.space)
        assert last is not None and after is not None
        assert (last.move, last.manner, last.piece.level) == (move, played.moves[-1].manner, after.level)
        assert played.moves[-1].kind is after.kind and played.moves[-1].colour is after.colour
        assert [space for space, _ in last.piece.below] == [
            space for space in after.spaces if len(game.position.stack(space)) > 1
        ]
        if move.origin is not None:
            was = before.top(move.origin)
            assert was is not None and last.before is not None
            assert (last.before.space, last.before.heading, last.before.level) == (was.space, was.heading, was.level)
            assert last.before.name == last.piece.name
            left = [space for space in was.spaces if space not in after.spaces]
            assert list(last.emptied) == [space for space in left if game.position.top(space) is None]
            assert [space for space, _ in last.uncovered] == [space for space in left if game.position.top(space)]
        manners.add(last.manner)
    assert manners >= {Manner.ADD, Manner.MOVE, Manner.JUMP, Manner.BRIDGE}
    # Stored and set up again it is the same, and its past is what it was.
    again = PlayedGame.replayed(
        played.stored, [StoredMove(move.text, move.played, move.comment) for move in played.moves]
    )
    assert again.moves == played.moves and again.moment() == played.moment()
    moves = game.moves
    for ply in range(0, len(moves), 7):
        earlier = Game(f"{rules} w")
        for move in moves[:ply]:
            earlier.push(move)
        compare(again.moment(ply), earlier)


def test_the_third_time_is_a_draw_here_too() -> None:
    played, game = begin(), Game()
    there_and_back = ("d5-d6ne", "l5-l6s", "d6-d5ne", "l6-l5s")
    for text in ("Ed5ne", "Tl5s", *there_and_back, *there_and_back):
        assert played.outcome is None
        played = played.push(text)
        game.push(text)
        assert (played.repetitions, played.outcome) == (game.repetitions, game.outcome())
    assert played.outcome is not None and played.repetitions == 3


def test_what_is_stored_wrongly_is_no_game() -> None:
    for moves in (["Ti9n"], ["what?"], ["Ed5ne", "Ed5ne"], []):
        with pytest.raises(BrokenGameError):
            PlayedGame.replayed(stored("standard w", max(1, len(moves))), [StoredMove(text) for text in moves])
    over = stored("standard b wEh1n wEh4n wEh7n wEh10n wCh14n wTi16ne")  # it says the game goes on
    with pytest.raises(BrokenGameError):
        PlayedGame.replayed(over, [])


def test_a_repeated_move_is_known_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
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
        played.moment(3)
        present.encode(present.position(played.moment()))


# ---------------------------------------------------------------------- as it is sent


def told(game: PlayedGame, thinking: Thinking = IDLE) -> bytes:
    return Presenter(lambda _: thinking).game(game).body


def check(body: bytes) -> None:
    """Assert that a game is sent exactly as it is described: nothing missing, nothing more."""
    assert schemas.Game.model_validate_json(body, strict=True).model_dump(mode="json") == json.loads(body)


@pytest.mark.parametrize(("seed", "rules"), [(11, "standard"), (12, "basic"), (13, "standard")])
def test_games_are_sent_as_they_are_described(seed: int, rules: str) -> None:
    state = IDLE
    presenter = Presenter(lambda _: state)
    game = begin(f"{rules} w")
    games = [game, *(game := game.push(text) for text in random_game(seed, rules))]
    for before, game in pairwise(games):
        state = IDLE
        check(presenter.game(game).body)
        assert presenter.game(game).body == told(game)  # made from what was sent before, or from nothing
        state = THINKING
        check(presenter.game(game).body)
        assert presenter.game(game).body == told(game, THINKING) != told(game)
        assert presenter.game(game) is presenter.game(game)
        assert presenter.game(before).body == told(before, THINKING)  # and yet nobody is shown the past as present
        assert presenter.game(game).body == told(game, THINKING)
        assert json.loads(presenter.game(game).message) == {"type": "game", "game": json.loads(told(game, THINKING))}
    back = games[-1].undo()
    assert presenter.game(back).body == told(back, THINKING)
    for game in (games[0], games[0].end(Outcome(None, Ending.AGREEMENT))):
        fresh = Presenter(lambda _: IDLE)
        fresh.game(games[0])
        assert fresh.game(game).body == told(game)


def test_positions_explanations_and_messages_are_sent_as_they_are_described() -> None:
    game = begin()
    for text in random_game(21)[:30]:
        game = game.push(text)
    for ply in range(31):
        view = present.encode(present.position(game.moment(ply)))
        assert schemas.PositionView.model_validate_json(view, strict=True).model_dump(mode="json") == json.loads(view)
    for text in ("what?", "Ti9n", "d5-d6ne", str(next(iter(game.position().legal_moves)))):
        said = present.encode(present.explanation(game.explain(text)))
        assert schemas.Explanation.model_validate_json(said, strict=True).model_dump() == json.loads(said)
    from punct.server.workers.think import Progress, Thought

    for progress in (None, Progress(3, 1000, 0.5, ("Ed5ne",), 0.25)):
        message = present.thinking_message(game, THINKING, progress)
        assert schemas.LiveThinking.model_validate_json(message).model_dump(mode="json") == json.loads(message)
        assert json.loads(message)["revision"] == game.revision
    fault = present.error_message("malformed", 'not "this"')
    assert schemas.LiveError.model_validate_json(fault).model_dump() == json.loads(fault)
    gone = present.gone_message(Gone.ABORTED)
    assert schemas.LiveGone.model_validate_json(gone).model_dump_json() == gone
    assert schemas.LivePong.model_validate_json(present.PONG_MESSAGE).model_dump_json() == present.PONG_MESSAGE
    hint = present.encode(present.hint(game, Thought("Ed5ne", 0.5, ("Ed5ne", "Tl5s"), 3, 1000)))
    assert schemas.Hint.model_validate_json(hint, strict=True).model_dump(mode="json") == json.loads(hint)
    tallies = present.encode(present.results([Tally("standard", 3, 1, 2, 3)]))
    assert schemas.Results.model_validate_json(tallies, strict=True).model_dump(mode="json") == json.loads(tallies)
    listed = present.encode(present.summary(game.stored))
    assert schemas.GameSummary.model_validate_json(listed, strict=True).model_dump(mode="json") == json.loads(listed)


def test_a_game_is_compressed_once() -> None:
    game = begin().push("Ed5ne")
    presenter = Presenter(lambda _: IDLE)
    assert presenter.game(game).blocks is presenter.game(game).blocks


def test_refused_moves_leave_the_game_alone() -> None:
    dice = random.Random(3)
    game = begin()
    for text in random_game(31)[:20]:
        body = told(game)
        for wrong in ("Ti9n", "nonsense", f"{dice.choice('TCEMLR')}a1n", text[:-1] + "x"):
            with pytest.raises(PunctError):
                game.push(wrong)
        assert told(game) == body
        game = game.push(text)
