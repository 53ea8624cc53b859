"""Fit a network to samples: to the search's scores, the games' results and the distribution of visits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from punct.training.dataset import Batch, Dataset
from punct.training.errors import TrainingError
from punct.training.network import Network, move_scores
from punct.training.progress import FitProgress, FitReport
from punct.training.settings import DEFAULTS

if TYPE_CHECKING:
    import pyarrow as pa

_VALIDATION_BATCH: Final = 2048
_FORMAT: Final = "punct checkpoint 1"


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How a network is fitted."""

    epochs: int = DEFAULTS.epochs
    """How often each sample is shown."""
    batch: int = DEFAULTS.batch
    rate: float = DEFAULTS.rate
    """The highest learning rate: it rises to this, then falls to 0."""
    seed: int = DEFAULTS.seed
    trust: float = 0.5
    """The weight of a game's result against the search's score."""
    policy: float = 0.5
    """The weight of the policy's loss against the value's."""
    decay: float = 2e-2
    others: int = 32
    """Unvisited moves that are added to the visited ones of a position."""
    held_out: float = 0.05
    """The share of the games whose samples are for validation."""


def fit(
    tables: Iterable[pa.Table],
    *,
    start: Path | None,
    checkpoint: Path,
    network: Path,
    settings: FitSettings,
    on_progress: Callable[[FitProgress], None],
) -> FitReport:
    """Fit a network to samples, from a checkpoint or from scratch; write a checkpoint, and the file for the kernel.

    Raises TrainingError if there are no samples, or ``start`` is not a checkpoint.
    """
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    model = Network()
    if start is not None:
        _load(model, start)
    dataset = Dataset(tables, trust=settings.trust, others=settings.others)
    used, held_out = dataset.split(settings.held_out, settings.seed)
    if not len(used):
        raise TrainingError("there are no samples to learn from: play some games first")
    size = min(settings.batch, len(used))
    steps = settings.epochs * max(1, len(used) // size)
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=steps + 1, pct_start=0.1)
    step, last = 0, (0.0, 0.0)
    for _ in range(settings.epochs):
        sums, count = np.zeros(2), 0
        for batch in dataset.batches(used, size, rng):
            value_loss, policy_loss = losses(model, batch)
            optimiser.zero_grad()
            (value_loss + settings.policy * policy_loss).backward()
            optimiser.step()
            schedule.step()
            model.clamp_weights()
            step, count = step + 1, count + 1
            sums += (value_loss.item(), policy_loss.item())
            on_progress(FitProgress(step, steps, value_loss.item(), policy_loss.item()))
        last = (float(sums[0] / count), float(sums[1] / count))
    torch.save({"format": _FORMAT, "weights": model.state_dict()}, checkpoint)
    network.write_bytes(model.export())
    return FitReport(*last, *(mean_losses(model, dataset, held_out) if len(held_out) else last), len(used))


def losses(model: Network, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the cross-entropy of the winning chances, and that of the visits in positions that have some."""
    output = model(batch)
    value = nn.functional.binary_cross_entropy_with_logits(output.value, batch.chance)
    count, position = len(batch.chance), batch.move_of
    score = move_scores(output, batch)
    highest = torch.full((count,), -1e9).scatter_reduce(0, position, score.detach(), "amax")
    score = score - highest[position]
    total = torch.zeros(count).index_add(0, position, score.exp())
    entropy = -(batch.visited * (score - total.clamp(min=1e-30).log()[position])).sum()
    return value, entropy / max(1, len(torch.unique(position)))


def mean_losses(model: Network, dataset: Dataset, samples: torch.Tensor) -> tuple[float, float]:
    """Return the mean losses over some samples."""
    sums = np.zeros(2)
    with torch.no_grad():
        for part in torch.split(samples, _VALIDATION_BATCH):
            sums += len(part) * np.array([loss.item() for loss in losses(model, dataset.batch(part))])
    return float(sums[0] / len(samples)), float(sums[1] / len(samples))


def _load(model: Network, path: Path) -> None:
    try:
        checkpoint = torch.load(path, weights_only=True)
        if checkpoint["format"] != _FORMAT:
            raise TrainingError(f"{path} is a checkpoint of another version")
        model.load_state_dict(checkpoint["weights"])
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error.strerror}") from None
    except TrainingError:
        raise
    except Exception as error:  # PyTorch raises many for a foreign file
        raise TrainingError(f"{path} is not a checkpoint of this network: {error}") from None
