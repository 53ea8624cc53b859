"""Wrong arguments of every public function and constructor: each is accepted, or refused in words of our own.

Constructors of values that only the library makes (results of searches, reviews and matches) are left out.
"""

from __future__ import annotations

import asyncio
import datetime
import io
import math
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from inspect import ismodule
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import punct
from punct import analysis, engine, env, match, picture, puzzles, records, ugi

NUMBERS: Final = (1.5, math.nan, math.inf, -1, 10**400, True)
WRONG: Final[tuple[Any, ...]] = (None, *NUMBERS, "", "nonsense", "\0", b"bytes", [], [None], {}, object())
SIGNATURE: Final = "standard w wEd5ne bTl10n"


class Call(NamedTuple):
    """A call that succeeds, and of which one argument after the other is replaced by a wrong one."""

    function: Callable[..., Any]
    arguments: dict[str, Any]
    run: Callable[[Any], object] = lambda result: result
    """What is done with the result: iterators only fail when they are used."""
    is_repeatable: bool = True


def asynchronous(result: Coroutine[Any, Any, object]) -> object:
    """Run what is awaited."""
    return asyncio.run(result)


def calls(folder: Path) -> Iterator[tuple[str, Call]]:
    """Yield the calls by name."""
    position, game = punct.Position(SIGNATURE), punct.Game()
    game.push("Ed5ne")
    e = punct.Piece.parse("wEd5ne")
    d5, ne, white = punct.Space("d5"), punct.Heading.NE, punct.Colour.WHITE
    path = folder / "games.punct"
    records.dump(game, path)
    yield "Game", Call(punct.Game, {"start": "basic", "tags": {"White": "Anna"}})
    yield "Game.push", Call(lambda move: game.copy().push(move), {"move": "Tl10n"})
    for name in ("resign", "lose_on_time"):
        yield f"Game.{name}", Call(lambda colour, name=name: getattr(game.copy(), name)(colour), {"colour": white})
    for name in ("go_to", "remove", "promote"):
        twin = game.copy()
        yield f"Game.{name}", Call(getattr(twin, name), {"node": twin.node}, is_repeatable=name != "remove")
    yield "Game.comment", Call(lambda comment: setattr(game.copy(), "comment", comment), {"comment": "x"})
    yield "Node.add", Call(lambda move: game.copy().root.add(move), {"move": "Tl10n"})
    yield "Heading.turned", Call(ne.turned, {"steps": 2})
    yield "Kind.canonical", Call(punct.Kind.C.canonical, {"heading": ne})
    yield "Space", Call(punct.Space, {"name": "d5"})
    yield "Space.neighbour", Call(d5.neighbour, {"heading": ne})
    yield "Space.line", Call(d5.line, {"heading": ne})
    yield "Move", Call(punct.Move, {"kind": punct.Kind.E, "origin": None, "space": d5, "heading": ne})
    yield "Move.add", Call(punct.Move.add, {"kind": punct.Kind.E, "space": d5, "heading": ne})
    yield "Move.shift", Call(punct.Move.shift, {"origin": d5, "space": d5, "heading": ne})
    yield "Move.parse", Call(punct.Move.parse, {"text": "Ed5ne"})
    yield "Move.spaces", Call(punct.Move.parse("d5-d8n").spaces, {"position": position})
    yield "Piece", Call(punct.Piece, {"colour": white, "kind": punct.Kind.E, "space": d5, "heading": ne, "level": 1})
    yield "Piece.parse", Call(punct.Piece.parse, {"text": "wEd5ne"})
    yield "LegalMoves", Call(punct.LegalMoves, {"position": position})
    yield "LegalMoves.choice", Call(position.legal_moves.choice, {"rng": None})
    yield "Position", Call(punct.Position, {"start": "standard w"})
    for name in ("stack", "top", "height"):
        yield f"Position.{name}", Call(getattr(position, name), {"space": d5})
    for name in ("shown", "in_set", "on_board", "free_pieces", "chain"):
        yield f"Position.{name}", Call(getattr(position, name), {"colour": white})
    for name in ("is_bridge", "blockers", "is_free", "destinations", "lines"):
        yield f"Position.{name}", Call(getattr(position, name), {"piece": e})
    for name in ("refusal", "explain", "is_legal"):
        yield f"Position.{name}", Call(getattr(position, name), {"move": "Td2n"})
    yield "Position.parse", Call(position.parse, {"text": "Td2n"})
    yield "Position.push", Call(lambda move: position.copy().push(move), {"move": "Td2n"})
    yield "Position.floor", Call(position.floor, {"level": 1})
    yield (
        "Position.from_pieces",
        Call(punct.Position.from_pieces, {"pieces": ["wEd5ne"], "turn": white, "rules": "basic"}),
    )
    yield "Position.with_piece", Call(position.with_piece, {"piece": "wTa2n"})
    yield "Position.without", Call(position.without, {"piece": "d5"})
    yield "Position.with_turn", Call(position.with_turn, {"turn": white})
    yield "Position.transformed", Call(position.transformed, {"symmetry": 1})
    symmetry = punct.SYMMETRIES[7]
    yield "Symmetry", Call(punct.Symmetry, {"sixths": 1, "mirrored": True})
    yield "Symmetry.of", Call(punct.Symmetry.of, {"symmetry": 1})
    yield "Symmetry.then", Call(symmetry.then, {"other": symmetry})
    yield "Symmetry.heading", Call(symmetry.heading, {"heading": ne})
    yield "Symmetry.space", Call(symmetry.space, {"space": d5})
    yield "Symmetry.kind", Call(symmetry.kind, {"kind": punct.Kind.L})
    yield "Symmetry.piece", Call(symmetry.piece, {"piece": e})
    yield "Symmetry.move", Call(symmetry.move, {"move": "Td2n", "position": position})
    yield "Symmetry.position", Call(symmetry.position, {"position": position})

    text = records.dumps(game)
    yield "records.dumps", Call(records.dumps, {"games": game, "format": "text"})
    yield "records.dump", Call(records.dump, {"games": game, "path": folder / "out.punct", "format": "text"})
    yield "records.format_of", Call(records.format_of, {"path": "a.sgf"})
    yield "records.loads", Call(records.loads, {"text": text, "format": "text", "most_games": 3})
    yield "records.load", Call(records.load, {"source": path, "format": "text"})
    for name in ("iter_games", "read_tags"):
        arguments = {"source": text, "format": "text", "on_error": "skip"}
        yield f"records.{name}", Call(getattr(records, name), arguments, run=list)

    few = engine.Limits(nodes=1)
    settings = {"level": 8, "limits": few, "seed": 1, "threads": 1, "hash_mb": 1}
    yield "Engine", Call(engine.Engine, {**settings, "network": None, "weights": None})
    yield "AsyncEngine", Call(engine.AsyncEngine, settings)
    yield "Limits", Call(engine.Limits, {"movetime": 1.0, "nodes": 1, "depth": 1, "target": 0.5})
    yield "Limits.within", Call(few.within, {"other": few})
    player = engine.Engine(hash_mb=1, limits=few)
    search = {"position": position, "limits": few, "watch": lambda result: None}
    yield "Engine.play", Call(player.play, {**search, "cancel": threading.Event()})
    yield "Engine.analyse", Call(player.analyse, {**search, "variations": 2, "cancel": threading.Event()})
    stopped = threading.Event()
    stopped.set()
    yield "Engine.ponder", Call(player.ponder, {"position": position, "cancel": stopped})
    yield "AsyncEngine.play", Call(engine.AsyncEngine(hash_mb=1, limits=few).play, search, run=asynchronous)
    yield (
        "AsyncEngine.analyse",
        Call(engine.AsyncEngine(hash_mb=1, limits=few).analyse, {**search, "variations": 2}, run=asynchronous),
    )

    puzzle = puzzles.shipped()[0]
    file = folder / "two.puzzles"
    file.write_bytes(puzzles.write_puzzles([puzzle]))
    fields = {name: getattr(puzzle, name) for name in puzzles.Puzzle.__slots__}
    yield "Puzzle", Call(puzzles.Puzzle, fields)
    yield "load_puzzles", Call(puzzles.load_puzzles, {"path": file})
    yield "name_of", Call(puzzles.name_of, {"position": position, "goal": puzzles.Goal.WIN})
    yield "of_the_day", Call(puzzles.of_the_day, {"day": datetime.date(2026, 1, 1), "puzzles": [puzzle]})
    yield "read_puzzles", Call(puzzles.read_puzzles, {"content": file.read_bytes()})
    yield "write_puzzles", Call(puzzles.write_puzzles, {"puzzles": [puzzle]})

    entrant = match.read_entrant("punct:2")
    pace = match.Pace(nodes=1)
    yield "Pace", Call(match.Pace, {"movetime": 1, "nodes": 1, "depth": 1, "clock": (1000, 10)})
    yield "Entrant", Call(match.Entrant, {"name": "a", "command": ("a",), "options": {}, "pace": pace})
    options = {"pairs": 1, "rules": punct.Rules.BASIC, "seed": 1, "concurrency": 1, "max_plies": 10, "timeout": 1.0}
    both = (entrant, entrant)
    yield "Settings", Call(match.Settings, {"entrants": both, **options, "sprt": match.Sprt(0, 5)})
    paths = {"path": folder / "match", "record_path": folder / "match.punct"}
    yield "Match", Call(match.Match, {"settings": match.Settings(both), **paths, "replace_records": True})
    yield "MatchScore", Call(match.MatchScore, {"finished": ()})
    yield "MatchScore.add", Call(match.MatchScore().add, {"game": match.FinishedGame(0, 0, "basic w", (), "1-0", "x")})
    yield "MatchScore.has", Call(match.MatchScore().has, {"pair": 0, "white": 0})
    yield "Sprt", Call(match.Sprt, {"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05})
    for name in ("ratio", "verdict"):
        yield f"Sprt.{name}", Call(getattr(match.Sprt(0, 5), name), {"pairs": (1, 2, 3, 2, 1)})
    yield "opening", Call(match.opening, {"seed": 1, "start": "standard w"})
    yield "read_entrant", Call(match.read_entrant, {"text": "punct:2", "pace": pace})

    review = analysis.analyse_game(game, player)
    yield "Analysis.svg", Call(review.svg, {"theme": "dark", "title": "x"})
    yield "Analysis.png", Call(review.png, {"theme": "dark", "title": "x"})
    yield "Analysis.count", Call(review.count, {"colour": white, "judgement": analysis.Judgement.BLUNDER})
    yield "Analysis.accuracy", Call(review.accuracy, {"colour": white})
    reviewing = {"game": game, "engine": player, "limits": few, "variations": 1, "on_progress": None}
    yield "analyse_game", Call(analysis.analyse_game, reviewing)
    yield "annotate", Call(analysis.annotate, {"game": game, "analysis": review})
    yield "defences", Call(analysis.defences, {"position": position, "most": 1})
    yield "last_piece_wins", Call(analysis.last_piece_wins, {"position": position, "colour": white})
    yield "wins_at_once", Call(analysis.wins_at_once, {"position": position})
    proof = {"position": position, "turns": 1, "budget": 100_000}
    for name in ("wins_in", "answer", "line"):
        extra = {"most": 1} if name == "wins_in" else {}
        yield f"Prover.{name}", Call(getattr(analysis.Prover(), name), {**proof, **extra})

    look: dict[str, Any] = {"theme": "light", "size": 64, "flipped": False, "coordinates": True, "sets": False}
    marks = {"last_move": None, "highlights": (), "arrows": (), "candidates": (), "around": (), "title": "x"}
    drawn = {"position": position, **look, **marks, "chain": True, "show_blocked": False}
    yield "svg", Call(picture.svg, drawn)
    yield "png", Call(picture.png, drawn)
    yield "set_svg", Call(picture.set_svg, {"position": position, "theme": "light", "size": 64})
    yield "html", Call(picture.html, {"game": game, "theme": "light", "size": 64, "flipped": False, "name": "x"})
    timing = {"format": "gif", "first": 0, "last": 1, "delay": 1.0, "end_delay": 1.0, "loop": True, "on_progress": None}
    yield "animate", Call(picture.animate, {"start": "basic", "moves": ["Ed5ne"], **timing, **look})

    episode = env.Episode("basic", seed=1)
    yield "Episode", Call(env.Episode, {"start": "basic", "max_plies": 5, "seed": 1})
    yield "Episode.reset", Call(env.Episode().reset, {"seed": 1})
    for name in ("step", "is_legal", "why_refused", "move"):
        yield f"Episode.{name}", Call(getattr(env.Episode("basic"), name), {"action": episode.sample()})
    yield "Episode.action", Call(episode.action, {"move": "Ed5ne"})
    for name in ("legal_mask", "legal_bits"):
        yield f"Episode.{name}", Call(getattr(episode, name), {"out": None})
    yield "Episode.planes", Call(episode.planes, {"colour": white, "out": None})
    place = {"start": "basic", "max_plies": 5, "render_mode": None}
    yield "aec_env", Call(env.aec_env, place)
    yield "raw_env", Call(env.raw_env, place)
    yield "PunctEnv", Call(env.PunctEnv, {"opponent": 1, **place, "side": "white", "illegal": "lose"})
    yield "PunctEnv.reset", Call(env.PunctEnv().reset, {"seed": 1, "options": {"side": "white"}})
    agent = env.PunctEnv("self", start="basic")
    agent.reset(seed=1)
    yield "PunctEnv.step", Call(agent.step, {"action": agent.episode.sample()})
    many = {"num_envs": 2, "opponent": "random", **place, "side": "white", "threads": 1}
    yield "PunctVectorEnv", Call(env.PunctVectorEnv, many)
    yield "PunctVectorEnv.reset", Call(env.PunctVectorEnv(2).reset, {"seed": 1, "options": None})
    agents = env.PunctVectorEnv(2, "self", start="basic")
    agents.reset(seed=1)
    yield "PunctVectorEnv.step", Call(agents.step, {"actions": [0, 0]})
    yield "openspiel_game", Call(env.openspiel_game, {"start": "basic", "max_plies": 5})

    thinker = {"name": "a", "author": "b", "source": io.BytesIO(b"quit\n"), "sink": io.BytesIO()}
    yield "serve", Call(ugi.serve, {"choose": lambda game, limits: "Ed5ne", **thinker})
    option = ugi.Option("Level", "spin", "8", 1, 8)
    kinds = {"name": "a", "kind": "spin", "default": "1", "minimum": 1, "maximum": 2, "choices": ()}
    yield "Option", Call(ugi.Option, kinds)
    yield "Option.read", Call(ugi.Option.read, {"words": ["name", "a", "type", "spin"]})
    yield "Option.check", Call(option.check, {"value": "3"})
    command = [sys.executable, "-c", "pass"]
    yield "UgiProgram", Call(ugi.UgiProgram, {"command": command, "name": "x"})


def all_calls(folder: Path) -> dict[str, Call]:
    """Return the calls by name."""
    return dict(calls(folder))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Call]:
    return all_calls(tmp_path_factory.mktemp("calls"))


def test_every_public_name_is_called_or_left_out_for_a_reason(table: dict[str, Call]) -> None:
    """A new function or class must be added above."""
    made_by_the_library = {
        "Header", "Level", "PlayResult", "SearchResult", "Variation", "Estimate", "FinishedGame", "TimeSpent",
        "Answer", "Remark", "Outcome", "Refusal",
    }  # fmt: skip
    enumerations = {"Colour", "Ending", "Reason", "Rules", "Goal", "Theme", "Verdict", "Judgement"}
    not_called = {
        "SPACES", "SYMMETRIES", "PositionLike", "FORMATS", "Format", "Source", "LEVELS", "ProgressCallback",
        "COLOURS", "THEMES", "AnimationFormat", "Options", "MAX_PLIES", "Ponderer", "Thinker", "Fault",
    }  # fmt: skip
    no_arguments = {"shipped"}
    elsewhere = {"VectorEnv", "UgiEngine", "Conversation"}  # tests/env/test_vector.py, tests/ugi
    public = {
        name
        for module in (punct, records, engine, puzzles, match, analysis, picture, env, ugi)
        for name in module.__all__
        if not (name.endswith("Error") or name in ("Undecided", "__version__") or ismodule(getattr(module, name)))
    }
    called = {name.rpartition("records.")[2].partition(".")[0] for name in table}
    assert public - called == made_by_the_library | enumerations | not_called | no_arguments | elsewhere


def test_wrong_arguments_are_refused_in_our_own_words(
    table: dict[str, Call], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong argument raises PunctError or nothing: no AttributeError, KeyError, assertion or dump of a signature."""
    monkeypatch.chdir(tmp_path)  # a text may be the path of a new file
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))  # which serve reads without a source
    faults = []
    for name, (function, arguments, run, is_repeatable) in table.items():
        if is_repeatable:
            run(function(**arguments))
        for argument in arguments:
            for value in WRONG:
                if name == "serve":
                    arguments["source"].seek(0)
                try:
                    run(function(**{**arguments, argument: value}))
                except punct.PunctError as error:
                    if not str(error) or "incompatible function arguments" in str(error):
                        faults.append(f"{name}({argument}={value!r}): {error}")
                except Exception as error:
                    if not (isinstance(error, OSError) and isinstance(value, str)):
                        faults.append(f"{name}({argument}={value!r:.20}): {type(error).__name__}: {error!s:.90}")
    assert not faults, "\n".join(faults)
