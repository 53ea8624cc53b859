"""The learner: fits a network to samples, in a process of its own somewhere on the cluster.

It has a folder of its own and needs no disk in common with anybody: samples are sent to it, checkpoint and network sent
back. Should it be lost, another one begins the fit anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from punct.cluster import cores_of
from punct.learn.errors import LearnError, needed
from punct.learn.samples import write_whole
from punct.learn.settings import Settings
from punct.learn.store import Batch, Store

if TYPE_CHECKING:
    from punct.learn.model import FitProgress, FitReport

Fit = Callable[..., Any]
"""As ``punct.learn.model.fit``."""
_TRIES: Final = 4
"""Learners that may be lost in one fit."""
_LOOK: Final = 0.5
"""Seconds between looks at how far it is."""
_LOSSES: Final = ("value_loss", "policy_loss", "held_value_loss", "held_policy_loss")


class Step(NamedTuple):
    """How far a fit is."""

    step: int
    steps: int
    value_loss: float
    policy_loss: float


class Fitted(NamedTuple):
    """What came of a fit."""

    checkpoint: bytes
    network: bytes
    losses: Mapping[str, float]
    """By name, as in a ``FitReport``."""
    positions: int


class Learner:
    """Fits, and tells meanwhile how far it is: two calls at a time."""

    def __init__(self, fit: Fit | None = None) -> None:
        """Begin with an empty folder; ``fit`` stands in for the model's own."""
        self._folder = TemporaryDirectory(prefix="punct-learn-")
        self._home = Path(self._folder.name)
        self._store = Store(self._home / "samples")
        self._fit = fit
        self._steps: list[Step] = []

    def take(self, name: str, content: bytes) -> None:
        """Keep a file of samples."""
        write_whole(self._store.folder / name, content)

    def steps(self, after: int) -> list[Step]:
        """Return how the fit went on after so many steps that were told of."""
        return self._steps[after:]

    def fit(self, batches: Sequence[Batch], start: bytes | None, settings: Settings) -> Fitted:
        """Fit a network to these batches, from a checkpoint or from nothing."""
        model: Any = needed("punct.learn.model")
        before, checkpoint, network = (self._home / name for name in ("start.pt", "checkpoint.pt", "network"))
        if start is not None:
            before.write_bytes(start)
        report: FitReport = (self._fit or model.fit)(
            self._store.tables(list(batches)),
            start=before if start is not None else None,
            checkpoint=checkpoint,
            network=network,
            settings=model.FitSettings(
                epochs=settings.epochs, batch=settings.batch, rate=settings.rate, seed=settings.seed
            ),
            told=self._tell,
        )
        losses = {name: float(getattr(report, name)) for name in _LOSSES}
        return Fitted(checkpoint.read_bytes(), network.read_bytes(), losses, int(report.positions))

    def _tell(self, progress: FitProgress) -> None:
        self._steps.append(Step(progress.step, progress.steps, progress.value_loss, progress.policy_loss))


def fit_on(
    ray: Any,
    store: Store,
    batches: Sequence[Batch],
    start: bytes | None,
    settings: Settings,
    told: Callable[[Step], None],
    fit: Fit | None = None,
) -> Fitted:
    """Fit on a cluster; a learner that is lost is replaced, a few times."""
    for left in reversed(range(_TRIES)):
        try:
            return _fit_once(ray, store, batches, start, settings, told, fit)
        except (ray.exceptions.ActorDiedError, ray.exceptions.ActorUnavailableError):
            if not left:
                raise LearnError(f"{_TRIES} learners were lost, one after the other; begin again to go on") from None
    raise AssertionError("the last try returns or raises")


def _fit_once(
    ray: Any,
    store: Store,
    batches: Sequence[Batch],
    start: bytes | None,
    settings: Settings,
    told: Callable[[Step], None],
    fit: Fit | None,
) -> Fitted:
    cores = min(int(node["Resources"].get("CPU", 1)) for node in ray.nodes() if node["Alive"]) or 1
    learner = ray.remote(max_concurrency=2, num_cpus=min(cores, cores_of(ray)))(Learner).remote(fit)
    try:
        for batch in batches:
            ray.get(learner.take.remote(batch.name, (store.folder / batch.name).read_bytes()))
        job = learner.fit.remote(list(batches), start, settings)
        seen = 0
        while True:
            done, _ = ray.wait([job], timeout=_LOOK)
            for step in ray.get(learner.steps.remote(seen)):
                told(step)
                seen += 1
            if done:
                fitted: Fitted = ray.get(job)
                return fitted
            time.sleep(_LOOK)
    finally:
        ray.kill(learner)
