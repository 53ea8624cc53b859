"""Programs that tests start: each ends with its test, whatever that found."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def running(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Have a program run, and no longer than that: who gives up on one that hangs must not wait for its end."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()
