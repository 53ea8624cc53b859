"""A player in a match: a program that speaks UGI, ours or anybody's, run as a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from punct.engine.levels import STRONGEST
from punct.errors import shorten
from punct.match.errors import Fault, MatchError, PlayerFaultError

_START: Final = 60.0
"""Seconds a program may take from its start to ``readyok``."""
_QUIT: Final = 1.0
_STARTPOS: Final = "standard w"
_LONGEST_LINE: Final = 1 << 20
_OUR_COMMAND: Final[tuple[str, ...]] = (sys.executable, "-m", "punct.ugi")


@dataclass(frozen=True, slots=True)
class Pace:
    """How a player is told to think: the words after ``go``; times in milliseconds. With a clock, time can run out."""

    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: tuple[int, int] | None = None
    """Time for the whole game and increment per turn."""

    def words(self, left: Sequence[int], increments: Sequence[int]) -> str:
        """Return the words after ``go``, given what is left on both clocks."""
        found = []
        if self.clock is not None:
            found += [f"p1time {left[0]}", f"p2time {left[1]}", f"p1inc {increments[0]}", f"p2inc {increments[1]}"]
        for name in ("movetime", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None:
                found.append(f"{name} {value}")
        return " ".join(found)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who plays: a name, a command, its options and its pace."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    pace: Pace = Pace()

    def as_text(self) -> str:
        """Return all that matters about it as one line, to recognise it by."""
        command = "punct" if self.command == _OUR_COMMAND else shlex.join(self.command)
        return f"{self.name}: {command} {dict(sorted(self.options.items()))} {self.pace}"


def read_entrant(text: str, pace: Pace = Pace()) -> Entrant:  # noqa: B008  # frozen, so it may be shared
    """Read a player as the command line names it; ``pace`` holds where the text says nothing else.

    ``3`` is our level 3; ``punct`` our full strength; anything else a command that speaks UGI. After `` @ `` may follow
    its pace (``nodes=400 movetime=100 depth=5 tc=60+0.5``, times in ms but tc in seconds), ``name=…`` and options
    (``Threads=2``).

    >>> read_entrant("punct @ nodes=400 Seed=7 name=small").options
    {'Seed': '7'}
    """
    head, _, tail = text.partition(" @ ")
    head = head.strip()
    name, options = head, dict[str, str]()
    if head.isascii() and head.isdigit():
        if not 1 <= int(head) <= STRONGEST:
            raise MatchError(f"there is no level {head}: levels go from 1 to {STRONGEST}")
        command, name, options = _OUR_COMMAND, f"level {head}", {"Level": head}
    elif head == "punct":
        command = _OUR_COMMAND
    else:
        try:
            command = tuple(shlex.split(head))
        except ValueError as error:
            raise MatchError(f"{shorten(head)} is not a command: {error}") from None
        if not command:
            raise MatchError("a player is a level (1–8), punct, or the command of a program that speaks UGI")
    paces: dict[str, int] = {}
    clock = None
    try:
        words = shlex.split(tail)
    except ValueError as error:
        raise MatchError(f"{shorten(tail)}: {error}") from None
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise MatchError(f"{shorten(word)} is not a setting of a player: write key=value")
        if key == "name":
            name = value
        elif key == "tc":
            clock = read_clock(value)
        elif key in ("movetime", "nodes", "depth"):
            if not (value.isascii() and value.isdigit() and 0 < int(value) < 2**40):
                raise MatchError(f"{key} is a number above 0, not {shorten(value)}")
            paces[key] = int(value)
        else:
            options[key] = value
    if paces or clock:
        pace = Pace(paces.get("movetime"), paces.get("nodes"), paces.get("depth"), clock)
    return Entrant(name, command, options, pace)


def read_clock(text: str) -> tuple[int, int]:
    """Read a clock such as ``60+0.5``: seconds for the game, and per turn; in milliseconds."""
    base, _, increment = text.partition("+")
    try:
        times = round(1000 * float(base)), round(1000 * float(increment or 0))
    except (ValueError, OverflowError):
        times = (0, 0)
    if not 0 < times[0] < 10**9 or not 0 <= times[1] < 10**9:
        raise MatchError(f"{shorten(text)} is not a clock: write seconds and increment, such as 60+0.5")
    return times


class Player:
    """A running program. What it does wrong is raised as PlayerFaultError; ``close`` always ends it."""

    def __init__(self, entrant: Entrant) -> None:
        """Prepare; nothing runs yet."""
        self.entrant = entrant
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_running(self) -> bool:
        """Whether the program has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the program, greet it and set its options."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.entrant.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_LINE,
                start_new_session=True,  # so that whatever it starts can be ended with it
            )
        except OSError as error:
            raise PlayerFaultError(Fault.CRASH, f"{self.entrant.name} cannot be started: {error.strerror}") from None
        self._say("ugi")
        await self._wait_for("ugiok", _START)
        for name, value in self.entrant.options.items():
            self._say(f"setoption name {name} value {value}")
        self._say("isready")
        await self._wait_for("readyok", _START)

    async def new_game(self) -> None:
        """Tell it that a new game begins."""
        self._say("uginewgame")
        self._say("isready")
        await self._wait_for("readyok", _START)

    async def move(self, start: str, moves: Sequence[str], go: str, patience: float) -> str:
        """Ask for a turn and return the word it answers with, which may be no turn at all."""
        played = f" moves {' '.join(moves)}" if moves else ""
        self._say(f"position {'startpos' if start == _STARTPOS else f'fen {start}'}{played}")
        self._say(f"go {go}".rstrip())
        answer = await self._wait_for("bestmove", patience)
        if len(answer) < 2:
            raise PlayerFaultError(Fault.NONSENSE, f"{self.entrant.name} said bestmove without a turn")
        return answer[1]

    async def close(self) -> None:
        """End the program: politely, then for good, with everything it started."""
        process = self._process
        if process is None:
            return
        self._process = None
        with contextlib.suppress(OSError, RuntimeError, asyncio.TimeoutError):
            if process.returncode is None and process.stdin is not None:
                process.stdin.write(b"stop\nquit\n")
                process.stdin.close()
                await asyncio.wait_for(process.wait(), _QUIT)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        if process.stdout is not None:  # read to the end, or the pipe stays open
            with contextlib.suppress(OSError, TimeoutError):
                await asyncio.wait_for(process.stdout.read(), _QUIT)

    def _say(self, line: str) -> None:
        if self._process is None or self._process.stdin is None or self._process.stdin.is_closing():
            raise PlayerFaultError(Fault.CRASH, f"{self.entrant.name} has ended")
        self._process.stdin.write(line.encode() + b"\n")

    async def _wait_for(self, word: str, patience: float) -> list[str]:
        """Read until a line begins with the word, and return that line's words."""
        try:
            async with asyncio.timeout(patience):
                return await self._read_to(word)
        except TimeoutError:
            raise PlayerFaultError(
                Fault.TIMEOUT, f"{self.entrant.name} did not say {word} within {patience:.1f} s"
            ) from None

    async def _read_to(self, word: str) -> list[str]:
        assert self._process is not None and self._process.stdout is not None
        with contextlib.suppress(ConnectionError):
            assert self._process.stdin is not None
            await self._process.stdin.drain()
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:  # longer than any honest line
                raise PlayerFaultError(Fault.NONSENSE, f"{self.entrant.name} sent an endless line") from None
            if not line:
                code = await self._process.wait()
                raise PlayerFaultError(Fault.CRASH, f"{self.entrant.name} ended with code {code} instead of {word}")
            words = line.decode("utf-8", "replace").split()
            if words and words[0] == word:
                return words
