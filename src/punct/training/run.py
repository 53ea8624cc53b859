"""The training cycle: self-play, a fit, gatekeeper matches, and promotion or not; round after round.

The driver decides and writes; workers on a cluster, any of which may be lost, do the work. A game counts when its
result is back, a shard when its file is written, a fit when its report is, a round when its verdict is in the state. So
a run that is killed at any time resumes, and repeats only what was not finished.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from math import ceil
from typing import Any, Final, Protocol, TypeVar

from punct import ray_jobs
from punct.match.statistics import Verdict
from punct.paths import PathLike, read_path
from punct.training.errors import TrainingError
from punct.training.fit_worker import Fit, FitResult, OnProgress, fit_on_ray
from punct.training.gatekeeper import MatchJob, NetworkMatch, play_match_game
from punct.training.metrics import Metrics
from punct.training.players import LINEAR, load_network, name_of
from punct.training.progress import FitProgress, Progress
from punct.training.replay_buffer import ReplayBuffer, Shard
from punct.training.run_folder import Round, RunFolder, State, write_json
from punct.training.samples import SampleMetadata, write_atomically
from punct.training.selfplay import SelfPlayGame, SelfPlayJob, play_game
from punct.training.settings import DEFAULTS, Settings

_FIT_COUNTS: Final = ("positions", "steps")
"""The counts in a fit's report."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(Protocol):
    """Runs jobs and fits for the driver."""

    def run_jobs(self, work: Callable[..., Result], tasks: Iterator[Task], *shared: object) -> Generator[Result]:
        """Yield the result of each task, in any order."""

    def fit(
        self,
        buffer: ReplayBuffer,
        shards: Sequence[Shard],
        start: bytes | None,
        settings: Settings,
        on_progress: OnProgress,
    ) -> FitResult:
        """Fit a network."""


class RayWorkers:
    """Workers on a connected Ray cluster."""

    def __init__(self, ray: Any, fit: Fit | None = None) -> None:
        """Use the cluster of Ray's module; tests replace ``fit``."""
        self._ray, self._fit = ray, fit

    def run_jobs(self, work: Callable[..., Result], tasks: Iterator[Task], *shared: object) -> Generator[Result]:
        """Yield the result of each task, in any order."""
        return ray_jobs.run_jobs(self._ray, work, tasks, *shared)

    def fit(
        self,
        buffer: ReplayBuffer,
        shards: Sequence[Shard],
        start: bytes | None,
        settings: Settings,
        on_progress: OnProgress,
    ) -> FitResult:
        """Fit a network by a worker of its own."""
        return fit_on_ray(self._ray, buffer, shards, start, settings, on_progress, self._fit)


