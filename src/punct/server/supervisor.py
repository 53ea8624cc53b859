"""Supervises several server processes on one socket: starts, restarts and, on SIGHUP, replaces them one by one."""

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
from punct.server.notifications.service import FINISH_SECONDS
from punct.server.run import SHUTDOWN_SECONDS, Settings, serve

_log = logging.getLogger(__name__)
START_SECONDS: Final = 120.0
"""How long a process may take until its first heartbeat."""
END_SECONDS: Final = SHUTDOWN_SECONDS + FINISH_SECONDS + 5.0
"""How long a process may take to end before it is killed."""
_BACKOFF_SECONDS: Final = (0.0, 0.5, 2.0, 5.0)
"""The delay before the restart of a process that has ended early once, twice, …"""
_STABLE_SECONDS: Final = 10.0
"""A process that ends after less has ended early."""
MAX_SILENCE_SECONDS: Final = 30.0
"""A process whose event loop has sent no heartbeat for this long is frozen: it is killed and restarted."""
_MISSED_HEARTBEATS: Final = 15
"""How many heartbeats a frozen process has missed."""
_PR_SET_PDEATHSIG: Final = 1
"""From <sys/prctl.h>."""


Target = Callable[..., None]


@dataclass(slots=True)
class _Child:
    """A supervised process, with what is needed to restart it."""

    name: str
    target: Target
    arguments: tuple[Any, ...]
    process: BaseProcess
    heartbeats: Connection
    started: float
    last_heartbeat: float
    """Or the time of its start."""
    failures: int = 0
    is_ready: bool = False
    """Whether it has sent a heartbeat."""

    def receive_heartbeats(self) -> None:
        """Receive the heartbeats that have arrived."""
        with contextlib.suppress(EOFError, OSError):  # it has ended, which its sentinel shows
            while self.heartbeats.poll():
                self.heartbeats.recv()
                self.is_ready, self.last_heartbeat = True, time.monotonic()


class Supervisor:
    """Keeps a number of server processes running, and one with workers unless there are no engines here."""

    def __init__(
        self,
        listener: socket.socket,
        settings: Settings,
        servers: int,
        engines: int | None,
        max_silence: float = MAX_SILENCE_SECONDS,
    ) -> None:
        """Prepare; nothing is started yet."""
        self._context = multiprocessing.get_context("spawn")  # each loads the program as it is on the disk then
        self._listener = listener
        programs: list[tuple[str, Target, tuple[Any, ...]]] = [
            (f"server {number + 1}", _serve, (listener, settings)) for number in range(servers)
        ]
        if engines != 0:
            programs.append(("workers", _work, (settings, engines)))
        self._programs = programs
        self._children: list[_Child] = []
        self._is_ending = self._must_replace = False
        self._max_silence = max_silence
        self._heartbeat_seconds = max_silence / _MISSED_HEARTBEATS
        self._last_check = time.monotonic()
        """The time of the last check for frozen processes."""

    def run(self, ready: Callable[[], None]) -> None:
        """Run until a signal; ``ready`` is called once every process is ready. SIGHUP replaces every process."""
        with self._signals() as alarm, tempfile.TemporaryDirectory(prefix="punct-metrics-") as metrics:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = metrics  # where the processes share their metrics
            try:
                self._children = [self._start(*program) for program in self._programs]
                for child in self._children:
                    if not self._wait_until_ready(child, alarm):
                        if not self._is_ending:
                            _log.error("%s does not start", child.name)
                        return
                ready()
                while not self._is_ending:
                    wait([alarm, *(child.process.sentinel for child in self._children)], self._heartbeat_seconds)
                    _drain(alarm)
                    self._kill_frozen()
                    if self._must_replace and not self._is_ending:
                        self._must_replace = False
                        self._replace_all(alarm)
                    self._restart_ended(alarm)
            finally:
                self._end()

    def _start(self, name: str, target: Target, arguments: tuple[Any, ...], failures: int = 0) -> _Child:
        receiver, sender = self._context.Pipe(duplex=False)
        heartbeat = _HeartbeatSender(sender, self._heartbeat_seconds)
        process = self._context.Process(target=target, args=(*arguments, heartbeat), name=f"punct {name}")
        process.start()
        sender.close()
        now = time.monotonic()
        return _Child(name, target, arguments, process, receiver, now, now, failures)

    def _wait_until_ready(self, child: _Child, alarm: socket.socket) -> bool:
        """Wait until a process is ready; False if it ends instead, or the supervisor does."""
        end = child.started + START_SECONDS
        while not self._is_ending and (remaining := end - time.monotonic()) > 0:
            events = wait([child.heartbeats, child.process.sentinel, alarm], remaining)
            _drain(alarm)
            if child.heartbeats in events:
                child.receive_heartbeats()
                return child.is_ready
            if child.process.sentinel in events:
                return False
        return False

    def _kill_frozen(self) -> None:
        """Kill every process whose heartbeats have stopped; `_restart_ended` restarts it then.

        If this process itself has not checked for long, because the machine slept or was overloaded or processes were
        being replaced, missing heartbeats prove nothing: every process gets another period.
        """
        now = time.monotonic()
        last_check, self._last_check = self._last_check, now
        for child in self._children:
            child.receive_heartbeats()
            if now - last_check > self._max_silence / 2:
                child.last_heartbeat = now
            silence = now - child.last_heartbeat
            if silence > (self._max_silence if child.is_ready else START_SECONDS) and child.process.is_alive():
                _log.error("%s is frozen: no heartbeat for %.0f s; killing it", child.name, silence)
                child.process.kill()
                child.process.join()

    def _restart_ended(self, alarm: socket.socket) -> None:
        """Restart every process that has ended."""
        for index, child in enumerate(self._children):
            if self._is_ending or child.process.is_alive():
                continue
            lifetime = time.monotonic() - child.started
            failures = 0 if lifetime > _STABLE_SECONDS else min(child.failures + 1, len(_BACKOFF_SECONDS) - 1)
            _log.warning("%s has ended (%s); restarting it", child.name, child.process.exitcode)
            _close(child)
            wait([alarm], _BACKOFF_SECONDS[failures])
            self._children[index] = self._start(child.name, child.target, child.arguments, failures)

    def _replace_all(self, alarm: socket.socket) -> None:
        """Replace every process, one after the other: each ends when its replacement is ready."""
        for index, old in enumerate(self._children):
            new = self._start(old.name, old.target, old.arguments)
            if not self._wait_until_ready(new, alarm):
                _log.error("%s cannot be replaced; the running process stays", old.name)
                new.process.kill()
                _close(new)
                return
            self._children[index] = new
            _stop([old])

    def _end(self) -> None:
        _stop(self._children)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[socket.socket]:
        """Handle signals; yield a socket that becomes readable at each."""
        alarm, wakeup = socket.socketpair()
        alarm.setblocking(False)
        wakeup.setblocking(False)

        def end(*_: object) -> None:
            self._is_ending = True

        def replace(*_: object) -> None:
            self._must_replace = True

        before = {
            signum: signal.signal(signum, handler)
            for signum, handler in ((signal.SIGTERM, end), (signal.SIGINT, end), (signal.SIGHUP, replace))
        }
        wakeup_before = signal.set_wakeup_fd(wakeup.fileno(), warn_on_full_buffer=False)
        try:
            yield alarm
        finally:
            signal.set_wakeup_fd(wakeup_before)
            for signum, handler in before.items():
                signal.signal(signum, handler)
            alarm.close()
            wakeup.close()


