"""The fit worker: fits a network to samples, in a process of its own somewhere on the cluster.

It has a folder of its own and shares no disk with other machines: samples are sent to it, checkpoint and network are
sent back. If it is lost, another one starts the fit again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from punct.ray_jobs import POLL_SECONDS, check_interrupt, cores_of
from punct.training.errors import TrainingError, import_optional
from punct.training.progress import FitProgress, FitReport
from punct.training.replay_buffer import ReplayBuffer, Shard
from punct.training.samples import write_atomically
from punct.training.settings import Settings

Fit = Callable[..., Any]
"""As ``punct.training.fitting.fit``."""
OnProgress = Callable[[FitProgress], None]
_MAX_WORKERS: Final = 4
"""Workers that may be started for one fit."""
_LOSSES: Final = ("value_loss", "policy_loss", "held_value_loss", "held_policy_loss")


class FitResult(NamedTuple):
    """A fitted network."""

    checkpoint: bytes
    network: bytes
    losses: Mapping[str, float]
    """By name, as in a ``FitReport``."""
    positions: int


class FitWorker:
    """A Ray actor that fits, and reports its progress meanwhile: it serves two calls at a time."""

    def __init__(self, fit: Fit | None = None) -> None:
        """Start with an empty folder; tests replace ``fit``."""
        self._folder = TemporaryDirectory(prefix="punct-learn-")
        self._home = Path(self._folder.name)
        self._buffer = ReplayBuffer(self._home / "samples")
        self._fit = fit
        self._progress: list[FitProgress] = []

    def add_shard(self, name: str, content: bytes) -> None:
        """Store a file of samples."""
        write_atomically(self._buffer.folder / name, content)

    def progress(self, after: int) -> list[FitProgress]:
        """Return the progress reports after the first ``after``."""
        return self._progress[after:]

    def fit(self, shards: Sequence[Shard], start: bytes | None, settings: Settings) -> FitResult:
        """Fit a network to these shards, from a checkpoint or from scratch."""
        fitting: Any = import_optional("punct.training.fitting")
        before, checkpoint, network = (self._home / name for name in ("start.pt", "checkpoint.pt", "network"))
        if start is not None:
            before.write_bytes(start)
        report: FitReport = (self._fit or fitting.fit)(
            self._buffer.tables(list(shards)),
            start=before if start is not None else None,
            checkpoint=checkpoint,
            network=network,
            settings=fitting.FitSettings(
                epochs=settings.epochs, batch=settings.batch, rate=settings.rate, seed=settings.seed
            ),
            on_progress=self._progress.append,
        )
        losses = {name: float(getattr(report, name)) for name in _LOSSES}
        return FitResult(checkpoint.read_bytes(), network.read_bytes(), losses, int(report.positions))


def fit_on_ray(
    ray: Any,
    buffer: ReplayBuffer,
    shards: Sequence[Shard],
    start: bytes | None,
    settings: Settings,
    on_progress: OnProgress,
    fit: Fit | None = None,
) -> FitResult:
    """Fit on a cluster; a worker that is lost is replaced, a few times."""
    for tries_left in reversed(range(_MAX_WORKERS)):
        try:
            return _fit_once(ray, buffer, shards, start, settings, on_progress, fit)
        except (ray.exceptions.ActorDiedError, ray.exceptions.ActorUnavailableError):
            if not tries_left:
                raise TrainingError(f"{_MAX_WORKERS} fit workers were lost in a row; run again to continue") from None
    raise AssertionError("the last try returns or raises")


def _fit_once(
    ray: Any,
    buffer: ReplayBuffer,
    shards: Sequence[Shard],
    start: bytes | None,
    settings: Settings,
    on_progress: OnProgress,
    fit: Fit | None,
) -> FitResult:
    cores = min(int(node["Resources"].get("CPU", 1)) for node in ray.nodes() if node["Alive"]) or 1
    worker = ray.remote(max_concurrency=2, num_cpus=min(cores, cores_of(ray)))(FitWorker).remote(fit)
    for shard in shards:
        ray.get(worker.add_shard.remote(shard.name, (buffer.folder / shard.name).read_bytes()))
        check_interrupt()
    job = worker.fit.remote(list(shards), start, settings)
    reported = 0
    while True:
        done, _ = ray.wait([job], timeout=POLL_SECONDS)
        for progress in ray.get(worker.progress.remote(reported)):
            on_progress(progress)
            reported += 1
        check_interrupt()
        if done:
            break
        time.sleep(POLL_SECONDS)
    try:
        result: FitResult = ray.get(job)
        return result
    finally:
        # Only now that it is idle: Ray aborts this process if a call ends while its actor is killed. A worker that is
        # abandoned earlier ends when nothing refers to it any more, or with the connection.
        ray.kill(worker)
