"""The data model of stored games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal, NamedTuple

from punct.outcome import Outcome
from punct.piece import Colour
from punct.server.auth.model import PlayerKind

SeatKind = Literal["person", "engine"]
OfferKind = Literal["draw", "undo", "rematch", "pause"]
UncountedReason = Literal["short", "pair", "guest"]
"""Why a rated game counts for no rating: too few moves, too many games between the same players, a guest."""
FIRST_MOVES: Final = 2
"""Both sides have made their first move after this many: until then live clocks stand, and a game may be aborted."""
COLOURS: Final = {colour.letter: colour for colour in Colour}
"""Colours by letter."""


def engine_name(level: int) -> str:
    """Return the name of an engine of a level in a record."""
    return f"PÜNCT level {level}"


class SeatedPlayer(NamedTuple):
    """A player in a seat, with the current name and the rating in the game's pool."""

    id: str
    name: str | None = None
    kind: PlayerKind = "guest"
    rating: int | None = None
    """None if the player has none, or the game belongs to no pool."""
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """The seat of a colour: a person, online with a player, or an engine with a level."""

    kind: SeatKind = "person"
    name: str | None = None
    """The name given for this game."""
    level: int | None = None
    player: SeatedPlayer | None = None

    @property
    def display_name(self) -> str | None:
        """The name given for this game, or else the player's."""
        return self.name if self.name is not None or self.player is None else self.player.name


class Pause(NamedTuple):
    """A reason why the clock of a days game stands."""

    by: Colour | None
    """The side that is on vacation; None for a pause that both agreed to."""
    until: datetime
    """When it ends by itself."""


class StoredClock(NamedTuple):
    """The clock of a game, as it was when the turn began."""

    left_w: int
    """White's remaining milliseconds. With days, a side that has not played yet has the time for a first move."""
    left_b: int
    running_since: datetime | None = None
    """When the turn began; None if the clock stands."""
    deadline: datetime | None = None
    """When the player to move loses on time."""
    lag_w: int = 0
    """Milliseconds of network lag that White was compensated for so far."""
    lag_b: int = 0
    pauses: tuple[Pause, ...] = ()
    """Why the clock stands, at most one for each side and one of both; see ``punct.server.games.pauses``."""


class StoredOffer(NamedTuple):
    """An offer of one side to the other."""

    kind: OfferKind
    by: Colour


class StoredMove(NamedTuple):
    """A move; ``played_at`` is None if it was imported."""

    text: str
    played_at: datetime | None = None
    comment: str | None = None
    seconds: int | None = None
    """The time it took its player in a correspondence game, as the clock counts; None if that is unknown, or if the
    server played it for the player."""


@dataclass(frozen=True, slots=True)
class NewStoredGame:
    """A game to store. Imported moves are one text, so that importing many games stays cheap."""

    start: str
    seats: Mapping[Colour, StoredSeat]
    moves: str = ""
    """Imported moves, separated by spaces."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """By the ply of the move."""
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    owner: str | None = None
    listed: bool = False
    rated: bool = False
    time: str | None = None
    clock: StoredClock | None = None

    @property
    def characters(self) -> int:
        """How many characters the moves, comments and tags have, for quotas."""
        texts = (self.moves, *self.comments.values(), *self.tags, *self.tags.values())
        return sum(map(len, texts))

    def imported_moves(self) -> list[StoredMove]:
        """Return the imported moves, as the store will load them."""
        return [StoredMove(text, None, self.comments.get(ply)) for ply, text in enumerate(self.moves.split())]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game without its moves, as lists need it."""

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
    """Moves that were taken back and can be redone, the next one first."""
    owner: str | None = None
    """The id of the player who owns the game; None for a game made at home."""
    listed: bool = False
    """Anybody may find it in the lobby, and watch it."""
    rated: bool = False
    time: str | None = None
    """The time control's text: ``5+3``, ``3d``, ``7d+12h/10d``, ``3d-wd``."""
    clock: StoredClock | None = None
    """None without a time control."""
    offer: StoredOffer | None = None
    next_id: str | None = None
    """The id of the rematch."""
    uncounted: UncountedReason | None = None
    """Why a rated game counts for no rating, once that is decided."""

    @property
    def turn(self) -> Colour:
        """The colour to move."""
        first = COLOURS[self.start.split(maxsplit=2)[1]]
        return first if self.ply % 2 == 0 else first.other

    def next_revision(
        self,
        now: datetime,
        ply: int,
        outcome: Outcome | None,
        undone: tuple[StoredMove, ...] = (),
        clock: StoredClock | None = None,
    ) -> StoredGame:
        """Return the game's next revision. It has no offer: whatever was offered lapses."""
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
    """How persons scored against one level in finished games."""

    rules: str
    level: int
    wins: int
    draws: int
    losses: int
