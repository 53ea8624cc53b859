"""A UGI conversation: commands in, answers out, line by line, independent of streams and of the search.

Lines go in by ``handle`` and come out by the writer. A ``Thinker`` finds the moves, in a thread of its own, so that
``stop`` and ``isready`` are answered during a search. Unknown words are ignored; a command that is understood but
cannot be executed is answered with ``info string`` and changes nothing. ``isready``, ``go`` and ``query`` are always
answered.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, runtime_checkable

from punct.engine.fallback import fallback_move
from punct.engine.limits import MAX_SECONDS, Limits
from punct.errors import PunctError, shorten
from punct.game import Game
from punct.outcome import Rules
from punct.piece import Colour
from punct.ugi.errors import OptionError
from punct.ugi.go import Go
from punct.ugi.options import Option, find_option

Writer = Callable[[str], None]
_ANSWERED_WHILE_PONDERING: Final = frozenset({"ugi", "isready", "query"})
"""Any other command ends pondering."""
_RULES: Final = Option("Rules", "combo", str(Rules.STANDARD), choices=(str(Rules.STANDARD), str(Rules.BASIC)))
"""What ``startpos`` means: an option of the conversation, not of the thinker."""


class Thinker(Protocol):
    """Finds the moves of a conversation."""

    @property
    def name(self) -> str:
        """Its name, with its version."""

    @property
    def author(self) -> str:
        """Its author."""

    @property
    def options(self) -> Sequence[Option]:
        """The options that ``set_option`` takes."""

    def set_option(self, name: str, value: str) -> None:
        """Set an option to a value that ``Option.check`` has accepted; raises PunctError if that fails."""

    def get_ready(self, write: Writer) -> None:
        """Allocate what thinking needs before a clock runs; ``write`` sends a line to the other side."""

    def new_game(self) -> None:
        """Clear what was learned in the last game."""

    def think(self, game: Game, limits: Limits, write: Writer, cancel: threading.Event) -> str:
        """Return a move for the side to move. ``game`` must not be changed; ``cancel`` requests an answer at once."""


@runtime_checkable
class Ponderer(Thinker, Protocol):
    """A thinker that can ponder: think on the opponent's time."""

    def ponder(self, game: Game, limits: Limits, cancel: threading.Event) -> None:
        """Think about a position in which the other side is to move, if the option is on, until ``cancel`` is set.

        ``limits`` are those of the move that was just answered.
        """

    def hurry(self) -> None:
        """Stop searching at once, if it does: ``cancel`` has just been set."""


