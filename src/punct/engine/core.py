"""The engine as programs use it: give it a position, get a turn or an analysis."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, cast

from punct._kernel import Searcher, ThreadError
from punct.contract import Start
from punct.engine.errors import EngineError, GameOverError, OutOfMemoryError
from punct.engine.levels import STRONGEST, Level, choose, level_of
from punct.engine.limits import LONGEST, MOST_NODES, Limits, read_limits
from punct.engine.network import Network, load_network, own_network
from punct.engine.variations import Found, Played, Told, Variation, read_told
from punct.engine.weights import Weights, load_weights
from punct.game import Game
from punct.position import Position

Watcher = Callable[[Found], None]
"""Is told now and then what a search has found so far."""

MOST_THREADS: Final = 256
LARGEST_HASH: Final = 65536
LARGEST_SEED: Final = 2**63 - 1
MOST_VARIATIONS: Final = 100
_LOOK_UP: Final = 0.03
"""Seconds between looks at whether somebody wants the search to end."""


class Task(NamedTuple):
    """A position to think about, made ready: the board, where the game began, and the moves since, for repetition."""

    position: Position
    start: str
    moves: Sequence[str]


class _Cancel(NamedTuple):
    """What ends one search: ``Engine.stop``, or the event that its caller gave."""

    stopped: threading.Event
    given: threading.Event | None

    def is_set(self) -> bool:
        return self.stopped.is_set() or (self.given is not None and self.given.is_set())


class Engine:
    """A player of a given strength.

    >>> engine = Engine(limits=Limits(nodes=200))
    >>> played = engine.play("standard w")
    >>> played.move in Position().legal_moves
    True

    ``level`` 1 to 8 sets the strength; without it the engine plays as well as it can. ``limits`` bound the thinking of
    every turn, besides what the level does. One engine does one search at a time; calls from other threads wait, and a
    call from inside its own ``watch`` is refused with EngineError.
    """

    def __init__(
        self,
        level: int | None = None,
        *,
        limits: Limits | None = None,
        seed: int = 0,
        threads: int = 1,
        hash_mb: int = 256,
        network: Network | str | os.PathLike[str] | None = None,
        weights: Weights | str | os.PathLike[str] | None = None,
    ) -> None:
        """Set up an engine; raises EngineError for a level or option out of range, or a file that makes no sense.

        It plays by its own network, or by another one: ``network``, or a file that training wrote. With ``weights``,
        numbers or a file of them as tuning writes it, it plays by these and no network.
        """
        self.level: Level = level_of(STRONGEST if level is None else level)
        self.limits = read_limits(limits)
        self.seed = checked("seed", seed, 0, LARGEST_SEED)
        self.threads = checked("number of threads", threads, 1, MOST_THREADS)
        self.hash_mb = checked("hash size", hash_mb, 1, LARGEST_HASH)
        self._searcher = Searcher(hash_mb)
        if weights is not None:
            self._searcher.set_weights(*(load_weights(weights) if isinstance(weights, (str, os.PathLike)) else weights))
        else:
            given = load_network(network) if isinstance(network, (str, os.PathLike)) else network
            self._searcher.set_network(given or own_network())
        self._busy = threading.Lock()
        self._searching: int | None = None
        """The thread that holds the lock."""
        self._stopping = threading.RLock()  # a signal's handler may stop what its own thread is about to begin
        self._stopped: threading.Event | None = None
        """Set to end the search under way; None while there is none."""

    def play(
        self,
        position: Start | Game | Task,
        limits: Limits | None = None,
        *,
        watch: Watcher | None = None,
        cancel: threading.Event | None = None,
    ) -> Played:
        """Return a turn for the side to move; raises GameOverError if there is nothing to play.

        ``limits`` are for this turn, within the level's own. ``watch`` is called now and then with what was ``Found``
        so far. Setting ``cancel``, or calling ``stop``, ends the search: it then returns the best it has.
        """
        task = _task(position)
        wanted = self._wanted(limits)
        with self._alone():
            found = self._search(task, wanted, self.level.candidates, watch, self._begin(cancel))
            chosen = choose(self.level, self.seed, task.position, found.variations) if self.level.errs else found.best
        return Played(
            chosen.move,
            chosen.score,
            chosen.proven,
            chosen.pv or (chosen.move,),
            found.depth,
            found.nodes,
            found.seconds,
            found.variations,
        )

    def analyse(
        self,
        position: Start | Game | Task,
        limits: Limits | None = None,
        variations: int = 3,
        *,
        watch: Watcher | None = None,
        cancel: threading.Event | None = None,
    ) -> list[Variation]:
        """Return the best turns, best first, at full strength whatever the level; raises GameOverError at the end."""
        checked("number of variations", variations, 1, MOST_VARIATIONS)
        task = _task(position)
        wanted = self._bounded(read_limits(limits).within(self.limits), level_of(STRONGEST))
        with self._alone():
            found = self._search(task, wanted, variations, watch, self._begin(cancel))
        return list(found.variations)

    def ponder(self, position: Start | Game | Task, *, cancel: threading.Event) -> None:
        """Think about a position until ``cancel`` is set or ``stop`` called, for the searches of later ones by time.

        A search limited by time goes on with the tree of the one before, if its position is found there.
        """
        task = _task(position)
        with self._alone():
            self._search_once(task, Limits(LONGEST), 1, None, self._begin(cancel))

    def reserve(self) -> int:
        """Take the memory for the tree now and return the megabytes that were had; otherwise a search takes it.

        Where the machine refuses them all, half is tried, and half of that; OutOfMemoryError if there is none.
        """
        with self._alone():
            try:
                return max(1, int(self._searcher.reserve()))
            except MemoryError:
                raise OutOfMemoryError("there is no memory left for a search") from None

    def stop(self) -> None:
        """End the search under way, if any, from whatever thread; it returns the best it has at once."""
        with self._stopping:  # no search ends and no other one begins meanwhile
            if self._stopped is not None:
                self._stopped.set()
                self._searcher.stop()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the engine for one search; raises EngineError inside the ``watch`` of this engine's own search."""
        if self._searching == threading.get_ident():
            raise EngineError(
                "this engine is searching, and watch is called by that search: it cannot begin another one; "
                "ask another engine, or this one when it has answered"
            )
        with self._busy:
            self._searching = threading.get_ident()
            with self._stopping:
                self._stopped = threading.Event()
            try:
                yield
            finally:
                with self._stopping:
                    self._stopped = None
                self._searching = None

    def _begin(self, cancel: threading.Event | None) -> _Cancel:
        """Return what ends the search that begins: its own event, and the caller's, which is nobody else's to set."""
        assert self._stopped is not None
        return _Cancel(self._stopped, cancel)

    def _wanted(self, limits: Limits | None) -> Limits:
        return self._bounded(read_limits(limits).within(self.limits), self.level)

    @staticmethod
    def _bounded(limits: Limits, level: Level) -> Limits:
        """Return the limits to search by: at full strength those that were given, below it also the level's own."""
        if level.number == STRONGEST:
            return level.limits if limits.is_open else limits
        return limits.within(level.limits)

    def _search(self, task: Task, limits: Limits, variations: int, watch: Watcher | None, cancel: _Cancel) -> Found:
        if limits.depth is None:
            return self._search_once(task, limits, variations, watch, cancel)
        # Ever more nodes until the depth is reached: unlike a look at the depth from time to time, always the same.
        nodes, seconds_left = 64, limits.movetime
        most = limits.nodes or MOST_NODES
        while True:
            found = self._search_once(task, Limits(seconds_left, min(nodes, most)), variations, watch, cancel)
            if seconds_left is not None:
                seconds_left -= found.seconds
            out_of_time = seconds_left is not None and seconds_left <= 0
            if found.depth >= limits.depth or found.best.proven or nodes >= most or out_of_time or cancel.is_set():
                return found
            nodes *= 2

    def _search_once(
        self, task: Task, limits: Limits, variations: int, watch: Watcher | None, cancel: _Cancel
    ) -> Found:
        def look_up(told: dict[str, Any]) -> None:
            if cancel.is_set():
                self._searcher.stop()
            elif watch is not None and (so_far := read_told(cast(Told, told))) is not None:
                watch(so_far)

        nodes = limits.nodes or 0
        seconds = limits.movetime or (0.0 if nodes else LONGEST)
        if cancel.is_set():  # asked to stop before it began: any sensible turn will do
            nodes, seconds = 1, 0.0
        try:
            told = self._searcher.search(
                task.start,
                task.moves,
                nodes=nodes,
                seconds=seconds,
                target=limits.target or 0.0,
                variations=variations,
                seed=self.seed,
                threads=self.threads,
                on_info=look_up,
                info_every=_LOOK_UP,
            )
        except MemoryError:
            raise OutOfMemoryError("not enough memory to search: set a smaller hash or fewer threads") from None
        except ThreadError as error:
            raise EngineError(f"{error}: set fewer") from None
        found = read_told(cast(Told, told))
        assert found is not None  # where there is a turn to play, one is proposed
        return found


def checked(what: str, value: int, least: int, most: int) -> int:
    """Return the value if it is a whole number in range; raises EngineError, which names it, if not."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise EngineError(f"a {what} of {value!r} is out of range: from {least} to {most}")
    return value


def _task(position: Start | Game | Task) -> Task:
    """Make ready what somebody wants to have thought about."""
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
