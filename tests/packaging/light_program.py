"""Use all that needs NumPy alone, then print the libraries that were loaded for it, one a line.

It runs in an environment that has nothing else, and in one where nothing else can be imported.
"""

import asyncio
import sys
from io import BytesIO

import punct
from punct import analysis, env, kernel, match, picture, puzzles, records, ugi
from punct.engine import Engine, Limits
from punct.perft import perft


def use_rules_and_records() -> None:
    """Play on both positions and in a game; write, read and draw it."""
    position, twin, game = punct.Position("basic w"), kernel.Position("basic w"), punct.Game("basic")
    for text in ("Ed5ne", "Tl10n", "d5-d8n"):
        for board in (position, twin, game):
            board.push(text)
    assert str(position) == str(twin) == str(game.position)
    assert len(position.legal_moves) == len(twin.legal_moves) > 0
    assert perft(punct.Position("basic w"), 1) == 4986
    for form in records.FORMATS.values():
        (read,) = records.loads(records.dumps(game, form), form)
        assert str(read.position) == str(position)
    assert "<svg" in picture.svg(position) and "<svg" in picture.html(game) and "<svg" in position._repr_svg_()
    assert punct.__version__.count(".") == 2


def use_engine() -> None:
    """Play by the engine, review a game, prove a win, talk UGI, and play a match between processes."""
    game = punct.Game("basic")
    game.push("Ed5ne")
    engine = Engine(level=1)
    assert engine.play(game, Limits(nodes=50)).move in game.position.legal_moves
    assert analysis.analyse_game(game, engine, Limits(nodes=50), 1) is not None
    assert analysis.wins_at_once("basic w wEh1n wEh4n wEh7n wEh10n wCi14n")
    puzzle = puzzles.shipped()[0]
    assert puzzle.solution[0] in puzzle.firsts
    output = BytesIO()
    ugi.serve(lambda game, limits: next(iter(game.position.legal_moves)), source=BytesIO(b"go"), sink=output)
    assert output.getvalue().startswith(b"bestmove")
    program = (sys.executable, "-m", "punct.ugi")
    players = [match.Entrant(name, program, {"Level": "1"}, match.Pace(nodes=1)) for name in ("first", "second")]
    played = match.Match(match.Settings((players[0], players[1]), pairs=1, max_plies=10))
    asyncio.run(played.run(lambda _: None))
    assert played.score.games == 2


def use_environments() -> None:
    """Play games in numbers and arrays."""
    games = env.VectorEnv(4, "basic", seed=1)
    assert games.step(games.sample()).terminated.shape == (4,)
    assert env.Episode(seed=1).step(5) == 0


if __name__ == "__main__":
    use_rules_and_records()
    use_engine()
    use_environments()
    print(*sorted({name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names), sep="\n")
