"""A real server to attack, somebody who plays on it meanwhile, and what came of an attack."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

API: Final = "/api/v1"
PATIENCE: Final = 60.0
INTERNALS: Final = ("sqlite", "sqlalchemy", "select ", "insert ", "update ", "traceback", "/site-packages/")
"""What no message may hold."""


# ---------------------------------------------------------------------- a server, and asking it


@dataclass
class Server:
    """A running ``punct serve``."""

    process: subprocess.Popen[str]
    port: int
    folder: Path
    log: Path

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> tuple[int, bytes]:
        """Return the status and the body of an answer; bytes are sent as they are, anything else as JSON."""
        status, _, said = self.exchange(method, API + path, body, headers, patience)
        return status, said

    def exchange(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return an answer with its headers, also from outside the API."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        try:
            data = body if body is None or isinstance(body, bytes) else json.dumps(body)
            sent = {"Content-Type": "application/json", **(headers or {})}
            line.request(method, path, data, sent)
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            line.close()

    def begin(self, **wanted: object) -> dict[str, Any]:
        """Begin a game."""
        status, body = self.ask("POST", "/games", wanted)
        assert status == 201, body
        game: dict[str, Any] = json.loads(body)
        return game

    def dial(self) -> socket.socket:
        """Open a connection and say nothing."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def processor_seconds(self) -> float | None:
        """Return the processor time of the server itself so far, where the system tells."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float | None:
        """Return the memory of the server and its workers, where the system tells."""
        family = [self.process.pid]
        try:
            for path in Path("/proc").glob("[0-9]*/stat"):
                with contextlib.suppress(OSError):
                    if int(path.read_text().rpartition(")")[2].split()[1]) == self.process.pid:
                        family.append(int(path.parent.name))
            return sum(_resident_mb(pid) for pid in family)
        except OSError:
            return None


def _resident_mb(pid: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0.0


@contextlib.contextmanager
def serving(folder: Path, *options: str, files: int | None = None) -> Iterator[Server]:
    """Run a server, and end it by SIGTERM; it must end in order and have written little."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}));" if files else ""
    code = f"{limit}from punct.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--no-open", "--port", "0", "--data", str(folder), *options]
    log = folder / f"log-{time.monotonic_ns()}.txt"
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            if not said:
                raise SystemExit(f"the server did not start: {log.read_text()}")
            yield Server(process, int(said.rstrip("/\n").rpartition(":")[2]), folder, log)
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
        finally:
            process.kill()


# ---------------------------------------------------------------------- attacks and what came of them


@dataclass
class Attack:
    """What an attack did, and what was wrong."""

    name: str
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    remark: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def got(self, status: int, body: bytes, *, allowed: tuple[int, ...]) -> None:
        """Note an answer; those not allowed, and those that tell internals, are faults."""
        with self._lock:
            self.statuses[status] += 1
            if status not in allowed:
                self.fault(f"answered {status}: {body[:120]!r}")
            if status >= 400:
                self.look_through(body)

    def demand(self, *statuses: int) -> None:
        """See that an attack met what it was made to meet: else it has tried nothing."""
        for status in statuses:
            if not self.statuses[status]:
                self.fault(f"nothing was answered {status}: {dict(self.statuses)}")

    def look_through(self, message: bytes) -> None:
        """See that a message tells nothing of the server's insides."""
        if any(word in message.decode("utf-8", "replace").lower() for word in INTERNALS):
            self.fault(f"told internals: {message[:200]!r}")

    def fault(self, what: str) -> None:
        """Note something that should not be; a handful is enough to see what."""
        if len(self.faults) < 5:
            self.faults.append(what)

    def row(self) -> str:
        """Return a row of the table."""
        refused = sum(count for status, count in self.statuses.items() if status >= 400)
        worst = f"{max(self.latencies) * 1000:7,.0f}" if self.latencies else "      –"
        usual = f"{statistics.median(self.latencies) * 1000:7,.0f}" if self.latencies else "      –"
        verdict = "FAILED" if self.faults else "held"
        total = sum(self.statuses.values())
        return f"{self.name:34} {total:8,} {refused:8,} {usual} {worst}  {verdict:6}  {self.remark}"


@contextlib.contextmanager
def innocent(server: Server, attack: Attack) -> Iterator[None]:
    """Look at a game and at the list all the while, as somebody who plays would."""
    game = server.begin()["id"]
    done = threading.Event()

    def look() -> None:
        turn = 0
        while not done.wait(0.03):
            path = f"/games/{game}" if turn % 2 else "/games?limit=5"
            turn += 1
            begun = time.monotonic()
            try:
                status, body = server.ask("GET", path)
            except OSError as error:
                attack.fault(f"the innocent client: {error!r}")
                continue
            attack.latencies.append(time.monotonic() - begun)
            if status != 200:
                attack.fault(f"the innocent client got {status}: {body[:120]!r}")

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        done.set()
        looking.join()


# ---------------------------------------------------------------------- commands


def punct(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of ours to its end."""
    command = [sys.executable, "-c", "from punct.cli import main; main()", *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, env=env, check=False)
