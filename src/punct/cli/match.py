"""``punct match``: engines against each other."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.table import Table as RichTable

from punct.cli.common import Exit, messages, output
from punct.errors import PunctError
from punct.outcome import Rules

if TYPE_CHECKING:
    from punct.match.playing import Match
    from punct.match.standing import Finished
    from punct.match.statistics import Sprt


def match(
    first: Annotated[str, typer.Argument(metavar="FIRST", help="A player: see above.", show_default=False)],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The other player.", show_default=False)],
    pairs: Annotated[int, typer.Option("--pairs", "-n", help="Openings, each played with both colours.")] = 50,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes per turn for both players.")] = None,
    movetime: Annotated[int | None, typer.Option("--movetime", help="Milliseconds per turn for both players.")] = None,
    clock: Annotated[
        str | None, typer.Option("--tc", metavar="S+S", help="Seconds for the game and per turn, such as 60+0.5.")
    ] = None,
    rules: Annotated[Rules, typer.Option("--rules", "-r", help="Which game.")] = Rules.STANDARD,
    seed: Annotated[int, typer.Option("--seed", help="Which openings.")] = 1,
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", help="Games at a time.")] = 1,
    most_plies: Annotated[int, typer.Option("--max-plies", help="A game so long is a draw.")] = 300,
    patience: Annotated[float, typer.Option("--patience", help="Seconds to wait when no time is set.")] = 60.0,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop as soon as one of both is clear.", show_default=False),
    ] = None,
    alpha: Annotated[float, typer.Option("--alpha", help="SPRT: chance to accept wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option("--beta", help="SPRT: chance to reject wrongly.")] = 0.05,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", help="Keep the match here; run again to go on.", show_default=False),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--records", help="Write all games here as text records.", show_default=False)
    ] = None,
) -> None:
    """Play a match between two engines, and say what it shows.

    A player is a level of ours (`1` to `8`), `punct` (full strength), or the command of a program that speaks UGI. What
    concerns it alone follows after ` @ `: `nodes=400`, `movetime=100`, `tc=60+0.5`, `name=old`, and options
    (`Threads=2`).

    ```
    punct match 3 4 --pairs 20
    punct match "punct @ nodes=800" "python bench/ladder.py twoply" -f ladder.jsonl
    punct match punct "old/punct ugi @ name=old" --movetime 100 --sprt 0,10 -c 2
    ```

    Every opening is played twice, with colours changed. A program that crashes, hangs, talks nonsense or plays an
    illegal turn loses that game, and is told on at the end. The exit code is 1 if an SPRT rejects the first player.
    """
    # Only those who want the engine pay for loading it.
    from punct.match.player import Pace, read_clock, read_entrant
    from punct.match.playing import Match, Settings
    from punct.match.statistics import Verdict

    pace = Pace(movetime, nodes, clock=read_clock(clock) if clock is not None else None)
    settings = Settings(
        (read_entrant(first, pace), read_entrant(second, pace)),
        pairs,
        rules,
        seed,
        concurrency,
        most_plies,
        patience,
        _read_sprt(sprt, alpha, beta),
    )
    contest = Match(settings, file, record)
    console = messages()
    try:
        with Live(console=console, auto_refresh=False, transient=True, screen=False) as live:

            def told(finished: Finished) -> None:
                if console.is_terminal:
                    live.update(_table(contest, finished), refresh=True)

            asyncio.run(contest.run(told))
    except KeyboardInterrupt:
        hint = f"; the same command goes on from {file}" if file is not None else ""
        console.print(f"Interrupted{hint}.", markup=False)
    output().print(_table(contest))
    if contest.verdict is Verdict.REJECTED:
        raise typer.Exit(Exit.NO)


def _read_sprt(text: str | None, alpha: float, beta: float) -> Sprt | None:
    from punct.match.statistics import Sprt

    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise PunctError(f"--sprt takes two ratings, such as 0,10, not {text!r}") from None
    return Sprt(low, high, alpha, beta)


def _table(contest: Match, latest: Finished | None = None) -> Group:
    """Return the standing for people to read."""
    standing, settings = contest.standing, contest.settings
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for name in ("", "points", "won", "drawn", "lost", "faults"):
        table.add_column(name, justify="left" if name in ("", "faults") else "right")
    rows = (
        (standing.points, standing.wins, standing.losses),
        (standing.games - standing.points, standing.losses, standing.wins),
    )
    for name, faults, (points, won, lost) in zip(contest.names, standing.faults, rows, strict=True):
        told = ", ".join(f"{fault} {count}" for fault, count in faults.items())
        table.add_row(name, f"{points:g}", str(won), str(standing.draws), str(lost), told or "none")
    lines = [f"{standing.games} of {2 * settings.pairs} games; pairs by points 0 … 2: {standing.pentanomial}"]
    if standing.estimate is not None:
        lines.append(f"Elo of {contest.names[0]} against {contest.names[1]}: {standing.estimate} (95 %)")
    if settings.sprt is not None:
        low, high = settings.sprt.bounds
        ratio = settings.sprt.ratio(standing.pentanomial)
        lines.append(
            f"SPRT {settings.sprt.elo0:g} or {settings.sprt.elo1:g}: ratio {ratio:+.2f} in {low:.2f} … {high:.2f}, "
            f"{contest.verdict.value}"
        )
    if standing.endings:
        lines.append("Ended by " + ", ".join(f"{ending} {count}" for ending, count in standing.endings.most_common()))
    if latest is not None:
        lines.append(f"Latest: pair {latest.pair + 1}, {latest.result}, {len(latest.moves)} plies, {latest.ending}")
    return Group(table, *lines)
