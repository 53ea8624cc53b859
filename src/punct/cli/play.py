"""``punct play``: two people at one terminal, or one and the engine."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from datetime import date
from enum import Enum
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from punct.cli.advice import completions
from punct.cli.common import Ascii, GameNumber, output, pick_game, prefers_ascii
from punct.cli.opponent import Opponent
from punct.cli.session import COMMANDS, Session
from punct.cli.show import BoardStyle
from punct.game import Game
from punct.outcome import Rules
from punct.piece import Colour


class Side(Enum):
    """Which colour a person plays against the engine."""

    WHITE = "white"
    BLACK = "black"
    RANDOM = "random"

    @property
    def person(self) -> Colour:
        """The person's colour; a random one for RANDOM."""
        random = secrets.choice(list(Colour))
        return {Side.WHITE: Colour.WHITE, Side.BLACK: Colour.BLACK, Side.RANDOM: random}[self]


def play(
    rules: Annotated[Rules, typer.Option("--rules", "-r", help="Which game.")] = Rules.STANDARD,
    load: Annotated[
        Path | None,
        typer.Option("--load", "-l", metavar="RECORD", help="Continue a recorded game.", show_default=False),
    ] = None,
    game_number: GameNumber = 1,
    white: Annotated[str | None, typer.Option(help="Who plays White.", show_default=False)] = None,
    black: Annotated[str | None, typer.Option(help="Who plays Black.", show_default=False)] = None,
    against: Annotated[
        int | None,
        typer.Option("--against", "-a", metavar="LEVEL", help="Play the engine, level 1 to 8.", show_default=False),
    ] = None,
    colour: Annotated[Side, typer.Option("--colour", "-c", help="Which colour you play against it.")] = Side.WHITE,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="Makes the engine's play repeatable.", show_default=False),
    ] = None,
    board: Annotated[bool, typer.Option(help="Draw the board after every move.")] = True,
    names: Annotated[bool, typer.Option("--names", help="Write the name of each empty space.")] = False,
    ascii_only: Ascii = False,
) -> None:
    """Play a game: two people at one keyboard, or one against the engine.

    Type a move, such as `Ed5ne` or `d5-h9se`. Half a move is answered with its completions: `Ed5` with the headings,
    `d5-` with the places that piece may go to. An illegal move is answered with the rule it breaks. The Tab key
    completes, and `help` lists the other commands: taking back, saving, looking under a piece, resigning.

    ```
    punct play                                 # the standard game
    punct play --rules basic --names           # first games
    punct play --white Anna --black Ben
    punct play --against 3                     # level 1 lets a child win, 8 is full strength
    punct play --against 5 --colour black
    punct play --load game.punct               # continue where it stopped
    printf 'Ed5ne\\nTl5s\\nsave game.punct\\n' | punct play --no-board
    ```
    """
    console = output()
    game = pick_game(load, game_number) if load is not None else Game(f"{rules} w")
    if load is None:
        game.tags["Date"] = f"{date.today():%Y.%m.%d}"
    opponent = None
    if against is not None:
        its_colour = colour.person.other
        opponent = Opponent(against, its_colour, secrets.randbits(32) if seed is None else seed)
        if load is None:
            game.tags[str(its_colour)] = opponent.name
    for player, name in (("White", white), ("Black", black)):
        if name is not None:
            game.tags[player] = name
    is_terminal = sys.stdin.isatty()
    session = Session(
        console,
        game,
        BoardStyle(prefers_ascii(ascii_only), names),
        _ask_person(lambda: session) if is_terminal else _read_script(console),
        draws_board=board,
        saves_on_exit=is_terminal,
        file=load,
        opponent=opponent,
    )
    session.run()


def _read_script(console: Console) -> Callable[[str], str]:
    """Return the prompt for input from a pipe: take the next line, and print it after the question."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # invalid bytes make an invalid line, not the end

    def ask(question: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        line = line.lstrip("\ufeff").strip()  # a byte order mark is no part of the text
        console.print(f"{question}{line}", markup=False)
        return line

    return ask


def _ask_person(session: Callable[[], Session]) -> Callable[[str], str]:
    """Return the prompt for a terminal, with line editing, history, and Tab to complete moves."""
    try:
        import readline
    except ImportError:  # not on every system; typing works without it
        return lambda question: input(question).strip()

    options: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0:
            words = [name for name in COMMANDS if name.startswith(text)]
            moves = [move.text for move in completions(session().game.position, text)] if text else []
            options[:] = [*words, *moves]
        return options[state] if state < len(options) else None

    readline.set_completer_delims(" \t\n")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
    return lambda question: input(question).strip()
