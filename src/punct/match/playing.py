"""Matches: paired openings with both colours, several games at a time, every fault of a player a loss."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import StringIO
from numbers import Real
from typing import Any, Final

from punct import records
from punct.errors import PunctError, expect, shorten
from punct.game import Game
from punct.match.errors import MatchError
from punct.match.file import MatchFile, MatchRecords
from punct.match.game import FinishedGame, TimeSpent, tags_of
from punct.match.openings import opening
from punct.match.player import Entrant, Player
from punct.match.score import MatchScore
from punct.match.statistics import Sprt, Verdict
from punct.outcome import Rules
from punct.paths import PathLike, read_path
from punct.tags import Tags
from punct.ugi.errors import Fault, ProgramFaultError

_MAX_REMARK_LENGTH: Final = 200
_CLOCK_GRACE_SECONDS: Final = 0.05
"""How far a program may overrun its clock: the latency between two processes."""
_MOVETIME_GRACE_SECONDS: Final = 1.0
_MAX_MOVE_LENGTH: Final = 12
_ROUND: Final = re.compile(r'^\[Round "([0-9]{1,9})\.([12])"\]$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a match."""

    entrants: tuple[Entrant, Entrant]
    pairs: int = 50
    rules: Rules = Rules.STANDARD
    seed: int = 1
    """Which openings: pair i plays opening seed·1,000,000 + i."""
    concurrency: int = 1
    max_plies: int = 300
    """A game of this length is a draw."""
    timeout: float = 60.0
    """Seconds a player may take to start, to get ready, and for a move without a time limit."""
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        ranges = (
            ("number of pairs", self.pairs, 1, 10**6),
            ("seed", self.seed, 0, 10**9),
            ("concurrency", self.concurrency, 1, 256),
            ("limit of plies", self.max_plies, 10, 10_000),
            ("timeout", self.timeout, 0.01, 86_400),
        )
        for name, value, low, high in ranges:
            if isinstance(value, bool) or not isinstance(value, Real if name == "timeout" else int):
                raise MatchError(f"a {name} of {shorten(value)} makes no sense: it is a number from {low} to {high}")
            if not low <= value <= high:
                raise MatchError(f"a {name} of {value} is out of range: from {low} to {high}")
        expect(self.rules, Rules, "the rules of a match are Rules.STANDARD or Rules.BASIC")
        if self.sprt is not None:
            expect(self.sprt, Sprt, "the test of a match is an Sprt, or None")
        if len(expect(self.entrants, tuple, "the entrants of a match are a tuple of two")) != 2:
            raise MatchError(f"a match has two entrants, not {len(self.entrants)}")
        for entrant in self.entrants:
            expect(entrant, Entrant, "the entrants of a match are two of Entrant, such as read_entrant returns")
            try:
                Tags({"White": entrant.name})
            except PunctError as error:
                raise MatchError(f"{shorten(entrant.name)} cannot be a player's name in a record: {error}") from None

    def identity(self) -> dict[str, Any]:
        """Return the settings that a resumed match must share; its length and its test may change."""
        return {
            "players": [entrant.as_text() for entrant in self.entrants],
            "rules": str(self.rules),
            "seed": self.seed,
            "most_plies": self.max_plies,
        }