def check_prerequisites(settings: Settings) -> None:
    """Check that database and broker can be reached before any process starts; raises StoreError or BrokerError."""
    if not hasattr(signal, "SIGHUP"):
        raise BrokerError("several processes need Linux, macOS or another Unix")

    async def connect() -> None:
        broker = open_broker(settings.broker_url)
        await broker.start()
        await broker.close()

    log.configure(settings.log)
    asyncio.run(connect())
    open_database(settings.database).close()


def _drain(alarm: socket.socket) -> None:
    with contextlib.suppress(BlockingIOError):
        while alarm.recv(64):
            pass


def _stop(children: list[_Child]) -> None:
    """Terminate processes; kill those that take too long to end."""
    for child in children:
        child.process.terminate()
    end = time.monotonic() + END_SECONDS
    for child in children:
        child.process.join(max(0.0, end - time.monotonic()))
        if child.process.is_alive():
            _log.warning("%s took too long to end", child.name)
            child.process.kill()
            child.process.join()
        _close(child)


def _close(child: _Child) -> None:
    child.process.join()
    mark_process_dead(child.process.pid)  # type: ignore[no-untyped-call]
    child.process.close()
    child.heartbeats.close()


# ---------------------------------------------------------------------- in the processes


@dataclass(slots=True)
class _HeartbeatSender:
    """Sends heartbeats to the supervisor as long as this process's event loop runs."""

    pipe: Connection
    seconds: float
    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start sending; must be called on the event loop."""
        os.set_blocking(self.pipe.fileno(), False)  # a supervisor that does not read must not stop this process
        self._task = asyncio.get_running_loop().create_task(self._send_heartbeats())

    async def _send_heartbeats(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                self.pipe.send(True)
            await asyncio.sleep(self.seconds)


def _serve(listener: socket.socket, settings: Settings, heartbeat: _HeartbeatSender) -> None:
    _end_with_parent()
    with _log_errors():
        serve(listener, settings, heartbeat.start)


def _work(settings: Settings, engines: int | None, heartbeat: _HeartbeatSender) -> None:
    from punct.server.workers.outbound import MESSAGE_WORKERS
    from punct.server.workers.remote_worker import run_remote_workers

    _end_with_parent()
    log.configure(settings.log)
    assert settings.broker_url is not None
    with _log_errors():
        run_remote_workers(settings.broker_url, engines, 1, MESSAGE_WORKERS, heartbeat.start)


@contextlib.contextmanager
def _log_errors() -> Iterator[None]:
    """Log in one line why a process cannot start, and end it: the supervisor restarts it."""
    try:
        yield
    except (StoreError, BrokerError) as error:
        _log.error("%s", error)
        sys.exit(1)


def _end_with_parent() -> None:
    """End this process with the supervisor, even if that is killed. SIGHUP is for the supervisor alone."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    if sys.platform == "linux":  # ends even a frozen process, which would keep the port
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    def wait_for_parent() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_SECONDS)
        os._exit(1)  # its event loop is blocked

    threading.Thread(target=wait_for_parent, daemon=True).start()
