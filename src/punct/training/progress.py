"""Progress and results of training, as plain values that load neither PyTorch nor Ray."""

from __future__ import annotations

from typing import NamedTuple


class Progress(NamedTuple):
    """The progress of a round."""

    round: int
    stage: str
    """``play``, ``fit``, ``match`` or ``pool``."""
    done: int
    total: int
    note: str = ""


class FitProgress(NamedTuple):
    """The progress of a fit, with the losses of the last step."""

    step: int
    steps: int
    value_loss: float
    policy_loss: float


class FitReport(NamedTuple):
    """The result of a fit: mean losses of the last epoch, and those on the games held out."""

    value_loss: float
    policy_loss: float
    held_value_loss: float
    held_policy_loss: float
    positions: int