class TrainingRun:
    """A training run in a folder."""

    def __init__(
        self,
        path: PathLike,
        changes: Mapping[str, Any] | None = None,
        defaults: Settings = DEFAULTS,
        network: PathLike | None = None,
    ) -> None:
        """Start or resume a run; TrainingError if the folder is something else, or started with another ``network``.

        ``changes`` of the settings, of the ``defaults`` or of those the run had, apply from the next round on: a round
        that has begun continues as it was. A ``network`` is the first best one instead of the linear weights; it need
        not be named again to resume.
        """
        self.folder = RunFolder(read_path(path, "folder of a training run"))
        self.buffer = ReplayBuffer(self.folder.samples)
        stored = self.folder.load()
        self._first_network = load_network(None if network is None else read_path(network, "path of a network"))
        self._next_settings = (defaults if stored is None else stored.settings).with_changes(changes or {})
        self.state = stored or State(self._next_settings, start=name_of(self._first_network))
        if network is not None and self.state.start != name_of(self._first_network):
            first = "the linear weights" if self.state.start == LINEAR else f"the network {self.state.start}"
            raise TrainingError(f"{path} has begun with {first}, not with {network}: take another folder for that")
        if not any(shard.first >= self.state.first for shard in self.buffer.shards()):
            self.state = replace(self.state, settings=self._next_settings)
        self._on_progress: Callable[[Progress], None] = lambda progress: None

    @property
    def has_pending_settings(self) -> bool:
        """Whether changed settings wait for the next round."""
        return self._next_settings != self.state.settings

    def run(
        self,
        workers: Workers,
        rounds: int,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        on_round: Callable[[Round], None] = lambda finished: None,
    ) -> State:
        """Run until ``rounds`` are finished, counted from the first; ``on_round`` is called after each."""
        self._on_progress = on_progress
        with self.folder.lock():
            self.folder.save(self.state)
            if self._first_network is not None:  # if it is killed before this, the same command writes it again
                write_atomically(self.folder.network(0), self._first_network)
            with Metrics(self.folder.metrics, self.folder.tensorboard) as metrics:
                while self.state.number <= rounds:
                    finished = self._round(workers, metrics)
                    self.state = replace(
                        self.state, settings=self._next_settings, rounds=(*self.state.rounds, finished)
                    )
                    self.folder.save(self.state)
                    on_round(finished)
        return self.state

    def _round(self, workers: Workers, metrics: Metrics) -> Round:
        state = self.state
        networks = {name: self._load(name) for name in (state.best, *state.pool[: state.settings.pool])}
        seconds: dict[str, float] = {}
        began = time.monotonic()

        def lap(stage: str) -> None:
            nonlocal began
            seconds[stage], began = round(time.monotonic() - began, 1), time.monotonic()

        self._play(workers, networks[state.best])
        lap("play")
        game_counts = self._count_games(metrics)
        fit_report = self._fit(workers, metrics)
        lap("fit")
        new = load_network(self.folder.network(state.number))
        name = name_of(new)
        finished = self._judge(workers, metrics, name, {**networks, name: new})
        lap("judge")
        return replace(finished, **game_counts, **fit_report, seconds=seconds)

    def _load(self, name: str) -> bytes | None:
        """Return a network that is or was the best; TrainingError if its file has changed."""
        if name == LINEAR:
            return None
        path = self.folder.network(self.state.number_of(name))
        network = load_network(path)
        if name_of(network) != name:
            raise TrainingError(f"{path} is not the network that was stored there: that was {name}")
        return network

    # ------------------------------------------------------------------ playing

    def _play(self, workers: Workers, network: bytes | None) -> None:
        """Play the missing games of this round; a shard is written once all its games are back."""
        state = self.state
        settings, first = state.settings, state.first
        missing = self.buffer.missing(first, first + settings.games, settings.games_a_file)
        shard_of = {number: shard for shard in missing for number in range(shard.first, shard.end)}
        done = settings.games - len(shard_of)
        metadata = SampleMetadata(name_of(network), settings.nodes, settings.seed)
        incomplete: dict[Shard, list[SelfPlayGame]] = {}
        self._on_progress(Progress(state.number, "play", done, settings.games))
        jobs = (SelfPlayJob(number, settings) for number in shard_of)
        with closing(workers.run_jobs(play_game, jobs, network)) as games:
            for game in games:
                shard = shard_of[game.number]
                of_shard = incomplete.setdefault(shard, [])
                of_shard.append(game)
                if len(of_shard) == shard.games:
                    self.buffer.add(shard, incomplete.pop(shard), metadata)
                done += 1
                self._on_progress(Progress(state.number, "play", done, settings.games))

    def _count_games(self, metrics: Metrics) -> dict[str, Any]:
        """Return the statistics of this round's games."""
        state = self.state
        end = state.first + state.settings.games
        results: dict[int, float] = {}
        plies: dict[int, int] = {}
        shards = [shard for shard in self.buffer.shards() if state.first <= shard.first < end]
        for table in self.buffer.tables(shards):
            columns = (table[name].to_pylist() for name in ("game", "position", "result", "ply"))
            for game, position, result, ply in zip(*columns, strict=True):
                results[game] = result if position.split(" ", 2)[1] == "w" else 1.0 - result
                plies[game] = max(plies.get(game, 0), ply + 1)
        games = len(results)
        if not games:
            raise TrainingError(f"there is nothing to train on in {self.buffer.folder}: every game was over at once")
        white, draws = (sum(result == score for result in results.values()) for score in (1.0, 0.5))
        mean = sum(plies.values()) / games
        values = {"games/plies": mean, "games/white": white / games, "games/drawn": draws / games}
        metrics.add(end, values, round=state.number)
        return {"games": games, "white": white, "drawn": draws, "plies": round(mean, 2)}

    # ------------------------------------------------------------------ fitting

    def _fit(self, workers: Workers, metrics: Metrics) -> dict[str, Any]:
        """Fit to the window, unless that is done already; return the fit's report."""
        state, report = self.state, self.folder.fit(self.state.number)
        before = state.rounds[-1].steps if state.rounds else 0
        if not report.exists():
            last = before

            def on_progress(fit: FitProgress) -> None:
                nonlocal last
                last = before + fit.step
                losses = {"loss/value": fit.value_loss, "loss/policy": fit.policy_loss}
                metrics.add(last, losses, round=state.number)
                note = f"value {fit.value_loss:.4f}, policy {fit.policy_loss:.4f}"
                self._on_progress(Progress(state.number, "fit", fit.step, fit.steps, note))

            start = None if state.settings.anew else self._checkpoint()
            shards = self.buffer.window(state.settings.window, state.first + state.settings.games)
            result = workers.fit(self.buffer, shards, start, state.settings, on_progress)
            metrics.add(last, {f"held/{name}": loss for name, loss in result.losses.items()}, round=state.number)
            write_atomically(self.folder.checkpoint(state.number), result.checkpoint)
            write_atomically(self.folder.network(state.number), result.network)
            write_json(report, {"losses": dict(result.losses), "positions": result.positions, "steps": last})
        content = self.folder.read_json(report)
        counts = [content.get(name) for name in _FIT_COUNTS]
        if not isinstance(content.get("losses"), dict) or not all(isinstance(count, int) for count in counts):
            raise TrainingError(f"{report} is damaged: delete it, and the fit is repeated")
        return {name: content[name] for name in ("losses", *_FIT_COUNTS)}

    def _checkpoint(self) -> bytes | None:
        """Return the checkpoint that a fit continues from: the best network's.

        None for the linear weights, and for a network that the run started with, which came without its checkpoint.
        """
        if not self.state.accepted:
            return None
        path = self.folder.checkpoint(self.state.accepted[-1].number)
        try:
            return path.read_bytes()
        except OSError as error:
            raise TrainingError(f"{path} cannot be read: {error.strerror}") from None

    # ------------------------------------------------------------------ judging

    def _judge(self, workers: Workers, metrics: Metrics, new: str, networks: Mapping[str, bytes | None]) -> Round:
        """Let the new network play the best, and if it wins the older ones; return the finished round."""
        state, settings = self.state, self.state.settings
        match = self._match(new, state.best, settings.match_pairs, uses_sprt=True)
        self._play_match(workers, "match", match, networks)
        pairs, pool = match.score.pentanomial, dict[str, tuple[int, ...]]()
        score = match.score.points / match.score.games
        metrics.add(state.number, {"match/score": score, "match/ratio": settings.sprt.ratio(pairs)}, round=state.number)
        reason = f"{match.verdict.value.partition(':')[0]} after {sum(pairs)} pairs against the best"
        is_accepted = match.verdict is Verdict.ACCEPTED
        older = state.pool[: settings.pool] if is_accepted else []
        for name in older:
            against = self._match(new, name, ceil(settings.pool_pairs / len(older)), uses_sprt=False)
            self._play_match(workers, "pool", against, networks)
            pool[name] = against.score.pentanomial
        if pool:
            pool_pairs = tuple(map(sum, zip(*pool.values(), strict=True)))
            if settings.pool_sprt.verdict(pool_pairs) is Verdict.REJECTED:
                is_accepted, reason = False, f"{reason}, yet weaker than older ones in {sum(pool_pairs)} pairs"
        end = state.first + settings.games
        return Round(state.number, end, new, state.best, is_accepted, reason, pairs, pool)

    def _match(self, new: str, other: str, pairs: int, *, uses_sprt: bool) -> NetworkMatch:
        settings, path = self.state.settings, self.folder.match(self.state.number, other)
        return NetworkMatch(path, (new, other), settings, pairs, settings.sprt if uses_sprt else None)

    def _play_match(
        self, workers: Workers, stage: str, match: NetworkMatch, networks: Mapping[str, bytes | None]
    ) -> None:
        """Play a match to its end."""

        def report() -> None:
            score = match.score
            note = "" if score.estimate is None else f"Elo {score.estimate}"
            self._on_progress(Progress(self.state.number, stage, score.games, 2 * match.pairs, note))

        report()
        both = {name: networks[name] for name in match.players}
        jobs: Iterator[MatchJob] = match.jobs()
        with closing(workers.run_jobs(play_match_game, jobs, both)) as games:
            for game in games:
                match.add(game)
                report()
                if match.is_over:
                    return
