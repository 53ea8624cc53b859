"""What has come of a learning: a table for the terminal, and its curves as pictures."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from punct.learn.chart import Bar, Curve, as_png, chart
from punct.learn.errors import LearnError
from punct.learn.metrics import read_metrics
from punct.learn.players import LINEAR
from punct.learn.samples import write_whole
from punct.learn.state import Folder, Round, State

HEADINGS: Final = (
    "round", "games", "White won", "drawn", "plies", "positions", "value", "policy", "pairs", "Elo", "verdict", "in all"
)  # fmt: skip
"""Of the table; value and policy are the losses on positions that were held out."""
_SURELY: Final = 600.0
"""Elo by which a match without a single point lost is drawn, and counted: what is infinite adds up to nothing."""


class Report(NamedTuple):
    """A learning as it stands."""

    folder: Folder
    state: State

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Report:
        """Read a folder; LearnError if nobody has learned there."""
        folder = Folder(Path(path))
        state = folder.load()
        if state is None:
            raise LearnError(f"nobody has learned in {path}")
        return cls(folder, state)

    def rows(self) -> list[tuple[str, ...]]:
        """Return the table, a row for each round that is over."""
        return [_row(each, total) for each, total in zip(self.state.rounds, self.strengths(), strict=True)]

    def strengths(self) -> list[float]:
        """Return by round how much stronger the best network then is than what it began with: Elo, added up."""
        return list(accumulate(elo_of(each) if each.is_accepted else 0.0 for each in self.state.rounds))

    def losses(self, what: str) -> str:
        """Return the losses of the ``value`` or of the ``policy``, step by step, as an SVG document."""
        found: dict[int, float] = {}
        for line in read_metrics(self.folder.metrics):
            loss = line.get(f"loss/{what}")
            if isinstance(loss, float) and math.isfinite(loss):
                found[line["step"]] = loss
        name = f"held_{what}_loss"
        held = [(each.steps, each.losses[name]) for each in self.state.rounds if name in each.losses]
        words = f"On positions held out, round by round: {', '.join(f'{loss:.4f}' for _, loss in held)}"
        curves = [Curve(what, sorted(found.items())), Curve(f"held {what}", held)]
        return chart(f"Loss of the {what}, step by step", words, "steps", [curve for curve in curves if curve.points])

    def strength(self) -> str:
        """Return the strength, round by round, as an SVG document: each match with its error, on what was reached."""
        totals = [0.0, *self.strengths()]
        bars = []
        for each, before in zip(self.state.rounds, totals, strict=False):
            found = each.estimate
            if found is None:
                continue
            note = f"round {each.number}: Elo {found}, {each.why}"
            low, high = (max(-_SURELY, min(_SURELY, end)) for end in (found.low, found.high))
            bars.append(Bar((each.number, before + elo_of(each)), before + low, before + high, each.is_accepted, note))
        reached = Curve("Elo", list(enumerate(totals)))
        return chart("Strength, round by round", "; ".join(bar.note for bar in bars), "round", [reached], bars)

    def draw(self, out: Path, form: str) -> list[Path]:
        """Write the pictures into a folder, as ``svg`` or ``png``; return their files."""
        files = []
        drawn = {f"{what}-loss": self.losses(what) for what in ("value", "policy")} | {"strength": self.strength()}
        for name, svg in drawn.items():
            files.append(out / f"{name}.{form}")
            write_whole(files[-1], as_png(svg) if form == "png" else svg.encode())
        return files


def elo_of(each: Round) -> float:
    """Return a match's Elo, held to what adds up."""
    found = each.estimate
    return 0.0 if found is None else max(-_SURELY, min(_SURELY, found.elo))


def _row(each: Round, total: float) -> tuple[str, ...]:
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
        f"{total:+.0f}",
    )


def summary(state: State, strengths: Sequence[float]) -> str:
    """Return in a sentence what has come of it."""
    if not state.rounds:
        return "No round is over yet."
    accepted = len(state.accepted)
    begun = "the linear weights" if state.start == LINEAR else f"{state.start}, with which it began,"
    return (
        f"{accepted} of {len(state.rounds)} networks accepted; the best is {state.best}, "
        f"{strengths[-1]:+.0f} Elo above {begun} by the matches added up."
    )
