"""A real PostgreSQL and a real Redis on loopback, started once for a run's process and ended with it.

``make test`` installs both. PostgreSQL does not run as root: there, it runs as its package's own user.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from uuid import uuid4

from tests.polling import POLL_SECONDS, wait_until
from tests.subprocesses import children_of, has_ended

from punct.server.db.database import open_database

_PORTS: Final = 15000
_SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",  # nobody needs these games
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "16MB",
    "deadlock_timeout": "100ms",
    "log_min_messages": "fatal",
}


def free_port() -> int:
    """Return a port that nothing listens on, and that the system does not assign by itself.

    What is killed and started again finds its port free: no other connection can have been given it meanwhile,
    nor does a client that connects while nobody listens end up connected to itself.
    """
    generator = random.SystemRandom()
    while True:
        port = generator.randrange(_PORTS, _first_ephemeral_port())
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def _first_ephemeral_port() -> int:
    """Return the first port of those that the system assigns by itself."""
    try:
        return max(_PORTS + 1000, int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0]))
    except OSError:  # not Linux: where they begin by convention
        return 49152


class Service:
    """A program that is started, killed and started again at the same place."""

    def __init__(self, port: int, command: list[str], *, user: str | None = None, stop: signal.Signals) -> None:
        self.port = port
        self._command, self._user, self._stop = command, user, stop
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=self._user, cwd="/"
        )
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            if self._process.poll() is not None:
                raise RuntimeError(f"{self._command[0]} does not start")
            time.sleep(POLL_SECONDS)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order."""
        self._end(self._stop)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None


class Postgresql(Service):
    """PostgreSQL with a data folder of its own."""

    def __init__(self, folder: Path, **settings: str) -> None:
        programs = postgresql_programs()
        self._data = folder / "data"
        user = "postgres" if os.getuid() == 0 else None
        if user is not None:
            shutil.chown(folder, user)
        subprocess.run(
            [programs / "initdb", "-D", self._data, "-U", "punct", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            check=True, stdout=subprocess.DEVNULL, user=user, cwd="/",
        )  # fmt: skip
        port = free_port()
        options = [part for name, value in {**_SETTINGS, **settings}.items() for part in ("-c", f"{name}={value}")]
        command = [str(programs / "postgres"), "-D", str(self._data), "-p", str(port), *options]
        super().__init__(port, command, user=user, stop=signal.SIGQUIT)
        self._migrated: str | None = None

    def start(self) -> None:
        """Start it, and wait until it answers: after a crash it listens before it does."""
        import psycopg

        super().start()
        while True:
            try:
                psycopg.connect(self.address("postgres")).close()
                return
            except psycopg.OperationalError:
                time.sleep(POLL_SECONDS)

    def address(self, name: str) -> str:
        """Return the address of a database."""
        return f"postgresql://punct@127.0.0.1:{self.port}/{name}"

    def new_database(self) -> str:
        """Make an empty database; return its address."""
        name = f"test_{uuid4().hex}"
        self.query(f"CREATE DATABASE {name}")
        return self.address(name)

    def new_store(self) -> str:
        """Make a database with the server's tables, which are empty; return its address. One is migrated, then copied.

        That takes a fifth of the time of a migration.
        """
        if self._migrated is None:
            address = self.new_database()
            open_database(address).close()
            self._migrated = address.rpartition("/")[2]
        name = f"test_{uuid4().hex}"
        self.query(f"CREATE DATABASE {name} TEMPLATE {self._migrated}")
        return self.address(name)

    def drop_connections(self, address: str) -> int:
        """End every connection to a database, as its administrator might; return how many there were."""
        name = address.rpartition("/")[2]
        ended = self.query(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        return len(ended)

    def wait_for_lock(self, address: str) -> None:
        """Wait until a connection waits for a lock in a database."""
        wait_until(lambda: self.count_waiting(address))

    def count_waiting(self, address: str) -> int:
        """Return how many connections wait for a lock in a database."""
        name = address.rpartition("/")[2]
        return len(self.query(f"SELECT 1 FROM pg_stat_activity WHERE datname = '{name}' AND wait_event_type = 'Lock'"))

    def query(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Return the rows of a statement."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def kill(self) -> None:
        """End it with all its processes as a power cut would, and wait until the last of them is gone."""
        assert self._process is not None
        children = children_of(self._process.pid)
        super().kill()
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: all(map(has_ended, children)))


class Redis(Service):
    """Redis that keeps nothing on the disk, unless it is given a folder."""

    def __init__(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise RuntimeError("The tests need Redis (Debian: apt install redis-server); make test installs it.")
        port = free_port()
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        super().__init__(port, command, stop=signal.SIGTERM)

    def address(self, number: int = 0) -> str:
        """Return the address of one of its databases."""
        return f"redis://127.0.0.1:{self.port}/{number}"

    def empty(self) -> None:
        """Remove everything from all its databases."""
        import redis

        with redis.Redis(port=self.port) as client:
            client.flushall()


def postgresql_programs() -> Path:
    """Return the folder with PostgreSQL's programs: Debian keeps them out of the way, version by version."""
    initdb = shutil.which("initdb")
    if initdb is not None:
        return Path(initdb).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if not folders:
        raise RuntimeError("The tests need PostgreSQL (Debian: apt install postgresql); make test installs it.")
    return folders[-1].parent


@contextlib.contextmanager
def run_postgresql(**settings: str) -> Iterator[Postgresql]:
    """Run a PostgreSQL with these settings."""
    with tempfile.TemporaryDirectory(prefix="punct-postgresql-") as folder:
        service = Postgresql(Path(folder), **settings)
        service.start()
        try:
            yield service
        finally:
            service.stop()


@contextlib.contextmanager
def run_redis() -> Iterator[Redis]:
    """Run a Redis."""
    service = Redis()
    service.start()
    try:
        yield service
    finally:
        service.stop()
