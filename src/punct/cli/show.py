"""``punct show``: a position drawn in the terminal, or as a picture in a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from punct import picture
from punct.cli.common import (
    Ascii,
    AsJson,
    Exit,
    GameNumber,
    PlainLines,
    Ply,
    PositionWords,
    RecordFile,
    answer_lines,
    find_position,
    is_stream,
    lines,
    prefers_ascii,
    read_position,
    write_file,
)
from punct.errors import PunctError, shorten
from punct.geometry import Space
from punct.move import Move
from punct.picture.terminal import draw, legend, paint, status
from punct.piece import Colour
from punct.position import Position

if TYPE_CHECKING:
    from rich.console import Console


class Theme(Enum):
    """How bright a picture is."""

    LIGHT = "light"
    DARK = "dark"


class Look(NamedTuple):
    """How positions are drawn in this terminal."""

    ascii_only: bool = False
    names: bool = False


def show(
    words: PositionWords = None,
    file: RecordFile = None,
    game: GameNumber = 1,
    ply: Ply = None,
    output_file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a picture: .svg or .png.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a picture that exists.")] = False,
    theme: Annotated[Theme, typer.Option("--theme", help="The picture's theme.")] = Theme.LIGHT,
    size: Annotated[int, typer.Option("--size", min=64, max=4096, help="The picture's longer side in pixels.")] = 720,
    last: Annotated[
        str | None,
        typer.Option(
            "--last",
            metavar="TURN",
            help="Mark this turn as the one just played; with --file, the record's own is marked.",
            show_default=False,
        ),
    ] = None,
    highlight: Annotated[
        list[str] | None,
        typer.Option("--highlight", metavar="SPACE", help="Mark a space. May be repeated.", show_default=False),
    ] = None,
    arrow: Annotated[
        list[str] | None,
        typer.Option(
            "--arrow", metavar="FROM-TO", help="Draw an arrow in the picture. May be repeated.", show_default=False
        ),
    ] = None,
    coordinates: Annotated[bool, typer.Option(help="Letters and numbers around the picture.")] = True,
    flipped: Annotated[bool, typer.Option("--flipped", help="Draw the picture from Black's side.")] = False,
    ascii_only: Ascii = False,
    names: Annotated[
        bool, typer.Option("--names", help="In the terminal: write the name of each empty space.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a position: here in the terminal, or as a picture.

    ```
    punct show                                 # the empty board
    punct show standard b wEd5ne --names       # with the spaces' names
    punct show --file game.punct --ply 12      # twelve turns into a game
    punct show standard b wEd5ne -o board.svg  # a picture
    punct show -f game.punct -o end.png --theme dark --size 1200
    punct show standard b wEd5ne -o hint.png --highlight d5 --arrow d5-h9
    ```
    """
    if is_stream(words, file):
        if output_file is not None:
            raise PunctError("a picture is of one position; give its text, or a record with --file")
        look = Look(prefers_ascii(ascii_only), names)

        def answer(line: str) -> tuple[str | None, Exit]:
            position = read_position([line])
            if as_json:
                return json.dumps(as_data(position)), Exit.FINE
            draw_board(lines(), position, look, position.winning_chain or ())
            return None, Exit.FINE

        answer_lines(answer, as_json=as_json)
    position = find_position(words, file, game, ply)
    if as_json:
        print(json.dumps(as_data(position)))
        return
    last_move = Move.parse(last) if last is not None else position.moves[-1] if position.moves else None
    highlights = [Space(name) for name in highlight or ()]
    arrows = [_read_arrow(text) for text in arrow or ()]
    if output_file is None:
        chain = position.winning_chain
        marked = {*highlights, *(chain or (last_turn_spaces(position, last_move) if last_move else ()))}
        draw_board(lines(), position, Look(prefers_ascii(ascii_only), names), marked)
        return
    suffix = output_file.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise PunctError(f"{output_file}: a picture's name ends in .svg or .png")
    options: picture.Options = {
        "theme": theme.value,
        "coordinates": coordinates,
        "last_move": last_move,
        "highlights": highlights,
        "arrows": arrows,
        "flipped": flipped,
        "size": size,
    }
    data = picture.svg(position, **options).encode() if suffix == ".svg" else picture.png(position, **options)
    write_file(output_file, data, replace=force)


def as_data(position: Position) -> dict[str, object]:
    """Return all there is to know about a position, for programs."""
    outcome = position.outcome()
    return {
        "position": str(position),
        "rules": str(position.rules),
        "turn": str(position.turn).lower(),
        "pieces": [
            {
                "text": str(piece),
                "colour": str(piece.colour).lower(),
                "kind": str(piece.kind),
                "heading": str(piece.heading),
                "level": piece.level,
                "spaces": [str(space) for space in piece.spaces],
            }
            for piece in position.pieces
        ],
        "sets": {
            str(colour).lower(): {str(kind): count for kind, count in position.in_set(colour).items()}
            for colour in Colour
        },
        "result": position.result(),
        "ending": None if outcome is None else str(outcome.reason),
        "chain": [str(space) for space in position.winning_chain or ()],
    }


def draw_board(console: Console | PlainLines, position: Position, look: Look, marked: Iterable[Space] = ()) -> None:
    """Print a position, what its characters mean, whose turn it is and what is left in the sets."""
    colour = console.color_system is not None and not console.no_color and not look.ascii_only
    if isinstance(console, PlainLines) or not colour:
        console.print(draw(position, ascii_only=look.ascii_only, names=look.names, marked=marked), markup=False)
    else:
        console.print(paint(position, names=look.names, marked=marked), no_wrap=True)
    console.print(legend(ascii_only=look.ascii_only, colour=colour), style="dim", markup=False)
    for line in status(position):
        console.print(line, markup=False)


def last_turn_spaces(position: Position, last: Move) -> set[Space]:
    """Return where the piece just played lies, and where its PÜNCT came from."""
    piece = position.top(last.space)
    if piece is None or piece.space is not last.space:
        raise PunctError(f"{last} cannot be the last turn: there is no PÜNCT on {last.space}")
    return {*piece.spaces, *((last.origin,) if last.origin else ())}


def _read_arrow(text: str) -> tuple[Space, Space]:
    start, hyphen, end = text.partition("-")
    if not hyphen:
        raise PunctError(f"{shorten(text)} is not an arrow: write it as d5-h9")
    return Space(start), Space(end)
