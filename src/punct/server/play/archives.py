"""Archives of games, counted among the openings: each game once, in however many files it is."""

from __future__ import annotations

import re
import time
from datetime import date
from enum import Enum
from hashlib import blake2b
from typing import Final

import numpy as np

from punct.game import Game
from punct.kernel import openings
from punct.piece import Colour
from punct.server.play.openings import DAYS_FROM_1_TO_1970, PLIES, ends, summed
from punct.server.store import ExploredStore, TakenError

_FIRST, _LEAST, _MOST = 10_000, 5_000, 50_000
"""How many games are stored together: at first, and at least and at most later. Most rows are on a page of their own:
of five hundred games together, each costs three times as much as of ten thousand."""
_STORE_SECONDS: Final = 1.2
"""How long storing them may take: a server that runs meanwhile waits for it with its turns, and gives up after 3."""
_DATE: Final = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)")
_STRENGTHS: Final = ("Rating", "Elo")
_STRONGEST: Final = 10_000


class Verdict(Enum):
    """What became of a game."""

    NEW = "new"
    KNOWN = "known"
    UNFINISHED = "unfinished"


class Archives:
    """Takes in games. They are stored some thousands at a time, each time all or none; ``finish`` stores the last."""

    def __init__(self, store: ExploredStore) -> None:
        """Take over a store, and learn which games are known."""
        self._store = store
        self._known = store.archived()
        self._size = _FIRST
        self._waiting: dict[int, tuple[str, str, str, int | None, int]] = {}
        self.stored = 0
        """How many new games are counted by now."""

    def add(self, game: Game) -> Verdict:
        """Take in a game that has ended; may store those that wait, and raise what storing raises."""
        outcome, moves = game.outcome(), game.moves
        if outcome is None or not moves:
            return Verdict.UNFINISHED
        start, text, result = str(game.start), " ".join(map(str, moves)), outcome.result()
        return self.take(game_number(game, start, text, result), start, text, result, rating_of(game), day_of(game))

    def take(self, number: int, start: str, moves: str, result: str, rating: int | None, day: int) -> Verdict:
        """Take in a game that was read already; of its moves, more than the first ``PLIES`` are not looked at."""
        if number in self._waiting or self._is_known(number):
            return Verdict.KNOWN
        self._waiting[number] = start, moves, result, rating, day
        if len(self._waiting) >= self._size:
            self.finish()
        return Verdict.NEW

    def finish(self) -> None:
        """Store what waits."""
        while self._waiting:
            try:
                self._store_waiting()
            except TakenError:  # somebody else takes in the same: whatever they were quicker with is known now
                self._known = self._store.archived()
                self._waiting = {number: game for number, game in self._waiting.items() if not self._is_known(number)}

    def _store_waiting(self) -> None:
        starts, texts, results, ratings, days = map(list, zip(*self._waiting.values(), strict=True))
        steps = openings.steps(list(zip(starts, texts, strict=True)), PLIES)
        found = summed(steps, ends(results, ratings, days))
        numbers = sorted(self._waiting)
        began = time.monotonic()
        self._store.take_in(numbers, {name: column.tolist() for name, column in found._asdict().items()}).result()
        took = time.monotonic() - began
        self._size = int(min(max(self._size * min(2.0, _STORE_SECONDS / max(took, 0.001)), _LEAST), _MOST))
        self._known = np.union1d(self._known, np.array(numbers, np.int64))
        self.stored += len(numbers)
        self._waiting = {}

    def _is_known(self, number: int) -> bool:
        at = int(np.searchsorted(self._known, number))
        return at < len(self._known) and int(self._known[at]) == number


def game_number(game: Game, start: str, moves: str, result: str) -> int:
    """Return a number by which a game is known again, in another file and another format: who played what.

    Dates and places are written in many ways, and do not count.
    """
    names = "|".join(game.tags.get(str(colour), "").casefold() for colour in Colour)
    content = f"{start}|{moves}|{result}|{names}".encode()
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little", signed=True)


def rating_of(game: Game) -> int | None:
    """Return how strong a game's players are on average, as its tags say; None if they do not."""
    known = []
    for colour in Colour:
        for name in _STRENGTHS:
            value = game.tags.get(f"{colour}{name}", "")
            if value.isascii() and value.isdigit() and 0 < int(value) <= _STRONGEST:
                known.append(int(value))
                break
    return round(sum(known) / len(known)) if known else None


def day_of(game: Game) -> int:
    """Return the day a game was played, in days since 1970; 0 if its date does not tell."""
    found = _DATE.search(game.tags.get("Date", ""))
    if found is None:
        return 0
    try:
        day = date(*map(int, found.groups()))
    except ValueError:
        return 0
    return max(0, day.toordinal() - DAYS_FROM_1_TO_1970)
