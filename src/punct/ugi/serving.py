"""UGI, the Universal Game Interface: a player of PÜNCT as any match runner or board can use it, line by line.

``Conversation`` knows nothing of processes and nothing of how its player thinks: lines go in by ``handle``, lines come
out by the writer it was given, and a ``Thinker`` finds the moves, in a thread of its own, so that ``stop`` and
``isready`` are answered while it thinks. Words it does not know are passed over; what it understands but cannot do is
answered with ``info string`` and changes nothing. Whatever happens, ``isready``, ``go`` and ``query`` get their answer.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, Final, Protocol, runtime_checkable

from punct.engine.glance import at_first_sight
from punct.engine.limits import LONGEST, Limits
from punct.errors import PunctError, shorten
from punct.game import Game
from punct.move import Move
from punct.outcome import Rules
from punct.piece import Colour
from punct.ugi.errors import OptionError
from punct.ugi.go import Go
from punct.ugi.options import Option, find_option

Writer = Callable[[str], None]
Chooser = Callable[[Game, Limits], Move | str]
"""Chooses a move for the side to move: gets the game so far, which it leaves as it is, and when to stop thinking."""

_LONGEST_LINE: Final = 1 << 20
_BYTE_ORDER_MARK: Final = "\ufeff"
_BESIDE: Final = frozenset({"ugi", "isready", "query"})
"""What is answered while an engine thinks ahead; anything else ends that."""
_RULES: Final = Option("Rules", "combo", str(Rules.STANDARD), choices=(str(Rules.STANDARD), str(Rules.BASIC)))
"""What ``startpos`` means is the conversation's own option, whoever thinks."""


class Thinker(Protocol):
    """Who finds the moves of a conversation."""

    @property
    def name(self) -> str:
        """What it is called, with its version."""

    @property
    def author(self) -> str:
        """Who made it."""

    @property
    def options(self) -> Sequence[Option]:
        """What ``set_option`` can change."""

    def set_option(self, name: str, value: str) -> None:
        """Change an option to a value that ``Option.checked`` let pass; raises PunctError if it cannot be so."""

    def get_ready(self, tell: Writer) -> None:
        """Take the memory and time that thinking needs before a clock runs; ``tell`` takes lines for the other side."""

    def new_game(self) -> None:
        """Forget the game that was played."""

    def think(self, game: Game, limits: Limits, tell: Writer, cancel: threading.Event) -> str:
        """Return a move for the side to move. ``game`` must not be changed; ``cancel`` asks for an answer now."""


@runtime_checkable
class Ponderer(Thinker, Protocol):
    """A thinker that can go on thinking while the other side does."""

    def ponder(self, game: Game, limits: Limits, cancel: threading.Event) -> None:
        """Think about a position in which the other side is to move, if that is wanted, until ``cancel`` is set.

        ``limits`` are those of the move that was just answered.
        """

    def hurry(self) -> None:
        """End the thought under way, if any: ``cancel`` has just been set."""


