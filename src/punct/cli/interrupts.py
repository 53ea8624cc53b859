"""Ctrl-C while a command is still loading."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """While modules are loaded, let Ctrl-C end the program at once and silently, by the signal's default action.

    As an exception it would be raised inside an import: shown with a traceback, or even lost where an extension module
    calls Python and ignores the error. The command would then continue.
    """
    raises_interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if raises_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if raises_interrupts:
            signal.signal(signal.SIGINT, signal.default_int_handler)
