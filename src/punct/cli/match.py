"""``punct match``: engines against each other."""

from __future__ import annotations

import asyncio
import json
import math
import signal
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.table import Table as RichTable
from rich.text import Text

from punct.cli.common import Exit, complain, messages, output
from punct.errors import PunctError
from punct.outcome import Rules

if TYPE_CHECKING:
    from punct.match.game import FinishedGame
    from punct.match.playing import Match
    from punct.match.statistics import Sprt


def match(
    first: Annotated[str, typer.Argument(metavar="FIRST", help="A player: see above.", show_default=False)],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The other player.", show_default=False)],
    pairs: Annotated[int, typer.Option("--pairs", "-n", help="Openings, each played with both colours.")] = 50,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes per move for both players.")] = None,
    movetime: Annotated[int | None, typer.Option("--movetime", help="Milliseconds per move for both players.")] = None,
    clock: Annotated[
        str | None, typer.Option("--tc", metavar="S+S", help="Seconds for the game and per move, such as 60+0.5.")
    ] = None,
    rules: Annotated[Rules, typer.Option("--rules", "-r", help="Which game.")] = Rules.STANDARD,
    seed: Annotated[int, typer.Option("--seed", help="Which openings.")] = 1,
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", help="Games at a time.")] = 1,
    max_plies: Annotated[int, typer.Option("--max-plies", help="A game of this length is a draw.")] = 300,
    timeout: Annotated[
        float, typer.Option("--patience", help="Seconds a player may take to start, and for a move without a time.")
    ] = 60.0,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop as soon as this test decides.", show_default=False),
    ] = None,
    alpha: Annotated[float, typer.Option("--alpha", help="SPRT: chance to accept wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option("--beta", help="SPRT: chance to reject wrongly.")] = 0.05,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", help="Store the match here; run again to resume.", show_default=False),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--records", help="Write all games here as text records.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace records of other games.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the score as one line of JSON.")] = False,
) -> None:
    """Play a match between two engines, and print the score.

    A player is a level (`1` to `8`), `punct` (full strength), or the command of a program that speaks UGI. Its
    own settings follow after ` @ `: `nodes=400`, `movetime=100`, `tc=60+0.5`, `name=old`, and options
    (`Threads=2`).

    ```
    punct match 3 4 --pairs 20
    punct match "punct @ nodes=800" "python bench/ladder twoply" -f ladder.jsonl
    punct match punct "old/punct ugi @ name=old" --movetime 100 --sprt 0,10 -c 2
    ```

    Every opening is played twice, with colours changed. A program that crashes, hangs, sends nonsense or plays an
    illegal move loses that game, and is reported at the end, with its last error output. Ctrl-C ends the match and its
    programs; finished games are stored. The exit code is 1 if an SPRT rejects the first player.
    """
    # Loaded here: other commands start without the engine.
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
        max_plies,
        timeout,
        _read_sprt(sprt, alpha, beta),
    )
    contest = Match(settings, file, record, replace_records=force)
    console = messages()
    exit_code: Exit | None = None
    try:
        with Live(console=console, auto_refresh=False, transient=True, screen=False) as live:

            def on_game(finished: FinishedGame) -> None:
                if console.is_terminal:
                    live.update(_table(contest, finished), refresh=True)

            asyncio.run(_until_stopped(contest.run(on_game, complain)))
    except KeyboardInterrupt:
        exit_code = Exit.INTERRUPTED
    except asyncio.CancelledError:
        exit_code = Exit.TERMINATED
    if exit_code is not None:
        hint = f"; the same command resumes it from {file}" if file is not None else ""
        console.print(f"Stopped{hint}.", markup=False)
    if as_json:
        output().out(json.dumps(_as_data(contest)), highlight=False)
    else:
        output().print(_table(contest))
    if exit_code is not None:
        raise typer.Exit(exit_code)
    if contest.verdict is Verdict.REJECTED:
        raise typer.Exit(Exit.NO)