class Conversation:
    """One conversation about the games of one thinker."""

    def __init__(self, thinker: Thinker, write: Writer) -> None:
        """Begin; nothing is said before the other side speaks."""
        self._thinker = thinker
        self._write = write
        self._writing = threading.Lock()
        self._rules = Rules.STANDARD
        self._sent: _Sent | None = None
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

    @property
    def game(self) -> Game:
        """The game up to the position that was sent; the start, as the option Rules has it, if none was."""
        return self._sent.game if self._sent is not None else Game(f"{self._rules} w")

    def handle(self, line: str) -> bool:
        """Act on one line; False when it was ``quit``. Unknown words before a command are passed over."""
        words = line.split()
        for index, word in enumerate(words):
            if word == "quit":
                self.close()
                return False
            command = self._commands.get(word)
            if command is not None:
                if word not in _BESIDE and self._search is not None and self._search.answered.is_set():
                    self._stop([])  # thinking ahead is over
                try:
                    command(words[index + 1 :])
                except PunctError as error:
                    self._remark(error)
                return True
        return True

    def close(self) -> None:
        """Stop thinking, and wait until the answer is out."""
        self._stop([])

    def finish(self) -> None:
        """Wait for a search that will end by itself; stop one that would not."""
        if self._search is not None and self._search.may_answer.is_set():
            self._search.answered.wait()
        self._stop([])

    # ------------------------------------------------------------------ commands

    def _ugi(self, words: list[str]) -> None:
        self._say(f"id name {self._thinker.name}")
        self._say(f"id author {self._thinker.author}")
        for option in (*self._thinker.options, _RULES):
            self._say(str(option))
        self._say("ugiok")

    def _isready(self, words: list[str]) -> None:
        if self._search is None or not self._search.thread.is_alive():
            try:
                self._thinker.get_ready(self._say)
            except Exception as error:  # the question was whether we listen, and we do
                self._remark(f"not ready to think: {error!r}")
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        if "name" not in words:
            raise OptionError("setoption needs a name: setoption name Level value 3")
        start = words.index("name") + 1
        end = words.index("value", start) if "value" in words[start:] else len(words)
        option = find_option((*self._thinker.options, _RULES), " ".join(words[start:end]))
        value = option.checked(" ".join(words[end + 1 :]))
        if option is _RULES:
            self._rules = Rules(value)
        else:
            self._thinker.set_option(option.name, value)

    def _uginewgame(self, words: list[str]) -> None:
        self._stop([])
        self._sent = None
        self._thinker.new_game()

    def _position(self, words: list[str]) -> None:
        turns: list[str] = []
        if "moves" in words:
            turns = words[words.index("moves") + 1 :]
            words = words[: words.index("moves")]
        if words[:1] == ["startpos"]:
            start = f"{self._rules} w"
        elif words[:1] == ["fen"]:
            start = " ".join(words[1:])
        else:
            raise PunctError("say position startpos, or position fen with a position's words, then moves if any")
        searched = self._search.game if self._search is not None else None
        sent = self._sent
        if sent is None or sent.game is searched or not sent.continues_with(start, turns):
            sent = _Sent(start)
        sent.play(turns[len(sent.turns) :])
        self._sent = sent

    def _go(self, words: list[str]) -> None:
        begun = time.perf_counter()
        self._stop([])
        game = self.game
        outcome = game.outcome()
        if outcome is not None:
            self._remark(f"the game is over: {outcome}")
            self._say("bestmove none")
            return
        try:
            request = Go.read(words)
            limits = None if request.infinite else request.limits(game.position.turn)
        except Exception as error:  # whatever was asked for, the other side must get its answer
            self._remark(f"no search by {shorten(' '.join(words))}, so the move is the best at first sight: {error!r}")
            self._say(f"bestmove {at_first_sight(game.position)}")
            return
        search = _Search(game, begun, limits)
        search.thread = threading.Thread(target=self._think, args=(search,), daemon=True)
        try:
            search.thread.start()
        except RuntimeError as error:  # no thread to be had: think here, deaf to stop for once
            self._remark(error)
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
        what = words[0] if words else ""
        game = self.game
        outcome = game.outcome()
        match what:
            case "gameover":
                self._say(f"response {_truth(outcome is not None)}")
            case "p1turn":
                self._say(f"response {_truth(game.position.turn is Colour.WHITE)}")
            case "result":
                answer = "none"
                if outcome is not None:
                    answer = "draw" if outcome.winner is None else f"p{outcome.winner + 1}win"
                self._say(f"response {answer}")
            case _:
                self._remark(f"query knows gameover, p1turn and result, not {shorten(what)}")
                self._say("response unknown")

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
        except Exception as error:  # nobody waits for anything
            self._remark(f"no thinking ahead: {error!r}")

    def _answer(self, search: _Search) -> str:
        answer = None
        try:
            answer = self._thinker.think(search.game, search.limits_left(), self._say, search.cancel)
        except Exception as error:  # whatever happens, the other side must get its answer
            self._remark(f"the search failed, so the move is the best at first sight: {error!r}")
        if answer is None:  # not earlier: the error may hold on to memory
            answer = str(at_first_sight(search.game.position))
        search.may_answer.wait()
        self._say(f"bestmove {answer}")
        return answer

    def _remark(self, what: object) -> None:
        self._say(f"info string {' '.join(str(what).split())}")

    def _say(self, line: str) -> None:
        with self._writing:
            self._write(line)


