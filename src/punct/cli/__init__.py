"""The command ``punct``: play, look at positions, list and explain turns, and work with game records."""

from __future__ import annotations

import gc
import signal

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    # While the rest is loaded, Ctrl-C ends it as it ends any program: at once and without a word.
    takes_interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if takes_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What is loaded stays: looking through it for what might be thrown away takes a tenth of the time.
    gc.disable()
    from punct.cli.app import run

    gc.enable()
    if takes_interrupts:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
