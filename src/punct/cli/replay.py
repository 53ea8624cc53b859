"""``punct replay``: step through a recorded game."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from punct.cli.common import Ascii, GameNumber, Ply, output, pick_game, prefers_ascii
from punct.cli.show import BoardStyle, draw_board, last_move_spaces
from punct.game import Game

_FORWARD: Final = frozenset({" ", "\r", "\n", "n", "j", "l", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB"})
_BACK: Final = frozenset({"p", "k", "h", "\x7f", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA"})
_TO_START: Final = frozenset({"g", "\x1b[H", "\x1bOH", "\x1b[1~"})
_TO_END: Final = frozenset({"G", "e", "\x1b[F", "\x1bOF", "\x1b[4~"})
_LEAVE: Final = frozenset({"q", "\x1b", "\x03", "\x04"})
_KEYS: Final = "→ or Space: on   ← or p: back   g: start   e: end   q: leave"


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, or `-` for standard input.")],
    game_number: GameNumber = 1,
    ply: Ply = None,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay", "-d", min=0, max=3600, help="Go on by itself, after these seconds.", show_default=False
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", "-a", help="Print every position, one below the other.")] = False,
    names: Annotated[bool, typer.Option("--names", help="Write the name of each empty space.")] = False,
    ascii_only: Ascii = False,
) -> None:
    """Step through a recorded game, move by move.

    On a terminal the arrow keys and Space go back and forth. Elsewhere, and with `--all`, every position is printed.

    ```
    punct replay game.punct                    # step with the keys
    punct replay archive.sgf --game 3          # its third game
    punct replay game.punct --delay 1.5        # like a film
    punct replay game.punct --ply 20           # one position only
    punct replay game.punct --all > all.txt
    ```
    """
    console = output()
    game = pick_game(file, game_number, ply)
    style = BoardStyle(prefers_ascii(ascii_only), names)
    _introduce(console, game)
    if ply is not None:
        _show(console, game, style)
        return
    game.go_to_start()
    has_keys = sys.stdin.isatty() and console.is_terminal
    if delay is None and not every and has_keys:
        _step(console, game, style)
        return
    while True:
        if delay is not None and console.is_terminal:
            console.clear()
        _show(console, game, style)
        if not game.forward():
            return
        time.sleep(delay or 0)


def _step(console: Console, game: Game, style: BoardStyle) -> None:
    """Step by the keys pressed."""
    while True:
        console.clear()
        _show(console, game, style)
        console.print(_KEYS, style="dim", markup=False)
        try:
            key = typer.getchar()
        except (KeyboardInterrupt, EOFError):
            return
        if key in _LEAVE:
            return
        if key in _FORWARD:
            game.forward()
        elif key in _BACK:
            game.back()
        elif key in _TO_START:
            game.go_to_start()
        elif key in _TO_END:
            game.go_to_end()


def _introduce(console: Console, game: Game) -> None:
    for name, value in game.tags.items():
        console.print(f"{name}: {value}", markup=False)
    if game.root.comment:
        console.print(game.root.comment, style="italic", markup=False)


def _show(console: Console, game: Game, style: BoardStyle) -> None:
    """Print the position, with the move that led there and its comment."""
    position, moves = game.position, game.moves
    marked = position.winning_chain or (last_move_spaces(position, moves[-1]) if moves else ())
    draw_board(console, position, style, marked)
    caption = f"After move {len(moves)} of {len(game.main_line())}: {moves[-1]}" if moves else "The start"
    outcome = game.outcome()
    console.print(f"{caption}. {outcome}" if outcome and outcome != position.outcome() else caption, markup=False)
    if moves and game.node.comment:
        console.print(game.node.comment, style="italic", markup=False)
