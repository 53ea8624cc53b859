"""Every public object tells what it is, on one line, and nothing of where it lies in memory."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator
from typing import Final

import punct
from punct import analysis, engine, env, kernel, match, puzzles, records, ugi
from punct.engine.network import own_network
from punct.ugi.engine import EngineThinker

PACKAGES: Final = (punct, analysis, engine, env, kernel, match, puzzles, records, ugi)
ARRAYS: Final = {kernel.RandomGames, kernel.Steps}
"""Tuples of arrays, printed as NumPy does."""


def objects() -> Iterator[object]:
    """Yield an object of each public class that is not an enumeration or an error."""
    game = punct.Game()
    game.push("Ed5ne")
    position = game.position
    few = engine.Limits(nodes=1)
    player = engine.Engine(hash_mb=1, limits=few)
    review = analysis.analyse_game(game, player)
    entrant = match.read_entrant("1")
    settings = match.Settings((entrant, entrant))
    yield from (position, game, game.node, position.legal_moves, position.refusal("Ti9n"), punct.SYMMETRIES[3])
    yield from (punct.Move.parse("Ed5ne"), punct.Space("d5"), punct.Piece.parse("wEd5ne"))
    yield from (punct.Outcome(None, punct.Ending.AGREEMENT), game.tags, next(records.read_tags(records.dumps(game))))
    yield from (player, engine.AsyncEngine(hash_mb=1), few, engine.LEVELS[0], player.play(position))
    yield from (*player.analyse(position, variations=1), review, *review.remarks, analysis.Prover())
    yield from (analysis.Prover().answer(position, 1), puzzles.shipped()[0], own_network())
    yield from (kernel.Position("basic"), kernel.Move.pack("Ed5ne", punct.Position()), kernel.Batch.start(2))
    board = kernel.Position("standard b wEd5ne")
    yield from (*board.groups(punct.Colour.WHITE), board.distances(punct.Colour.WHITE, 0), env.VectorEnv(2))
    yield from (match.Estimate(1.0, 0.0, 2.0), engine.SearchResult(1, 1, 0.5, ()))
    yield ugi.Conversation(EngineThinker(), lambda line: None)
    yield from (settings, match.Match(settings), match.MatchScore(), match.Sprt(0, 5), match.Pace(nodes=1), entrant)
    yield from (match.FinishedGame(0, 0, "basic w", (), "1-0", "connection"), match.TimeSpent())
    yield from (env.Episode(), env.PunctEnv(), env.PunctVectorEnv(2), env.aec_env(), env.raw_env())
    program = ugi.UgiProgram(["engine", "--ugi"])
    yield from (ugi.Option("Level", "spin"), program)
    bound = ugi.UgiEngine(program, 1.0)
    yield bound
    bound.close()


def test_an_object_tells_what_it_is() -> None:
    for thing in objects():
        told = repr(thing)
        assert " at 0x" not in told and "\n" not in told, told
        assert type(thing).__name__ in told or isinstance(thing, dict | punct.LegalMoves), told


def test_no_public_class_is_left_out() -> None:
    shown = {cls for thing in objects() for cls in type(thing).__mro__}
    for package in PACKAGES:
        for name in package.__all__:
            cls = getattr(package, name)
            if not inspect.isclass(cls) or issubclass(cls, enum.Enum | BaseException) or cls in ARRAYS:
                continue
            assert cls in shown or getattr(cls, "_is_protocol", False), f"{package.__name__}.{name}"


def test_a_repr_tells_what_matters() -> None:
    assert repr(kernel.Batch.start(2)) == "<Batch of 2 positions>"
    assert repr(kernel.Batch.start(2, games=True)) == "<Batch of 2 games>"
    assert repr(env.VectorEnv(2)) == "<VectorEnv of 2 games>"
    assert repr(env.Episode("basic")) == "<Episode after 0 moves, open: 'basic w'>"
    assert repr(match.MatchScore()) == "<MatchScore +0 =0 -0>"
    assert repr(ugi.UgiProgram(["engine", "--ugi"])) == "<UgiProgram 'engine --ugi': not running>"
