"""The other side of UGI: a program that speaks it, ours or anybody's, run as a process and asked for moves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Final, Self

from punct.contract import Start
from punct.engine.errors import GameOverError
from punct.engine.limits import Limits, read_limits
from punct.errors import PunctError, shorten
from punct.game import Game
from punct.move import Move
from punct.ugi.errors import Fault, ProgramFaultError
from punct.ugi.go import Go
from punct.ugi.options import Option, find_option

_PATIENCE: Final = 60.0
_QUIT: Final = 1.0
_STARTPOS: Final = "standard w"
_LONGEST_LINE: Final = 1 << 20
_LAST_LINES: Final = 5
_LONGEST_LAST_LINE: Final = 200


class UgiProgram:
    """A running program. What it does wrong is raised as ProgramFaultError; ``close`` always ends it."""

    def __init__(self, command: Sequence[str], name: str | None = None) -> None:
        """Prepare; nothing runs yet. ``name`` is what messages call it."""
        self.command = tuple(command)
        self.name = name if name is not None else " ".join(self.command)
        self.options: tuple[Option, ...] = ()
        """What it said it can be set to."""
        self._process: asyncio.subprocess.Process | None = None
        self._last_words: deque[str] = deque(maxlen=_LAST_LINES)
        self._listening: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether the program has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def start(self, patience: float = _PATIENCE) -> None:
        """Start the program and greet it."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,  # so that whatever it starts can be ended with it
            )
        except OSError as error:
            raise ProgramFaultError(Fault.CRASH, f"{self.name} cannot be started: {error.strerror}") from None
        self._last_words.clear()
        self._listening = asyncio.create_task(self._listen(self._process))
        self._say("ugi")
        lines = await self._read_to("ugiok", patience)
        found = (Option.read(words[1:]) for words in lines if words[0] == "option")
        self.options = tuple(option for option in found if option is not None)

    def set_option(self, name: str, value: str) -> None:
        """Set an option; raises OptionError if it has no such option, or not with that value."""
        option = find_option(self.options, name)
        self._say(f"setoption name {option.name} value {option.checked(value) or '<empty>'}")

    async def get_ready(self, patience: float = _PATIENCE) -> list[str]:
        """Wait until it has done all it was told; return what it remarked meanwhile (``info string``)."""
        self._say("isready")
        lines = await self._read_to("readyok", patience)
        return [" ".join(words[2:]) for words in lines if words[:2] == ["info", "string"]]

    async def new_game(self, patience: float = _PATIENCE) -> None:
        """Tell it that a new game begins."""
        self._say("uginewgame")
        await self.get_ready(patience)

    async def move(self, start: str, moves: Sequence[str], go: str, patience: float = _PATIENCE) -> str:
        """Ask for a move and return the word it answers with, which may be no move at all."""
        played = f" moves {' '.join(moves)}" if moves else ""
        self._say(f"position {'startpos' if start == _STARTPOS else f'fen {start}'}{played}")
        self._say(f"go {go}".rstrip())
        answer = (await self._read_to("bestmove", patience))[-1]
        if len(answer) < 2:
            raise await self._fault(Fault.NONSENSE, "said bestmove without a turn")
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
        await self._last_words_heard()

    def _say(self, line: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise ProgramFaultError(Fault.CRASH, f"{self.name} has ended")
        if not self._process.stdin.is_closing():  # else whoever reads its answer finds the end, and its last words
            self._process.stdin.write(line.encode() + b"\n")

    async def _read_to(self, word: str, patience: float) -> list[list[str]]:
        """Return the words of every line up to the one that begins with the word; the last is that line's."""
        try:
            async with asyncio.timeout(patience):
                return await self._lines_to(word)
        except TimeoutError:
            raise await self._fault(Fault.TIMEOUT, f"did not say {word} within {patience:.1f} s") from None

    async def _lines_to(self, word: str) -> list[list[str]]:
        assert self._process is not None and self._process.stdout is not None
        with contextlib.suppress(ConnectionError):
            assert self._process.stdin is not None
            await self._process.stdin.drain()
        # Of a long search only the end is kept; a greeting is never so long.
        lines: deque[list[str]] = deque(maxlen=1000)
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:  # longer than any honest line
                raise await self._fault(Fault.NONSENSE, "sent an endless line") from None
            if not line:
                code = await self._process.wait()
                raise await self._fault(Fault.CRASH, f"ended with code {code} instead of {word}")
            words = line.decode("utf-8", "replace").split()
            if words:
                lines.append(words)
                if words[0] == word:
                    return list(lines)

    # ------------------------------------------------------------------ what it says besides

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last lines of standard error, however much comes."""
        assert process.stderr is not None
        begun = b""
        while chunk := await process.stderr.read(1 << 16):
            *lines, begun = (begun + chunk).split(b"\n")
            begun = begun[-_LONGEST_LINE:]
            self._remember(lines[-_LAST_LINES:])
        self._remember([begun])

    def _remember(self, lines: Sequence[bytes]) -> None:
        texts = (line.decode("utf-8", "replace").strip() for line in lines)
        self._last_words += [shorten(text, _LONGEST_LAST_LINE) for text in texts if text]

    async def _last_words_heard(self) -> None:
        """Give the last words a moment to arrive; whatever the program has started may never end them."""
        if self._listening is not None:
            await asyncio.wait([self._listening], timeout=_QUIT)
            self._listening.cancel()
            self._listening = None

    async def _fault(self, fault: Fault, what: str) -> ProgramFaultError:
        if fault is Fault.CRASH:
            await self._last_words_heard()
        said = f"; its last words: {' | '.join(self._last_words)}" if self._last_words else ""
        return ProgramFaultError(fault, f"{self.name} {what}{said}")


class UgiEngine:
    """A program that speaks UGI, as an engine for code that waits; in asynchronous code use ``UgiProgram``.

    >>> import sys
    >>> from punct import Position
    >>> with UgiEngine.open([sys.executable, "-m", "punct.ugi"], options={"Level": "2"}) as engine:
    ...     move = engine.play("standard w", Limits(nodes=20))
    >>> move in Position().legal_moves
    True
    """

    def __init__(self, program: UgiProgram, patience: float) -> None:
        """Wrap a program that does not run yet; ``open`` is meant for use."""
        self.program = program
        self._patience = patience
        self._runner = asyncio.Runner()

    @classmethod
    def open(
        cls,
        command: str | Sequence[str],
        *,
        options: Mapping[str, str] | None = None,
        patience: float = _PATIENCE,
    ) -> Self:
        """Start a program and set its options; ``patience`` is how long it may take where no time is set.

        Raises ProgramFaultError if it does not start or does not answer, and OptionError for options it does not have.
        """
        engine = cls(UgiProgram(shlex.split(command) if isinstance(command, str) else command), patience)
        try:
            engine._runner.run(engine._begin(options or {}))
        except BaseException:
            engine.close()
            raise
        return engine

    async def _begin(self, options: Mapping[str, str]) -> None:
        await self.program.start(self._patience)
        for name, value in options.items():
            self.program.set_option(name, value)
        await self.program.get_ready(self._patience)

    def play(self, position: Start | Game, limits: Limits | None = None) -> Move:
        """Return a move for the side to move, checked; raises GameOverError if there is nothing to play.

        Give a ``Game`` rather than a position where repetition matters. Whatever the program does wrong, an illegal
        move included, is raised as ProgramFaultError.
        """
        game = position if isinstance(position, Game) else Game(position)
        outcome = game.outcome()
        if outcome is not None:
            raise GameOverError(f"the game is over: {outcome}; there is nothing to play in {game.position}")
        limits = read_limits(limits)
        go = Go(movetime=limits.movetime, nodes=limits.nodes, depth=limits.depth)
        patience = self._patience + (limits.movetime or 0.0)
        moves = [str(move) for move in game.moves]
        answer = self._runner.run(self.program.move(str(game.start), moves, str(go), patience))
        try:
            return game.position.copy().push(answer)
        except PunctError as error:
            raise ProgramFaultError(Fault.ILLEGAL, f"{self.program.name}: {error}") from None

    def new_game(self) -> None:
        """Tell it that a new game begins."""
        self._runner.run(self.program.new_game(self._patience))

    def close(self) -> None:
        """End the program, with everything it started."""
        self._runner.run(self.program.close())
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
