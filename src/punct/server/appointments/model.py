"""The data model of appointments: what state one is in follows from what was stored and from the time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from punct.piece import Colour
from punct.server.games.model import SeatedPlayer

MAX_WORDS_LENGTH: Final = 200
"""Of the words beside a proposal or an answer."""
MAX_DATES: Final = 3
"""Of one proposal."""
MIN_LEAD: Final = timedelta(minutes=10)
"""How long before a date it must be proposed."""
MAX_LEAD: Final = timedelta(days=60)
"""How long before a date it may be proposed."""
OPENS_BEFORE: Final = timedelta(minutes=10)
"""How long before the date players may say that they are there."""
CLOSES_AFTER: Final = timedelta(minutes=15)
"""How long after the date the game may begin: then it lapses, and nobody has lost anything."""
PRESENCE_DURATION: Final = timedelta(minutes=2)
"""How long a player who said to be there is believed to be. The page says it again as long as it is open."""
MIN_GAP: Final = timedelta(minutes=30)
"""Between two dates on which one player has agreed."""
REMINDER_LEADS: Final = (timedelta(days=1), timedelta(minutes=15))
"""How long before the date both are reminded."""
RETENTION: Final = timedelta(days=1)
"""How long a game to which not both came is listed."""

AppointmentState = Literal[
    "proposed",  # it waits for an answer
    "withdrawn",  # by its proposer, as when they blocked the other player
    "declined",  # or answered with other dates: then something replaces it
    "expired",  # nobody answered in time
    "agreed",  # the game is to begin at the date
    "cancelled",  # by one of the two, after they had agreed
    "lapsed",  # not both came
    "begun",  # the game has begun
]


@dataclass(frozen=True, slots=True)
class StoredAppointment:
    """A live game that one player proposes to another, for one of a few dates."""

    id: str
    proposer: SeatedPlayer
    to: SeatedPlayer
    rules: str
    colour: Colour | None
    """The proposer's colour; None for a random one."""
    time: str
    rated: bool
    dates: tuple[datetime, ...]
    words: str | None
    zone: str | None
    """The proposer's time zone, if it is known."""
    created: datetime
    updated: datetime
    """When it was last proposed, answered or ended."""
    expires: datetime
    """When it can no longer be accepted; once a date is agreed on, when the game can no longer begin."""
    to_zone: str | None = None
    """The other player's time zone, if it is known: from when they accepted."""
    date: datetime | None = None
    """The date that was accepted."""
    ended: datetime | None = None
    ended_by: str | None = None
    """The id of the player who declined, withdrew or cancelled it."""
    reply: str | None = None
    """The words with which it was ended."""
    replaces: str | None = None
    """The proposal that it answers with other dates or terms."""
    replaced_by: str | None = None
    """The proposal that answers it."""
    here: datetime | None = None
    """When the proposer last said to be there."""
    to_here: datetime | None = None
    """When the other player last said to be there."""
    game_id: str | None = None

    @property
    def player_ids(self) -> tuple[str, str]:
        """The ids of the two players, who alone may see it."""
        return self.proposer.id, self.to.id

    @property
    def opens(self) -> datetime | None:
        """When players may say that they are there; None before a date is agreed on."""
        return None if self.date is None else self.date - OPENS_BEFORE

    def other(self, player_id: str) -> SeatedPlayer:
        """Return the other player."""
        return self.to if player_id == self.proposer.id else self.proposer

    def is_here(self, player_id: str, now: datetime) -> bool:
        """Tell whether a player is believed to be there."""
        said = self.here if player_id == self.proposer.id else self.to_here
        return said is not None and abs(now - said) < PRESENCE_DURATION  # clocks are set back, too

    def state(self, now: datetime) -> AppointmentState:
        """Return what has become of it."""
        if self.game_id is not None:
            return "begun"
        if self.ended is not None:
            if self.date is not None:
                return "cancelled"
            return "withdrawn" if self.ended_by == self.proposer.id else "declined"
        if self.date is None:
            return "expired" if self.expires <= now else "proposed"
        return "lapsed" if self.expires <= now else "agreed"


@dataclass(frozen=True, slots=True)
class AppointmentLimits:
    """How many appointments may be open at once."""

    proposals: int
    """From one player."""
    proposals_to_one: int
    """From one player to another."""
    proposals_received: int
    """To one player."""
    agreed: int
    """Of one player."""
