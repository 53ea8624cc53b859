"""A player in a match: its name and command, its search limits, and its program."""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from punct.engine.levels import STRONGEST
from punct.engine.limits import Clock
from punct.errors import expect, shorten
from punct.match.errors import MatchError
from punct.piece import Colour
from punct.ugi.client import UgiProgram
from punct.ugi.errors import OptionError
from punct.ugi.go import Go
from punct.ugi.options import LARGEST_NUMBER

_OUR_COMMAND: Final[tuple[str, ...]] = (sys.executable, "-m", "punct.ugi")


@dataclass(frozen=True, slots=True)
class Pace:
    """A player's search limits, the words after ``go``; times in milliseconds. With a clock, time can run out."""

    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: tuple[int, int] | None = None
    """Time for the whole game and increment per move."""

    def words(self, left: Sequence[int], increments: Sequence[int]) -> str:
        """Return the words after ``go``, given the time left on both clocks."""
        movetime = None if self.movetime is None else self.movetime / 1000
        if self.clock is None:
            return str(Go(movetime=movetime, nodes=self.nodes, depth=self.depth))
        white, black = (Clock(left[colour] / 1000, increments[colour] / 1000) for colour in Colour)
        return str(Go((white, black), movetime, self.nodes, self.depth))


_UNLIMITED: Final = Pace()
"""No limits; frozen, so it may be shared."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player: a name, a command, its options and its pace."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    pace: Pace = _UNLIMITED

    def as_text(self) -> str:
        """Return its identity as one line, for match files."""
        command = "punct" if self.command == _OUR_COMMAND else shlex.join(self.command)
        return f"{self.name}: {command} {dict(sorted(self.options.items()))} {self.pace}"


def read_entrant(text: str, pace: Pace = _UNLIMITED) -> Entrant:
    """Read a player as the command line names it; ``pace`` is the default.

    ``3`` is our level 3; ``punct`` our full strength; anything else a command that speaks UGI. After `` @ `` may follow
    its pace (``nodes=400 movetime=100 depth=5 tc=60+0.5``, times in ms but tc in seconds), ``name=…`` and options
    (``Threads=2``).

    >>> read_entrant("punct @ nodes=400 Seed=7 name=small").options
    {'Seed': '7'}
    """
    expect(pace, Pace, "the pace of a player is a Pace")
    head, _, tail = expect(text, str, "a player is named by a text, such as 'punct @ nodes=400'").partition(" @ ")
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
    """Read a clock such as ``60+0.5``, seconds for the game and per move; return milliseconds."""
    base, _, increment = text.partition("+")
    try:
        times = round(1000 * float(base)), round(1000 * float(increment or 0))
    except (ValueError, OverflowError):
        times = (0, 0)
    if not 0 < times[0] < 10**9 or not 0 <= times[1] < 10**9:
        raise MatchError(f"{shorten(text)} is not a clock: write seconds and increment, such as 60+0.5")
    return times


class Player(UgiProgram):
    """An entrant's program, with its options set."""

    def __init__(self, entrant: Entrant) -> None:
        """Prepare; nothing runs yet."""
        super().__init__(entrant.command, entrant.name)
        self.entrant = entrant

    async def enter(self, timeout: float) -> list[str]:
        """Start the program and set its options; return its remarks on them, such as that a file is missing.

        Raises MatchError if it has no such options.
        """
        await self.start(timeout)
        await self.get_ready(timeout)  # its greeting is no remark on the options
        try:
            for name, value in self.entrant.options.items():
                self.set_option(name, value)
        except OptionError as error:
            raise MatchError(f"{self.entrant.name}: {error}") from None
        return await self.get_ready(timeout)

    async def begin_game(self, seed: str, timeout: float) -> None:
        """Begin a game. A player with an option for its seed gets one of this game, whatever it has played before."""
        for option in self.options:
            if option.name.lower() == "seed" and option.kind == "spin":
                low, high = max(1, option.minimum or 0), option.maximum or LARGEST_NUMBER
                own = [value for name, value in self.entrant.options.items() if name.lower() == "seed"]
                self.set_option(option.name, str(random.Random(f"{seed} {own}").randint(low, high)))
        await self.new_game(timeout)
