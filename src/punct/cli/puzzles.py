"""``punct puzzles``: make, check, show and count puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from punct.cli.common import Ascii, Exit, complain, lines, prefers_ascii, progress, write_file
from punct.errors import PunctError

if TYPE_CHECKING:
    from punct.puzzles import Puzzle

puzzles: Final = typer.Typer(
    name="puzzles",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Puzzles: positions with a win or a defence to find, proven by examining every move.

    ```
    punct puzzles make mine.puzzles --count 200
    punct puzzles check mine.puzzles
    punct puzzles stats
    ```
    """,
)
Collection = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="A file of puzzles; those that come with the program if not given."),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, max=1024, help="Processes; one for each core if not given.")
]


@puzzles.command("make")
def make(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The collection to make, or to resume.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=100_000, help="How many puzzles.")] = 2500,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0, help="Stop after this time, with the puzzles found by then.")
    ] = None,
    games: Annotated[
        list[Path] | None,
        typer.Option("--games", "-g", metavar="FILE", help="Search the games of this record; may be given again."),
    ] = None,
    own: Annotated[
        bool | None,
        typer.Option(
            "--own/--no-own", help="Search games of the engine's own, after those of --games; on if there are none."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed gives other games of its own.")] = 0,
    jobs: Jobs = None,
    address: Annotated[
        str | None,
        typer.Option("--address", metavar="ADDRESS", help="Search on a Ray cluster: ray://HOST:PORT, or auto."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that was not made here.")] = False,
) -> None:
    """Search games for puzzles, prove them, and rate them.

    ```
    punct puzzles make mine.puzzles --count 500
    punct puzzles make club.puzzles --games league.punct --games archive.sgf
    punct puzzles make many.puzzles --count 10000 --address ray://head:10001
    ```

    A journal is written beside FILE. Stop it at any time, in any way: the same command resumes; a larger `--count`
    takes more. FILE is written whole, at the end or when you press Ctrl-C. The same options make the same collection,
    on any number of cores or machines, unless `--seconds` ends it.
    """
    from punct.puzzles.file import write_puzzles
    from punct.puzzles.making import CollectionMaker
    from punct.ray_jobs import cores_here

    journal = file.with_name(f"{file.name}.journal")
    if file.exists() and not journal.exists() and not force:
        raise PunctError(f"{file} exists already, and there is no {journal.name} to resume from; give --force")
    maker = CollectionMaker(file, count, seed, games or (), own=not games if own is None else own)
    is_stopped = False
    with progress() as bar:
        task = bar.add_task("Searching", total=count, completed=len(maker.selection.puzzles))

        def on_progress() -> None:
            bar.update(
                task,
                completed=len(maker.selection.puzzles),
                description=f"{maker.games_searched:,} games searched, puzzles",
            )

        try:
            collection = maker.run(jobs or cores_here(), address=address, seconds=seconds, on_progress=on_progress)
        except KeyboardInterrupt:
            is_stopped, collection = True, maker.puzzles()
    write_file(file, write_puzzles(collection), replace=True)
    print(f"{len(collection):,} puzzles from {maker.games_searched:,} games in {file}")
    if is_stopped:
        complain("stopped; the same command resumes it")
        raise typer.Exit(Exit.INTERRUPTED)


@puzzles.command("check")
def check(file: Collection = None, jobs: Jobs = None) -> None:
    """Prove every puzzle of a file again, by the rules and by examining every move.

    ```
    punct puzzles check
    punct puzzles check mine.puzzles
    ```

    Each puzzle must have all first moves that solve it and no others, no shorter win, and a correct main line and
    themes. The exit code is 0 if all have, and 1 if something is wrong, which is printed.
    """
    from punct.puzzles.checking import check as check_puzzle
    from punct.puzzles.mining import by_processes
    from punct.ray_jobs import cores_here

    collection = _load(file)
    processes = min(jobs or cores_here(), max(1, len(collection)))
    wrong = 0
    console = lines()
    with progress() as bar:
        task = bar.add_task("Checking", total=len(collection))
        for name, faults in by_processes(check_puzzle, iter(collection), processes):
            bar.advance(task)
            wrong += bool(faults)
            for fault in faults:
                console.print(f"{name}: {fault}", style="red", markup=False)
    duplicates = len(collection) - len({puzzle.id for puzzle in collection})
    if duplicates:
        console.print(f"{duplicates} puzzles have the name of another", style="red", markup=False)
    print(f"{len(collection) - wrong:,} of {len(collection):,} puzzles are proven")
    raise typer.Exit(Exit.NO if wrong or duplicates else Exit.FINE)


@puzzles.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="A puzzle's name; `day` for today's.")],
    file: Annotated[
        Path | None, typer.Option("--file", "-f", metavar="FILE", help="Look it up in this file.", show_default=False)
    ] = None,
    solution: Annotated[bool, typer.Option("--solution/--no-solution", help="Print the solution.")] = True,
    ascii_only: Ascii = False,
) -> None:
    """Draw a puzzle, with its solution.

    ```
    punct puzzles show day --no-solution
    ```
    """
    from datetime import UTC, datetime

    from punct.cli.show import BoardStyle, draw_board
    from punct.position import Position
    from punct.puzzles import of_the_day

    collection = _load(file)
    if name == "day":
        puzzle = of_the_day(datetime.now(UTC).date(), collection)
    else:
        puzzle = next((each for each in collection if each.id == name), None)
    if puzzle is None:
        raise PunctError(f"there is no puzzle {name!r} among the {len(collection):,}")
    position = Position(puzzle.position)
    draw_board(lines(), position, BoardStyle(prefers_ascii(ascii_only)))
    print(f"\nPuzzle {puzzle.id}, rated {puzzle.rating}: {_task(puzzle)}")
    if solution:
        print(f"Solution: {' '.join(map(str, puzzle.solution))}")
        if puzzle.also:
            print(f"As good: {' '.join(map(str, puzzle.also))}")
        print(f"Themes: {', '.join(puzzle.themes) or 'none'}")


@puzzles.command("stats")
def stats(file: Collection = None) -> None:
    """Count the puzzles of a file by kind, by theme and by difficulty."""
    from punct.puzzles.statistics import as_markdown, count

    print(as_markdown(count(_load(file))))


def _load(file: Path | None) -> Sequence[Puzzle]:
    from punct.puzzles import load_puzzles, shipped

    return shipped() if file is None else load_puzzles(file)


def _task(puzzle: Puzzle) -> str:
    from punct.position import Position

    side = Position(puzzle.position).turn
    if puzzle.goal == "hold":
        return f"{side} to move must not lose at once"
    return f"{side} to move wins in {puzzle.turns}"
