"""The circle: play, fit, judge, and promote or drop; round after round, from wherever it was stopped.

The driver decides and writes; the work is done by hands on a cluster, any of which may be lost. A game counts when it
is back, a batch of games when its file is there, a fit when its report is, a round when its verdict is in the state.
Whatever is killed, and when, only what was not finished is done again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from punct import cluster
from punct.learn.errors import LearnError
from punct.learn.judge import Contest, MatchJob, play_match_game
from punct.learn.learner import Fit, Fitted, Step, fit_on
from punct.learn.metrics import Metrics
from punct.learn.players import LINEAR, load_network, name_of
from punct.learn.samples import About, write_whole
from punct.learn.selfplay import Job, OwnGame, play_game
from punct.learn.settings import USUAL, Settings
from punct.learn.state import Folder, Round, State, write_json
from punct.learn.store import Batch, Store
from punct.match.statistics import Verdict

_COUNTS: Final = ("positions", "steps")
"""What the report of a fit counts."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class Hands(Protocol):
    """Who does the work."""

    def spread(self, work: Callable[..., Result], tasks: Iterator[Task], *shared: object) -> Generator[Result]:
        """Yield what comes of each task, in any order."""

    def fit(
        self,
        store: Store,
        batches: Sequence[Batch],
        start: bytes | None,
        settings: Settings,
        told: Callable[[Step], None],
    ) -> Fitted:
        """Fit a network."""


class RayHands:
    """Workers and a learner on a Ray cluster that was joined."""

    def __init__(self, ray: Any, fit: Fit | None = None) -> None:
        """Work there; ``fit`` stands in for the model's own."""
        self._ray, self._fit = ray, fit

    def spread(self, work: Callable[..., Result], tasks: Iterator[Task], *shared: object) -> Generator[Result]:
        """Yield what comes of each task, in any order."""
        return cluster.spread(self._ray, work, tasks, *shared)

    def fit(
        self,
        store: Store,
        batches: Sequence[Batch],
        start: bytes | None,
        settings: Settings,
        told: Callable[[Step], None],
    ) -> Fitted:
        """Fit a network by a learner there."""
        return fit_on(self._ray, store, batches, start, settings, told, self._fit)


class Progress(NamedTuple):
    """How far a round is."""

    round: int
    stage: str
    """``play``, ``fit``, ``match`` or ``pool``."""
    done: int
    total: int
    note: str = ""


