"""The book of openings that comes with the program: games of the computer against itself.

It is a text, compressed, a game in each line: where it started, how it began and how it ended. It never changes while
the program runs, so it is not copied into any database: a program with a better book brings that along.
"""

from __future__ import annotations

import functools
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from punct.errors import PunctError
from punct.kernel import openings
from punct.server.play.openings import PLIES, Summed, ends, summed

SHIPPED: Final = Path(__file__).with_name("book.txt.xz")


class BookGame(NamedTuple):
    """A game of the book."""

    start: str
    moves: tuple[str, ...]
    result: str


class Book:
    """What was played in its games."""

    def __init__(self, games: Iterable[BookGame]) -> None:
        """Play them; raises PunctError if one cannot be played."""
        games = list(games)
        steps = openings.steps([(game.start, " ".join(game.moves)) for game in games], PLIES)
        broken = np.flatnonzero(steps.counts < 0)
        if len(broken):
            raise PunctError(f"game {broken[0] + 1} of the book cannot be played")
        count = len(games)
        self.games = count
        self._found: Summed = summed(steps, ends([game.result for game in games], [None] * count, [0] * count))

    def played(self, position: int) -> list[tuple[int, int, int, int]]:
        """Return what was played in a position: the move as it is told, and how often White won, nobody, Black."""
        found = self._found
        first, last = np.searchsorted(found.position, [position, position + 1])
        columns = (found.move, found.white, found.draws, found.black)
        return list(zip(*(column[first:last].tolist() for column in columns), strict=True))


def write_book(games: Iterable[BookGame]) -> bytes:
    """Return a book as it is stored. Of each game only the beginning is of any use to it."""
    lines = (f"{game.start}: {' '.join((*game.moves[:PLIES], game.result))}\n" for game in games)
    return lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def read_book(content: bytes) -> list[BookGame]:
    """Read a stored book; raises PunctError if it is none."""
    try:
        lines = lzma.decompress(content).decode("ascii").splitlines()
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise PunctError(f"this is no book of openings: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        start, colon, rest = line.partition(": ")
        *moves, result = rest.split() or [""]
        if not colon or result not in ("1-0", "0-1", "1/2-1/2"):
            raise PunctError(f"line {number} of the book is no game")
        found.append(BookGame(start, tuple(moves), result))
    return found


@functools.cache
def shipped() -> Book:
    """Return the program's own book, read once. That takes a good part of a second: not for the event loop."""
    return Book(read_book(SHIPPED.read_bytes()))
