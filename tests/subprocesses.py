"""Programs that tests start, each killed when its test ends, passed or failed; and what processes run (on Linux)."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def running_program(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Run a program, and kill it at the end: a test that gives up on one that hangs must not wait for it."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started, in that order; a thousand times as fast as ``ps``."""
    try:
        return [
            int(child)
            for thread in Path(f"/proc/{pid}/task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return []


def has_ended(pid: int) -> bool:
    """Tell whether there is no such process any more; ``Path.exists`` raises if it ends meanwhile."""
    try:
        Path(f"/proc/{pid}/cmdline").stat()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return False


def command_of(pid: int) -> str:
    """Return the command line of a process, empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""
