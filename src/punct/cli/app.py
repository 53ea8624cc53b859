"""The command line's frame: its subcommands, and the one place where errors become messages and exit codes."""

# No annotations from the future: Typer would evaluate each of them, twice, at every start.

import errno
import gc
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from punct.cli.common import Exit, complain
from punct.cli.streams import (
    discard_output,
    exit_on_closed_pipe,
    ignore_closed_pipes,
    replace_closed_streams,
)
from punct.errors import PunctError
from punct.extras import explain_missing, explained

_HELP: Final = """
The game of **PÜNCT** in a terminal.

Moves are written as in `Ed5ne` (add a piece of kind E, its PÜNCT on d5, pointing north-east) and `d5-h9se` (take the
piece whose PÜNCT is on d5 to h9, pointing south-east). Positions are the rules, the side to move and the pieces on the
board: `standard b wEd5ne`. For any position or record, `-` reads it from standard input.

Every command exits with 0 if all is well, 1 if the answer is no (an illegal move, an invalid record), and 2 if it could
not understand what it was given.
"""

COMMANDS: Final = {
    "play": "punct.cli.play",
    "serve": "punct.cli.serve",
    "worker": "punct.cli.worker",
    "admin": "punct.cli.admin",
    "explorer": "punct.cli.explorer",
    "backup": "punct.cli.data",
    "restore": "punct.cli.data",
    "move-data": "punct.cli.data",
    "show": "punct.cli.show",
    "legal": "punct.cli.moves",
    "explain": "punct.cli.moves",
    "check": "punct.cli.files",
    "convert": "punct.cli.files",
    "replay": "punct.cli.replay",
    "perft": "punct.cli.perft",
    "analyse": "punct.cli.analyse",
    "puzzles": "punct.cli.puzzles",
    "learn": "punct.cli.learn",
    "match": "punct.cli.match",
    "ugi": "punct.cli.ugi",
    "bot": "punct.cli.bot",
}
"""The module of each subcommand, in the order of the help. Only the one that is called is loaded."""
_NETWORKED: Final = frozenset({"serve", "worker", "puzzles", "learn", "match", "ugi", "bot"})
"""They write to sockets and to other programs, whose end must not kill them."""
_SETTINGS: Final[dict[str, Any]] = {
    "rich_markup_mode": "markdown",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class Commands(TyperGroup):
    """Subcommands that show no traceback for invalid input or a failing disk."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the subcommands' names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a subcommand; None if there is none of that name."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        with explain_missing(f"punct {cmd_name}"):
            function = getattr(import_module(module), cmd_name.replace("-", "_"))
        app = function
        if not isinstance(function, typer.Typer):  # or it has subcommands of its own
            app = typer.Typer(add_completion=False, **_SETTINGS)
            app.command(cmd_name)(function)
        command = typer.main.get_command(app)
        if not gc.isenabled():  # as `main` left it; what is loaded so far stays, and is not collected again
            gc.freeze()
            gc.enable()
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the subcommand that was typed."""
        command = super().resolve_command(ctx, args)
        if command[0] in _NETWORKED:
            ignore_closed_pipes()
        return command

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the command; output without a subcommand, such as help, may fail too."""
        try:
            try:
                return super().main(*args, **settings)
            finally:
                sys.stdout.flush()  # now, while an error can still be reported
        except OSError as error:
            sys.exit(_report(error))

    def invoke(self, ctx: Any) -> Any:
        """Run the subcommand; an error is reported in one line."""
        code = Exit.BAD_INPUT
        try:
            return super().invoke(ctx)
        except PunctError as error:
            complain(error)
        except ModuleNotFoundError as error:
            complain(explained(error, f"punct {ctx.invoked_subcommand}"))
        except KeyboardInterrupt:
            code = Exit.INTERRUPTED
        except OSError as error:
            code = _report(error)
        raise typer.Exit(code)


def _report(error: OSError) -> Exit:
    """Report an error of a disk or a pipe; return the exit code."""
    code = Exit.BAD_INPUT
    if error.errno == errno.EPIPE:
        code = Exit.PIPE_CLOSED  # the reader has seen enough
    else:
        complain(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or error)
    discard_output()
    return code


app: Final = typer.Typer(cls=Commands, name="punct", no_args_is_help=True, **_SETTINGS)


def _print_version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        print(f"punct {version('punct')}")
        raise typer.Exit


@app.callback(help=_HELP)
def punct(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Take the options before a subcommand; their callbacks do the work."""


def run() -> None:
    """Run the command line in a process of its own."""
    replace_closed_streams()
    exit_on_closed_pipe()
    for stream in (sys.stdout, sys.stderr):
        # An output whose encoding has no "Ü" gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
