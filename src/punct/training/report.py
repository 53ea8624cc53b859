"""The report of a training run: a table for the terminal, and curves as pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from punct.errors import shorten
from punct.match.statistics import Estimate
from punct.paths import PathLike, read_path
from punct.picture.markup import rasterize
from punct.training.chart import Bar, Curve, chart
from punct.training.errors import TrainingError
from punct.training.metrics import read_metrics
from punct.training.players import LINEAR
from punct.training.run_folder import Round, RunFolder, State
from punct.training.samples import write_atomically

HEADINGS: Final = (
    "round", "games", "White won", "drawn", "plies", "positions", "value", "policy", "pairs", "Elo", "verdict", "in all"
)  # fmt: skip
"""Columns of the table; value and policy are the losses on the games held out."""
_MAX_ELO: Final = 600.0
"""A match without a point lost is drawn so; a sum is drawn within as many of them as it has matches."""


class Report(NamedTuple):
    """The current state of a training run."""

    folder: RunFolder
    state: State

    @classmethod
    def of(cls, path: PathLike) -> Report:
        """Read a folder; TrainingError if it holds no training run."""
        folder = RunFolder(read_path(path, "folder of a training run"))
        state = folder.load()
        if state is None:
            raise TrainingError(f"there is no training run in {path}")
        return cls(folder, state)

    def rows(self) -> list[tuple[str, ...]]:
        """Return the table, a row for each finished round."""
        return [_row(each, total) for each, total in zip(self.state.rounds, self.strengths(), strict=True)]

    def strengths(self) -> list[Estimate]:
        """Return by round the Elo of the best network above the first one, with its error, added up over the matches.

        The matches are independent, so the squares of their errors add up.
        """
        totals = accumulate(
            (each.estimate for each in self.state.rounds if each.is_accepted), _add, initial=Estimate(0.0, 0.0, 0.0)
        )
        by_accepted = list(totals)
        accepted = accumulate(int(each.is_accepted) for each in self.state.rounds)
        return [by_accepted[count] for count in accepted]

    def losses(self, output: str) -> str:
        """Return the losses of the ``value`` or of the ``policy``, step by step, as an SVG document."""
        losses: dict[int, float] = {}
        for line in read_metrics(self.folder.metrics):
            loss = line.get(f"loss/{output}")
            if isinstance(loss, float) and math.isfinite(loss):
                losses[line["step"]] = loss
        name = f"held_{output}_loss"
        held_out = [(each.steps, each.losses[name]) for each in self.state.rounds if name in each.losses]
        description = f"On positions held out, round by round: {', '.join(f'{loss:.4f}' for _, loss in held_out)}"
        curves = [Curve(output, sorted(losses.items())), Curve(f"held {output}", held_out)]
        return chart(
            f"Loss of the {output}, step by step", description, "steps", [curve for curve in curves if curve.points]
        )

    def strength(self) -> str:
        """Return the strength, round by round, as an SVG document: the table's sums, with their error as the bars."""
        points, bars = [(0.0, 0.0)], []
        for each, total in zip(self.state.rounds, self.strengths(), strict=True):
            most = _MAX_ELO * max(1, sum(finished.is_accepted for finished in self.state.rounds[: each.number]))
            elo, low, high = (max(-most, min(most, end)) for end in (total.elo, total.low, total.high))
            match = "no complete pair" if each.estimate is None else f"Elo {each.estimate}"
            note = f"round {each.number}: {match}, {each.why}; in all {total}"
            points.append((each.number, elo))
            bars.append(Bar((each.number, elo), low, high, each.is_accepted, note))
        return chart(
            "Strength, round by round", "; ".join(bar.note for bar in bars), "round", [Curve("Elo", points)], bars
        )

    def draw(self, out: PathLike, form: str) -> list[Path]:
        """Write the pictures into a folder, as ``svg`` or ``png``; return their files."""
        if form not in ("svg", "png"):
            raise TrainingError(f"{shorten(form)} is not a format of charts: svg or png")
        folder, files = read_path(out, "folder for charts"), []
        pictures = {f"{output}-loss": self.losses(output) for output in ("value", "policy")} | {
            "strength": self.strength()
        }
        for name, svg in pictures.items():
            files.append(folder / f"{name}.{form}")
            write_atomically(files[-1], rasterize(svg) if form == "png" else svg.encode())
        return files


def _add(total: Estimate, match: Estimate | None) -> Estimate:
    """Return the sum of two independent differences."""
    if match is None:  # accepted without a complete pair: nothing is known
        return Estimate(total.elo, -math.inf, math.inf)
    if math.isinf(total.elo) or math.isinf(match.elo):  # a match without a point lost: only one bound is known
        return Estimate(total.elo + match.elo, total.low + match.low, total.high + match.high)
    elo = total.elo + match.elo
    down, up = (math.hypot(total.elo - a, match.elo - b) for a, b in ((total.low, match.low), (total.high, match.high)))
    return Estimate(elo, elo - down, elo + up)


def _row(each: Round, total: Estimate) -> tuple[str, ...]:
    def share(count: int) -> str:
        return f"{100 * count / each.games:.0f} %" if each.games else ""

    def loss(name: str) -> str:
        return f"{each.losses[name]:.4f}" if name in each.losses else ""

    return (
        str(each.number),
        f"{each.games:,}",
        share(each.white),
        share(each.drawn),
        f"{each.plies:.1f}",
        f"{each.positions:,}",
        loss("held_value_loss"),
        loss("held_policy_loss"),
        str(sum(each.pairs)),
        str(each.estimate or ""),
        "accepted" if each.is_accepted else "dropped",
        str(total),
    )


def summary(state: State, strengths: Sequence[Estimate]) -> str:
    """Return a summary of the run in a sentence."""
    if not state.rounds:
        return "No round is over yet."
    accepted = len(state.accepted)
    first = "the linear weights" if state.start == LINEAR else state.start
    if not accepted:
        return f"0 of {len(state.rounds)} networks accepted; the best is still {first}, with which it began."
    return (
        f"{accepted} of {len(state.rounds)} networks accepted; the best is {state.best}. Against {first}, with which "
        f"it began, its Elo by the matches added up: {strengths[-1]}."
    )
