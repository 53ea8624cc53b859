"""The command's frame: its subcommands, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import errno
import sys
from importlib.metadata import version
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from punct.cli import analyse, files, match, perft, play, replay, serve, show, turns, ugi
from punct.cli.common import Exit, complain
from punct.errors import PunctError

_HELP: Final = """
The game of **PÜNCT** in a terminal.

Turns are written as in `Ed5ne` (add a piece of kind E, its PÜNCT on d5, pointing north-east) and `d5-h9se` (take the
piece whose PÜNCT is on d5 to h9, turned south-east). Positions are the rules, the side to move and the pieces that lie
on the board: `standard b wEd5ne`. Wherever a position or a record is asked for, `-` reads it from standard input.

Every command exits with 0 if all is well, 1 if the answer is no (an illegal turn, an invalid record), and 2 if it could
not understand what it was given.
"""


class Commands(TyperGroup):
    """Subcommands that never show a traceback for what somebody typed or what a disk refused."""

    def invoke(self, ctx: Any) -> Any:
        """Run the subcommand; what it could not accept is said in one line."""
        try:
            return super().invoke(ctx)
        except PunctError as error:
            complain(error)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # whoever was reading has seen enough: Typer ends quietly
            complain(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else error)
        raise typer.Exit(Exit.BAD_INPUT)


app: Final = typer.Typer(
    cls=Commands,
    name="punct",
    rich_markup_mode="markdown",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"punct {version('punct')}")
        raise typer.Exit


@app.callback(help=_HELP)
def punct(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Take the options that come before a subcommand; their callbacks do the work."""


app.command("play")(play.play)
app.command("serve")(serve.serve)
app.command("show")(show.show)
app.command("legal")(turns.legal)
app.command("explain")(turns.explain)
app.command("check")(files.check)
app.command("convert")(files.convert)
app.command("replay")(replay.replay)
app.command("perft")(perft.perft)
app.command("analyse")(analyse.analyse)
app.command("match")(match.match)
app.command("ugi")(ugi.ugi)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # An output that cannot write "Ü" gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
