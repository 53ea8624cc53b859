"""Ctrl-C before a command has begun its work."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_at_once() -> Iterator[None]:
    """While something is loaded, have Ctrl-C end it as it ends any program: at once and without a word.

    As an exception it would come in the middle of somebody else's code: shown with a traceback, or even lost where a
    library written in C calls Python and drops what that raises. The command would then go on as if nothing were.
    """
    takes_interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if takes_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if takes_interrupts:
            signal.signal(signal.SIGINT, signal.default_int_handler)
