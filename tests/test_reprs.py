"""Every public object tells what it is, on one line, and nothing of where it lies in memory."""

from __future__ import annotations

from collections.abc import Iterator

import punct
from punct import analysis, engine, env, match, puzzles, records, ugi


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
    yield puzzles.shipped()[0]
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


def test_a_repr_tells_what_matters() -> None:
    assert repr(env.Episode("basic")) == "<Episode after 0 moves, open: 'basic w'>"
    assert repr(match.MatchScore()) == "<MatchScore +0 =0 -0>"
    assert repr(ugi.UgiProgram(["engine", "--ugi"])) == "<UgiProgram 'engine --ugi': not running>"