class Match:
    """A match, resumed from its file if there is one. ``run`` plays the missing games."""

    def __init__(
        self,
        settings: Settings,
        path: PathLike | None = None,
        record_path: PathLike | None = None,
        *,
        replace_records: bool = False,
    ) -> None:
        """Start or resume a match; raises MatchError if the file is of another one, or the records of other games."""
        self.settings = expect(settings, Settings, "a match has Settings")
        self._file = (
            MatchFile(read_path(path, "path of a match file"), settings.identity()) if path is not None else None
        )
        finished = self._file.finished.copy() if self._file else []
        self.score = MatchScore(finished)
        self._records = None
        if record_path is not None:
            games = self._file.games(self.names) if self._file else []
            self._records = MatchRecords(
                read_path(record_path, "record_path"), games, is_expected=self._is_expected, replace=replace_records
            )

    def __repr__(self) -> str:
        return (
            f"<Match {' – '.join(self.names)}: {self.score.games} of {2 * self.settings.pairs} games, {self.score!r}>"
        )

    @property
    def names(self) -> tuple[str, str]:
        """The players' names; numbered if they are the same."""
        first, second = (entrant.name for entrant in self.settings.entrants)
        return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")

    def _is_expected(self, record: str) -> bool:
        """Return whether a text is the record, whole or cut off, of one game that this match has still to play."""
        round_tag = _ROUND.search(record)
        if round_tag is None or sum(1 for _ in records.iter_games(StringIO(record), on_error="skip")) > 1:
            return False
        pair, white = int(round_tag[1]) - 1, int(round_tag[2]) - 1
        if not 0 <= pair < self.settings.pairs or self.score.has(pair, white):
            return False
        beginning = records.dumps(Game(f"{self.settings.rules} w", tags_of(self.names, pair, white)))
        return record.startswith(beginning[: beginning.index("[Rules")])

    @property
    def verdict(self) -> Verdict:
        """The verdict of the sequential test; open without one."""
        sprt = self.settings.sprt
        return Verdict.OPEN if sprt is None else sprt.verdict(self.score.pentanomial)

    async def run(
        self, on_game: Callable[[FinishedGame], None] | None = None, on_remark: Callable[[str], None] | None = None
    ) -> MatchScore:
        """Play until every pair is finished or the test decides, and return the score; call ``on_game`` for each game.

        ``on_remark`` is called with the players' remarks on their options, before the first game. Every process is
        ended before this returns or raises, also when it is cancelled.
        """
        await self._try_players(on_remark)
        missing = self._missing()
        decided = asyncio.Event()
        if self.verdict is not Verdict.OPEN:
            return self.score
        workers = [
            asyncio.create_task(self._work(missing, decided, on_game)) for _ in range(self.settings.concurrency)
        ]  # fmt: skip
        end = asyncio.create_task(decided.wait())
        try:
            pending: set[asyncio.Task[Any]] = {*workers, end}
            while pending - {end} and not decided.is_set():
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()  # a failure of the match itself, such as a full disk, ends the match
        finally:
            for task in (*workers, end):
                task.cancel()
            await asyncio.gather(*workers, end, return_exceptions=True)
        return self.score

    def _missing(self) -> Iterator[tuple[int, int]]:
        for pair in range(self.settings.pairs):
            for white in (0, 1):
                if not self.score.has(pair, white):
                    yield pair, white

    async def _try_players(self, on_remark: Callable[[str], None] | None) -> None:
        """Start each player once, so that a wrong command is an error instead of a lost match."""
        for entrant in self.settings.entrants:
            try:
                async with _running(entrant) as player:
                    for remark in await player.enter(self.settings.timeout):
                        if on_remark is not None:
                            on_remark(f"{entrant.name} says of its options: {shorten(remark, _MAX_REMARK_LENGTH)}")
            except ProgramFaultError as error:
                raise MatchError(f"{error} ({error.fault})") from None

    async def _work(
        self, missing: Iterator[tuple[int, int]], decided: asyncio.Event, on_game: Callable[[FinishedGame], None] | None
    ) -> None:
        first, second = self.settings.entrants
        async with _running(first) as first_player, _running(second) as second_player:
            for pair, white in missing:
                finished = await self._play((first_player, second_player), pair, white)
                if finished.guilty is not None:
                    await (first_player, second_player)[finished.guilty].close()  # a new process for the next game
                self.score.add(finished)
                if self._file is not None:
                    self._file.append(finished)
                if self._records is not None:
                    self._records.append(finished.as_game(self.names))
                if on_game is not None:
                    on_game(finished)
                if self.verdict is not Verdict.OPEN:
                    decided.set()
                    return

    async def _play(self, players: tuple[Player, Player], pair: int, white: int) -> FinishedGame:
        start = f"{self.settings.rules} w"
        game = Game(start)
        # In a thread, so that other games' clocks are read in time.
        for move in await asyncio.to_thread(opening, self.settings.seed * 1_000_000 + pair, start):
            game.push(move)
        seats = (players[white], players[1 - white])
        clocks = _Clocks([player.entrant.pace.clock for player in seats])
        seat = 0
        fault: ProgramFaultError | None = None
        try:
            for seat in (0, 1):
                if not seats[seat].is_running:
                    await seats[seat].enter(self.settings.timeout)
                await seats[seat].begin_game(f"{self.settings.seed} {pair} {white} {seat}", self.settings.timeout)
            while game.outcome() is None and len(game.moves) < self.settings.max_plies:
                seat = game.position.turn
                text = await self._request_move(seats[seat], game, start, clocks, seat)
                try:
                    game.push(text)
                except PunctError as error:
                    raise ProgramFaultError(Fault.ILLEGAL, f"{seats[seat].entrant.name}: {error}") from None
        except ProgramFaultError as error:
            fault = error
        spent = (clocks.spent[white], clocks.spent[1 - white])  # by White and Black, and so by the two players
        outcome = game.outcome()
        if fault is not None:
            guilty, result = white if seat == 0 else 1 - white, "0-1" if seat == 0 else "1-0"
            kind = fault.fault
            return FinishedGame(pair, white, start, _texts(game), result, str(kind), kind, guilty, str(fault), spent)
        ending = "limit of plies" if outcome is None else str(outcome.reason)
        result = "1/2-1/2" if outcome is None else outcome.result()
        return FinishedGame(pair, white, start, _texts(game), result, ending, spent=spent)

    async def _request_move(self, player: Player, game: Game, start: str, clocks: _Clocks, seat: int) -> str:
        pace = player.entrant.pace
        timeout = self.settings.timeout
        if pace.clock is not None:
            timeout = clocks.left[seat] / 1000 + _CLOCK_GRACE_SECONDS
        elif pace.movetime is not None:
            timeout = pace.movetime / 1000 + max(_MOVETIME_GRACE_SECONDS, pace.movetime / 1000)
        before = time.monotonic()
        text = await player.move(start, _texts(game), pace.words(clocks.left, clocks.increments), timeout)
        clocks.spend(seat, time.monotonic() - before)
        if len(text) > _MAX_MOVE_LENGTH:
            raise ProgramFaultError(Fault.NONSENSE, f"{player.entrant.name} answered {shorten(text)}")
        return text


class _Clocks:
    """Both players' clocks, White's first; in milliseconds. A player without a clock is shown the other's."""

    def __init__(self, clocks: list[tuple[int, int] | None]) -> None:
        shown = [clock or clocks[1 - i] or (0, 0) for i, clock in enumerate(clocks)]
        self.left = [clock[0] for clock in shown]
        self.increments = [clock[1] for clock in shown]
        self.spent = [TimeSpent(), TimeSpent()]

    def spend(self, seat: int, seconds: float) -> None:
        self.spent[seat] += TimeSpent(1, seconds, seconds)
        self.left[seat] = max(1, self.left[seat] - round(1000 * seconds) + self.increments[seat])


@asynccontextmanager
async def _running(entrant: Entrant) -> AsyncIterator[Player]:
    player = Player(entrant)
    try:
        yield player
    finally:
        # Also when cancelled here: no process may outlive the match.
        closing = asyncio.ensure_future(player.close())
        is_cancelled = False
        while not closing.done():
            try:
                await asyncio.shield(closing)
            except asyncio.CancelledError:
                is_cancelled = True
        if is_cancelled:
            raise asyncio.CancelledError


def _texts(game: Game) -> tuple[str, ...]:
    return tuple(str(move) for move in game.moves)
