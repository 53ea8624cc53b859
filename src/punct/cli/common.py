"""What all commands share: output, positions from arguments or files, exit codes and errors."""

# No annotations from the future: Typer would evaluate each of them, twice, at every start.

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, TypeVar

import typer

from punct.errors import InvalidRecordError, PunctError
from punct.outcome import Rules
from punct.position import Position

if TYPE_CHECKING:  # the plain commands start without them
    from rich.console import Console
    from rich.progress import Progress

    from punct import records
    from punct.game import Game

STANDARD_INPUT: Final = "-"
WITH_BYTE_ORDER_MARK: Final = "utf-8-sig"
"""The encoding for the beginning of a text, where editors and shells may put a byte order mark."""
Item = TypeVar("Item")


class Exit(IntEnum):
    """Exit codes."""

    FINE = 0
    NO = 1
    BAD_INPUT = 2
    # As shells report programs ended by a signal.
    INTERRUPTED = 130
    PIPE_CLOSED = 141
    TERMINATED = 143


def output() -> "Console":
    """Return where answers go. Colours are used on a terminal only, and not if NO_COLOR is set."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def messages() -> "Console":
    """Return where errors, warnings and progress go."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


class PlainLines:
    """Replaces a console where there are no colours: prints plain lines, without loading Rich."""

    color_system: Final = None
    no_color: Final = True

    def __init__(self, *, stderr: bool = False) -> None:
        """Write to standard output, or to standard error."""
        self._stderr = stderr

    def print(self, text: str, *, style: str | None = None, markup: bool = False) -> None:
        """Print a line, whatever style it would have."""
        print(text, file=sys.stderr if self._stderr else sys.stdout)


def lines(*, stderr: bool = False) -> "Console | PlainLines":
    """Return where the plain commands write: a console only if it may show colours."""
    stream = sys.stderr if stderr else sys.stdout
    if stream.isatty() or os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE"):
        return messages() if stderr else output()
    return PlainLines(stderr=stderr)


def complain(message: object) -> None:
    """Print an error message."""
    lines(stderr=True).print(f"punct: {message}", style="red", markup=False)


def progress() -> "Progress":
    """Return a progress bar, which is shown only if standard error is a terminal, and removed when done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = messages()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        # On the same terminal, lines are printed above the bar; output to a pipe or a file is left alone.
        redirect_stdout=sys.stdout.isatty(),
    )


def tracked(items: Sequence[Item], description: str) -> Iterator[Item]:
    """Yield the items, with a progress bar on a terminal."""
    if isinstance(lines(stderr=True), PlainLines):
        yield from items
        return
    with progress() as bar:
        yield from bar.track(items, description=description)


# ---------------------------------------------------------------------- options that several commands have

PositionWords = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION",
        help="A position's text (quotes are not needed), or nothing for the start of the standard game; `-` reads "
        "positions from standard input, one in each line, and answers each with a line.",
        show_default=False,
    ),
]
RecordFile = Annotated[
    Path | None,
    typer.Option(
        "--file", "-f", metavar="RECORD", help="Take the position from a game record instead.", show_default=False
    ),
]
GameNumber = Annotated[int, typer.Option("--game", "-g", min=1, help="Which game of the record.")]
Ply = Annotated[
    int | None,
    typer.Option(
        "--ply", "-p", min=0, help="After how many moves; the end of the game if not given.", show_default=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII characters.")]


def prefers_ascii(option: bool) -> bool:
    """Return whether to use ASCII alone: by the option, or because the output's encoding has nothing else."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return option or not encoding.lower().replace("-", "").startswith("utf")


# ---------------------------------------------------------------------- reading


def read_bytes() -> bytes:
    """Return all of standard input."""
    return sys.stdin.buffer.read()


def load_games(source: Path, form: "records.Format | None" = None) -> "list[Game]":
    """Return the games of a record, or of standard input if it is called ``-``; an error names the file."""
    from punct import records

    try:
        return records.loads(read_bytes(), form) if str(source) == STANDARD_INPUT else records.load(source, form)
    except InvalidRecordError as error:
        raise InvalidRecordError(f"{source}: {error}", line=error.line, game_index=error.game_index) from None


def pick_game(source: Path, number: int, ply: int | None = None) -> "Game":
    """Return one game of a record, after ``ply`` moves of its main line or at its end."""
    games = load_games(source)
    if number > len(games):
        raise PunctError(f"{source} has {len(games)} game{'' if len(games) == 1 else 's'}, not {number}")
    game = games[number - 1]
    nodes = (game.root, *game.main_line())
    if ply is not None and ply >= len(nodes):
        raise PunctError(f"game {number} of {source} has {len(nodes) - 1} moves, not {ply}")
    game.go_to(nodes[-1 if ply is None else ply])
    return game


def find_position(words: list[str] | None, file: Path | None, game: int, ply: int | None) -> Position:
    """Return a position by its text or by its place in a record, which comes with the moves before it."""
    if file is None:
        if ply is not None or game != 1:
            raise PunctError("--game and --ply choose from a record; give one with --file")
        return read_position(words)
    if words:
        raise PunctError("give a position's text or a record with --file, not both")
    return pick_game(file, game, ply).position.copy()


def read_position(words: list[str] | None) -> Position:
    """Return the position a command's words describe; ``basic`` and ``standard`` alone mean the start of that game."""
    if not words:
        return Position()
    text = " ".join(words)
    if text.strip() in {rules.value for rules in Rules}:
        text += " w"
    return Position(text)


def is_stream(words: list[str] | None, file: Path | None) -> bool:
    """Return whether positions come from standard input, one in each line."""
    return file is None and bool(words) and words is not None and words[0] == STANDARD_INPUT


def answer_lines(answer: Callable[[str], tuple[str | None, Exit]], *, as_json: bool) -> NoReturn:
    """Answer every line of standard input with a line at once, and end with the worst exit code among them.

    ``answer`` gets the line and returns the answer, None if it has printed it, and an exit code. An invalid line is
    answered with its error, so that answers and lines match.
    """
    worst = Exit.FINE
    for number, raw in enumerate(sys.stdin.buffer):
        try:
            line = raw.decode("utf-8" if number else WITH_BYTE_ORDER_MARK).strip()
            if not line:
                continue
            text, code = answer(line)
        except (PunctError, UnicodeDecodeError) as error:
            message = "this is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
            text, code = (
                json_text({"error": message}) if as_json else f"error: {' '.join(message.split())}",
                Exit.BAD_INPUT,
            )
        if text is not None:
            print(text, flush=True)
        worst = max(worst, code)
    raise typer.Exit(worst)


# ---------------------------------------------------------------------- writing


def json_text(data: object, *, ascii_only: bool = True) -> str:
    """Return data as JSON, in ASCII if the output's encoding needs it."""
    import json  # text output needs none

    return json.dumps(data, ensure_ascii=prefers_ascii(ascii_only))


def write_record(text: str) -> None:
    """Write a record to standard output: as UTF-8, as in files and as SGF declares, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())


def write_file(path: Path, data: bytes, *, replace: bool) -> None:
    """Write a file atomically: a failure leaves the old one."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a device or a pipe; a directory raises
        return
    if path.exists() and not replace:
        raise PunctError(f"{path} exists already; give --force to replace it")
    import tempfile  # most commands write no file

    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # name the user's file, not the temporary one
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(path.stat().st_mode & 0o777 if path.exists() else _new_file_mode())
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _new_file_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
