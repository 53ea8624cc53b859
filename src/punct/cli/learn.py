"""``punct learn``: train networks on the engine's own games."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from punct.cli.common import Exit, complain, progress
from punct.extras import missing_extra

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from punct.training import Progress, Round, Settings

learn: Final = typer.Typer(
    name="learn",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Train networks on the engine's own games: self-play, a fit, and a match that accepts or rejects it.

    ```
    punct learn demo
    punct learn run mine --rounds 20
    punct learn report mine
    ```
    """,
)


class Form(StrEnum):
    """The format of a picture."""

    SVG = "svg"
    PNG = "png"


RunFolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the training run.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, max=1024, help="Workers here; one for each core if not given.")
]
Address = Annotated[
    str | None,
    typer.Option("--address", metavar="ADDRESS", help="Work on a Ray cluster: ray://HOST:PORT, HOST:PORT or auto."),
]


@learn.command("run")
def run(
    folder: RunFolderArgument,
    rounds: Annotated[int, typer.Option("--rounds", "-r", min=1, help="Stop after this many rounds in all.")] = 10,
    games: Annotated[int | None, typer.Option("--games", help="Self-play games in a round.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes for a move of self-play.")] = None,
    window: Annotated[int | None, typer.Option("--window", help="Train on this many games, the latest.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="Passes over the samples.")] = None,
    match_nodes: Annotated[int | None, typer.Option("--match-nodes", help="Nodes for a move in matches.")] = None,
    match_pairs: Annotated[int | None, typer.Option("--match-pairs", help="Pairs of an undecided match.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Another seed gives other games and openings.")] = None,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", "-s", metavar="FILE", help="Read these and all other settings from a TOML file."),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option(
            "--network",
            metavar="FILE",
            help="Start with this network as the best, not with the linear weights; `own`: the engine's own.",
        ),
    ] = None,
    jobs: Jobs = None,
    address: Address = None,
) -> None:
    """Run rounds of self-play, a fit and matches, which accept the new network or not.

    ```
    punct learn run mine --rounds 20 --games 2000
    punct learn run mine --rounds 20 --network own
    punct learn run mine --rounds 100 --address ray://head:10001
    ```

    Stop it at any time, in any way: the same command resumes, also with more `--rounds`. Changed settings apply from
    the next round on; a round that has begun continues as it was. TensorBoard reads FOLDER/tensorboard.
    """
    from punct.training.settings import DEFAULTS, read_settings

    options = {
        "games": games,
        "nodes": nodes,
        "window": window,
        "epochs": epochs,
        "match_nodes": match_nodes,
        "match_pairs": match_pairs,
        "seed": seed,
    }
    changes = {} if settings is None else read_settings(settings)
    changes |= {name: value for name, value in options.items() if value is not None}
    _run(folder, rounds, changes, DEFAULTS, jobs, address, _network_file(network))


@learn.command("demo")
def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of the training run.")
    ] = Path("punct-learn-demo"),
    rounds: Annotated[int, typer.Option("--rounds", "-r", min=1, help="Stop after this many rounds.")] = 2,
    jobs: Jobs = None,
    address: Address = None,
) -> None:  # fmt: skip
    """Run a whole cycle in about five minutes on two cores: self-play, a fit, a match, a verdict, the report.

    The numbers are too small for a strong network. FOLDER is as `punct learn run` has it, and can be resumed.
    """
    from punct.training.settings import DEMO

    _run(folder, rounds, {}, DEMO, jobs, address)
    report(folder)


@learn.command("report")
def report(
    folder: RunFolderArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Folder of the pictures; FOLDER/report if not given."),
    ] = None,
    form: Annotated[Form, typer.Option("--format", "-f", help="Format of the pictures.")] = Form.SVG,
) -> None:
    """Report the results: a table of the rounds, and losses and strength as pictures."""
    from punct.puzzles.statistics import as_markdown
    from punct.training.players import LINEAR
    from punct.training.report import HEADINGS, Report, summary

    result = Report.of(folder)
    print(as_markdown([HEADINGS, *result.rows()]))
    print(summary(result.state, result.strengths()))
    if result.state.best != LINEAR:
        best = result.folder.network(result.state.number_of(result.state.best))
        print(f"It lies in {best}: punct match 'punct @ Network={best}' punct --nodes 300")
    if result.state.rounds:
        for path in result.draw(out or folder / "report", form.value):
            print(f"Drawn: {path}")


def _network_file(network: str | None) -> Path | None:
    """Return the network's file; ``own`` means the engine's, so a file of that name is ``./own``."""
    if network == "own":
        from punct.engine.network import OWN_NETWORK_PATH

        return OWN_NETWORK_PATH
    return None if network is None else Path(network)


def _run(
    folder: Path,
    rounds: int,
    changes: dict[str, Any],
    defaults: Settings,
    jobs: int | None,
    address: str | None,
    network: Path | None = None,
) -> None:
    from punct import ray_jobs
    from punct.training import RayWorkers, TrainingRun
    from punct.training.errors import import_optional

    import_optional("pyarrow")
    import_optional("tensorboardX")
    if address is None and importlib.util.find_spec("torch") is None:  # fail before hours of play, without loading it
        raise missing_extra("training", "torch")
    run = TrainingRun(folder, changes, defaults, network)
    if run.has_pending_settings:
        complain(f"round {run.state.number} continues as it began; the new settings apply from the next one on")
    with (
        _stopping(),
        ray_jobs.connect(address, "training", cores=jobs or ray_jobs.cores_here()) as ray,
        _stopping(),  # here too: Ray takes its time to shut down
        progress() as bar,
    ):
        reporter = _Reporter(bar)
        run.run(RayWorkers(ray), rounds, reporter.on_progress, reporter.on_round)


@contextmanager
def _stopping() -> Iterator[None]:
    """End the command at Ctrl-C with the sentence that it can be resumed."""
    try:
        yield
    except KeyboardInterrupt:
        complain("stopped; the same command resumes it")
        raise typer.Exit(Exit.INTERRUPTED) from None


class _Reporter:
    """Reports a training run: a progress bar for the current stage, a line for each finished stage and round."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task = bar.add_task("Beginning", total=None)
        self._last: Progress | None = None

    def on_progress(self, now: Progress) -> None:
        """Update the progress bar."""
        if self._last is not None and (self._last.round, self._last.stage) != (now.round, now.stage):
            self._close(self._last)
        self._last = now
        description = f"round {now.round}, {now.stage}{': ' if now.note else ''}{now.note}"
        self._bar.update(self._task, description=description, completed=now.done, total=now.total)

    def on_round(self, finished: Round) -> None:
        """Print how a round ended."""
        if self._last is not None:
            self._close(self._last)
            self._last = None
        word = "accepted" if finished.is_accepted else "dropped"
        print(f"round {finished.number}: {finished.network} {word} ({finished.why})", flush=True)

    def _close(self, last: Progress) -> None:
        what = {"play": "games", "fit": "steps", "match": "games", "pool": "games"}[last.stage]
        print(f"round {last.round}, {last.stage}: {last.done} {what}{', ' if last.note else ''}{last.note}", flush=True)
