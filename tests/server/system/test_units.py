"""The systemd units: what they take from the program, and that it works without that."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Final
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest
from tests.databases import Postgresql, Redis
from tests.polling import TIMEOUT_SECONDS, wait_until
from tests.unit_sandbox import ROOT, read_unit, sandboxed

DEPLOY: Final = ROOT / "deploy"
UNITS: Final = sorted(DEPLOY.glob("*.service"))
PROGRAM: Final = [sys.executable, "-c", "from punct.cli import main; main()"]
MAX_EXPOSURE: Final = 2.0
"""Of ten, as systemd-analyze counts; it calls less than 2 "OK"."""
FORBIDDEN: Final = """
import ctypes, mmap, os, socket
def is_refused(function, *arguments):
    try:
        function(*arguments)
    except OSError:
        return True
print([
    is_refused(mmap.mmap, -1, 4096, mmap.MAP_PRIVATE, mmap.PROT_WRITE | mmap.PROT_EXEC),
    is_refused(socket.socket, socket.AF_PACKET, socket.SOCK_RAW),
    is_refused(os.chown, os.environ["OWN"], 1, 1),
    is_refused(os.chmod, os.environ["OWN"], 0o4755),
    is_refused(open, os.path.join(os.environ["ROOT"], "pyproject.toml"), "a"),
    ctypes.CDLL(None).unshare(0x10000000) == -1,
])
"""


def is_possible() -> bool:
    """Tell whether this machine lets a program have a file system of its own."""
    tried = subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True)
    return tried.returncode == 0


needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None or shutil.which("systemd-analyze") is None or not is_possible(),
    reason="this machine has no bubblewrap or systemd-analyze, or allows no mount namespaces",
)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="this machine has no systemd-analyze")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_expose_little(unit: Path) -> None:
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)], capture_output=True, text=True
    )
    (exposure,) = re.findall(r"Overall exposure level for \S+ (\d+\.\d)", rated.stdout)
    assert float(exposure) < MAX_EXPOSURE, rated.stdout


def test_all_units_take_the_same() -> None:
    """Also where nothing can rate them."""
    taken = {
        unit.read_text(encoding="utf-8").partition("\n# What the program")[2].partition("\n\n")[0] for unit in UNITS
    }
    (block,) = {text.strip() for text in taken}
    assert len(block.splitlines()) > 25 and "MemoryDenyWriteExecute=yes" in block
    for unit in UNITS:
        assert read_unit(unit)["User"] == ["punct"], "as root, all of it could be undone"


@needs_sandbox
def test_the_sandbox_takes_what_the_unit_says(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.touch()
    said = subprocess.run(
        sandboxed(DEPLOY / "punct.service", [tmp_path], [sys.executable, "-c", FORBIDDEN]),
        env={**os.environ, "OWN": str(own), "ROOT": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(said.stdout.replace("True", "true").replace("None", "null")) == [True] * 6


def command_of(unit: str, setting: str = "ExecStart", **replaced: str) -> list[str]:
    """Return a unit's command, with this environment's program, and with some of its options replaced."""
    words = shlex.split(read_unit(DEPLOY / unit)[setting][0].replace("%%", "%"))
    for option, value in replaced.items():
        words[words.index(f"--{option}") + 1] = value
    return [*PROGRAM, *words[1:]] if words[0] == "/opt/punct/bin/punct" else words


@contextmanager
def started(
    unit: str, command: list[str], environment: dict[str, str], folder: Path
) -> Iterator[subprocess.Popen[str]]:
    """Run a unit's command with its restrictions, and end it."""
    process = subprocess.Popen(
        sandboxed(DEPLOY / unit, [folder], command),
        env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()  # what it has started ends with it
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def main_process(started: subprocess.Popen[str]) -> int:
    """Return the process that systemd would know as the main one: the child of bubblewrap."""
    (pid,) = Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()
    return int(pid)


class Player:
    """A browser on the server's own machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, body: object = None) -> Any:
        """Return an answer of the API."""
        return json.loads(self.read(path, body))

    def read(self, path: str, body: object = None) -> bytes:
        """Return an answer as it is."""
        headers = {"Content-Type": "application/json", "Origin": self._address}
        sent = None if body is None else json.dumps(body).encode()
        with self._opener.open(Request(f"{self._address}{path}", sent, headers), timeout=TIMEOUT_SECONDS) as answer:
            content = answer.read()
        assert isinstance(content, bytes)
        return content


@needs_sandbox
def test_server_worker_and_backup_work_with_what_the_units_leave(
    postgresql: Postgresql, redis: Redis, tmp_path: Path
) -> None:
    """Several processes, passwords, engines, pictures, records, a reload, a backup, and an orderly end."""
    environment = {
        "PUNCT_DATABASE_URL": postgresql.new_database(),
        "PUNCT_BROKER_URL": redis.address(7),
        "XDG_DATA_HOME": str(tmp_path),
    }
    serve = [*command_of("punct.service", port="0", workers="2"), "--engines", "0"]
    work = [*command_of("punct-worker.service"), "--engines", "1"]
    with (
        started("punct.service", serve, environment, tmp_path) as server,
        started("punct-worker.service", work, environment, tmp_path),
    ):
        assert server.stdout is not None
        greeting = iter(server.stdout.readline, "")
        address = next(line.split()[-1].rstrip("/") for line in greeting if line.startswith("PÜNCT is at http://"))
        anna = Player(address)
        assert anna.ask("/readyz") == {"store": True, "broker": True, "proxy": True}
        anna.ask("/api/v1/account", {"login": "anna", "password": "three blue bridges"})
        game = anna.ask("/api/v1/games", {"seats": {"b": {"type": "engine", "level": 1}}})
        path = f"/api/v1/games/{game['id']}"
        anna.ask(f"{path}/turns", {"text": "Ed5ne", "ply": 0})
        wait_until(lambda: anna.ask(path)["ply"] == 2)
        assert anna.read(f"{path}/picture.png").startswith(b"\x89PNG")

        before = processes_of(main_process(server))
        os.kill(main_process(server), signal.SIGHUP)
        wait_until(lambda: len(now := processes_of(main_process(server))) >= len(before) and not now & before)
        assert anna.ask(path)["ply"] == 2

        back_up(environment, tmp_path)
        os.kill(main_process(server), signal.SIGTERM)
        assert server.wait() == 0


def processes_of(supervisor: int) -> set[str]:
    """Return the processes that the supervisor runs, without Python's own that tracks their resources."""
    listed = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    return {pid for pid in listed if b"spawn_main" in _command_line(pid)}


def _command_line(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has just ended
        return b""


def back_up(environment: dict[str, str], folder: Path) -> None:
    """Run what punct-backup.service runs, and see a backup of today, and none that is too old."""
    backups = folder / "punct-backups"
    backups.mkdir()
    old, new = backups / "punct-2020-01-01-033000.backup", backups / "punct-2020-01-14-033000.backup"
    for file, days in ((old, 16), (new, 13)):
        file.touch()
        os.utime(file, (time.time() - days * 86400,) * 2)
    for setting in ("ExecStart", "ExecStartPost"):
        command = [
            word.replace("/opt/punct/bin/punct", shlex.join(PROGRAM)).replace("/var/lib/punct-backups", str(backups))
            for word in command_of("punct-backup.service", setting)
        ]
        with started("punct-backup.service", command, environment, folder) as process:
            assert process.stdout is not None
            said = process.stdout.read()
            assert process.wait() == 0, said
    made = {file.name for file in backups.iterdir()} - {new.name}
    assert not old.exists() and len(made) == 1
    assert (backups / made.pop()).stat().st_mode & 0o777 == 0o600
