"""The command ``punct``: play, look at positions, list and explain turns, and work with game records."""

from __future__ import annotations

import gc

from punct.cli.interrupts import ended_at_once

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    with ended_at_once():
        # What is loaded stays: looking through it for what might be thrown away takes a tenth of the time. Once the
        # command itself is loaded too, that begins again.
        gc.disable()
        from punct.cli.app import run

    run()
