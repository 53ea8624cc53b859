"""What the store keeps, as the rest of the server knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal, NamedTuple

from punct.outcome import Outcome
from punct.piece import Colour

SeatKind = Literal["person", "engine"]
PlayerKind = Literal["guest", "person", "bot", "admin"]
OfferKind = Literal["draw", "undo", "rematch"]
Uncounted = Literal["short", "pair", "guest"]
"""Why a rated game counts for no rating: too few moves, too many games of the same two, somebody without an account."""
COLOURS: Final = {colour.letter: colour for colour in Colour}
"""By letter."""


def engine_name(level: int) -> str:
    """Return what the computer is called in a record."""
    return f"PÜNCT level {level}"


class SeatedPlayer(NamedTuple):
    """A player as others see them: under the name they now have, with their rating in the pool of the game."""

    id: str
    name: str | None = None
    kind: PlayerKind = "guest"
    rating: int | None = None
    """None if they have none, or the game belongs to no pool."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who plays a colour: online a player, at home anybody."""

    kind: SeatKind = "person"
    name: str | None = None
    """As it was given for this game."""
    level: int | None = None
    player: SeatedPlayer | None = None

    @property
    def shown(self) -> str | None:
        """The name to show."""
        return self.name if self.name is not None or self.player is None else self.player.name


class StoredClock(NamedTuple):
    """Both players' time."""

    left_w: int
    """Milliseconds, when the one to move began to think; of days, always all of a turn's."""
    left_b: int
    ticking: datetime | None = None
    """When the one to move began to think; None if no time runs."""
    deadline: datetime | None = None
    """When the one to move will have lost."""
    lag_w: int = 0
    """Milliseconds that were taken off White's time so far, because the network had taken them."""
    lag_b: int = 0


class StoredOffer(NamedTuple):
    """What one side has offered the other."""

    kind: OfferKind
    by: Colour


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
    owner: str | None = None
    listed: bool = False
    rated: bool = False
    time: str | None = None
    clock: StoredClock | None = None

    @property
    def letters(self) -> int:
        """How much there is to be kept of it."""
        said = (*self.comments.values(), *self.tags, *self.tags.values())
        return len(self.moves) + sum(map(len, said))

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
    owner: str | None = None
    """The player whose game it is; None for a game made at home."""
    listed: bool = False
    """Anybody may find it, and watch."""
    rated: bool = False
    time: str | None = None
    """The time control as it is written: ``5+3``, ``3d``."""
    clock: StoredClock | None = None
    """None without a time control."""
    offer: StoredOffer | None = None
    next_id: str | None = None
    """The game that a rematch became."""
    uncounted: Uncounted | None = None
    """Why it counts for no rating, once that is decided of a rated game."""

    @property
    def turn(self) -> Colour:
        """Who is to move: the start says who begins."""
        first = COLOURS[self.start.split(maxsplit=2)[1]]
        return first if self.ply % 2 == 0 else first.other

    def next(
        self,
        now: datetime,
        ply: int,
        outcome: Outcome | None,
        undone: tuple[StoredMove, ...] = (),
        clock: StoredClock | None = None,
    ) -> StoredGame:
        """Return the game's next revision. Whatever was offered is off the table: the game has gone on."""
        return replace(
            self,
            ply=ply,
            outcome=outcome,
            revision=self.revision + 1,
            updated=now,
            undone=undone,
            clock=clock,
            offer=None,
        )


class Tally(NamedTuple):
    """How the finished games of persons against one level came out, for the persons."""

    rules: str
    level: int
    wins: int
    draws: int
    losses: int