class _Search:
    """Thinking under way; without limits it goes on until ``stop``."""

    thread: threading.Thread

    def __init__(self, game: Game, begun: float, limits: Limits | None) -> None:
        self.game = game
        self._begun = begun
        self._limits = limits if limits is not None else Limits(LONGEST)
        self.cancel = threading.Event()
        self.may_answer = threading.Event()
        self.answered = threading.Event()
        if limits is not None:
            self.may_answer.set()

    def cancel_and_answer(self) -> None:
        """Ask for the answer now."""
        self.cancel.set()
        self.may_answer.set()

    def limits_left(self) -> Limits:
        """Return the limits that are left: the clock has been running since ``go``."""
        if self._limits.movetime is None:
            return self._limits
        spent = time.perf_counter() - self._begun
        movetime = max(self._limits.movetime / 10, self._limits.movetime - spent)
        target = self._limits.target
        return replace(self._limits, movetime=movetime, target=None if target is None else min(target, movetime))


class _Sent:
    """A start and the moves sent after it.

    Match runners send the whole game again before every move; only what is new is played.
    """

    def __init__(self, start: str) -> None:
        self._start = start
        self.game = Game(start)
        self.turns: list[str] = []

    def continues_with(self, start: str, turns: list[str]) -> bool:
        """Tell whether these moves begin with those that were played."""
        return start == self._start and turns[: len(self.turns)] == self.turns

    def play(self, turns: list[str]) -> None:
        """Play on; raises if a move is not legal, and then nothing has changed."""
        played = 0
        try:
            for turn in turns:
                self.game.push(turn)
                played += 1
        except PunctError:
            for _ in range(played):
                self.game.pop()
            raise
        self.turns += turns


class _Function:
    """A thinker that is a function of the game."""

    options: Sequence[Option] = ()

    def __init__(self, choose: Chooser, name: str, author: str) -> None:
        self._choose = choose
        self.name, self.author = name, author

    def set_option(self, name: str, value: str) -> None:
        """There are none."""

    def get_ready(self, tell: Writer) -> None:
        """A function always is."""

    def new_game(self) -> None:
        """A function remembers nothing."""

    def think(self, game: Game, limits: Limits, tell: Writer, cancel: threading.Event) -> str:
        """Ask the function, and hold it to the rules."""
        position = game.position.copy()
        return str(position.push(self._choose(game, limits)))


def serve(
    choose: Chooser | Thinker,
    *,
    name: str = "player",
    author: str = "unknown",
    source: BinaryIO | None = None,
    sink: BinaryIO | None = None,
) -> None:
    """Make a function an engine: talk UGI until ``quit`` or the end of the input, which lets it end its last thought.

    ``choose`` gets the game and the limits and returns a move, as an object or a text; or it is a whole ``Thinker``.
    The talk goes over standard input and output unless other streams are given.

    >>> from io import BytesIO
    >>> heard = BytesIO()
    >>> serve(lambda game, limits: next(iter(game.position.legal_moves)), source=BytesIO(b"go"), sink=heard)
    >>> heard.getvalue().split()[0]
    b'bestmove'
    """
    source = sys.stdin.buffer if source is None else source
    sink = sys.stdout.buffer if sink is None else sink
    thinker = _Function(choose, name, author) if callable(choose) else choose

    def write(line: str) -> None:
        try:
            sink.write(line.encode("utf-8", "replace") + b"\n")
            sink.flush()
        except (BrokenPipeError, ValueError):
            pass  # nobody listens any more; the end of the input comes next

    conversation = Conversation(thinker, write)
    for line in _lines(source):
        if line is None:
            write(f"info string a line of more than {_LONGEST_LINE} bytes was passed over")
            continue
        try:
            goes_on = conversation.handle(line.decode("utf-8", "replace").removeprefix(_BYTE_ORDER_MARK))
        except Exception as error:  # a fault of ours must not lose the game for whoever plays with it
            write(f"info string internal error: {' '.join(repr(error).split())}")
            continue
        if not goes_on:
            return
    conversation.finish()


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield line by line; None for one that is too long, of which nothing is kept."""
    while line := source.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(_LONGEST_LINE)
        yield None


def _truth(value: bool) -> str:
    return "true" if value else "false"
