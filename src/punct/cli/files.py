"""``punct check`` and ``punct convert``: whole game records."""

# No annotations from the future: Typer would have each of them evaluated, twice, at every start.

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
    """How a record is written."""

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
    """Replay every game of some records, and say which are not valid, and where.

    ```
    punct check game.punct
    punct check --quiet archive/*.sgf
    cat game.sgf | punct check -
    ```

    The exit code is 0 if all are valid, 1 if one is not, and 2 if one cannot be opened. With `--json` each record is
    answered with one line.
    """
    console, errors = lines(), lines(stderr=True)
    valid, games, turns = 0, 0, 0
    worst = Exit.FINE
    for path in tracked(files, "Checking"):
        try:
            found = load_games(path)
        except PunctError as error:
            worst = max(worst, Exit.NO)
            if as_json:
                _tell(path, False, error=str(error))
            else:
                console.print(f"{error}", style="red", markup=False)
        except OSError as error:
            worst = Exit.BAD_INPUT
            if as_json:
                _tell(path, False, error=f"cannot be read: {error.strerror}")
            else:
                errors.print(f"{path}: cannot be read: {error.strerror}", style="red", markup=False)
        else:
            played = sum(len(game.moves) for game in found)
            valid, games, turns = valid + 1, games + len(found), turns + played
            if as_json and not quiet:
                _tell(path, True, games=len(found), turns=played)
            elif not quiet:
                console.print(f"{path}: valid, {_sum_up(len(found), played)}", markup=False)
    if len(files) > 1 and not quiet and not as_json:
        console.print(f"{valid} of {len(files)} records valid: {_sum_up(games, turns)}", markup=False)
    raise typer.Exit(worst)


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A record, or `-` for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A new record, or `-` for standard output.")],
    from_format: Annotated[
        Format | None,
        typer.Option("--from", help="How IN is written, if its contents do not tell.", show_default=False),
    ] = None,
    to_format: Annotated[
        Format | None,
        typer.Option("--to", help="How to write OUT, if its suffix does not tell.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
) -> None:
    """Write a record in another form: text (`.punct`, `.txt`) or SGF (`.sgf`).

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
        where = (
            "standard output has no suffix" if target == STANDARD_INPUT else f"the suffix of {target} is none we know"
        )
        raise PunctError(f"{where}; say how to write it with --to text or --to sgf")
    text = records.dumps(games, form)
    if target == STANDARD_INPUT:
        write_record(text)
    else:
        write_file(Path(target), text.encode(), replace=force)


def _tell(path: Path, valid: bool, **more: object) -> None:
    print(json_text({"file": str(path), "valid": valid, **more}, ascii_only=False))


def _name(form: Format | None) -> records.Format | None:
    return None if form is None else "sgf" if form is Format.SGF else "text"


def _sum_up(games: int, turns: int) -> str:
    return f"{games:,} game{'' if games == 1 else 's'}, {turns:,} turn{'' if turns == 1 else 's'}"
