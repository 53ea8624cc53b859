"""Programs that tests start: each is killed when its test ends, passed or failed."""

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
