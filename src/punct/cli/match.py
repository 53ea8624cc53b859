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
    patience: Annotated[
        float, typer.Option("--patience", help="Seconds a player may take to start, and for a turn without a time.")
    ] = 60.0,
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
    force: Annotated[bool, typer.Option("--force", help="Replace records of other games.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the standing as one line of JSON.")] = False,
) -> None:
    """Play a match between two engines, and say what it shows.

    A player is a level of ours (`1` to `8`), `punct` (full strength), or the command of a program that speaks UGI. What
    concerns it alone follows after ` @ `: `nodes=400`, `movetime=100`, `tc=60+0.5`, `name=old`, and options
    (`Threads=2`).

    ```
    punct match 3 4 --pairs 20
    punct match "punct @ nodes=800" "python bench/ladder twoply" -f ladder.jsonl
    punct match punct "old/punct ugi @ name=old" --movetime 100 --sprt 0,10 -c 2
    ```

    Every opening is played twice, with colours changed. A program that crashes, hangs, talks nonsense or plays an
    illegal turn loses that game, and is told on at the end, with its last words. Ctrl-C ends the match and every player
    in it; what was played is kept. The exit code is 1 if an SPRT rejects the first player.
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
    contest = Match(settings, file, record, replace_records=force)
    console = messages()
    stopped: Exit | None = None
    try:
        with Live(console=console, auto_refresh=False, transient=True, screen=False) as live:

            def told(finished: Finished) -> None:
                if console.is_terminal:
                    live.update(_table(contest, finished), refresh=True)

            asyncio.run(_until_told_to_stop(contest.run(told, complain)))
    except KeyboardInterrupt:
        stopped = Exit.INTERRUPTED
    except asyncio.CancelledError:
        stopped = Exit.TERMINATED
    if stopped is not None:
        hint = f"; the same command goes on from {file}" if file is not None else ""
        console.print(f"Stopped{hint}.", markup=False)
    if as_json:
        output().out(json.dumps(_as_data(contest)), highlight=False)
    else:
        output().print(_table(contest))
    if stopped is not None:
        raise typer.Exit(stopped)
    if contest.verdict is Verdict.REJECTED:
        raise typer.Exit(Exit.NO)


async def _until_told_to_stop(playing: Coroutine[Any, Any, object]) -> None:
    """Play, and end in good order when the system asks for it, as for Ctrl-C: no player may be left running."""
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


def _table(contest: Match, latest: Finished | None = None) -> Group:
    """Return the standing for people to read."""
    standing, settings = contest.standing, contest.settings
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for name in ("", "points", "won", "drawn", "lost", "s/turn", "longest", "faults"):
        table.add_column(name, justify="left" if name in ("", "faults") else "right")
    rows = (
        (standing.points, standing.wins, standing.losses),
        (standing.games - standing.points, standing.losses, standing.wins),
    )
    for name, faults, spent, (points, won, lost) in zip(
        contest.names, standing.faults, standing.spent, rows, strict=True
    ):
        told = ", ".join(f"{fault} {count}" for fault, count in faults.items()) or "none"
        times = (f"{spent.mean:.3f}", f"{spent.longest:.3f}") if spent.turns else ("", "")
        table.add_row(name, f"{points:g}", str(won), str(standing.draws), str(lost), *times, told)
    lines = [f"{standing.games} of {2 * settings.pairs} games; pairs by points 0 … 2: {standing.pentanomial}"]
    if standing.estimate is not None:
        sure = "" if standing.estimate.is_open else " (95 %)"
        lines.append(f"Elo of {contest.names[0]} against {contest.names[1]}: {standing.estimate}{sure}")
    if settings.sprt is not None:
        low, high = settings.sprt.bounds
        ratio = settings.sprt.ratio(standing.pentanomial)
        lines.append(
            f"SPRT {settings.sprt.elo0:g} or {settings.sprt.elo1:g}: ratio {ratio:+.2f} in {low:.2f} … {high:.2f}, "
            f"{contest.verdict.value}"
        )
    lines += [f"Last fault: {remark}" for remark in standing.remarks if remark]
    if standing.endings:
        lines.append("Ended by " + ", ".join(f"{ending} {count}" for ending, count in standing.endings.most_common()))
    if latest is not None:
        lines.append(f"Latest: pair {latest.pair + 1}, {latest.result}, {len(latest.moves)} plies, {latest.ending}")
    return Group(table, *(Text(line) for line in lines))


def _as_data(contest: Match) -> dict[str, Any]:
    """Return the standing for programs to read; what is open or infinite is null."""
    standing, settings = contest.standing, contest.settings
    estimate = standing.estimate
    data: dict[str, Any] = {
        "players": list(contest.names),
        "games": standing.games,
        "of": 2 * settings.pairs,
        "points": standing.points,
        "won": standing.wins,
        "drawn": standing.draws,
        "lost": standing.losses,
        "pairs": list(standing.pentanomial),
        "elo": {name: _finite(getattr(estimate, name, None)) for name in ("elo", "low", "high")},
        "seconds_per_turn": [round(spent.mean, 4) for spent in standing.spent],
        "longest_turn": [round(spent.longest, 4) for spent in standing.spent],
        "faults": [{fault.name.lower(): count for fault, count in faults.items()} for faults in standing.faults],
        "last_fault": [remark or None for remark in standing.remarks],
        "endings": dict(standing.endings),
    }
    if settings.sprt is not None:
        data["sprt"] = {
            "elo0": settings.sprt.elo0,
            "elo1": settings.sprt.elo1,
            "ratio": round(settings.sprt.ratio(standing.pentanomial), 4),
            "bounds": list(settings.sprt.bounds),
            "verdict": contest.verdict.name.lower(),
        }
    return data


def _finite(number: float | None) -> float | None:
    return None if number is None or math.isinf(number) else round(number, 1)