class Run:
    """Learning in a folder."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        changed: Mapping[str, Any] | None = None,
        usual: Settings = USUAL,
        network: str | os.PathLike[str] | None = None,
    ) -> None:
        """Begin, or go on: LearnError if the folder is something else, or began with another ``network``.

        What is ``changed`` of the settings, of the ``usual`` ones or those it had, holds from the next round on: one
        that has begun goes on as it was. A ``network`` is the first best, instead of the linear weights; who goes on
        need not name it again.
        """
        self.folder = Folder(Path(path))
        self.store = Store(self.folder.samples)
        known = self.folder.load()
        self._begun_with = load_network(None if network is None else Path(network))
        self._wanted = (usual if known is None else known.settings).changed(changed or {})
        self.state = known or State(self._wanted, start=name_of(self._begun_with))
        if network is not None and self.state.start != name_of(self._begun_with):
            begun = "the linear weights" if self.state.start == LINEAR else f"the network {self.state.start}"
            raise LearnError(f"{path} has begun with {begun}, not with {network}: take another folder for that")
        if not any(batch.first >= self.state.first for batch in self.store.batches()):
            self.state = replace(self.state, settings=self._wanted)
        self._told: Callable[[Progress], None] = lambda progress: None

    @property
    def goes_on_as_it_began(self) -> bool:
        """Whether other settings are wished for, and wait for the next round."""
        return self._wanted != self.state.settings

    def run(
        self,
        hands: Hands,
        rounds: int,
        told: Callable[[Progress], None] = lambda progress: None,
        ended: Callable[[Round], None] = lambda finished: None,
    ) -> State:
        """Go on until so many rounds are over, counted from the first; ``ended`` is told each one that ends."""
        self._told = told
        with self.folder.lock():
            self.folder.save(self.state)
            if self._begun_with is not None:  # killed before it is there, the same command brings it again
                write_whole(self.folder.network(0), self._begun_with)
            with Metrics(self.folder.metrics, self.folder.tensorboard) as metrics:
                while self.state.number <= rounds:
                    finished = self._round(hands, metrics)
                    self.state = replace(self.state, settings=self._wanted, rounds=(*self.state.rounds, finished))
                    self.folder.save(self.state)
                    ended(finished)
        return self.state

    def _round(self, hands: Hands, metrics: Metrics) -> Round:
        state = self.state
        networks = {name: self._load(name) for name in (state.best, *state.pool[: state.settings.pool])}
        seconds: dict[str, float] = {}
        began = time.monotonic()

        def lap(stage: str) -> None:
            nonlocal began
            seconds[stage], began = round(time.monotonic() - began, 1), time.monotonic()

        self._play(hands, networks[state.best])
        lap("play")
        played = self._count(metrics)
        fitted = self._fit(hands, metrics)
        lap("fit")
        new = load_network(self.folder.network(state.number))
        name = name_of(new)
        judged = self._judge(hands, metrics, name, {**networks, name: new})
        lap("judge")
        return replace(judged, **played, **fitted, seconds=seconds)

    def _load(self, name: str) -> bytes | None:
        """Return a network that is or was the best; LearnError if its file is another by now."""
        if name == LINEAR:
            return None
        path = self.folder.network(self.state.number_of(name))
        network = load_network(path)
        if name_of(network) != name:
            raise LearnError(f"{path} is not the network that was kept there: that was {name}")
        return network

    # ------------------------------------------------------------------ playing

    def _play(self, hands: Hands, network: bytes | None) -> None:
        """Play the games of this round that are missing; a batch is kept once all of it is there."""
        state = self.state
        settings, first = state.settings, state.first
        missing = self.store.missing(first, first + settings.games, settings.games_a_file)
        batch_of = {number: batch for batch in missing for number in range(batch.first, batch.end)}
        done = settings.games - len(batch_of)
        about = About(name_of(network), settings.nodes, settings.seed)
        back: dict[Batch, list[OwnGame]] = {}
        self._told(Progress(state.number, "play", done, settings.games))
        with closing(hands.spread(play_game, (Job(number, settings) for number in batch_of), network)) as games:
            for game in games:
                batch = batch_of[game.number]
                together = back.setdefault(batch, [])
                together.append(game)
                if len(together) == batch.games:
                    self.store.add(batch, back.pop(batch), about)
                done += 1
                self._told(Progress(state.number, "play", done, settings.games))

    def _count(self, metrics: Metrics) -> dict[str, Any]:
        """Return what the games of this round were like."""
        state = self.state
        end = state.first + state.settings.games
        results: dict[int, float] = {}
        plies: dict[int, int] = {}
        for table in self.store.tables([b for b in self.store.batches() if state.first <= b.first < end]):
            columns = (table[name].to_pylist() for name in ("game", "position", "result", "ply"))
            for game, position, result, ply in zip(*columns, strict=True):
                results[game] = result if position.split(" ", 2)[1] == "w" else 1.0 - result
                plies[game] = max(plies.get(game, 0), ply + 1)
        games = len(results)
        if not games:
            raise LearnError(f"there is nothing to learn from in {self.store.folder}: every game was over at once")
        white, drawn = (sum(result == wanted for result in results.values()) for wanted in (1.0, 0.5))
        mean = sum(plies.values()) / games
        figures = {"games/plies": mean, "games/white": white / games, "games/drawn": drawn / games}
        metrics.add(end, figures, round=state.number)
        return {"games": games, "white": white, "drawn": drawn, "plies": round(mean, 2)}

    # ------------------------------------------------------------------ fitting

    def _fit(self, hands: Hands, metrics: Metrics) -> dict[str, Any]:
        """Fit to the window, unless that is done already; return how it went."""
        state, report = self.state, self.folder.fit(self.state.number)
        before = state.rounds[-1].steps if state.rounds else 0
        if not report.exists():
            last = before

            def told(step: Step) -> None:
                nonlocal last
                last = before + step.step
                losses = {"loss/value": step.value_loss, "loss/policy": step.policy_loss}
                metrics.add(last, losses, round=state.number)
                note = f"value {step.value_loss:.4f}, policy {step.policy_loss:.4f}"
                self._told(Progress(state.number, "fit", step.step, step.steps, note))

            start = None if state.settings.anew else self._checkpoint()
            batches = self.store.window(state.settings.window, state.first + state.settings.games)
            fitted = hands.fit(self.store, batches, start, state.settings, told)
            metrics.add(last, {f"held/{name}": loss for name, loss in fitted.losses.items()}, round=state.number)
            write_whole(self.folder.checkpoint(state.number), fitted.checkpoint)
            write_whole(self.folder.network(state.number), fitted.network)
            write_json(report, {"losses": dict(fitted.losses), "positions": fitted.positions, "steps": last})
        found = self.folder.read_json(report)
        if not isinstance(found.get("losses"), dict) or not all(isinstance(found.get(n), int) for n in _COUNTS):
            raise LearnError(f"{report} is damaged: take it away, and the fit is done again")
        return {name: found[name] for name in ("losses", *_COUNTS)}

    def _checkpoint(self) -> bytes | None:
        """Return what a fit goes on from: the best's, for what was dropped is gone on from no more.

        None for the linear weights, and for a network it began with: nobody has sent its checkpoint along.
        """
        if not self.state.accepted:
            return None
        path = self.folder.checkpoint(self.state.accepted[-1].number)
        try:
            return path.read_bytes()
        except OSError as error:
            raise LearnError(f"{path} cannot be read: {error.strerror}") from None

    # ------------------------------------------------------------------ judging

    def _judge(self, hands: Hands, metrics: Metrics, new: str, networks: Mapping[str, bytes | None]) -> Round:
        """Have the new network play the best, and if it wins the older ones; return the verdict."""
        state, settings = self.state, self.state.settings
        contest = self._contest(new, state.best, settings.match_pairs, tested=True)
        self._compete(hands, "match", contest, networks)
        pairs, pool = contest.standing.pentanomial, dict[str, tuple[int, ...]]()
        score = contest.standing.points / contest.standing.games
        metrics.add(state.number, {"match/score": score, "match/ratio": settings.sprt.ratio(pairs)}, round=state.number)
        why = f"{contest.verdict.value.partition(':')[0]} after {sum(pairs)} pairs against the best"
        is_accepted = contest.verdict is Verdict.ACCEPTED
        older = state.pool[: settings.pool] if is_accepted else []
        for name in older:
            against = self._contest(new, name, ceil(settings.pool_pairs / len(older)), tested=False)
            self._compete(hands, "pool", against, networks)
            pool[name] = against.standing.pentanomial
        if pool:
            together = tuple(map(sum, zip(*pool.values(), strict=True)))
            if settings.pool_sprt.verdict(together) is Verdict.REJECTED:
                is_accepted, why = False, f"{why}, yet weaker than older ones in {sum(together)} pairs"
        end = state.first + settings.games
        return Round(state.number, end, new, state.best, is_accepted, why, pairs, pool)

    def _contest(self, new: str, other: str, pairs: int, *, tested: bool) -> Contest:
        settings, path = self.state.settings, self.folder.match(self.state.number, other)
        return Contest(path, (new, other), settings, pairs, settings.sprt if tested else None)

    def _compete(self, hands: Hands, stage: str, contest: Contest, networks: Mapping[str, bytes | None]) -> None:
        """Play a match to its end."""

        def tell() -> None:
            standing = contest.standing
            note = "" if standing.estimate is None else f"Elo {standing.estimate}"
            self._told(Progress(self.state.number, stage, standing.games, 2 * contest.pairs, note))

        tell()
        between = {name: networks[name] for name in contest.players}
        jobs: Iterator[MatchJob] = contest.jobs()
        with closing(hands.spread(play_match_game, jobs, between)) as games:
            for game in games:
                contest.add(game)
                tell()
                if contest.is_over:
                    return
