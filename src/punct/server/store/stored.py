"""What the store keeps, as the rest of the server knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal, NamedTuple

from punct.outcome import Outcome
from punct.piece import Colour

SeatKind = Literal["person", "engine"]
COLOURS: Final = {colour.letter: colour for colour in Colour}
"""By letter."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who plays a colour."""

    kind: SeatKind = "person"
    name: str | None = None
    level: int | None = None


class StoredMove(NamedTuple):
    """A move; ``played`` is None if it came with a record."""

    text: str
    played: datetime | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class NewStoredGame:
    """A game to store. The moves it comes with, if any, are one text: so many games, so many texts."""

    start: str
    seats: Mapping[Colour, StoredSeat]
    moves: str = ""
    """With spaces between them."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """By the ply of the move they are about."""
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    def came_with(self) -> list[StoredMove]:
        """Return the moves one by one, as they will be loaded."""
        return [StoredMove(text, None, self.comments.get(ply)) for ply, text in enumerate(self.moves.split())]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as lists show it: everything but its moves."""

    id: str
    rules: str
    start: str
    seats: Mapping[Colour, StoredSeat]
    ply: int
    revision: int
    outcome: Outcome | None
    tags: Mapping[str, str]
    created: datetime
    updated: datetime
    undone: tuple[StoredMove, ...] = ()
    """What was taken back, the next move first: the game would go on with it."""

    @property
    def turn(self) -> Colour:
        """Who is to move: the start says who begins."""
        first = COLOURS[self.start.split(maxsplit=2)[1]]
        return first if self.ply % 2 == 0 else first.other

    def next(self, now: datetime, ply: int, outcome: Outcome | None, undone: tuple[StoredMove, ...] = ()) -> StoredGame:
        """Return the game's next revision."""
        return replace(self, ply=ply, outcome=outcome, revision=self.revision + 1, updated=now, undone=undone)


class Tally(NamedTuple):
    """How the finished games of persons against one level came out, for the persons."""

    rules: str
    level: int
    wins: int
    draws: int
    losses: int
