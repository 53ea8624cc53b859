"""Standard streams that are closed, or break."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from contextlib import suppress


class _Closed(io.RawIOBase):
    """Standard output that was closed before the start: writing is an error, writing nothing is not."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")


def replace_closed_streams() -> None:
    """Replace closed standard streams, which Python sets to None."""
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), encoding="utf-8")


def exit_on_closed_pipe() -> None:
    """End quietly when the output's reader has closed it, as other programs do: ``punct legal | head -1``."""
    if hasattr(signal, "SIGPIPE"):  # not on Windows
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def ignore_closed_pipes() -> None:
    """Make a closed pipe or socket an error instead of a signal."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def discard_output() -> None:
    """Discard output that cannot be written, so that it is not tried again when the process ends."""
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        with suppress(OSError):  # without a file descriptor nothing is tried again
            os.dup2(null, sys.stdout.fileno())
        os.close(null)
        sys.stdout = io.StringIO()
