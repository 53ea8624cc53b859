"""Reading records, in a worker: nobody knows beforehand how long a stranger's file takes, nor how much memory."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

from punct import records
from punct.errors import InvalidRecordError
from punct.outcome import Outcome
from punct.server.workers.process import Bounds, Tell

BOUNDS: Final = Bounds(seconds=20.0, memory_mb=512, gives_way=True)
"""A megabyte of real games takes a few seconds."""


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """A turn of a record's main line."""

    text: str
    comment: str | None


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A record's game: its main line; variations stay behind."""

    start: str
    turns: tuple[ReadTurn, ...]
    outcome: Outcome | None
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class Read:
    """A record to read, with no more games and no longer ones than it may have."""

    text: str
    form: records.Format | None
    most_games: int
    longest: int

    def run(self, tell: Tell, cancel: threading.Event) -> list[ReadGame]:
        """Read its games."""
        found = []
        for game in records.loads(self.text, format=self.form, most_games=self.most_games):
            game.go_to_end()
            turns = tuple(ReadTurn(str(node.move), node.comment or None) for node in game.main_line())
            if len(turns) > self.longest:
                raise InvalidRecordError(f"a game of {len(turns)} turns is too long: at most {self.longest}")
            found.append(ReadGame(str(game.start), turns, game.outcome(), dict(game.tags)))
        if not found:
            raise InvalidRecordError("there is no game in this record")
        return found
