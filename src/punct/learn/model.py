"""Fitting a network to samples: what the search thought, how the games ended, and where the visits went."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import torch
from torch import nn

from punct.learn.errors import LearnError
from punct.learn.lesson import Batch, Lesson
from punct.learn.network import Network, move_scores
from punct.learn.settings import USUAL

if TYPE_CHECKING:
    import pyarrow as pa

_CHECKED: Final = 2048
"""Samples that are looked at together when what was learned is measured."""
_FORMAT: Final = "punct checkpoint 1"


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How a network is fitted."""

    epochs: int = USUAL.epochs
    """How often each sample is shown."""
    batch: int = USUAL.batch
    rate: float = USUAL.rate
    """How far a step goes at most: it rises to this, and falls to nothing in the end."""
    seed: int = USUAL.seed
    trust: float = 0.5
    """How much a game's result counts against the search's score."""
    policy: float = 0.5
    """How much the moves count against the value."""
    decay: float = 2e-2
    others: int = 32
    """Moves that stand beside those that were visited."""
    held: float = 0.05
    """The share of the games that is kept out, to see what was learned."""


class FitProgress(NamedTuple):
    """How far a fit is, and the losses of the last step."""

    step: int
    steps: int
    value_loss: float
    policy_loss: float


class FitReport(NamedTuple):
    """What came of a fit: the mean losses of the last epoch, and those on games that were kept out."""

    value_loss: float
    policy_loss: float
    held_value_loss: float
    held_policy_loss: float
    positions: int


def fit(
    tables: Iterable[pa.Table],
    *,
    start: Path | None,
    checkpoint: Path,
    network: Path,
    settings: FitSettings,
    told: Callable[[FitProgress], None],
) -> FitReport:
    """Fit a network to samples, from a checkpoint or from nothing; write another checkpoint, and the kernel's file.

    Raises LearnError where there is nothing to learn from, or the checkpoint is none.
    """
    torch.manual_seed(settings.seed)
    dice = np.random.default_rng(settings.seed)
    model = Network()
    if start is not None:
        _load(model, start)
    lesson = Lesson(tables, trust=settings.trust, others=settings.others)
    used, held = lesson.parted(settings.held, settings.seed)
    if not len(used):
        raise LearnError("there are no samples to learn from: play some games first")
    size = min(settings.batch, len(used))
    steps = settings.epochs * max(1, len(used) // size)
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=settings.decay)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=steps + 1, pct_start=0.1)
    step, last = 0, (0.0, 0.0)
    for _ in range(settings.epochs):
        sums, count = np.zeros(2), 0
        for batch in lesson.batches(used, size, dice):
            value_loss, policy_loss = losses(model, batch)
            optimiser.zero_grad()
            (value_loss + settings.policy * policy_loss).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            pace.step()
            model.hold()
            step, count = step + 1, count + 1
            sums += (value_loss.item(), policy_loss.item())
            told(FitProgress(step, steps, value_loss.item(), policy_loss.item()))
        last = (float(sums[0] / count), float(sums[1] / count))
    torch.save({"format": _FORMAT, "weights": model.state_dict()}, checkpoint)
    network.write_bytes(model.exported())
    return FitReport(*last, *(measured(model, lesson, held) if len(held) else last), len(used))


def losses(model: Network, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the cross-entropy of the chances, and that of the visits in positions that have some."""
    said = model(batch)
    value = nn.functional.binary_cross_entropy_with_logits(said.value, batch.chance)
    count, of = len(batch.chance), batch.move_of
    score = move_scores(said, batch)
    highest = torch.full((count,), -1e9).scatter_reduce(0, of, score.detach(), "amax")
    score = score - highest[of]
    total = torch.zeros(count).index_add(0, of, score.exp())
    surprise = -(batch.visited * (score - total.clamp(min=1e-30).log()[of])).sum()
    return value, surprise / max(1, len(torch.unique(of)))


def measured(model: Network, lesson: Lesson, samples: torch.Tensor) -> tuple[float, float]:
    """Return the mean losses over some samples."""
    sums = np.zeros(2)
    with torch.no_grad():
        for part in torch.split(samples, _CHECKED):
            sums += len(part) * np.array([loss.item() for loss in losses(model, lesson.batch(part))])
    return float(sums[0] / len(samples)), float(sums[1] / len(samples))


def _load(model: Network, path: Path) -> None:
    try:
        found = torch.load(path, weights_only=True)
        if found["format"] != _FORMAT:
            raise LearnError(f"{path} is a checkpoint of another version")
        model.load_state_dict(found["weights"])
    except OSError as error:
        raise LearnError(f"{path} cannot be read: {error.strerror}") from None
    except LearnError:
        raise
    except Exception as error:  # whatever PyTorch says of a file that is none of ours
        raise LearnError(f"{path} is not a checkpoint of this network: {error}") from None
