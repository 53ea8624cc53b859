"""A UGI client: runs any program that speaks it as a process, and requests moves."""

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
from punct.errors import PunctError, WrongTypeError, expect, shorten
from punct.game import Game
from punct.move import Move
from punct.ugi.errors import Fault, ProgramFaultError
from punct.ugi.go import Go
from punct.ugi.options import Option, find_option

_TIMEOUT_SECONDS: Final = 60.0
_QUIT_SECONDS: Final = 1.0
_STARTPOS: Final = "standard w"
_MAX_LINE_BYTES: Final = 1 << 20
_ERROR_LINES: Final = 5
"""The last lines of standard error that a fault quotes."""
_MAX_ERROR_LINE_LENGTH: Final = 200


class UgiProgram:
    """A running program. Its faults are raised as ProgramFaultError; ``close`` always ends it."""

    def __init__(self, command: Sequence[str], name: str | None = None) -> None:
        """Prepare; nothing runs yet. ``name`` is for messages."""
        words = expect(command, Sequence, "the command of a program is a list of words, such as ['engine', '--ugi']")
        if isinstance(words, (str, bytes)) or not words or not all(isinstance(word, str) for word in words):
            raise WrongTypeError(f"the command of a program is a list of words, not {shorten(command)}")
        self.command = tuple(words)
        self.name = name if name is not None else " ".join(self.command)
        self.options: tuple[Option, ...] = ()
        """The options it has declared."""
        self._process: asyncio.subprocess.Process | None = None
        self._error_lines: deque[str] = deque(maxlen=_ERROR_LINES)
        self._error_reader: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"<UgiProgram {shorten(self.name)}: {'running' if self.is_running else 'not running'}>"

    @property
    def is_running(self) -> bool:
        """Whether the program has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def start(self, timeout: float = _TIMEOUT_SECONDS) -> None:
        """Start the program and read its options."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_MAX_LINE_BYTES,
                start_new_session=True,  # so that its child processes can be ended with it
            )
        except OSError as error:
            raise ProgramFaultError(Fault.CRASH, f"{self.name} cannot be started: {error.strerror}") from None
        self._error_lines.clear()
        self._error_reader = asyncio.create_task(self._read_errors(self._process))
        self._send("ugi")
        lines = await self._read_to("ugiok", timeout)
        options = (Option.read(words[1:]) for words in lines if words[0] == "option")
        self.options = tuple(option for option in options if option is not None)

    def set_option(self, name: str, value: str) -> None:
        """Set an option; raises OptionError if it has no such option, or not with that value."""
        option = find_option(self.options, name)
        self._send(f"setoption name {option.name} value {option.check(value) or '<empty>'}")

    async def get_ready(self, timeout: float = _TIMEOUT_SECONDS) -> list[str]:
        """Wait until it has processed all commands; return its remarks meanwhile (``info string``)."""
        self._send("isready")
        lines = await self._read_to("readyok", timeout)
        return [" ".join(words[2:]) for words in lines if words[:2] == ["info", "string"]]

    async def new_game(self, timeout: float = _TIMEOUT_SECONDS) -> None:
        """Send ``uginewgame``: a new game begins."""
        self._send("uginewgame")
        await self.get_ready(timeout)

    async def move(self, start: str, moves: Sequence[str], go: str, timeout: float = _TIMEOUT_SECONDS) -> str:
        """Request a move and return the word it answers with, which may be no move at all."""
        history = f" moves {' '.join(moves)}" if moves else ""
        self._send(f"position {'startpos' if start == _STARTPOS else f'fen {start}'}{history}")
        self._send(f"go {go}".rstrip())
        answer = (await self._read_to("bestmove", timeout))[-1]
        if len(answer) < 2:
            raise await self._fault(Fault.NONSENSE, "sent bestmove without a move")
        return answer[1]

    async def close(self) -> None:
        """End the program, first by ``quit`` and then by a signal, with all its child processes."""
        process = self._process
        if process is None:
            return
        self._process = None
        with contextlib.suppress(OSError, RuntimeError, asyncio.TimeoutError):
            if process.returncode is None and process.stdin is not None:
                process.stdin.write(b"stop\nquit\n")
                process.stdin.close()
                await asyncio.wait_for(process.wait(), _QUIT_SECONDS)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        if process.stdout is not None:  # read to the end, or the pipe stays open
            with contextlib.suppress(OSError, TimeoutError):
                await asyncio.wait_for(process.stdout.read(), _QUIT_SECONDS)
        await self._wait_for_error_lines()

    def _send(self, line: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise ProgramFaultError(Fault.CRASH, f"{self.name} has ended")
        if not self._process.stdin.is_closing():  # else reading its answer finds the end of the output
            self._process.stdin.write(line.encode() + b"\n")

    async def _read_to(self, word: str, timeout: float) -> list[list[str]]:
        """Return the words of every line up to, and with, the one that begins with this word."""
        try:
            async with asyncio.timeout(timeout):
                return await self._lines_to(word)
        except TimeoutError:
            raise await self._fault(Fault.TIMEOUT, f"did not send {word} within {timeout:.1f} s") from None

    async def _lines_to(self, word: str) -> list[list[str]]:
        assert self._process is not None and self._process.stdout is not None
        with contextlib.suppress(ConnectionError):
            assert self._process.stdin is not None
            await self._process.stdin.drain()
        # Only the end of a long search is needed; a greeting is never so long.
        lines: deque[list[str]] = deque(maxlen=1000)
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:  # longer than the limit
                raise await self._fault(Fault.NONSENSE, "sent an endless line") from None
            if not line:
                code = await self._process.wait()
                raise await self._fault(Fault.CRASH, f"ended with code {code} instead of {word}")
            words = line.decode("utf-8", "replace").split()
            if words:
                lines.append(words)
                if words[0] == word:
                    return list(lines)

    # ------------------------------------------------------------------ standard error

    async def _read_errors(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last lines of standard error, however much is written."""
        assert process.stderr is not None
        partial = b""
        while chunk := await process.stderr.read(1 << 16):
            *lines, partial = (partial + chunk).split(b"\n")
            partial = partial[-_MAX_LINE_BYTES:]
            self._add_error_lines(lines[-_ERROR_LINES:])
        self._add_error_lines([partial])

    def _add_error_lines(self, lines: Sequence[bytes]) -> None:
        texts = (line.decode("utf-8", "replace").strip() for line in lines)
        self._error_lines += [shorten(text, _MAX_ERROR_LINE_LENGTH) for text in texts if text]

    async def _wait_for_error_lines(self) -> None:
        """Wait a moment for the last lines: child processes may keep standard error open forever."""
        if self._error_reader is not None:
            await asyncio.wait([self._error_reader], timeout=_QUIT_SECONDS)
            self._error_reader.cancel()
            self._error_reader = None

    async def _fault(self, fault: Fault, problem: str) -> ProgramFaultError:
        if fault is Fault.CRASH:
            await self._wait_for_error_lines()
        output = f"; its last error output: {' | '.join(self._error_lines)}" if self._error_lines else ""
        return ProgramFaultError(fault, f"{self.name} {problem}{output}")


class UgiEngine:
    """A program that speaks UGI, as a blocking engine; in asynchronous code use ``UgiProgram``.

    >>> import sys
    >>> from punct import Position
    >>> with UgiEngine.open([sys.executable, "-m", "punct.ugi"], options={"Level": "2"}) as engine:
    ...     move = engine.play("standard w", Limits(nodes=20))
    >>> move in Position().legal_moves
    True
    """

    def __init__(self, program: UgiProgram, timeout: float) -> None:
        """Wrap a program that does not run yet; ``open`` is meant for use."""
        self.program = program
        self._timeout = timeout
        self._runner = asyncio.Runner()

    def __repr__(self) -> str:
        return f"<UgiEngine, {self._timeout:g} s to answer: {self.program!r}>"

    @classmethod
    def open(
        cls,
        command: str | Sequence[str],
        *,
        options: Mapping[str, str] | None = None,
        timeout: float = _TIMEOUT_SECONDS,
    ) -> Self:
        """Start a program and set its options; ``timeout`` is how long it may take, besides the time a search is given.

        Raises ProgramFaultError if it does not start or does not answer, and OptionError for options it does not have.
        """
        engine = cls(UgiProgram(shlex.split(command) if isinstance(command, str) else command), timeout)
        try:
            engine._runner.run(engine._begin(options or {}))
        except BaseException:
            engine.close()
            raise
        return engine

    async def _begin(self, options: Mapping[str, str]) -> None:
        await self.program.start(self._timeout)
        for name, value in options.items():
            self.program.set_option(name, value)
        await self.program.get_ready(self._timeout)

    def play(self, position: Start | Game, limits: Limits | None = None) -> Move:
        """Return a legal move for the side to move; raises GameOverError if the game is over.

        Give a ``Game`` rather than a position where repetition matters. Every fault of the program, an illegal move
        included, is raised as ProgramFaultError.
        """
        game = position if isinstance(position, Game) else Game(position)
        outcome = game.outcome()
        if outcome is not None:
            raise GameOverError(f"the game is over: {outcome}; there is nothing to play in {game.position}")
        limits = read_limits(limits)
        go = Go(movetime=limits.movetime, nodes=limits.nodes, depth=limits.depth)
        timeout = self._timeout + (limits.movetime or 0.0)
        moves = [str(move) for move in game.moves]
        answer = self._runner.run(self.program.move(str(game.start), moves, str(go), timeout))
        try:
            return game.position.copy().push(answer)
        except PunctError as error:
            raise ProgramFaultError(Fault.ILLEGAL, f"{self.program.name}: {error}") from None

    def new_game(self) -> None:
        """Send ``uginewgame``: a new game begins."""
        self._runner.run(self.program.new_game(self._timeout))

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
