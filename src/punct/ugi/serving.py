"""UGI, the Universal Game Interface: the engine as any match runner or board can use it, line by line.

``Ugi`` knows nothing of processes: lines go in by ``handle``, lines come out by the writer it was given. A search runs
in a thread of its own, so that ``stop`` and ``isready`` are answered while it thinks. Words it does not know are passed
over; what it understands but cannot do is answered with ``info string`` and changes nothing.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, Final

from punct.engine.core import LARGEST_HASH, LARGEST_SEED, MOST_THREADS, Engine, Task
from punct.engine.errors import EngineError
from punct.engine.levels import STRONGEST
from punct.engine.limits import LONGEST, MOST_NODES, Clock, Limits, safe
from punct.engine.lines import Found, turns_of
from punct.engine.weights import load_numbers
from punct.errors import PunctError, shorten
from punct.game import Game
from punct.outcome import Rules
from punct.piece import Colour

Writer = Callable[[str], None]

_LONGEST_LINE: Final = 1 << 20
_QUIET: Final = 0.05
"""No information is printed before a search has run so many seconds, except at its end: small searches stay terse."""


@dataclass(frozen=True, slots=True)
class Options:
    """What ``setoption`` can change."""

    threads: int = 1
    level: int = STRONGEST
    seed: int = 0
    hash: int = 256
    rules: Rules = Rules.STANDARD
    weights: Path | None = None


_RANGES: Final = {
    "threads": (1, MOST_THREADS),
    "level": (1, STRONGEST),
    "seed": (0, LARGEST_SEED),
    "hash": (1, LARGEST_HASH),
}


@dataclass(frozen=True, slots=True)
class Go:
    """What ``go`` asked for; times in seconds."""

    clocks: tuple[Clock | None, Clock | None]
    movetime: float | None
    nodes: int | None
    depth: int | None
    infinite: bool

    def limits(self, turn: Colour) -> Limits:
        """Return when to stop, for the player to move."""
        if self.infinite:
            return Limits(LONGEST)
        seconds = None if self.movetime is None else safe(self.movetime)
        clock = self.clocks[turn]
        if clock is not None:
            share = clock.share()
            seconds = share if seconds is None else min(seconds, share)
        return Limits(seconds, self.nodes, self.depth)


class Ugi:
    """One conversation."""

    def __init__(self, write: Writer) -> None:
        self._write = write
        self._writing = threading.Lock()
        self.options = Options()
        self._engine: Engine | None = None
        self._engine_options = self.options
        self._line: _Line | None = None
        self._searching: threading.Thread | None = None
        self._cancel = threading.Event()
        self._may_answer = threading.Event()
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
        """The game up to the position that was set; the start, as the option Rules has it, if none was."""
        return self._current().game

    def handle(self, line: str) -> bool:
        """Act on one line; False when it was ``quit``. Unknown words before a command are passed over."""
        words = line.split()
        for index, word in enumerate(words):
            if word == "quit":
                self.close()
                return False
            command = self._commands.get(word)
            if command is not None:
                try:
                    command(words[index + 1 :])
                except PunctError as error:
                    self._say(f"info string {_one_line(str(error))}")
                return True
        return True

    def close(self) -> None:
        """Stop thinking, and wait until the answer is out."""
        self._stop([])

    def finish(self) -> None:
        """Wait for a search that will end by itself; stop one that would not."""
        if self._searching is not None and not self._may_answer.is_set():
            self._stop([])
        if self._searching is not None:
            self._searching.join()
            self._searching = None

    # ------------------------------------------------------------------ commands

    def _ugi(self, words: list[str]) -> None:
        self._say(f"id name punct {version('punct')}")
        self._say("id author the authors of punct")
        defaults = Options()
        for name, (least, most) in _RANGES.items():
            default = getattr(defaults, name)
            self._say(f"option name {name.capitalize()} type spin default {default} min {least} max {most}")
        choices = " ".join(f"var {rules}" for rules in (Rules.STANDARD, Rules.BASIC))
        self._say(f"option name Rules type combo default {defaults.rules} {choices}")
        self._say("option name Weights type string default <empty>")
        self._say("ugiok")

    def _isready(self, words: list[str]) -> None:
        if self._searching is None or not self._searching.is_alive():
            self._ready_engine()  # the memory is there before the clock runs
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        if "name" not in words:
            raise EngineError("setoption needs a name: setoption name Level value 3")
        start = words.index("name") + 1
        end = words.index("value", start) if "value" in words[start:] else len(words)
        name, value = " ".join(words[start:end]).lower(), " ".join(words[end + 1 :])
        if name == "rules":
            try:
                self.options = replace(self.options, rules=Rules(value.lower()))
            except ValueError:
                raise EngineError(f"Rules is standard or basic, not {shorten(value)}") from None
            return
        if name == "weights":
            path = None if value in ("", "<empty>") else Path(value)
            if path is not None:
                load_numbers(path)  # said now rather than when the clock runs
            self.options = replace(self.options, weights=path)
            return
        if name not in _RANGES:
            raise EngineError(f"there is no option {shorten(name)}")
        least, most = _RANGES[name]
        number = _whole(value)
        if number is None or not least <= number <= most:
            raise EngineError(f"{name.capitalize()} is a number from {least} to {most}, not {shorten(value)}")
        changed: dict[str, Any] = {name: number}
        self.options = replace(self.options, **changed)

    def _uginewgame(self, words: list[str]) -> None:
        self._stop([])
        self._line = None
        self._engine = None  # nothing learned in one game is left in the next

    def _position(self, words: list[str]) -> None:
        turns: list[str] = []
        if "moves" in words:
            turns = words[words.index("moves") + 1 :]
            words = words[: words.index("moves")]
        if words[:1] == ["startpos"]:
            start = f"{self.options.rules} w"
        elif words[:1] == ["fen"]:
            start = " ".join(words[1:])
        else:
            raise EngineError("say position startpos, or position fen with a position's words, then moves if any")
        if self._line is None or not self._line.continues_with(start, turns):
            line = _Line(start)
            line.play(turns)
            self._line = line
        else:
            self._line.play(turns[len(self._line.turns) :])

    def _go(self, words: list[str]) -> None:
        begun = time.perf_counter()
        self._stop([])
        request = _read_go(words)
        line = self._current()
        outcome = line.game.outcome()
        if outcome is not None:
            self._say(f"info string the game is over: {outcome}")
            self._say("bestmove none")
            return
        limits = request.limits(line.game.position.turn)
        engine = self._ready_engine()
        self._cancel = threading.Event()
        self._may_answer = threading.Event()
        if not request.infinite:
            self._may_answer.set()
        self._searching = threading.Thread(
            target=self._think, args=(engine, line.task(), limits, begun, self._cancel, self._may_answer), daemon=True
        )
        self._searching.start()

    def _stop(self, words: list[str]) -> None:
        if self._searching is None:
            return
        self._cancel.set()
        self._may_answer.set()
        if self._engine is not None:
            self._engine.stop()
        self._searching.join()
        self._searching = None

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
                raise EngineError(f"query knows gameover, p1turn and result, not {shorten(what)}")

    # ------------------------------------------------------------------ thinking

    def _current(self) -> _Line:
        if self._line is None:
            return _Line(f"{self.options.rules} w")
        return self._line

    def _ready_engine(self) -> Engine:
        options = replace(self.options, rules=Rules.STANDARD)  # the engine plays whatever a position says
        if self._engine is None or self._engine_options != options:
            self._engine = Engine(
                options.level,
                seed=options.seed,
                threads=options.threads,
                hash_mb=options.hash,
                weights=options.weights,
            )
            self._engine_options = options
        return self._engine

    def _think(
        self,
        engine: Engine,
        task: Task,
        limits: Limits,
        begun: float,
        cancel: threading.Event,
        may_answer: threading.Event,
    ) -> None:
        last_depth = 0

        def watch(found: Found) -> None:
            nonlocal last_depth
            if found["seconds"] >= _QUIET and found["depth"] > last_depth and found["lines"]:
                last_depth = found["depth"]
                pv = found["lines"][0]["pv"]
                self._say(_info(found["depth"], found["score"], found["proven"], found["nodes"], found["seconds"], pv))

        try:
            if limits.movetime is not None:  # the clock has been running since go
                left = max(limits.movetime / 10, limits.movetime - (time.perf_counter() - begun))
                limits = replace(limits, movetime=left)
            played = engine.play(task, limits, watch=watch, cancel=cancel)
        except Exception as error:  # whatever happens, the other side must get its answer
            self._say(f"info string the search failed: {_one_line(str(error))}")
            may_answer.wait()
            self._say(f"bestmove {next(iter(task.position.legal_moves))}")
            return
        pv = [str(move) for move in played.pv]
        self._say(_info(played.depth, played.score, played.proven, played.nodes, played.seconds, pv))
        may_answer.wait()
        self._say(f"bestmove {played.move}")

    def _say(self, line: str) -> None:
        with self._writing:
            self._write(line)


class _Line:
    """A start and the turns played from it, with all that a search needs of them at hand when the clock runs.

    Match runners send the whole game again before every turn; only what is new is played.
    """

    def __init__(self, start: str) -> None:
        self.start = start
        self.game = Game(start)
        self.turns: list[str] = []
        self._texts = [str(self.game.position)]

    def continues_with(self, start: str, turns: list[str]) -> bool:
        """Tell whether these turns begin with those that were played."""
        return start == self.start and turns[: len(self.turns)] == self.turns

    def play(self, turns: list[str]) -> None:
        """Play on; raises if a turn is not legal, and then nothing has changed."""
        played = 0
        try:
            for turn in turns:
                self.game.push(turn)
                self._texts.append(str(self.game.position))
                played += 1
        except PunctError:
            for _ in range(played):
                self.game.pop()
                self._texts.pop()
            raise
        self.turns += turns

    def task(self) -> Task:
        """Return the position to think about."""
        return Task(self.game.position.copy(), self._texts[-1], self._texts[:-1])


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Talk over two streams until ``quit`` or the end of the input, which lets a search that will end do so."""

    def write(line: str) -> None:
        try:
            sink.write(line.encode("utf-8", "replace") + b"\n")
            sink.flush()
        except (BrokenPipeError, ValueError):
            pass  # nobody listens any more; the end of the input comes next

    conversation = Ugi(write)
    while line := source.readline(_LONGEST_LINE):
        try:
            goes_on = conversation.handle(line.decode("utf-8", "replace"))
        except Exception as error:  # a fault of ours must not lose the game for whoever plays with it
            write(f"info string internal error: {_one_line(repr(error))}")
            continue
        if not goes_on:
            return
    conversation.finish()


