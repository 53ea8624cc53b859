"""``punct explorer``: games of the opening explorer that were not played on its server."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from punct.cli.common import STANDARD_INPUT, Exit, complain, progress, write_file
from punct.cli.data import data_location
from punct.cli.serve import DatabaseUrl, DataFolder
from punct.errors import InvalidRecordError, PunctError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from punct.server.openings.archives import ArchiveImporter, ImportResult
    from punct.server.openings.store import OpeningStore

explorer: Final = typer.Typer(
    name="explorer",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Openings: import archives of games, besides those played on a server, which may keep running.

    ```
    punct explorer import archive/*.sgf league.punct
    punct explorer status
    ```
    """,
)


@explorer.command("import")
def import_games(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Records, text or SGF, of any number of games; `-` for standard input."),
    ],
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Add the games of some records to the openings, each game once, even if it is in several files.

    ```
    punct explorer import archive/*.sgf
    punct explorer import league.punct --data ~/punct-games
    ```

    Unfinished games do not count. An invalid game is reported with its file and line, and skipped. It may be stopped at
    any time and run again: no game counts twice.

    The exit code is 0 if all could be read, 1 if a game could not, and 2 if a file could not be opened.
    """
    from punct.server.openings.archives import ArchiveImporter

    worst = Exit.FINE
    results: Counter[ImportResult] = Counter()
    with _store(data, database_url) as store:
        archives = ArchiveImporter(store)
        try:
            with progress() as bar:
                task = bar.add_task("Importing", total=_size(files) or None)
                for file in files:
                    worst = max(worst, _import_file(file, archives, results, bar, task))
                archives.finish()
        except KeyboardInterrupt:
            _print_summary(archives, results, "stopped: run again to continue")
            raise
    _print_summary(archives, results)
    raise typer.Exit(worst)


@explorer.command("status")
def status(data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Print how many games are counted, by source."""
    from punct.server.openings.book import shipped_book

    with _store(data, database_url) as store:
        for source, (games, rows) in store.sizes().items():
            print(f"{source.name.lower()}\t{games} games\t{rows} moves in positions")
    print(f"book\t{shipped_book().games} games")


@explorer.command("forget")
def forget(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Remove every imported game. Those played on the server stay, and so does the book."""
    with _store(data, database_url) as store:
        if not yes and not typer.confirm("Delete all archives?"):
            raise typer.Exit(Exit.NO)
        print(f"{store.delete_archives().result()} games are deleted")


@explorer.command("book")
def make_book(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The book to write.")],
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="How many games.")] = 4000,
    level: Annotated[int, typer.Option("--level", min=1, max=8, help="Which level plays, against itself.")] = 5,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes per move.")] = 40,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed gives another book.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a book that exists.")] = False,
) -> None:
    """Let the computer play against itself and write a book of openings, like the one that comes with the program.

    ```
    punct explorer book book.txt.xz --games 4000 --level 5 --nodes 40
    ```

    It is a compressed text with the opening and the result of each game. The same options write the same book.
    """
    from punct.match.selfplay import self_play
    from punct.server.openings.book import BookGame, write_book

    if file.is_file() and not force:
        raise PunctError(f"{file} exists already; give --force to replace it")
    with progress() as bar:
        self_played = bar.track(self_play(games, level, nodes, seed), total=games, description="Playing")
        write_file(file, write_book(BookGame(*game) for game in self_played), replace=force)
    print(f"{games} games in {file}")


# ---------------------------------------------------------------------- helpers


class _ProgressReader:
    """A file that reports its reading to a progress bar."""

    def __init__(self, file: BinaryIO, bar: Progress, task: TaskID) -> None:
        self._file, self._bar, self._task = file, bar, task

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` more bytes."""
        data = self._file.read(size)
        self._bar.advance(self._task, len(data))
        return data


def _import_file(
    file: Path, archives: ArchiveImporter, results: Counter[ImportResult], bar: Progress, task: TaskID
) -> Exit:
    """Import one file; an error does not stop the next."""
    from punct import records

    bad = 0

    def skip(error: InvalidRecordError) -> None:
        nonlocal bad
        bad += 1
        complain(f"{file}: {error}")

    try:
        with contextlib.ExitStack() as stack:
            standard_input = str(file) == STANDARD_INPUT
            opened = sys.stdin.buffer if standard_input else stack.enter_context(file.open("rb"))
            reader = _ProgressReader(opened, bar, task)
            for game in records.iter_games(reader, records.format_of(file), on_error=skip):
                results[archives.add(game)] += 1
    except InvalidRecordError as error:  # not a text
        skip(error)
    except OSError as error:
        complain(f"{file}: cannot be read: {error.strerror or error}")
        return Exit.BAD_INPUT
    return Exit.NO if bad else Exit.FINE


def _size(files: list[Path]) -> int:
    """Return how many bytes there are to read; 0 if unknown."""
    with contextlib.suppress(OSError):
        return sum(file.stat().st_size for file in files)
    return 0


def _print_summary(archives: ArchiveImporter, results: Counter[ImportResult], *notes: str) -> None:
    from punct.server.openings.archives import ImportResult

    words = [f"{archives.stored:,} new game{'' if archives.stored == 1 else 's'}"]
    if results[ImportResult.KNOWN]:
        words.append(f"{results[ImportResult.KNOWN]:,} known already")
    if results[ImportResult.UNFINISHED]:
        words.append(f"{results[ImportResult.UNFINISHED]:,} not over")
    print("; ".join((", ".join(words), *notes)))


@contextlib.contextmanager
def _store(data: Path | None, database_url: str | None) -> Iterator[OpeningStore]:
    """Open the store that options name; an error is reported in one line."""
    from punct.server.db.database import open_database
    from punct.server.db.errors import StoreError
    from punct.server.openings.store import OpeningStore

    try:
        database = open_database(data_location(data, database_url))
        try:
            yield OpeningStore(database)
        finally:
            database.close()
    except StoreError as error:
        complain(error)
        raise typer.Exit(Exit.BAD_INPUT) from None
