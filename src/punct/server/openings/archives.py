"""Imports archives of games into the opening explorer: each game once, in however many files it is."""

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
from punct.server.db.errors import DuplicateKeyError
from punct.server.openings.model import EPOCH_ORDINAL, MAX_PLIES, game_results, sum_moves
from punct.server.openings.store import OpeningStore

_FIRST_BATCH, _MIN_BATCH, _MAX_BATCH = 10_000, 5_000, 50_000
"""How many games are stored in one transaction. Most rows are on a page of their own: in batches of five hundred, a
game costs three times as much as in batches of ten thousand."""
_BATCH_SECONDS: Final = 1.2
"""How long a transaction should take: moves on a server that runs meanwhile wait for it, and fail after 3 seconds."""
_DATE: Final = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)")
_RATING_TAGS: Final = ("Rating", "Elo")
_MAX_RATING: Final = 10_000


class ImportResult(Enum):
    """The effect of adding a game."""

    NEW = "new"
    KNOWN = "known"
    UNFINISHED = "unfinished"


class ArchiveImporter:
    """Imports games in batches, each in one transaction; ``finish`` stores the last batch."""

    def __init__(self, store: OpeningStore) -> None:
        """Use a store, and read which games it has."""
        self._store = store
        self._stored_hashes = store.archived_games()
        self._batch_size = _FIRST_BATCH
        self._batch: dict[int, tuple[str, str, str, int | None, int]] = {}
        self.stored = 0
        """How many new games are stored by now."""

    def add(self, game: Game) -> ImportResult:
        """Add a game that has ended; may store a batch, and raise what storing raises."""
        outcome, moves = game.outcome(), game.moves
        if outcome is None or not moves:
            return ImportResult.UNFINISHED
        start, text, result = str(game.start), " ".join(map(str, moves)), outcome.result()
        hash_ = game_hash(game, start, text, result)
        return self.add_moves(hash_, start, text, result, mean_rating_of(game), day_played(game))

    def add_moves(self, hash_: int, start: str, moves: str, result: str, rating: int | None, day: int) -> ImportResult:
        """Add a game by its hash and its moves, of which the first ``MAX_PLIES`` are counted."""
        if hash_ in self._batch or self._is_stored(hash_):
            return ImportResult.KNOWN
        self._batch[hash_] = start, moves, result, rating, day
        if len(self._batch) >= self._batch_size:
            self.finish()
        return ImportResult.NEW

    def finish(self) -> None:
        """Store the games of the current batch."""
        while self._batch:
            try:
                self._store_batch()
            except DuplicateKeyError:  # another process imports the same games: skip those it has stored
                self._stored_hashes = self._store.archived_games()
                self._batch = {hash_: game for hash_, game in self._batch.items() if not self._is_stored(hash_)}

    def _store_batch(self) -> None:
        starts, texts, results, ratings, days = map(list, zip(*self._batch.values(), strict=True))
        steps = openings.opening_moves(list(zip(starts, texts, strict=True)), MAX_PLIES)
        totals = sum_moves(steps, game_results(results, ratings, days))
        hashes = sorted(self._batch)
        began = time.monotonic()
        self._store.add_archived(hashes, {name: column.tolist() for name, column in totals._asdict().items()}).result()
        seconds = max(time.monotonic() - began, 0.001)
        self._batch_size = int(min(max(self._batch_size * min(2.0, _BATCH_SECONDS / seconds), _MIN_BATCH), _MAX_BATCH))
        self._stored_hashes = np.union1d(self._stored_hashes, np.array(hashes, np.int64))
        self.stored += len(hashes)
        self._batch = {}

    def _is_stored(self, hash_: int) -> bool:
        index = int(np.searchsorted(self._stored_hashes, hash_))
        return index < len(self._stored_hashes) and int(self._stored_hashes[index]) == hash_


def game_hash(game: Game, start: str, moves: str, result: str) -> int:
    """Return a hash by which a game is recognised in another file and another format: who played what.

    Dates and places are written in many ways, and are not part of it.
    """
    names = "|".join(game.tags.get(str(colour), "").casefold() for colour in Colour)
    content = f"{start}|{moves}|{result}|{names}".encode()
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little", signed=True)


def mean_rating_of(game: Game) -> int | None:
    """Return the mean rating of a game's players, by its tags; None if they have none."""
    ratings = []
    for colour in Colour:
        for tag in _RATING_TAGS:
            value = game.tags.get(f"{colour}{tag}", "")
            if value.isascii() and value.isdigit() and 0 < int(value) <= _MAX_RATING:
                ratings.append(int(value))
                break
    return round(sum(ratings) / len(ratings)) if ratings else None


def day_played(game: Game) -> int:
    """Return the day a game was played, in days since 1970; 0 if its date tag does not say."""
    match = _DATE.search(game.tags.get("Date", ""))
    if match is None:
        return 0
    try:
        day = date(*map(int, match.groups()))
    except ValueError:
        return 0
    return max(0, day.toordinal() - EPOCH_ORDINAL)
