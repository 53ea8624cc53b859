"""Workers that do everything in this process: quick, in a known order, and dead when they are told to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from punct._kernel import Searcher
from punct.match.game import FinishedGame
from punct.training import players
from punct.training.fit_worker import FitResult, OnProgress
from punct.training.gatekeeper import MatchJob, play_match_game
from punct.training.progress import FitProgress
from punct.training.replay_buffer import ReplayBuffer, Shard
from punct.training.selfplay import SelfPlayGame, SelfPlayJob, play_game
from punct.training.settings import Settings

FEW = Settings(
    games=6, nodes=6, games_a_file=2, window=8, match_nodes=6, match_pairs=12, elo0=-50, elo1=150, pool=2, pool_pairs=4
)


@cache
def self_play_game(job: SelfPlayJob) -> SelfPlayGame:
    return play_game(job, None)


class KilledError(BaseException):
    """Stands in for a driver's sudden end: nothing in the program catches it."""


class LocalWorkers:
    """Does the work here. Each fit gives another network, and every network beats those before it, or none does."""

    def __init__(self, *, wins: bool = True, lives: int = 10**9) -> None:
        self.done: Counter[str] = Counter()
        self.started: list[bytes | None] = []
        """What each fit began from."""
        self._wins, self._lives = wins, lives

    def run_jobs(self, work: Callable[..., Any], tasks: Iterator[Any], *shared: Any) -> Generator[Any]:
        for task in tasks:
            self._live(work.__name__)
            if work is play_game:
                yield self_play_game(task)
            else:
                assert work is play_match_game
                assert set(shared[0]) == set(task.players)
                yield self._match(task)

    def _match(self, job: MatchJob) -> FinishedGame:
        """Return a game without playing it: the new network wins, or loses every other one of a pair."""
        is_won = self._wins or job.pair % 4 == 0
        result = "1-0" if is_won == (job.white == 0) else "0-1"
        return FinishedGame(job.pair, job.white, "standard w", ("Ed5ne",), result, "resignation")

    def fit(
        self,
        buffer: ReplayBuffer,
        shards: Sequence[Shard],
        start: bytes | None,
        settings: Settings,
        on_progress: OnProgress,
    ) -> FitResult:
        positions = sum(table.num_rows for table in buffer.tables(list(shards)))
        self.started.append(start)
        for step in range(1, 4):
            self._live("fit")
            on_progress(FitProgress(step, 3, 0.7 / step, 3.0 / step))
        content = f"network {positions} {[shard.name for shard in shards]}".encode()
        losses = dict.fromkeys(("value_loss", "policy_loss", "held_value_loss", "held_policy_loss"), 0.5)
        return FitResult(b"checkpoint of " + content, content, losses, positions)

    def _live(self, what: str) -> None:
        if self._lives == 0:
            raise KilledError
        self._lives -= 1
        self.done[what] += 1


def paper_network(content: bytes) -> bytes:
    """Take any network which says that it is one."""
    if not content.startswith(b"network"):
        raise ValueError("this is not a network")
    return content


class PaperSearcher:
    """A search that plays as the linear weights do, whatever network it is given."""

    def __init__(self, hash_mb: int) -> None:
        self._searcher = Searcher(hash_mb)
        self.search = self._searcher.search

    def set_network(self, network: bytes) -> None:
        """Take it, and be none the wiser."""


@pytest.fixture(autouse=True)
def paper_networks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    players.get_searcher.cache_clear()
    monkeypatch.setattr(players, "Searcher", PaperSearcher)
    monkeypatch.setattr(players, "Network", paper_network)
    yield
    players.get_searcher.cache_clear()
