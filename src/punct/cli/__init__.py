"""The command ``punct``: play, look at positions, list and explain moves, and work with game records."""

from __future__ import annotations

import gc
import sys

from punct.cli.interrupts import exit_on_interrupt

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    with exit_on_interrupt():
        # Loaded modules stay: garbage collection of them takes a tenth of the start. It is enabled again once the
        # command itself is loaded too.
        gc.disable()
        try:
            from punct.cli.app import run
        except ModuleNotFoundError as error:
            if error.name != "typer":
                raise
            from punct.extras import missing_extra

            print(f"punct: {missing_extra('punct', 'typer')}", file=sys.stderr)
            sys.exit(2)  # as for all that it cannot do

    run()