class Conversation:
    """One UGI conversation, with one thinker."""

    def __init__(self, thinker: Thinker, write: Writer) -> None:
        """Begin; nothing is written before the other side speaks."""
        self._thinker = thinker
        self._write = write
        self._write_lock = threading.Lock()
        self._rules = Rules.STANDARD
        self._sent: _SentGame | None = None
        self._search: _Search | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "setoption": self._setoption,
            "uginewgame": self._uginewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "query": self._query,
        }

    def __repr__(self) -> str:
        return f"<Conversation about {str(self.game.position)!r}>"

    @property
    def game(self) -> Game:
        """The game up to the last position sent; the start, by the option Rules, if none was."""
        return self._sent.game if self._sent is not None else Game(f"{self._rules} w")

    def handle(self, line: str) -> bool:
        """Execute one line; False if it was ``quit``. Unknown words before a command are ignored."""
        words = line.split()
        for index, word in enumerate(words):
            if word == "quit":
                self.close()
                return False
            command = self._commands.get(word)
            if command is not None:
                if (
                    word not in _ANSWERED_WHILE_PONDERING
                    and self._search is not None
                    and self._search.answered.is_set()
                ):
                    self._stop([])  # ends pondering
                try:
                    command(words[index + 1 :])
                except PunctError as error:
                    self._send_info(error)
                return True
        return True

    def close(self) -> None:
        """Stop thinking, and wait until the answer is written."""
        self._stop([])

    def finish(self) -> None:
        """Wait for a search that has limits; stop one that has none."""
        if self._search is not None and self._search.may_answer.is_set():
            self._search.answered.wait()
        self._stop([])

    # ------------------------------------------------------------------ commands

    def _ugi(self, words: list[str]) -> None:
        self._send(f"id name {self._thinker.name}")
        self._send(f"id author {self._thinker.author}")
        for option in (*self._thinker.options, _RULES):
            self._send(str(option))
        self._send("ugiok")

    def _isready(self, words: list[str]) -> None:
        if self._search is None or not self._search.thread.is_alive():
            try:
                self._thinker.get_ready(self._send)
            except Exception as error:  # isready asks only whether the program is alive
                self._send_info(f"not ready to think: {error!r}")
        self._send("readyok")

    def _setoption(self, words: list[str]) -> None:
        if "name" not in words:
            raise OptionError("setoption needs a name: setoption name Level value 3")
        start = words.index("name") + 1
        end = words.index("value", start) if "value" in words[start:] else len(words)
        option = find_option((*self._thinker.options, _RULES), " ".join(words[start:end]))
        value = option.check(" ".join(words[end + 1 :]))
        if option is _RULES:
            self._rules = Rules(value)
        else:
            self._thinker.set_option(option.name, value)

    def _uginewgame(self, words: list[str]) -> None:
        self._stop([])
        self._sent = None
        self._thinker.new_game()

    def _position(self, words: list[str]) -> None:
        moves: list[str] = []
        if "moves" in words:
            moves = words[words.index("moves") + 1 :]
            words = words[: words.index("moves")]
        if words[:1] == ["startpos"]:
            start = f"{self._rules} w"
        elif words[:1] == ["fen"]:
            start = " ".join(words[1:])
        else:
            raise PunctError("say position startpos, or position fen with a position's words, then moves if any")
        searched = self._search.game if self._search is not None else None
        sent = self._sent
        if sent is None or sent.game is searched or not sent.continues_with(start, moves):
            sent = _SentGame(start)
        sent.play(moves[len(sent.moves) :])
        self._sent = sent

    def _go(self, words: list[str]) -> None:
        started = time.perf_counter()
        self._stop([])
        game = self.game
        outcome = game.outcome()
        if outcome is not None:
            self._send_info(f"the game is over: {outcome}")
            self._send("bestmove none")
            return
        try:
            request = Go.read(words)
            limits = None if request.infinite else request.limits(game.position.turn)
        except Exception as error:  # the other side must always get an answer
            self._send_info(
                f"no search by {shorten(' '.join(words))}, so the move is chosen without a search: {error!r}"
            )
            self._send(f"bestmove {fallback_move(game.position)}")
            return
        search = _Search(game, started, limits)
        search.thread = threading.Thread(target=self._think, args=(search,), daemon=True)
        try:
            search.thread.start()
        except RuntimeError as error:  # no thread can be started: search here, where stop is not read
            self._send_info(error)
            search.cancel_and_answer()
            self._think(search)
            return
        self._search = search

    def _stop(self, words: list[str]) -> None:
        if self._search is not None:
            self._search.cancel_and_answer()
            if isinstance(self._thinker, Ponderer):
                self._thinker.hurry()
            self._search.thread.join()
            self._search = None

    def _query(self, words: list[str]) -> None:
        subject = words[0] if words else ""
        game = self.game
        outcome = game.outcome()
        match subject:
            case "gameover":
                self._send(f"response {_truth(outcome is not None)}")
            case "p1turn":
                self._send(f"response {_truth(game.position.turn is Colour.WHITE)}")
            case "result":
                answer = "none"
                if outcome is not None:
                    answer = "draw" if outcome.winner is None else f"p{outcome.winner + 1}win"
                self._send(f"response {answer}")
            case _:
                self._send_info(f"query knows gameover, p1turn and result, not {shorten(subject)}")
                self._send("response unknown")

    # ------------------------------------------------------------------ thinking

    def _think(self, search: _Search) -> None:
        try:
            answer = self._answer(search)
        finally:
            search.answered.set()
        if search.cancel.is_set() or not isinstance(self._thinker, Ponderer):
            return
        try:
            expected = search.game.copy()
            expected.push(answer)
            if expected.outcome() is None:
                self._thinker.ponder(expected, search.limits_left(), search.cancel)
        except Exception as error:  # nobody waits for pondering
            self._send_info(f"no pondering: {error!r}")

    def _answer(self, search: _Search) -> str:
        answer = None
        try:
            answer = self._thinker.think(search.game, search.limits_left(), self._send, search.cancel)
        except Exception as error:  # the other side must always get an answer
            self._send_info(f"the search failed, so the move is chosen without a search: {error!r}")
        if answer is None:  # not earlier: the error may hold on to memory
            answer = str(fallback_move(search.game.position))
        search.may_answer.wait()
        self._send(f"bestmove {answer}")
        return answer

    def _send_info(self, message: object) -> None:
        self._send(f"info string {' '.join(str(message).split())}")

    def _send(self, line: str) -> None:
        with self._write_lock:
            self._write(line)


class _Search:
    """A running search; without limits it runs until ``stop``."""

    thread: threading.Thread

    def __init__(self, game: Game, started: float, limits: Limits | None) -> None:
        self.game = game
        self._started = started
        self._limits = limits if limits is not None else Limits(MAX_SECONDS)
        self.cancel = threading.Event()
        self.may_answer = threading.Event()
        self.answered = threading.Event()
        if limits is not None:
            self.may_answer.set()

    def cancel_and_answer(self) -> None:
        """Request the answer now."""
        self.cancel.set()
        self.may_answer.set()

    def limits_left(self) -> Limits:
        """Return the remaining limits: the clock has been running since ``go``."""
        if self._limits.movetime is None:
            return self._limits
        spent = time.perf_counter() - self._started
        movetime = max(self._limits.movetime / 10, self._limits.movetime - spent)
        target = self._limits.target
        return replace(self._limits, movetime=movetime, target=None if target is None else min(target, movetime))


class _SentGame:
    """The game that was sent by ``position``.

    Match runners send the whole game again before every move; only the new moves are played.
    """

    def __init__(self, start: str) -> None:
        self._start = start
        self.game = Game(start)
        self.moves: list[str] = []

    def continues_with(self, start: str, moves: list[str]) -> bool:
        """Return whether these moves begin with those already played."""
        return start == self._start and moves[: len(self.moves)] == self.moves

    def play(self, moves: list[str]) -> None:
        """Play more moves; raises if one is not legal, and then nothing has changed."""
        count = 0
        try:
            for move in moves:
                self.game.push(move)
                count += 1
        except PunctError:
            for _ in range(count):
                self.game.pop()
            raise
        self.moves += moves


def _truth(value: bool) -> str:
    return "true" if value else "false"
