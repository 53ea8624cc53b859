"""``punct check`` and ``punct convert``: whole game records."""

# No annotations from the future: Typer would evaluate each of them, twice, at every start.

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from punct import records
from punct.cli.common import (
    STANDARD_INPUT,
    AsJson,
    Exit,
    json_text,
    lines,
    load_games,
    tracked,
    write_file,
    write_record,
)
from punct.errors import PunctError


class Format(Enum):
    """The format of a record."""

    TEXT = "text"
    SGF = "sgf"


def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Records, text or SGF; `-` for standard input.", show_default=False),
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is wrong.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay every game of some records, and report which are not valid, and where.

    ```
    punct check game.punct
    punct check --quiet archive/*.sgf
    cat game.sgf | punct check -
    ```

    The exit code is 0 if all are valid, 1 if one is not, and 2 if one cannot be opened. With `--json` each record is
    answered with one line.
    """
    console, errors = lines(), lines(stderr=True)
    valid, games, moves = 0, 0, 0
    worst = Exit.FINE
    for path in tracked(files, "Checking"):
        try:
            loaded = load_games(path)
        except PunctError as error:
            worst = max(worst, Exit.NO)
            if as_json:
                _print_json(path, False, error=str(error))
            else:
                console.print(f"{error}", style="red", markup=False)
        except OSError as error:
            worst = Exit.BAD_INPUT
            if as_json:
                _print_json(path, False, error=f"cannot be read: {error.strerror}")
            else:
                errors.print(f"{path}: cannot be read: {error.strerror}", style="red", markup=False)
        else:
            count = sum(len(game.moves) for game in loaded)
            valid, games, moves = valid + 1, games + len(loaded), moves + count
            if as_json and not quiet:
                _print_json(path, True, games=len(loaded), turns=count)
            elif not quiet:
                console.print(f"{path}: valid, {_summary(len(loaded), count)}", markup=False)
    if len(files) > 1 and not quiet and not as_json:
        console.print(f"{valid} of {len(files)} records valid: {_summary(games, moves)}", markup=False)
    raise typer.Exit(worst)


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A record, or `-` for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A new record, or `-` for standard output.")],
    from_format: Annotated[
        Format | None,
        typer.Option("--from", help="The format of IN, if it cannot be detected.", show_default=False),
    ] = None,
    to_format: Annotated[
        Format | None,
        typer.Option("--to", help="The format of OUT, if its suffix is unknown.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
) -> None:
    """Write a record in another format: text (`.punct`, `.txt`) or SGF (`.sgf`).

    ```
    punct convert boardspace.sgf game.punct
    punct convert game.punct game.sgf
    punct convert - - --to sgf < game.punct
    ```

    OUT is written whole or not at all.
    """
    games = load_games(Path(source), _name(from_format))
    form = _name(to_format) or records.format_of(target)
    if form is None:
        problem = "standard output has no suffix" if target == STANDARD_INPUT else f"the suffix of {target} is unknown"
        raise PunctError(f"{problem}; give the format with --to text or --to sgf")
    text = records.dumps(games, form)
    if target == STANDARD_INPUT:
        write_record(text)
    else:
        write_file(Path(target), text.encode(), replace=force)


def _print_json(path: Path, valid: bool, **data: object) -> None:
    print(json_text({"file": str(path), "valid": valid, **data}, ascii_only=False))


def _name(form: Format | None) -> records.Format | None:
    return None if form is None else "sgf" if form is Format.SGF else "text"


def _summary(games: int, moves: int) -> str:
    return f"{games:,} game{'' if games == 1 else 's'}, {moves:,} move{'' if moves == 1 else 's'}"
