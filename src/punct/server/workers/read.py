"""Jobs that read records: the time and the memory that an untrusted file takes cannot be known in advance."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from punct import records
from punct.errors import InvalidRecordError
from punct.game import Game
from punct.outcome import Outcome
from punct.server.workers.process import ReportProgress, WorkerLimits
from punct.tree import Node

LIMITS: Final = WorkerLimits(seconds=20.0, memory_mb=512, is_low_priority=True)
"""A megabyte of real games takes a few seconds."""


@dataclass(frozen=True, slots=True)
class RecordGame:
    """A game of a record: its main line, without variations.

    It consists of a few strings, however long it is: the server unpickles hundreds at once while others play.
    """

    start: str
    moves: str
    """Separated by spaces."""
    comments: dict[int, str]
    """By the ply of the move they are about."""
    outcome: Outcome | None
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class ReadTreeJob:
    """Reads a record of one game with all its variations."""

    text: str
    max_moves: int
    form: records.Format = "text"
    """The format to write."""

    def run(self, report: ReportProgress, cancel: threading.Event) -> str:
        """Return the record, written again."""
        games = records.loads(self.text, most_games=1)
        if not games:
            raise _empty()
        length = max(node.ply for node in _leaves(games[0]))
        if length > self.max_moves:
            message = f"a variation of {length} turns is too long: at most {self.max_moves}"
            raise InvalidRecordError(message).about("too_long", self.max_moves)
        return records.dumps(games, format=self.form)


def _leaves(game: Game) -> Iterator[Node]:
    """Yield the leaves of a game's tree."""
    stack = [game.root]
    while stack:
        node = stack.pop()
        stack += node.children
        if not node.children:
            yield node


@dataclass(frozen=True, slots=True)
class ReadJob:
    """Reads the games of a record, within limits."""

    text: str
    form: records.Format | None
    max_games: int
    max_moves: int
    max_tag_chars: int

    def run(self, report: ReportProgress, cancel: threading.Event) -> list[RecordGame]:
        """Return the games."""
        games = [self._read(game) for game in records.loads(self.text, format=self.form, most_games=self.max_games)]
        if not games:
            raise _empty()
        return games

    def _read(self, game: Game) -> RecordGame:
        game.go_to_end()
        nodes = list(game.main_line())
        if len(nodes) > self.max_moves:
            message = f"a game of {len(nodes)} turns is too long: at most {self.max_moves}"
            raise InvalidRecordError(message).about("too_long", self.max_moves)
        tags = dict(game.tags)
        size = sum(len(name) + len(value) for name, value in tags.items())
        if size > self.max_tag_chars:
            message = f"tags of {size} characters are too long: at most {self.max_tag_chars} a game"
            raise InvalidRecordError(message).about("tags", self.max_tag_chars)
        moves = " ".join(str(node.move) for node in nodes)
        comments = {ply: node.comment for ply, node in enumerate(nodes) if node.comment}
        return RecordGame(str(game.start), moves, comments, game.outcome(), tags)


def _empty() -> InvalidRecordError:
    return InvalidRecordError("there is no game in this record").about("empty", "")
