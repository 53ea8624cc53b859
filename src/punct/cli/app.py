"""The command's frame: its subcommands, and the one place where errors become messages and exit codes."""

# No annotations from the future: Typer would have each of them evaluated, twice, at every start.

import errno
import gc
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from punct.cli.common import Exit, complain
from punct.cli.streams import (
    drop_what_cannot_be_written,
    end_with_closed_pipes,
    outlive_closed_pipes,
    stand_in_for_closed_streams,
)
from punct.errors import PunctError

_HELP: Final = """
The game of **PÜNCT** in a terminal.

Turns are written as in `Ed5ne` (add a piece of kind E, its PÜNCT on d5, pointing north-east) and `d5-h9se` (take the
piece whose PÜNCT is on d5 to h9, turned south-east). Positions are the rules, the side to move and the pieces that lie
on the board: `standard b wEd5ne`. Wherever a position or a record is asked for, `-` reads it from standard input.

Every command exits with 0 if all is well, 1 if the answer is no (an illegal turn, an invalid record), and 2 if it could
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
    "legal": "punct.cli.turns",
    "explain": "punct.cli.turns",
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
"""Where the function of each subcommand is, in the order of the help. Only the one that is wanted is loaded."""
_TALKERS: Final = frozenset({"serve", "worker", "puzzles", "learn", "match", "ugi", "bot"})
"""They write to sockets and to other programs, and must outlive those."""
_SETTINGS: Final[dict[str, Any]] = {
    "rich_markup_mode": "markdown",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class Commands(TyperGroup):
    """Subcommands that never show a traceback for what somebody typed or what a disk refused."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the subcommands' names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a subcommand; None if there is no such one."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        found = getattr(import_module(module), cmd_name.replace("-", "_"))
        if not isinstance(found, typer.Typer):  # or it has subcommands of its own
            alone = typer.Typer(add_completion=False, **_SETTINGS)
            alone.command(cmd_name)(found)
            found = alone
        command = typer.main.get_command(found)
        if not gc.isenabled():  # as `main` left it; what has been loaded so far stays, and is looked through no more
            gc.freeze()
            gc.enable()
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the subcommand that was typed."""
        found = super().resolve_command(ctx, args)
        if found[0] in _TALKERS:
            outlive_closed_pipes()
        return found

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the command; what is printed without a subcommand, such as help, may find no place either."""
        try:
            try:
                return super().main(*args, **settings)
            finally:
                sys.stdout.flush()  # now, while what goes wrong with it can still be said
        except OSError as error:
            sys.exit(_told(error))

    def invoke(self, ctx: Any) -> Any:
        """Run the subcommand; what it could not accept is said in one line."""
        code = Exit.BAD_INPUT
        try:
            return super().invoke(ctx)
        except PunctError as error:
            complain(error)
        except KeyboardInterrupt:
            code = Exit.INTERRUPTED
        except OSError as error:
            code = _told(error)
        raise typer.Exit(code)


def _told(error: OSError) -> Exit:
    """Say what a disk or a pipe refused; return the exit code."""
    code = Exit.BAD_INPUT
    if error.errno == errno.EPIPE:
        code = Exit.PIPE_CLOSED  # whoever was reading has seen enough
    else:
        complain(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or error)
    drop_what_cannot_be_written()
    return code


app: Final = typer.Typer(cls=Commands, name="punct", no_args_is_help=True, **_SETTINGS)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"punct {version('punct')}")
        raise typer.Exit


@app.callback(help=_HELP)
def punct(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Take the options that come before a subcommand; their callbacks do the work."""


def run() -> None:
    """Run the command line in a process of its own."""
    stand_in_for_closed_streams()
    end_with_closed_pipes()
    for stream in (sys.stdout, sys.stderr):
        # An output that cannot write "Ü" gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
