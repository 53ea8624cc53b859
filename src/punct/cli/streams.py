"""Streams that are not there, or go away: what every program has to live with that others start."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from contextlib import suppress


class _Closed(io.RawIOBase):
    """Standard output that was closed before we began: to write to it is an error, to have nothing to write is none."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")


def stand_in_for_closed_streams() -> None:
    """Put something in the place of standard streams that are closed, which Python leaves out altogether."""
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), encoding="utf-8")


def end_with_closed_pipes() -> None:
    """End quietly when nobody reads the output any more, as other programs do: ``punct legal | head -1``."""
    if hasattr(signal, "SIGPIPE"):  # not on Windows
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def outlive_closed_pipes() -> None:
    """Take a closed pipe or socket for an error like any other."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def drop_what_cannot_be_written() -> None:
    """Forget output that nobody takes, so that it is not tried again when the process ends."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with suppress(OSError):  # what is no file is not tried again either
            os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        sys.stdout = io.StringIO()
