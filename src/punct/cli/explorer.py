"""``punct explorer``: what the opening explorer knows besides the games played on its server."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from punct.cli.common import STANDARD_INPUT, Exit, complain, progress, write_file
from punct.cli.data import kept_in
from punct.cli.serve import DatabaseUrl, DataFolder
from punct.errors import InvalidRecordError, PunctError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from punct.server.play.archives import Archives, Verdict
    from punct.server.store import ExploredStore

explorer: Final = typer.Typer(
    name="explorer",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Openings: take in archives of games, besides those that are played on a server. It may run meanwhile.

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
    """Count the games of some records among the openings, each game once: in however many files it is.

    ```
    punct explorer import archive/*.sgf
    punct explorer import league.punct --data ~/punct-games
    ```

    Games that are not over do not count. One that cannot be read is named with its file and line, and passed over. It
    may be stopped at any time, and begun again: what was counted is not counted twice.

    The exit code is 0 if all could be read, 1 if a game could not, and 2 if a file could not be opened.
    """
    from punct.server.play.archives import Archives

    worst = Exit.FINE
    found: Counter[Verdict] = Counter()
    with _store(data, database_url) as store:
        archives = Archives(store)
        try:
            with progress() as bar:
                task = bar.add_task("Taking in", total=_size(files) or None)
                for file in files:
                    worst = max(worst, _take_in(file, archives, found, bar, task))
                archives.finish()
        except KeyboardInterrupt:
            _sum_up(archives, found, "stopped: begin again to go on")
            raise
    _sum_up(archives, found)
    raise typer.Exit(worst)


@explorer.command("status")
def status(data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Tell how many games are counted, by where they come from."""
    from punct.server.play.book import shipped

    with _store(data, database_url) as store:
        for source, (games, rows) in store.sizes().items():
            print(f"{source.name.lower()}\t{games} games\t{rows} moves in positions")
    print(f"book\t{shipped().games} games")


@explorer.command("forget")
def forget(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Forget every game that was taken in. Those played on the server stay counted, and so does the book."""
    with _store(data, database_url) as store:
        if not yes and not typer.confirm("Forget all archives?"):
            raise typer.Exit(Exit.NO)
        print(f"{store.forget_archives().result()} games are forgotten")


@explorer.command("book")
def make_book(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The book to write.")],
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="How many games.")] = 4000,
    level: Annotated[int, typer.Option("--level", min=1, max=8, help="Which level plays, against itself.")] = 5,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="How many nodes it looks at for a turn.")] = 40,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another book for each.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a book that exists.")] = False,
) -> None:
    """Have the computer play against itself and write a book of openings, as the one that comes with the program.

    ```
    punct explorer book book.txt.xz --games 4000 --level 5 --nodes 40
    ```

    It is a compressed text that says of each game how it began and how it ended. The same options write the same book.
    """
    from punct.match.selfplay import self_play
    from punct.server.play.book import BookGame, write_book

    if file.is_file() and not force:
        raise PunctError(f"{file} exists already; give --force to replace it")
    with progress() as bar:
        played = bar.track(self_play(games, level, nodes, seed), total=games, description="Playing")
        write_file(file, write_book(BookGame(*game) for game in played), replace=force)
    print(f"{games} games in {file}")


# ---------------------------------------------------------------------- within


class _Watched:
    """A file whose reading can be watched."""

    def __init__(self, file: BinaryIO, bar: Progress, task: TaskID) -> None:
        self._file, self._bar, self._task = file, bar, task

    def read(self, size: int, /) -> bytes:
        """Return at most so much more."""
        found = self._file.read(size)
        self._bar.advance(self._task, len(found))
        return found


def _take_in(file: Path, archives: Archives, found: Counter[Verdict], bar: Progress, task: TaskID) -> Exit:
    """Take in one file; whatever is wrong with it, the next may be fine."""
    from punct import records

    bad = 0

    def pass_over(error: InvalidRecordError) -> None:
        nonlocal bad
        bad += 1
        complain(f"{file}: {error}")

    try:
        with contextlib.ExitStack() as stack:
            standard_input = str(file) == STANDARD_INPUT
            opened = sys.stdin.buffer if standard_input else stack.enter_context(file.open("rb"))
            watched = _Watched(opened, bar, task)
            for game in records.iter_games(watched, records.format_of(file), on_error=pass_over):
                found[archives.add(game)] += 1
    except InvalidRecordError as error:  # no text at all
        pass_over(error)
    except OSError as error:
        complain(f"{file}: cannot be read: {error.strerror or error}")
        return Exit.BAD_INPUT
    return Exit.NO if bad else Exit.FINE


def _size(files: list[Path]) -> int:
    """Return how many bytes there are to read; 0 if nobody knows."""
    with contextlib.suppress(OSError):
        return sum(file.stat().st_size for file in files)
    return 0


def _sum_up(archives: Archives, found: Counter[Verdict], *more: str) -> None:
    from punct.server.play.archives import Verdict

    words = [f"{archives.stored:,} new game{'' if archives.stored == 1 else 's'}"]
    if found[Verdict.KNOWN]:
        words.append(f"{found[Verdict.KNOWN]:,} known already")
    if found[Verdict.UNFINISHED]:
        words.append(f"{found[Verdict.UNFINISHED]:,} not over")
    print("; ".join((", ".join(words), *more)))


@contextlib.contextmanager
def _store(data: Path | None, database_url: str | None) -> Iterator[ExploredStore]:
    """Open the store that options name; what is wrong with it is said in one line."""
    from punct.server.store import ExploredStore, StoreError, open_database

    try:
        database = open_database(kept_in(data, database_url))
        try:
            yield ExploredStore(database)
        finally:
            database.close()
    except StoreError as error:
        complain(error)
        raise typer.Exit(Exit.BAD_INPUT) from None
