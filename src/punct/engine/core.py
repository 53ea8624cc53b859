"""The engine: plays a move in a position, or analyses it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, NoReturn, cast

from punct._kernel import Searcher, ThreadError
from punct.contract import Start
from punct.engine.errors import EngineError, GameOverError, OutOfMemoryError
from punct.engine.levels import STRONGEST, Level, choose_move, level_of
from punct.engine.limits import MAX_NODES, MAX_SECONDS, Limits, read_limits
from punct.engine.network import Network, default_network, read_network
from punct.engine.variations import KernelReport, PlayResult, SearchResult, Variation, read_report
from punct.engine.weights import Weights, read_weights
from punct.errors import WrongTypeError
from punct.game import Game
from punct.paths import PathLike
from punct.position import Position

ProgressCallback = Callable[[SearchResult], None]
"""Called now and then with the result of a search so far."""

MAX_THREADS: Final = 256
MAX_HASH_MB: Final = 65536
MAX_SEED: Final = 2**63 - 1
MAX_VARIATIONS: Final = 100
_PROGRESS_SECONDS: Final = 0.03
"""Seconds between two calls of the progress callback, which also checks whether to stop."""


class Task(NamedTuple):
    """A position to search: the board, where the game began, and the moves since, for repetition."""

    position: Position
    start: str
    moves: Sequence[str]


class _Cancel(NamedTuple):
    """What ends one search: ``Engine.stop``, or the caller's event."""

    stopped: threading.Event
    by_caller: threading.Event | None

    def is_set(self) -> bool:
        return self.stopped.is_set() or (self.by_caller is not None and self.by_caller.is_set())