async def _until_stopped(playing: Coroutine[Any, Any, object]) -> None:
    """Play, and end in order on SIGTERM as on Ctrl-C: no program may be left running."""
    task = asyncio.ensure_future(playing)
    with suppress(NotImplementedError):  # not on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await task


def _read_sprt(text: str | None, alpha: float, beta: float) -> Sprt | None:
    from punct.match.statistics import Sprt

    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise PunctError(f"--sprt takes two ratings, such as 0,10, not {text!r}") from None
    return Sprt(low, high, alpha, beta)


def _table(contest: Match, latest: FinishedGame | None = None) -> Group:
    """Return the score as a table."""
    score, settings = contest.score, contest.settings
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for name in ("", "points", "won", "drawn", "lost", "s/move", "longest", "faults"):
        table.add_column(name, justify="left" if name in ("", "faults") else "right")
    rows = (
        (score.points, score.wins, score.losses),
        (score.games - score.points, score.losses, score.wins),
    )
    for name, faults, spent, (points, won, lost) in zip(contest.names, score.faults, score.spent, rows, strict=True):
        fault_counts = ", ".join(f"{fault} {count}" for fault, count in faults.items()) or "none"
        times = (f"{spent.mean:.3f}", f"{spent.longest:.3f}") if spent.moves else ("", "")
        table.add_row(name, f"{points:g}", str(won), str(score.draws), str(lost), *times, fault_counts)
    lines = [f"{score.games} of {2 * settings.pairs} games; pairs by points 0 … 2: {score.pentanomial}"]
    if score.estimate is not None:
        confidence = "" if score.estimate.is_open else " (95 %)"
        lines.append(f"Elo of {contest.names[0]} against {contest.names[1]}: {score.estimate}{confidence}")
    if settings.sprt is not None:
        low, high = settings.sprt.bounds
        ratio = settings.sprt.ratio(score.pentanomial)
        lines.append(
            f"SPRT {settings.sprt.elo0:g} or {settings.sprt.elo1:g}: ratio {ratio:+.2f} in {low:.2f} … {high:.2f}, "
            f"{contest.verdict.value}"
        )
    lines += [f"Last fault: {remark}" for remark in score.remarks if remark]
    if score.endings:
        lines.append("Ended by " + ", ".join(f"{ending} {count}" for ending, count in score.endings.most_common()))
    if latest is not None:
        lines.append(f"Latest: pair {latest.pair + 1}, {latest.result}, {len(latest.moves)} plies, {latest.ending}")
    return Group(table, *(Text(line) for line in lines))


def _as_data(contest: Match) -> dict[str, Any]:
    """Return the score as JSON data; open or infinite values are null."""
    score, settings = contest.score, contest.settings
    estimate = score.estimate
    data: dict[str, Any] = {
        "players": list(contest.names),
        "games": score.games,
        "of": 2 * settings.pairs,
        "points": score.points,
        "won": score.wins,
        "drawn": score.draws,
        "lost": score.losses,
        "pairs": list(score.pentanomial),
        "elo": {name: _finite(getattr(estimate, name, None)) for name in ("elo", "low", "high")},
        "seconds_per_turn": [round(spent.mean, 4) for spent in score.spent],
        "longest_turn": [round(spent.longest, 4) for spent in score.spent],
        "faults": [{fault.name.lower(): count for fault, count in faults.items()} for faults in score.faults],
        "last_fault": [remark or None for remark in score.remarks],
        "endings": dict(score.endings),
    }
    if settings.sprt is not None:
        data["sprt"] = {
            "elo0": settings.sprt.elo0,
            "elo1": settings.sprt.elo1,
            "ratio": round(settings.sprt.ratio(score.pentanomial), 4),
            "bounds": list(settings.sprt.bounds),
            "verdict": contest.verdict.name.lower(),
        }
    return data


def _finite(number: float | None) -> float | None:
    return None if number is None or math.isinf(number) else round(number, 1)
