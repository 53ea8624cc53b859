"""A game in a terminal: its commands and their output."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console

from punct import records
from punct.cli.advice import describe_moves, is_beginning, refusal, suggest, tidy
from punct.cli.common import pick_game, write_file
from punct.cli.opponent import Opponent, hint
from punct.cli.show import BoardStyle, draw_board, last_move_spaces
from punct.errors import IllegalMoveError, InvalidMoveError, PunctError, shorten
from punct.game import Game
from punct.geometry import Space
from punct.picture.terminal import describe_set
from punct.piece import Colour
from punct.reason import Reason

_MAX_LISTED: Final = 60


class Command(NamedTuple):
    """A command that may be typed instead of a move."""

    usage: str
    summary: str
    run: Callable[[Session, str], None]


class Session:
    """The game, its players, and its file."""

    def __init__(
        self,
        console: Console,
        game: Game,
        style: BoardStyle,
        ask: Callable[[str], str],
        *,
        draws_board: bool = True,
        saves_on_exit: bool = False,
        file: Path | None = None,
        opponent: Opponent | None = None,
    ) -> None:
        """Prepare a session. ``ask`` prints a question and returns the answer; EOFError at the end of the input."""
        self.game = game
        self._console = console
        self._style = style
        self._ask = ask
        self._draws_board = draws_board
        self._saves_on_exit = saves_on_exit
        self._file = file
        self._opponent = opponent
        self._is_saved = True
        self._has_quit = False

    def run(self) -> None:
        """Play until the players leave. An invalid line does not end the game."""
        self._print("Type a move, such as Ed5ne or d5-h9se; help lists everything else.")
        self._show_position()
        is_interrupted = False
        while not self._has_quit:
            try:
                self._let_opponent_play()
                line = self._ask(self._question())
                if line:
                    self._answer(line)
                is_interrupted = False
            except KeyboardInterrupt:
                self._print("")
                if is_interrupted:
                    self._leave_without_asking()
                    return
                is_interrupted = True
                self._print("Type quit to leave, or press Ctrl-C once more.")
            except EOFError:
                self._print("")
                self._leave_without_asking()
                return
            except PunctError as error:
                self._print_error(str(error))
            except OSError as error:
                self._print_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))

    # ------------------------------------------------------------------ moves

    def _question(self) -> str:
        outcome = self.game.outcome()
        if outcome is not None:
            return f"{outcome}> "
        colour = self.game.position.turn
        name = self.game.tags.get(str(colour))
        return f"{name} ({colour})> " if name else f"{colour}> "

    def _answer(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = COMMANDS.get(word.lower())
        if command is not None:
            command.run(self, rest.strip())
        else:
            self._play_move(line)

    def _let_opponent_play(self) -> None:
        """Play the engine's move, if it is its turn."""
        if self._opponent is None or not self._opponent.is_to_move(self.game):
            return
        move = self.game.push(self._opponent.choose(self.game))
        self._is_saved = False
        self._show_position()
        self._print(f"{self._opponent.name} plays {move}.")

    def _play_move(self, line: str) -> None:
        """Play what was typed, or print what is wrong with it."""
        try:
            self.game.push(tidy(line))
        except IllegalMoveError as error:
            self._explain_refusal(tidy(line), error.reason)
            return
        except InvalidMoveError as error:
            self._help_with(line, str(error))
            return
        self._is_saved = False
        self._show_position()
        if self.game.repetitions == 2 and self.game.outcome() is None:
            self._print("This position has stood before; the third time the game is drawn.")

    def _help_with(self, line: str, error: str) -> None:
        """Print how an invalid line may be completed or corrected."""
        similar = get_close_matches(line.split()[0].lower(), COMMANDS, 1)
        if similar:
            self._print_error(f"{shorten(line)} is not a move. Did you mean {similar[0]}?")
            return
        if not is_beginning(line):
            self._print_error(error)
        for suggestion in suggest(self.game.position, line):
            self._print(suggestion)

    def _explain_refusal(self, move: str, reason: Reason) -> None:
        outcome = self.game.outcome()
        if outcome is not None:
            self._print_error(f"The game is over: {outcome}. You may undo, save, load or quit.")
            return
        first, *rest = refusal(self.game.position, move, reason)
        self._print_error(first)
        for line in rest:
            self._print(line)

    # ------------------------------------------------------------------ showing

    def _help(self, _: str) -> None:
        """Print the help."""
        self._print("A move:")
        self._print("  Ed5ne            add a piece: its kind, the space of its PÜNCT, its heading")
        self._print("  d5-h9se          take the piece whose PÜNCT is on d5 to h9, heading se")
        self._print("  d5-d5n           rotate it in place")
        self._print("  Ed5, d5-, d5     the beginning of a move: see its completions")
        self._print("Kinds: T triangle; C, E straight (PÜNCT in the centre, at an end); M, L, R angular (PÜNCT in the")
        self._print("middle, at an end bent left, bent right). Headings: n ne se s sw nw.")
        self._print("Or one of these:")
        for command in dict.fromkeys(COMMANDS.values()):
            self._print(f"  {command.usage:<16} {command.summary}")

    def _board(self, _: str) -> None:
        self._draw()

    def _names(self, _: str) -> None:
        self._style = self._style._replace(names=not self._style.names)
        self._draw()

    def _moves(self, beginning: str) -> None:
        position = self.game.position
        if self.game.outcome() is not None:
            self._print("The game is over: there are no legal moves.")
            return
        moves = [move for move in position.legal_moves if not beginning or move.text.startswith(tidy(beginning))]
        if beginning and len(moves) <= _MAX_LISTED:
            self._print(" ".join(move.text for move in moves) or f"No legal move begins with {beginning}.")
        else:
            for line in describe_moves(moves, position):
                self._print(line)
        self._print(f"{len(moves):,} legal move{'' if len(moves) == 1 else 's'}")

    def _explain(self, move: str) -> None:
        if not move:
            raise PunctError("explain which move? Type explain Ed5ne")
        reason = self.game.position.explain(tidy(move))
        if self.game.outcome() is not None or reason is not None:
            self._explain_refusal(tidy(move), reason or Reason.GAME_OVER)
        else:
            self._print(f"{self.game.position.parse(tidy(move))} is legal.")

    def _stack(self, name: str) -> None:
        if not name:
            raise PunctError("look under which space? Type stack d5")
        space = Space(name)
        position = self.game.position
        pieces = position.stack(space)
        if not pieces:
            self._print(f"{space} is empty.")
        for piece in reversed(pieces):
            dot = "its PÜNCT" if piece.space is space else "a minor dot"
            bridge = ", the middle of a bridge" if piece.middle is space and position.is_bridge(piece) else ""
            state = "free" if position.is_free(piece) else "blocked"
            self._print(f"level {piece.level}: {piece.colour}'s {piece.kind} with {dot} here{bridge}; {piece}, {state}")

    def _sets(self, _: str) -> None:
        for colour in Colour:
            self._print(f"{colour}: {describe_set(self.game.position, colour)}")

    def _record(self, _: str) -> None:
        self._print(records.dumps(self.game).rstrip())

    def _hint(self, _: str) -> None:
        self._print(hint(self.game))

    def _position(self, _: str) -> None:
        self._print(str(self.game.position))

    # ------------------------------------------------------------------ taking back and ending

    def _undo(self, _: str) -> None:
        if self.game.node.declared is not None:
            self._print(f"Taken back: {self.game.node.declared}")
            self.game.reopen()
        elif self.game.moves:
            self._print(f"Taken back: {self.game.pop()}")
            # Against the engine, also the person's own move before it: the engine would only reply again.
            if self._opponent is not None and self._opponent.is_to_move(self.game) and self.game.moves:
                self._print(f"Taken back: {self.game.pop()}")
        else:
            raise PunctError("there is no move to take back")
        self._is_saved = False
        self._show_position()

    def _resign(self, _: str) -> None:
        self._check_open()
        colour = self.game.position.turn
        if self._confirm(f"{colour} resigns?"):
            self.game.resign(colour)
            self._is_saved = False
            self._print(f"{self.game.outcome()}")

    def _draw_game(self, _: str) -> None:
        self._check_open()
        if self._confirm("Do both players agree to a draw?"):
            self.game.agree_draw()
            self._is_saved = False
            self._print(f"{self.game.outcome()}")

    def _check_open(self) -> None:
        outcome = self.game.outcome()
        if outcome is not None:
            raise PunctError(f"the game is over already: {outcome}")

    # ------------------------------------------------------------------ files

    def _save(self, name: str) -> None:
        path = Path(name).expanduser() if name else self._file
        if path is None:
            raise PunctError("save where? Type save game.punct")
        if path.is_dir():
            raise PunctError(f"{path} is a directory; name a file in it")
        data = records.dumps(self.game, records.format_of(path) or "text").encode()
        if path.exists() and path != self._file and not self._confirm(f"{path} exists. Replace it?"):
            self._print("Not saved.")
            return
        write_file(path, data, replace=True)
        self._file = path
        self._is_saved = True
        self._print(f"Saved to {path}.")

    def _load(self, rest: str) -> None:
        name, _, number = rest.rpartition(" ")
        if not name or not number.isdecimal():
            name, number = rest, "1"
        if not name:
            raise PunctError("load what? Type load game.punct, or load games.sgf 3 for its third game")
        path = Path(name).expanduser()
        game = pick_game(path, max(1, int(number)))
        if not self._is_saved and not self._confirm("The current game is not saved. Replace it?"):
            return
        self.game = game
        self._file = path if number == "1" and len(game.moves) else None
        self._is_saved = True
        self._show_position()

    def _quit(self, _: str) -> None:
        if not self._is_saved:
            name = self._ask("Not saved yet. A file to save it in, or Enter to leave without: ")
            if name:
                self._save(name)
                if not self._is_saved:
                    return
        self._has_quit = True

    def _leave_without_asking(self) -> None:
        """Leave without a question: save the game to a file, or print it."""
        if self._is_saved:
            return
        if self._saves_on_exit:
            path = Path(f"punct-{datetime.now():%Y%m%d-%H%M%S}.punct")
            try:
                write_file(path, records.dumps(self.game).encode(), replace=False)
            except (OSError, PunctError) as error:
                self._print_error(f"The game could not be saved ({error}). This is its record:")
                self._print(records.dumps(self.game))
            else:
                self._print(f"The game is saved in {path}; continue with: punct play --load {path}")
        else:
            self._print(f"Not saved. It ended at: {self.game.position}")

    # ------------------------------------------------------------------ output

    def _confirm(self, question: str) -> bool:
        return self._ask(f"{question} [y/n] ").lower() in ("y", "yes")

    def _show_position(self) -> None:
        if self._draws_board:
            self._draw()
        outcome = self.game.outcome()
        if outcome is not None:
            chain = self.game.position.winning_chain
            self._print(f"{outcome}." + (f" The chain: {' '.join(map(str, chain))}" if chain else ""))

    def _draw(self) -> None:
        position = self.game.position
        marked = position.winning_chain or (last_move_spaces(position, self.game.moves[-1]) if self.game.moves else ())
        draw_board(self._console, position, self._style, marked)
        if self.game.moves:
            self._print(f"Last move: {self.game.moves[-1]}")

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False)

    def _print_error(self, text: str) -> None:
        self._console.print(text, style="red", markup=False)


_LIST: Final = (
    Command("help", "this list", Session._help),
    Command("board", "draw the board again", Session._board),
    Command("names", "write the names of the empty spaces, or stop doing so", Session._names),
    Command("moves [d5]", "list legal moves, all or those that begin so", Session._moves),
    Command("explain MOVE", "say whether a move is legal, and why not", Session._explain),
    Command("stack SPACE", "look beneath what shows on a space", Session._stack),
    Command("sets", "what both players have still to add", Session._sets),
    Command("hint", "what the engine would play", Session._hint),
    Command("record", "the game so far, as it would be saved", Session._record),
    Command("position", "the position as text", Session._position),
    Command("undo", "take back the last move", Session._undo),
    Command("save FILE", "write the game to a record (.punct, .sgf)", Session._save),
    Command("load FILE [N]", "take a game from a record", Session._load),
    Command("resign", "give up", Session._resign),
    Command("draw", "agree to a draw", Session._draw_game),
    Command("quit", "leave", Session._quit),
)
COMMANDS: Final = {command.usage.split()[0]: command for command in _LIST} | {"?": _LIST[0], "exit": _LIST[-1]}
"""By name."""
