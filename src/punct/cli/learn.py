"""``punct learn``: the engine learns from its own games."""

from __future__ import annotations

import importlib.util
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from punct.cli.common import Exit, complain, progress
from punct.errors import PunctError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from punct.learn import Progress, Round, Settings

learn: Final = typer.Typer(
    name="learn",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""The engine learns from its own games: it plays, fits a network, and keeps it if it wins a match.

    ```
    punct learn demo
    punct learn run mine --rounds 20
    punct learn report mine
    ```
    """,
)


class Form(StrEnum):
    """How a picture is written."""

    SVG = "svg"
    PNG = "png"


Where = Annotated[Path, typer.Argument(metavar="FOLDER", help="Where all of it is kept.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, max=1024, help="Workers here; one for each core if not given.")
]
Address = Annotated[
    str | None,
    typer.Option("--address", metavar="ADDRESS", help="Work on a Ray cluster: ray://HOST:PORT, HOST:PORT or auto."),
]


@learn.command("run")
def run(
    folder: Where,
    rounds: Annotated[int, typer.Option("--rounds", "-r", min=1, help="Stop when so many are over, in all.")] = 10,
    games: Annotated[int | None, typer.Option("--games", help="Games of its own in a round.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes for a turn of those.")] = None,
    window: Annotated[int | None, typer.Option("--window", help="Learn from so many games, the latest.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="How often each sample is shown.")] = None,
    match_nodes: Annotated[int | None, typer.Option("--match-nodes", help="Nodes for a turn in matches.")] = None,
    match_pairs: Annotated[int | None, typer.Option("--match-pairs", help="Pairs before a match is given up.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Other games and openings for each.")] = None,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", "-s", metavar="FILE", help="Take these and all other settings from a file in TOML."),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option(
            "--network",
            metavar="FILE",
            help="Begin a folder with this network as the best, not with the linear weights; `own`: the engine's own.",
        ),
    ] = None,
    jobs: Jobs = None,
    address: Address = None,
) -> None:
    """Play, fit, judge, and promote or drop, round after round.

    ```
    punct learn run mine --rounds 20 --games 2000
    punct learn run mine --rounds 20 --network own
    punct learn run mine --rounds 100 --address ray://head:10001
    ```

    Stopped at any time, in whatever way, the same command goes on where it was; so it does with more `--rounds`. Other
    settings hold from the next round on: one that has begun goes on as it was. TensorBoard reads FOLDER/tensorboard.
    """
    from punct.learn.settings import USUAL, read_settings

    wanted = {
        "games": games,
        "nodes": nodes,
        "window": window,
        "epochs": epochs,
        "match_nodes": match_nodes,
        "match_pairs": match_pairs,
        "seed": seed,
    }
    changed = {} if settings is None else read_settings(settings)
    changed |= {name: value for name, value in wanted.items() if value is not None}
    _run(folder, rounds, changed, USUAL, jobs, address, _network_file(network))


@learn.command("demo")
def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where all of it is kept.")
    ] = Path("punct-learn-demo"),
    rounds: Annotated[int, typer.Option("--rounds", "-r", min=1, help="Stop when so many are over.")] = 2,
    jobs: Jobs = None,
    address: Address = None,
) -> None:  # fmt: skip
    """See the whole circle in about five minutes on two cores: its own games, a fit, a match, a verdict, the report.

    Numbers are so small that nothing becomes strong. It is kept in FOLDER as `punct learn run` keeps it, and goes on.
    """
    from punct.learn.settings import DEMO

    _run(folder, rounds, {}, DEMO, jobs, address)
    report(folder)


@learn.command("report")
def report(
    folder: Where,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Where pictures go; FOLDER/report if not given."),
    ] = None,
    form: Annotated[Form, typer.Option("--format", "-f", help="Of the pictures.")] = Form.SVG,
) -> None:
    """Tell what has come of it: a table of the rounds, and losses and strength as pictures."""
    from punct.learn.players import LINEAR
    from punct.learn.report import HEADINGS, Report, summary
    from punct.puzzles.statistics import as_markdown

    found = Report.of(folder)
    print(as_markdown([HEADINGS, *found.rows()]))
    print(summary(found.state, found.strengths()))
    if found.state.best != LINEAR:
        best = found.folder.network(found.state.number_of(found.state.best))
        print(f"It lies in {best}: punct match 'punct @ Network={best}' punct --nodes 300")
    if found.state.rounds:
        for path in found.draw(out or folder / "report", form.value):
            print(f"Drawn: {path}")


def _network_file(network: str | None) -> Path | None:
    """Return the file that is meant; one that is called ``own`` is ``./own``."""
    if network == "own":
        from punct.engine.network import OWN

        return OWN
    return None if network is None else Path(network)


def _run(
    folder: Path,
    rounds: int,
    changed: dict[str, Any],
    usual: Settings,
    jobs: int | None,
    address: str | None,
    network: Path | None = None,
) -> None:
    from punct import cluster
    from punct.learn import RayHands, Run
    from punct.learn.errors import needed

    needed("pyarrow")
    needed("tensorboardX")
    if address is None and importlib.util.find_spec("torch") is None:  # before hours of play, and without loading it
        raise PunctError("learning needs torch, which is not installed: pip install 'punct[learn]'")
    learning = Run(folder, changed, usual, network)
    if learning.goes_on_as_it_began:
        complain(f"round {learning.state.number} goes on as it began; the new settings hold from the next one on")
    try:
        with cluster.joined(address, "learn", cores=jobs or cluster.cores_here()) as ray, progress() as bar:
            teller = _Teller(bar)
            learning.run(RayHands(ray), rounds, teller.told, teller.ended)
    except KeyboardInterrupt:
        complain("stopped; the same command goes on")
        raise typer.Exit(Exit.INTERRUPTED) from None


class _Teller:
    """Tells how a learning goes: a bar for the stage it is in, a line for each stage and round that is over."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task = bar.add_task("Beginning", total=None)
        self._last: Progress | None = None

    def told(self, now: Progress) -> None:
        """Show how far it is."""
        if self._last is not None and (self._last.round, self._last.stage) != (now.round, now.stage):
            self._close(self._last)
        self._last = now
        words = f"round {now.round}, {now.stage}{': ' if now.note else ''}{now.note}"
        self._bar.update(self._task, description=words, completed=now.done, total=now.total)

    def ended(self, finished: Round) -> None:
        """Say how a round ended."""
        if self._last is not None:
            self._close(self._last)
            self._last = None
        word = "accepted" if finished.is_accepted else "dropped"
        print(f"round {finished.number}: {finished.network} {word} ({finished.why})", flush=True)

    def _close(self, last: Progress) -> None:
        what = {"play": "games", "fit": "steps", "match": "games", "pool": "games"}[last.stage]
        print(f"round {last.round}, {last.stage}: {last.done} {what}{', ' if last.note else ''}{last.note}", flush=True)
