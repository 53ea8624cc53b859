"""Reading records, in a worker: nobody knows beforehand how long a stranger's file takes, nor how much memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from punct import records
from punct.errors import InvalidRecordError
from punct.game import Game, Node
from punct.outcome import Outcome
from punct.server.workers.process import Bounds, Tell

BOUNDS: Final = Bounds(seconds=20.0, memory_mb=512, gives_way=True)
"""A megabyte of real games takes a few seconds."""


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A record's game: its main line; variations stay behind.

    It is a few texts, however long it is: the server unpacks hundreds at once while others play.
    """

    start: str
    moves: str
    """With spaces between them."""
    comments: dict[int, str]
    """By the ply of the move they are about."""
    outcome: Outcome | None
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class ReadTree:
    """A record of one game to read with all its variations."""

    text: str
    longest: int
    form: records.Format = "text"
    """How it is to be written."""

    def run(self, tell: Tell, cancel: threading.Event) -> str:
        """Read it, and return it as it is written."""
        found = records.loads(self.text, most_games=1)
        if not found:
            raise InvalidRecordError("there is no game in this record").about("empty", "")
        if (longest := max(node.ply for node in _leaves(found[0]))) > self.longest:
            fault = f"a variation of {longest} turns is too long: at most {self.longest}"
            raise InvalidRecordError(fault).about("too_long", self.longest)
        return records.dumps(found, format=self.form)


def _leaves(game: Game) -> Iterator[Node]:
    """Yield every node of a game where nothing follows."""
    waiting = [game.root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if not node.children:
            yield node


@dataclass(frozen=True, slots=True)
class Read:
    """A record to read, with no more games and no longer ones than it may have."""

    text: str
    form: records.Format | None
    most_games: int
    longest: int
    largest_tags: int

    def run(self, tell: Tell, cancel: threading.Event) -> list[ReadGame]:
        """Read its games."""
        found = []
        for game in records.loads(self.text, format=self.form, most_games=self.most_games):
            game.go_to_end()
            nodes = list(game.main_line())
            if len(nodes) > self.longest:
                fault = f"a game of {len(nodes)} turns is too long: at most {self.longest}"
                raise InvalidRecordError(fault).about("too_long", self.longest)
            tags = dict(game.tags)
            size = sum(len(name) + len(value) for name, value in tags.items())
            if size > self.largest_tags:
                fault = f"tags of {size} characters are too long: at most {self.largest_tags} a game"
                raise InvalidRecordError(fault).about("tags", self.largest_tags)
            comments = {ply: node.comment for ply, node in enumerate(nodes) if node.comment}
            found.append(
                ReadGame(str(game.start), " ".join(str(node.move) for node in nodes), comments, game.outcome(), tags)
            )
        if not found:
            raise InvalidRecordError("there is no game in this record").about("empty", "")
        return found