def main() -> None:
    """Talk UGI on standard input and output."""
    serve(sys.stdin.buffer, sys.stdout.buffer)


# ---------------------------------------------------------------------- words in and out


def _read_go(words: Sequence[str]) -> Go:
    """Read what follows ``go``; a word without a sensible number after it is passed over."""
    numbers: dict[str, int] = {}
    names = {"p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth"}
    for name, value in pairwise(words):
        if name in names:
            number = _whole(value)
            if number is not None:
                numbers[name] = number
    clocks = tuple(
        Clock(max(0, numbers[f"p{player}time"]) / 1000, max(0, numbers.get(f"p{player}inc", 0)) / 1000)
        if f"p{player}time" in numbers
        else None
        for player in (1, 2)
    )
    movetime = numbers.get("movetime")
    nodes, depth = numbers.get("nodes"), numbers.get("depth")
    return Go(
        (clocks[0], clocks[1]),
        None if movetime is None else min(max(1, movetime) / 1000, LONGEST),
        None if nodes is None else min(max(1, nodes), MOST_NODES),
        None if depth is None else min(max(1, depth), 1000),
        "infinite" in words,
    )


def _info(depth: int, score: float, proven: int, nodes: int, seconds: float, pv: Sequence[str]) -> str:
    value = f"mate {math.copysign(turns_of(proven), proven):.0f}" if proven else f"cp {centipoints(score)}"
    speed = round(nodes / seconds) if seconds > 0 else 0
    return (
        f"info depth {depth} score {value} nodes {nodes} nps {speed} time {round(1000 * seconds)} pv {' '.join(pv)}"
    )  # fmt: skip


def centipoints(chance: float) -> int:
    """Return a winning chance on the scale boards expect: 0 is even, 100 is 64 %, 200 is 76 %, at most ±2000."""
    chance = min(max(chance, 1e-5), 1 - 1e-5)
    return max(-2000, min(2000, round(400 * math.log10(chance / (1 - chance)))))


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-").removeprefix("+")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 19 else None


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _one_line(text: str) -> str:
    return " ".join(text.split())
