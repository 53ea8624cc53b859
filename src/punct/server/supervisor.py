"""Several processes on one socket: started, started again when they vanish, and renewed one after another."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from prometheus_client.multiprocess import mark_process_dead

from punct.server import log
from punct.server.broker import open_broker
from punct.server.broker.broker import BrokerError
from punct.server.db.database import open_database
from punct.server.db.errors import StoreError
from punct.server.run import SHUTDOWN_SECONDS, Settings, serve

_log = logging.getLogger(__name__)
START_SECONDS: Final = 120.0
"""How long a process may take until it answers."""
END_SECONDS: Final = SHUTDOWN_SECONDS + 5.0
"""How long a process may take to end before it is killed."""
_PAUSE_SECONDS: Final = (0.0, 0.5, 2.0, 5.0)
"""Before a process is started again that has vanished once, twice, … shortly after it was started."""
_LIVED_SECONDS: Final = 10.0
MAX_SILENCE_SECONDS: Final = 30.0
"""A process whose event loop has sent no heartbeat for so long is frozen: it is killed, and started again."""
_BEATS: Final = 15
"""How many heartbeats must be missing for that."""
_PR_SET_PDEATHSIG: Final = 1
"""As <sys/prctl.h> has it."""


Target = Callable[..., None]


@dataclass(slots=True)
class _Child:
    """A place for a process, and the one that is in it."""

    name: str
    target: Target
    arguments: tuple[Any, ...]
    process: BaseProcess
    ready: Connection
    started: float
    heard: float
    """When its last heartbeat came, or it was started."""
    failures: int = 0
    answers: bool = False
    """Whether a heartbeat has come."""

    def listen(self) -> None:
        """Take in the heartbeats that have come."""
        with contextlib.suppress(EOFError, OSError):  # it has ended, which its sentinel says
            while self.ready.poll():
                self.ready.recv()
                self.answers, self.heard = True, time.monotonic()


class Supervisor:
    """Keeps so many servers running, and a workshop for thinking and drawing unless there are no engines here."""

    def __init__(
        self,
        listener: socket.socket,
        settings: Settings,
        servers: int,
        engines: int | None,
        max_silence: float = MAX_SILENCE_SECONDS,
    ) -> None:
        """Prepare; nothing is started yet."""
        self._context = multiprocessing.get_context("spawn")  # each loads the program anew, as it now is on the disk
        self._listener = listener
        wanted: list[tuple[str, Target, tuple[Any, ...]]] = [
            (f"server {number + 1}", _serve, (listener, settings)) for number in range(servers)
        ]
        if engines != 0:
            wanted.append(("workshop", _work, (settings, engines)))
        self._wanted = wanted
        self._children: list[_Child] = []
        self._ending = self._renewing = False
        self._max_silence = max_silence
        self._beat_seconds = max_silence / _BEATS
        self._looked = time.monotonic()
        """When it was last looked for frozen processes."""

    def run(self, ready: Callable[[], None]) -> None:
        """Run until told to stop; ``ready`` is called once everything answers. SIGHUP renews every process."""
        with self._signals() as alarm, tempfile.TemporaryDirectory(prefix="punct-figures-") as figures:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = figures  # where each process keeps what it counts, for all
            try:
                self._children = [self._start(*wanted) for wanted in self._wanted]
                for child in self._children:
                    if not self._is_ready(child, alarm):
                        if not self._ending:
                            _log.error("%s does not start", child.name)
                        return
                ready()
                while not self._ending:
                    wait([alarm, *(child.process.sentinel for child in self._children)], self._beat_seconds)
                    _drain(alarm)
                    self._kill_the_frozen()
                    if self._renewing and not self._ending:
                        self._renewing = False
                        self._renew(alarm)
                    self._raise_the_fallen(alarm)
            finally:
                self._end()

    def _start(self, name: str, target: Target, arguments: tuple[Any, ...], failures: int = 0) -> _Child:
        ours, theirs = self._context.Pipe(duplex=False)
        heart = _Heart(theirs, self._beat_seconds)
        process = self._context.Process(target=target, args=(*arguments, heart), name=f"punct {name}")
        process.start()
        theirs.close()
        now = time.monotonic()
        return _Child(name, target, arguments, process, ours, now, now, failures)

    def _is_ready(self, child: _Child, alarm: socket.socket) -> bool:
        """Wait until a process answers; False if it has ended instead, or everything is to."""
        end = child.started + START_SECONDS
        while not self._ending and (left := end - time.monotonic()) > 0:
            found = wait([child.ready, child.process.sentinel, alarm], left)
            _drain(alarm)
            if child.ready in found:
                child.listen()
                return child.answers
            if child.process.sentinel in found:
                return False
        return False

    def _kill_the_frozen(self) -> None:
        """Kill every process whose heart has stopped; `_raise_the_fallen` finds it then.

        Where this process itself has not looked for long, because the machine slept, had too much to do or others were
        renewed meanwhile, that nothing was heard says nothing: everybody gets a new chance.
        """
        now = time.monotonic()
        looked, self._looked = self._looked, now
        for child in self._children:
            child.listen()
            if now - looked > self._max_silence / 2:
                child.heard = now
            silence = now - child.heard
            if silence > (self._max_silence if child.answers else START_SECONDS) and child.process.is_alive():
                _log.error("%s is frozen: nothing heard of it for %.0f s; it is killed", child.name, silence)
                child.process.kill()
                child.process.join()

    def _raise_the_fallen(self, alarm: socket.socket) -> None:
        """Start again what has vanished."""
        for place, child in enumerate(self._children):
            if self._ending or child.process.is_alive():
                continue
            lived = time.monotonic() - child.started
            failures = 0 if lived > _LIVED_SECONDS else min(child.failures + 1, len(_PAUSE_SECONDS) - 1)
            _log.warning("%s has ended (%s); it is started again", child.name, child.process.exitcode)
            _forget(child)
            wait([alarm], _PAUSE_SECONDS[failures])
            self._children[place] = self._start(child.name, child.target, child.arguments, failures)

    def _renew(self, alarm: socket.socket) -> None:
        """Put a new process in every place, one after the other: each ends when the next one answers."""
        for place, old in enumerate(self._children):
            new = self._start(old.name, old.target, old.arguments)
            if not self._is_ready(new, alarm):
                _log.error("%s cannot be renewed; what runs goes on", old.name)
                new.process.kill()
                _forget(new)
                return
            self._children[place] = new
            _stop([old])

    def _end(self) -> None:
        _stop(self._children)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[socket.socket]:
        """Have signals noted, and whoever waits woken."""
        alarm, bell = socket.socketpair()
        alarm.setblocking(False)
        bell.setblocking(False)

        def end(*_: object) -> None:
            self._ending = True

        def renew(*_: object) -> None:
            self._renewing = True

        before = {
            signum: signal.signal(signum, handler)
            for signum, handler in ((signal.SIGTERM, end), (signal.SIGINT, end), (signal.SIGHUP, renew))
        }
        woken = signal.set_wakeup_fd(bell.fileno(), warn_on_full_buffer=False)
        try:
            yield alarm
        finally:
            signal.set_wakeup_fd(woken)
            for signum, handler in before.items():
                signal.signal(signum, handler)
            alarm.close()
            bell.close()


def check_prerequisites(settings: Settings) -> None:
    """Make sure that everything is there before a process is started; raises StoreError or BrokerError."""
    if not hasattr(signal, "SIGHUP"):
        raise BrokerError("several processes can be kept running on Linux, macOS and their like only")

    async def greet() -> None:
        broker = open_broker(settings.broker_url)
        await broker.start()
        await broker.close()

    log.configure(settings.log)
    asyncio.run(greet())
    open_database(settings.database).close()


def _drain(alarm: socket.socket) -> None:
    with contextlib.suppress(BlockingIOError):
        while alarm.recv(64):
            pass


def _stop(children: list[_Child]) -> None:
    """End processes in order, and those that take too long at once."""
    for child in children:
        child.process.terminate()
    end = time.monotonic() + END_SECONDS
    for child in children:
        child.process.join(max(0.0, end - time.monotonic()))
        if child.process.is_alive():
            _log.warning("%s took too long to end", child.name)
            child.process.kill()
            child.process.join()
        _forget(child)


def _forget(child: _Child) -> None:
    child.process.join()
    mark_process_dead(child.process.pid)  # type: ignore[no-untyped-call]
    child.process.close()
    child.ready.close()


# ---------------------------------------------------------------------- in the processes


@dataclass(slots=True)
class _Heart:
    """Tells the supervisor that this process answers, and goes on to as long as its event loop runs."""

    ready: Connection
    seconds: float
    _beating: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Beat from now on; must be called on the event loop."""
        os.set_blocking(self.ready.fileno(), False)  # a supervisor that does not read must not stop this process
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def _beat(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                self.ready.send(True)
            await asyncio.sleep(self.seconds)


def _serve(listener: socket.socket, settings: Settings, heart: _Heart) -> None:
    _belong_to_parent()
    with _told_in_the_log():
        serve(listener, settings, heart.start)


def _work(settings: Settings, engines: int | None, heart: _Heart) -> None:
    from punct.server.workers.remote_worker import run_remote_workers

    _belong_to_parent()
    log.configure(settings.log)
    assert settings.broker_url is not None
    with _told_in_the_log():
        run_remote_workers(settings.broker_url, engines, 1, heart.start)


@contextlib.contextmanager
def _told_in_the_log() -> Iterator[None]:
    """Say in one line why a process cannot start: it is tried again."""
    try:
        yield
    except (StoreError, BrokerError) as error:
        _log.error("%s", error)
        sys.exit(1)


def _belong_to_parent() -> None:
    """End with the supervisor, even if that is killed; a closed terminal is its business."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    if sys.platform == "linux":  # the kernel ends even a process that is frozen, which would keep the port
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    def follow() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_SECONDS)
        os._exit(1)  # its event loop does not run

    threading.Thread(target=follow, daemon=True).start()
