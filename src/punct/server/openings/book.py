"""The opening book that comes with the program: games of the engine against itself.

It is a compressed text with a game in each line: its initial position, its first moves and its result. It never changes
while the program runs, so it is not copied into any database: a program with a better book brings that along.
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
from punct.server.openings.model import MAX_PLIES, game_results, sum_moves

BOOK_PATH: Final = Path(__file__).with_name("book.txt.xz")


class BookGame(NamedTuple):
    """A game of the book."""

    start: str
    moves: tuple[str, ...]
    result: str


class Book:
    """The move counts of a book's games."""

    def __init__(self, games: Iterable[BookGame]) -> None:
        """Count games; raises PunctError if one is illegal."""
        games = list(games)
        steps = openings.opening_moves([(game.start, " ".join(game.moves)) for game in games], MAX_PLIES)
        illegal = np.flatnonzero(steps.counts < 0)
        if len(illegal):
            raise PunctError(f"game {illegal[0] + 1} of the book cannot be played")
        count = len(games)
        self.games = count
        self._totals = sum_moves(steps, game_results([game.result for game in games], [None] * count, [0] * count))

    def move_counts(self, position: int) -> list[tuple[int, int, int, int]]:
        """Return the packed moves played in a position, by its key, each with White's wins, draws and Black's wins."""
        totals = self._totals
        first, last = np.searchsorted(totals.position, [position, position + 1])
        columns = (totals.move, totals.white, totals.draws, totals.black)
        return list(zip(*(column[first:last].tolist() for column in columns), strict=True))


def write_book(games: Iterable[BookGame]) -> bytes:
    """Return the file of a book. Only the moves that are counted are written."""
    lines = (f"{game.start}: {' '.join((*game.moves[:MAX_PLIES], game.result))}\n" for game in games)
    return lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def read_book(content: bytes) -> list[BookGame]:
    """Return the games of a book's file; raises PunctError if it is not a book."""
    try:
        lines = lzma.decompress(content).decode("ascii").splitlines()
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise PunctError(f"this is no book of openings: {error}") from None
    games = []
    for number, line in enumerate(lines, 1):
        start, colon, rest = line.partition(": ")
        *moves, result = rest.split() or [""]
        if not colon or result not in ("1-0", "0-1", "1/2-1/2"):
            raise PunctError(f"line {number} of the book is no game")
        games.append(BookGame(start, tuple(moves), result))
    return games


@functools.cache
def shipped_book() -> Book:
    """Return the program's own book, read once. That takes a good part of a second: not for the event loop."""
    return Book(read_book(BOOK_PATH.read_bytes()))
