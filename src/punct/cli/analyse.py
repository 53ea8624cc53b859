"""``punct analyse``: the engine's review of a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table as RichTable

from punct import records
from punct.cli.common import AsJson, GameNumber, output, pick_game, progress, write_file
from punct.errors import PunctError
from punct.game import Game
from punct.piece import Colour

if TYPE_CHECKING:
    from punct.analysis.review import Analysis

_STYLES: Final = {
    "inaccuracy": "yellow",
    "mistake": "yellow",
    "blunder": "red",
    "missed win": "bold red",
    "lets the opponent win": "bold red",
}


def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A game record, text or SGF.", show_default=False)],
    game_number: GameNumber = 1,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="Thinking time per position; 1 if not given.")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Nodes per position instead of time.")] = None,
    variations: Annotated[int, typer.Option("--lines", help="How many candidate moves to compare.", min=1, max=20)] = 3,
    threads: Annotated[int, typer.Option("--threads", help="Threads to think with.", min=1)] = 1,
    out: Annotated[
        list[Path] | None,
        typer.Option("--out", "-o", help="Write the game with comments here (.punct, .txt, .sgf).", show_default=False),
    ] = None,
    picture: Annotated[
        list[Path] | None,
        typer.Option(
            "--picture", "-p", help="Draw the curve of winning chances here (.svg, .png).", show_default=False
        ),
    ] = None,
    theme: Annotated[str, typer.Option("--theme", help="The picture's theme: light or dark.")] = "light",
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: AsJson = False,
) -> None:
    """Review a game with the engine: winning chances after every move, mistakes, missed wins, better moves.

    ```
    punct analyse game.punct
    punct analyse game.sgf --seconds 0.2 --out annotated.sgf --picture curve.svg
    punct analyse game.punct --nodes 2000 -o notes.punct -o notes.sgf -p curve.png
    ```
    """
    # Loaded here: other commands start without the engine.
    from punct.analysis import curve
    from punct.analysis.review import analyse_game, annotate
    from punct.engine import Engine, Limits

    targets = [*(out or ()), *(picture or ())]
    _check_targets(out or [], picture or [], force)
    game = pick_game(file, game_number)
    limits = Limits(seconds, nodes) if seconds is not None or nodes is not None else Limits(1.0)
    engine = Engine(threads=threads)
    with progress() as bar:
        task = bar.add_task("Analysing", total=len(game.main_line()) + 1)
        analysis = analyse_game(game, engine, limits, variations, lambda done: bar.update(task, completed=done))
    if as_json:
        print(json.dumps(_as_data(game, analysis)))
    else:
        _report(game, analysis)
    for path in out or ():
        text = records.dumps([annotate(game, analysis)], format=records.format_of(path) or "text")
        write_file(path, text.encode(), replace=force)
    names = [game.tags.get(str(colour), str(colour)) for colour in Colour]
    for path in picture or ():
        draw = curve.png if path.suffix.lower() == ".png" else lambda *a, **k: curve.svg(*a, **k).encode()
        write_file(path, draw(analysis, theme=theme, title=" - ".join(names)), replace=force)
    if targets and not as_json:
        output().print(f"Written: {', '.join(map(str, targets))}", markup=False)


def _check_targets(out: list[Path], picture: list[Path], force: bool) -> None:
    """Check the output files before minutes are spent thinking."""
    for path in out:
        if records.format_of(path) is None:
            raise PunctError(f"{path}: a record's name ends in .punct, .txt or .sgf")
    for path in picture:
        if path.suffix.lower() not in (".svg", ".png"):
            raise PunctError(f"{path}: a picture's name ends in .svg or .png")
    for path in (*out, *picture):
        if path.is_file() and not force:
            raise PunctError(f"{path} exists already; give --force to replace it")


def _as_data(game: Game, analysis: Analysis) -> dict[str, object]:
    """Return the analysis as JSON data: chances are White's, given_away and proven are the player's own."""
    return {
        "tags": dict(game.tags),
        "start": round(analysis.start, 4),
        "turns": [
            {
                "ply": remark.ply,
                "colour": str(remark.colour).lower(),
                "turn": str(remark.move),
                "chance": round(remark.chance, 4),
                "given_away": round(remark.given_away, 4),
                "proven": remark.proven,
                "judgement": None if remark.judgement is None else str(remark.judgement),
                "best": [str(move) for move in remark.best.pv],
            }
            for remark in analysis.remarks
        ],
    }


def _report(game: Game, analysis: Analysis) -> None:
    from punct.analysis.scale import Judgement

    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for name, justify in (("", "right"), ("move", "left"), ("White", "right"), ("", "left")):
        table.add_column(name, justify="right" if justify == "right" else "left", no_wrap=name != "")
    for remark in analysis.remarks:
        note = ""
        if remark.judgement is not None:
            variation = " ".join(map(str, remark.best.pv[:4]))
            note = f"{remark.judgement}; better ({remark.best.words}): {variation}"
        table.add_row(
            f"{remark.ply}.",
            f"{remark.colour} {remark.move}",
            f"{100 * remark.chance:.0f} %",
            note,
            style=_STYLES.get(str(remark.judgement)),
        )
    console = output()
    console.print(table)
    for colour in Colour:
        counts = [(judgement, analysis.count(colour, judgement)) for judgement in Judgement]
        words = ", ".join(f"{judgement} {count}" for judgement, count in counts if count)
        console.print(
            f"{game.tags.get(str(colour), str(colour))}: {words or 'nothing to complain about'}", markup=False
        )
