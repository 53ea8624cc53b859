"""A real server to attack, a client that uses it meanwhile, and the result of an attack."""

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
TIMEOUT_SECONDS: Final = 60.0
INTERNALS: Final = ("sqlite", "sqlalchemy", "select ", "insert ", "update ", "traceback", "/site-packages/")
"""Words that no message may contain."""


# ---------------------------------------------------------------------- a server, and requests to it


@dataclass
class Server:
    """A running ``punct serve``."""

    process: subprocess.Popen[str]
    port: int
    folder: Path
    log: Path

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> tuple[int, bytes]:
        """Return the status and the body of a response; bytes are sent as they are, anything else as JSON."""
        status, _, content = self.exchange(method, API + path, body, headers, timeout)
        return status, content

    def exchange(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return a response with its headers, also from outside the API."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            data = body if body is None or isinstance(body, bytes) else json.dumps(body)
            sent = {"Content-Type": "application/json", **(headers or {})}
            connection.request(method, path, data, sent)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def create_game(self, **options: object) -> dict[str, Any]:
        """Create a game."""
        status, body = self.request("POST", "/games", options)
        assert status == 201, body
        game: dict[str, Any] = json.loads(body)
        return game

    def connect(self) -> socket.socket:
        """Open a connection and send nothing."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_SECONDS)

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
def run_server(folder: Path, *options: str, files: int | None = None) -> Iterator[Server]:
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
            line = process.stdout.readline()
            if not line:
                raise SystemExit(f"the server did not start: {log.read_text()}")
            yield Server(process, int(line.rstrip("/\n").rpartition(":")[2]), folder, log)
            process.send_signal(signal.SIGTERM)
            process.wait(TIMEOUT_SECONDS)
        finally:
            process.kill()


# ---------------------------------------------------------------------- attacks and their results


@dataclass
class Attack:
    """What an attack did, and what was wrong."""

    name: str
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    remark: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def record(self, status: int, body: bytes, *, allowed: tuple[int, ...]) -> None:
        """Count a response; a status that is not allowed and a message that reveals internals are faults."""
        with self._lock:
            self.statuses[status] += 1
            if status not in allowed:
                self.add_fault(f"answered {status}: {body[:120]!r}")
            if status >= 400:
                self.check_reveals_nothing(body)

    def require(self, *statuses: int) -> None:
        """Check that the attack got each of these statuses: else it has tried nothing."""
        for status in statuses:
            if not self.statuses[status]:
                self.add_fault(f"nothing was answered {status}: {dict(self.statuses)}")

    def check_reveals_nothing(self, message: bytes) -> None:
        """Check that a message reveals no internals of the server."""
        if any(word in message.decode("utf-8", "replace").lower() for word in INTERNALS):
            self.add_fault(f"revealed internals: {message[:200]!r}")

    def add_fault(self, what: str) -> None:
        """Record a fault; of many, the first five."""
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
def innocent_client(server: Server, attack: Attack) -> Iterator[None]:
    """Get a game and the list all the while, as a player's page would."""
    game = server.create_game()["id"]
    done = threading.Event()

    def poll() -> None:
        turn = 0
        while not done.wait(0.03):
            path = f"/games/{game}" if turn % 2 else "/games?limit=5"
            turn += 1
            start = time.monotonic()
            try:
                status, body = server.request("GET", path)
            except OSError as error:
                attack.add_fault(f"the innocent client: {error!r}")
                continue
            attack.latencies.append(time.monotonic() - start)
            if status != 200:
                attack.add_fault(f"the innocent client got {status}: {body[:120]!r}")

    polling = threading.Thread(target=poll)
    polling.start()
    try:
        yield
    finally:
        done.set()
        polling.join()


# ---------------------------------------------------------------------- commands


def run_punct(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a ``punct`` command to its end."""
    command = [sys.executable, "-c", "from punct.cli import main; main()", *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=2 * TIMEOUT_SECONDS, env=env, check=False)
