"""Attacks on whoever runs our commands: a server that sends a bot elsewhere, files that only look like backups."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from bench.attacks.harness import Attack, Server, run_punct
from tests.stub_server import run_stub_server

from punct.server.db.sqlite import FILE_NAME

AT_ONCE: Final = 2
SECRET: Final = "punct_" + "x" * 43
ENDLESS: Final = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
CRAFTED: Final[dict[str, str]] = {
    "a view without end in the place of a table": f"ALTER TABLE games RENAME TO kept; CREATE VIEW games AS {ENDLESS}",
    "a view besides": f"CREATE VIEW more AS {ENDLESS}",
    "a trigger": "CREATE TRIGGER more AFTER UPDATE ON alembic_version BEGIN DELETE FROM games; END",
    "a table of a module": "CREATE VIRTUAL TABLE more USING fts5 (text)",
}
"""What is done to a true backup."""
FOREIGN: Final[dict[str, str]] = {
    "an empty database": "",
    "another program's": "CREATE TABLE other (id TEXT)",
    "a view alone": f"CREATE VIEW games (id) AS {ENDLESS}",
}


def redirected_bot(server: Server, attack: Attack) -> None:
    """A server that sends `punct bot` to another host: its token is not sent there."""

    def send_on(status: int) -> None:
        with (
            run_stub_server(200) as (elsewhere, stolen),
            run_stub_server(status, f"http://{elsewhere}/api/v1/me") as (address, received),
        ):
            ended = run_punct("bot", "--server", f"http://{address}", "--engine", "1", PUNCT_TOKEN=SECRET)
        attack.statuses[0] += len(received)
        if stolen or not received or set(received) != {f"Bearer {SECRET}"}:
            attack.add_fault(f"after {status} the other host received {stolen}, the server {received}")
        _check_refused(attack, f"a bot sent on by {status}", ended, elsewhere)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(send_on, (301, 302, 303, 307, 308)))


def crafted_backups(server: Server, attack: Attack) -> None:
    """Files that only look like backups, brought back by `punct restore`: each is refused, and leaves nothing."""
    with tempfile.TemporaryDirectory(prefix="punct-crafted-") as made:
        folder = Path(made)
        backup = folder / "kept"
        backed_up = run_punct("backup", str(backup), "--data", str(server.folder))
        assert backed_up.returncode == 0, backed_up.stderr
        files = _files(backup, folder)

        def restore(name: str) -> None:
            target = folder / f"{name} restored"
            ended = run_punct("restore", str(files[name]), "--data", str(target))
            attack.statuses[0] += 1
            _check_refused(attack, name, ended)
            if (target / FILE_NAME).exists():
                attack.add_fault(f"{name} was brought back")

        with ThreadPoolExecutor(AT_ONCE) as threads:
            list(threads.map(restore, files))
        whole = run_punct("restore", str(backup), "--data", str(folder / "whole"))
        if whole.returncode != 0:  # else nothing was tried
            attack.add_fault(f"a true backup does not come back: {whole.stderr[:200]}")


def _files(backup: Path, folder: Path) -> dict[str, Path]:
    """Make every crafted file; return them by name."""
    files = {name: folder / name for name in (*CRAFTED, *FOREIGN)}
    for name in CRAFTED:
        shutil.copy(backup, files[name])
    for name, statements in {**CRAFTED, **FOREIGN}.items():
        with contextlib.closing(sqlite3.connect(files[name])) as connection:
            connection.executescript(statements)
    whole = backup.read_bytes()
    for name, content in (
        ("nothing at all", b""),
        ("half a backup", whole[: len(whole) // 2]),
        ("no database", b"no database " * 1000),
    ):
        files[name] = folder / name
        files[name].write_bytes(content)
    return files


def _check_refused(attack: Attack, name: str, ended: subprocess.CompletedProcess[str], words: str = "") -> None:
    """See that a command was refused in plain words."""
    message = " ".join(ended.stderr.split())
    if ended.returncode == 0 or not message or "Traceback" in message or words not in message:
        attack.add_fault(f"{name}: ended with {ended.returncode}, saying {message[:200]}")


ATTACKS: Final = [redirected_bot, crafted_backups]
