"""A server of several processes and a worker, which can be killed, and are started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import IO, Final, NamedTuple

from tests.databases import free_port, run_postgresql, run_redis

from punct.server.db.database import open_database

_LOG_BYTES: Final = 4000
"""Of the log's end, which are shown."""


class Cluster:
    """A ``punct serve --online`` of several processes, and a ``punct worker``."""

    def __init__(
        self,
        database_url: str,
        broker_url: str,
        processes: int,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Start both, on a free port, with further variables of the environment."""
        self._environment = {**os.environ, **environment}
        port = free_port()
        self.host = f"127.0.0.1:{port}"
        punct = [sys.executable, "-m", "punct"]
        urls = ["--database-url", database_url, "--broker-url", broker_url]
        options = ["--online", "--no-open", "--port", str(port), "--workers", str(processes), "--engines", "0"]
        self._commands = {
            "server": [*punct, "serve", *options, *urls],
            "worker": [*punct, "worker", "--broker-url", broker_url, "--engines", "1", "--pictures", "0"],
        }
        self._outputs: dict[str, IO[bytes]] = {}
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # closed in close()
        self._programs = {name: self._start(name) for name in self._commands}

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        if name in self._outputs:
            self._outputs[name].close()
        self._outputs[name] = output = tempfile.TemporaryFile()  # noqa: SIM115  # closed above or in close()
        return subprocess.Popen(self._commands[name], stdout=output, stderr=self._log, env=self._environment)

    def are_ready(self) -> bool:
        """Tell whether both are ready: each prints a line once it can be used, and nothing before."""
        return all(os.fstat(output.fileno()).st_size > 0 for output in self._outputs.values())

    def status(self) -> str:
        """Return whether each program runs, and the end of their log."""
        states = ", ".join(
            f"{name}: {'ended' if program.poll() is not None else 'runs'}, "
            f"printed {os.fstat(self._outputs[name].fileno()).st_size} bytes"
            for name, program in self._programs.items()
        )
        end = os.fstat(self._log.fileno()).st_size
        log = os.pread(self._log.fileno(), _LOG_BYTES, max(0, end - _LOG_BYTES))
        return f"{states}\n{log.decode(errors='replace')}"

    def restart_ended(self) -> None:
        """Start what has ended, as systemd would."""
        for name, program in self._programs.items():
            if program.poll() is not None:
                self._programs[name] = self._start(name)

    def kill(self, name: str) -> None:
        """Kill the whole server, or the worker."""
        self._programs[name].kill()
        self._programs[name].wait()

    def kill_serving_process(self, rng: random.Random) -> bool:
        """Kill one of the processes that serve; False if there is none just now."""
        children = subprocess.run(
            ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(self._programs["server"].pid)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        pids = [int(line.split()[0]) for line in children.stdout.splitlines() if "spawn_main" in line]
        if not pids:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(rng.choice(pids), signal.SIGKILL)
        return True

    def close(self) -> None:
        """End both."""
        for program in self._programs.values():
            program.terminate()
        for program in self._programs.values():
            try:
                program.wait(30)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
        for file in (*self._outputs.values(), self._log):
            file.close()


class RunningCluster(NamedTuple):
    """A cluster that is ready, and the database it uses."""

    host: str
    database_url: str


@contextlib.asynccontextmanager
async def run_cluster(processes: int = 2) -> AsyncIterator[RunningCluster]:
    """Run a PostgreSQL, a Redis and a cluster that uses them; yield it once it is ready."""
    with run_postgresql() as postgresql, run_redis() as redis:
        database_url = postgresql.new_database()
        open_database(database_url).close()
        cluster = Cluster(database_url, redis.address(), processes)
        try:
            while not cluster.are_ready():
                await asyncio.sleep(0.05)
            yield RunningCluster(cluster.host, database_url)
        finally:
            cluster.close()
