"""``punct show``: a position drawn in the terminal, or as a picture in a file."""

# No annotations from the future: Typer would evaluate each of them, twice, at every start.

from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

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
    json_text,
    lines,
    pick_game,
    prefers_ascii,
    progress,
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
    """The theme of a picture."""

    LIGHT = "light"
    DARK = "dark"


class BoardStyle(NamedTuple):
    """How positions are drawn in the terminal."""

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
            metavar="MOVE",
            help="Mark this move as the one just played; with --file, the record's own is marked.",
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
    animated: Annotated[
        bool,
        typer.Option("--animate", help="Write the whole game, or --turns, as an animated picture: .gif, .webp."),
    ] = False,
    turns: Annotated[
        str | None,
        typer.Option("--turns", metavar="MOVES", help="With --animate: the moves to play.", show_default=False),
    ] = None,
    first: Annotated[int, typer.Option("--from", metavar="PLY", min=0, help="With --animate: begin here.")] = 0,
    to: Annotated[
        int | None,
        typer.Option("--to", metavar="PLY", min=0, help="With --animate: end here.", show_default=False),
    ] = None,
    delay: Annotated[
        float, typer.Option("--delay", metavar="SECONDS", help="With --animate: how long a position is shown.")
    ] = 1.0,
    end_delay: Annotated[
        float, typer.Option("--end-delay", metavar="SECONDS", help="With --animate: how long the last one is.")
    ] = 3.0,
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
    punct show --file game.punct --ply 12      # twelve moves into a game
    punct show standard b wEd5ne -o board.svg  # a picture
    punct show -f game.punct -o end.png --theme dark --size 1200
    punct show standard b wEd5ne -o hint.png --highlight d5 --arrow d5-h9
    punct show --animate -f game.punct -o game.gif --delay 0.8
    punct show --animate --turns "Ed5ne Tl10n" -o opening.webp --theme dark
    ```
    """
    if animated:
        if output_file is None or ply is not None:
            raise PunctError("--animate writes a picture: say which with --output, and which part with --from and --to")
        variation = _variation(words, turns, file, game)
        options = {"theme": theme.value, "size": size, "flipped": flipped, "coordinates": coordinates}
        _animate(output_file, *variation, first, to, delay, end_delay, options, replace=force)
        return
    if turns is not None or first or to is not None:
        raise PunctError("--turns, --from and --to are for --animate")
    if is_stream(words, file):
        if output_file is not None:
            raise PunctError("a picture is of one position; give its text, or a record with --file")
        style = BoardStyle(prefers_ascii(ascii_only), names)

        def answer(line: str) -> tuple[str | None, Exit]:
            position = read_position([line])
            if as_json:
                return json_text(as_data(position)), Exit.FINE
            draw_board(lines(), position, style, position.winning_chain or ())
            return None, Exit.FINE

        answer_lines(answer, as_json=as_json)
    position = find_position(words, file, game, ply)
    if as_json:
        print(json_text(as_data(position)))
        return
    last_move = Move.parse(last) if last is not None else position.moves[-1] if position.moves else None
    highlights = [Space(name) for name in highlight or ()]
    arrows = [_read_arrow(text) for text in arrow or ()]
    if output_file is None:
        chain = position.winning_chain
        marked = {*highlights, *(chain or (last_move_spaces(position, last_move) if last_move else ()))}
        draw_board(lines(), position, BoardStyle(prefers_ascii(ascii_only), names), marked)
        return
    suffix = output_file.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise PunctError(f"{output_file}: a picture's name ends in .svg or .png")
    picture_options: picture.Options = {
        "theme": theme.value,
        "coordinates": coordinates,
        "last_move": last_move,
        "highlights": highlights,
        "arrows": arrows,
        "flipped": flipped,
        "size": size,
    }
    data = (
        picture.svg(position, **picture_options).encode()
        if suffix == ".svg"
        else picture.png(position, **picture_options)
    )
    write_file(output_file, data, replace=force)


def _variation(words: list[str] | None, turns: str | None, file: Path | None, game: int) -> tuple[Position, list[str]]:
    """Return the start and the moves of an animation: a record's main line, or moves from a position."""
    if file is not None:
        if words or turns is not None:
            raise PunctError("give a position with --turns, or a record with --file, not both")
        record = pick_game(file, game)
        return record.start, [str(node.move) for node in record.main_line()]
    if turns is None:
        raise PunctError("--animate needs a record with --file, or moves with --turns")
    return read_position(words), turns.split()


def _animate(
    target: Path,
    start: Position,
    moves: list[str],
    first: int,
    last: int | None,
    delay: float,
    end_delay: float,
    options: dict[str, Any],
    *,
    replace: bool,
) -> None:
    """Write an animation, with a progress bar on a terminal."""
    forms: dict[str, picture.AnimationFormat] = {".gif": "gif", ".webp": "webp"}
    form = forms.get(target.suffix.lower())
    if form is None:
        raise PunctError(f"{target}: the name of an animated picture ends in .gif or .webp")
    if target.is_file() and not replace:
        raise PunctError(f"{target} exists already; give --force to replace it")
    with progress() as bar:
        task = bar.add_task("Drawing", total=(len(moves) if last is None else last) - first + 1)

        def on_progress(frames: int) -> None:
            bar.update(task, completed=frames)

        data = picture.animate(
            start,
            moves,
            form,
            first=first,
            last=last,
            delay=delay,
            end_delay=end_delay,
            on_progress=on_progress,
            **options,
        )
    write_file(target, data, replace=replace)


def as_data(position: Position) -> dict[str, object]:
    """Return a position as JSON data."""
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


def draw_board(
    console: "Console | PlainLines", position: Position, style: BoardStyle, marked: Iterable[Space] = ()
) -> None:
    """Print a position, what its characters mean, the side to move and the sets."""
    colour = console.color_system is not None and not console.no_color and not style.ascii_only
    if isinstance(console, PlainLines) or not colour:
        console.print(draw(position, ascii_only=style.ascii_only, names=style.names, marked=marked), markup=False)
    else:
        console.print(paint(position, names=style.names, marked=marked), no_wrap=True)
    console.print(legend(ascii_only=style.ascii_only, colour=colour), style="dim", markup=False)
    for line in status(position):
        console.print(line, markup=False)


def last_move_spaces(position: Position, last: Move) -> set[Space]:
    """Return where the piece just played lies, and where its PÜNCT came from."""
    piece = position.top(last.space)
    if piece is None or piece.space is not last.space:
        raise PunctError(f"{last} cannot be the last move: there is no PÜNCT on {last.space}")
    return {*piece.spaces, *((last.origin,) if last.origin else ())}


def _read_arrow(text: str) -> tuple[Space, Space]:
    start, hyphen, end = text.partition("-")
    if not hyphen:
        raise PunctError(f"{shorten(text)} is not an arrow: write it as d5-h9")
    return Space(start), Space(end)