class Engine:
    """A computer player of a given strength.

    >>> engine = Engine(limits=Limits(nodes=200))
    >>> result = engine.play("standard w")
    >>> result.move in Position().legal_moves
    True

    ``level`` 1 to 8 sets the strength; without it the engine plays at full strength. ``limits`` bound the search of
    every move, besides those of the level. One engine runs one search at a time; calls from other threads wait, and a
    call from inside its own ``watch`` callback raises EngineError. An engine belongs to its process: it cannot be
    pickled or copied, so create one in each process.
    """

    def __init__(
        self,
        level: int | None = None,
        *,
        limits: Limits | None = None,
        seed: int = 0,
        threads: int = 1,
        hash_mb: int = 256,
        network: Network | PathLike | None = None,
        weights: Weights | PathLike | None = None,
    ) -> None:
        """Set up an engine; raises EngineError for a level or option out of range, or an invalid file.

        It evaluates with its own network or the one that the environment variable PUNCT_NETWORK names, or with another
        ``network``, which may be a file that training wrote. With ``weights``, numbers or a file of them that tuning
        wrote, it uses these and no network.
        """
        self.level: Level = level_of(STRONGEST if level is None else level)
        self.limits = read_limits(limits)
        self.seed = checked("seed", seed, 0, MAX_SEED)
        self.threads = checked("number of threads", threads, 1, MAX_THREADS)
        self.hash_mb = checked("hash size", hash_mb, 1, MAX_HASH_MB)
        self._searcher = Searcher(hash_mb)
        if weights is not None:
            self._searcher.set_weights(*read_weights(weights))
        else:
            self._searcher.set_network(default_network() if network is None else read_network(network))
        self._busy = threading.Lock()
        self._searching: int | None = None
        """The thread that holds the lock."""
        self._process = os.getpid()
        """The process of the last search."""
        self._stopping = threading.RLock()  # a signal handler may call stop() on the thread that begins a search
        self._stopped: threading.Event | None = None
        """Set to end the running search; None while there is none."""

    def __repr__(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        state = "idle" if self._stopped is None else "searching"
        limits = "" if self.limits.is_open else f", {self.limits}"
        return f"<Engine level {self.level.number}{limits}, seed {self.seed}, {threads}, {self.hash_mb} MB: {state}>"

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError(
            "an Engine cannot be pickled or copied: it has threads and memory of its own; create one in each process, "
            f"here by Engine({self.level.number}, seed={self.seed}, threads={self.threads}, hash_mb={self.hash_mb})"
        )

    def play(
        self,
        position: Start | Game | Task,
        limits: Limits | None = None,
        *,
        watch: ProgressCallback | None = None,
        cancel: threading.Event | None = None,
    ) -> PlayResult:
        """Return a move for the side to move; raises GameOverError if the game is over.

        ``limits`` are for this move, within the level's own. ``watch`` is called now and then with the ``SearchResult``
        so far. Setting ``cancel``, or calling ``stop``, ends the search: it then returns the best move so far.
        """
        task = _task(position)
        search_limits = self._limits_for(limits)
        _check_callbacks(watch, cancel)
        with self._exclusive():
            result = self._search(task, search_limits, self.level.candidates, watch, self._begin(cancel))
            choice = (
                choose_move(self.level, self.seed, task.position, result.variations)
                if self.level.makes_mistakes
                else result.best
            )
        return PlayResult(
            choice.move,
            choice.score,
            choice.proven,
            choice.pv or (choice.move,),
            result.depth,
            result.nodes,
            result.seconds,
            result.variations,
        )

    def analyse(
        self,
        position: Start | Game | Task,
        limits: Limits | None = None,
        variations: int = 3,
        *,
        watch: ProgressCallback | None = None,
        cancel: threading.Event | None = None,
    ) -> list[Variation]:
        """Return the best moves, best first, at full strength whatever the level; raises GameOverError at the end."""
        checked("number of variations", variations, 1, MAX_VARIATIONS)
        task = _task(position)
        search_limits = self._bounded(read_limits(limits).within(self.limits), level_of(STRONGEST))
        _check_callbacks(watch, cancel)
        with self._exclusive():
            result = self._search(task, search_limits, variations, watch, self._begin(cancel))
        return list(result.variations)

    def ponder(self, position: Start | Game | Task, *, cancel: threading.Event) -> None:
        """Search a position until ``cancel`` is set or ``stop`` called, for the benefit of later searches by time.

        A search limited by time reuses the tree of the one before, if its position is in there.
        """
        task = _task(position)
        if cancel is None:  # it would search for a day
            raise WrongTypeError("cancel is a threading.Event, which ends the search when it is set; ponder needs one")
        _check_callbacks(None, cancel)
        with self._exclusive():
            self._search_once(task, Limits(MAX_SECONDS), 1, None, self._begin(cancel))

    def reserve(self) -> int:
        """Allocate the memory for the tree now and return the megabytes; otherwise the first search allocates it.

        Where the system refuses, half is tried, and half of that; raises OutOfMemoryError if there is none.
        """
        with self._exclusive():
            try:
                return max(1, int(self._searcher.reserve()))
            except MemoryError:
                raise OutOfMemoryError("there is no memory left for a search") from None

    def stop(self) -> None:
        """End the running search, if any; it returns the best move so far. Callable from any thread."""
        with self._stopping:  # no search ends and no other one begins meanwhile
            if self._stopped is not None:
                self._stopped.set()
                self._searcher.stop()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Lock the engine for one search; raises EngineError inside the ``watch`` callback of its own search."""
        if self._stopped is not None and self._process != os.getpid():  # its lock would never be released here
            raise EngineError("this engine was searching when the process forked: create another one in this process")
        if self._searching == threading.get_ident():
            raise EngineError(
                "this engine is searching, and watch is called by that search: it cannot begin another one; "
                "ask another engine, or this one when it has answered"
            )
        with self._busy:
            self._searching, self._process = threading.get_ident(), os.getpid()
            with self._stopping:
                self._stopped = threading.Event()
            try:
                yield
            finally:
                with self._stopping:
                    self._stopped = None
                self._searching = None

    def _begin(self, cancel: threading.Event | None) -> _Cancel:
        """Return what ends the search that begins: its own event, and the caller's, which only the caller sets."""
        assert self._stopped is not None
        return _Cancel(self._stopped, cancel)

    def _limits_for(self, limits: Limits | None) -> Limits:
        return self._bounded(read_limits(limits).within(self.limits), self.level)

    @staticmethod
    def _bounded(limits: Limits, level: Level) -> Limits:
        """Return the limits to search by: at full strength the caller's, below it also the level's own."""
        if level.number == STRONGEST:
            return level.limits if limits.is_open else limits
        return limits.within(level.limits)

    def _search(
        self, task: Task, limits: Limits, variations: int, watch: ProgressCallback | None, cancel: _Cancel
    ) -> SearchResult:
        if limits.depth is None:
            return self._search_once(task, limits, variations, watch, cancel)
        # More and more nodes until the depth is reached: deterministic, unlike stopping when a report shows the depth.
        nodes, seconds_left = 64, limits.movetime
        max_nodes = limits.nodes or MAX_NODES
        while True:
            result = self._search_once(task, Limits(seconds_left, min(nodes, max_nodes)), variations, watch, cancel)
            if seconds_left is not None:
                seconds_left -= result.seconds
            out_of_time = seconds_left is not None and seconds_left <= 0
            if (
                result.depth >= limits.depth
                or result.best.proven
                or nodes >= max_nodes
                or out_of_time
                or cancel.is_set()
            ):
                return result
            nodes *= 2

    def _search_once(
        self, task: Task, limits: Limits, variations: int, watch: ProgressCallback | None, cancel: _Cancel
    ) -> SearchResult:
        def on_info(report: dict[str, Any]) -> None:
            if cancel.is_set():
                self._searcher.stop()
            elif watch is not None and (progress := read_report(cast(KernelReport, report))) is not None:
                watch(progress)

        nodes = limits.nodes or 0
        seconds = limits.movetime or (0.0 if nodes else MAX_SECONDS)
        if cancel.is_set():  # stopped before it began: any sensible move will do
            nodes, seconds = 1, 0.0
        try:
            report = self._searcher.search(
                task.start,
                task.moves,
                nodes=nodes,
                seconds=seconds,
                target=limits.target or 0.0,
                variations=variations,
                seed=self.seed,
                threads=self.threads,
                on_info=on_info,
                info_every=_PROGRESS_SECONDS,
            )
        except MemoryError:
            raise OutOfMemoryError("not enough memory to search: set a smaller hash or fewer threads") from None
        except ThreadError as error:
            raise EngineError(f"{error}: set fewer") from None
        result = read_report(cast(KernelReport, report))
        assert result is not None  # a search of an open game has a move
        return result


def _check_callbacks(watch: object, cancel: object) -> None:
    """Raise WrongTypeError if a search could not call ``watch`` or ask ``cancel`` whether to stop."""
    if watch is not None and not callable(watch):
        raise WrongTypeError(f"watch is a function of a SearchResult, or None, not {type(watch).__name__}")
    if cancel is not None and not callable(getattr(cancel, "is_set", None)):
        raise WrongTypeError(f"cancel is a threading.Event, or None, not {type(cancel).__name__}")


def checked(name: str, value: int, minimum: int, maximum: int) -> int:
    """Return the value if it is an integer in range; raises EngineError, which names it, if not."""
    if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
        raise EngineError(f"a {name} of {value!r} is out of range: from {minimum} to {maximum}")
    return value


def _task(position: Start | Game | Task) -> Task:
    """Return the task of searching this position; raises GameOverError if the game is over."""
    if isinstance(position, Task):
        return position
    if isinstance(position, Game):
        board, outcome = position.position.copy(), position.outcome()
        task = Task(board, str(position.start), [str(move) for move in position.moves])
    else:
        board = position.copy() if isinstance(position, Position) else Position(position)
        outcome = board.outcome()
        task = Task(board, str(board), ())
    if outcome is not None:
        raise GameOverError(f"the game is over: {outcome}; there is nothing to play in {board}")
    return task
