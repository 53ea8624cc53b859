"""Challenges, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from punct.server.challenges.model import MAX_WORDS_LENGTH
from punct.server.games.schemas import PlayerView
from punct.server.http.schemas import ColourLetter, PositionText, RequestModel, ResponseModel, RulesWord

MAX_PLACES: Final = 10
"""Of a standing challenge."""
PlayerWord = Annotated[str, StringConstraints(pattern="^(?:[A-Za-z0-9_-]{1,32}|@[A-Za-z][A-Za-z0-9-]{2,19})$")]
ChallengeWord = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9_-]{16,32}$")]
TimeText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=16),
    Field(
        description="`5+3`: minutes, and seconds for each move; `3d`: days for a move; `7d+12h/10d`: a bank of days, "
        "what each move adds, and the most a side may have; `-wd` after days: no time runs at weekends; or `none`",
        examples=["5+3"],
    ),
]


class NewChallenge(RequestModel):
    """The terms of a new challenge."""

    rules: RulesWord = "standard"
    colour: ColourLetter | None = Field(default=None, description="The challenger's colour; random if left out")
    time: TimeText = "none"
    rated: bool = False
    listed: bool = Field(default=False, description="In the lobby, for everybody; else only for those with its link")
    position: PositionText | None = Field(default=None, description="The initial position, whose rules apply")
    to: PlayerWord | None = Field(
        default=None, description="The only player who may accept it: an id, or `@` with a handle", examples=["@Anna-K"]
    )
    replaces: ChallengeWord | None = Field(
        default=None, description="A challenge to you that this one answers with other terms: it is declined by it"
    )
    places: int | None = Field(
        default=None, ge=1, le=MAX_PLACES, description="It opens again when it is accepted, for so many games at once"
    )


class Challenge(ResponseModel):
    """A challenge, open or accepted."""

    id: str
    link: str = Field(description="The page on which a browser accepts it", examples=["/join/c0ffee-Punct-c0ffee-42"])
    challenger: PlayerView
    rules: RulesWord
    position: str | None
    colour: ColourLetter | None
    time: str = Field(description="The time control, as it was requested")
    rated: bool
    listed: bool
    created: datetime
    expires: datetime
    game: str | None = Field(description="The game it has become; null while it is open")
    to: PlayerView | None = Field(description="The only player who may accept it, and see it; null for anybody")
    places: int | None = Field(description="Of a standing challenge: for how many games at once it opens again")
    running: int = Field(description="How many games from a standing challenge are running")
    declined: datetime | None
    words: str | None = Field(description="With which it was declined")
    replaces: str | None = Field(description="The challenge that it answers with other terms")


class DeclineRequest(RequestModel):
    """Why a challenge is declined, if one wants to say it."""

    words: Annotated[str, StringConstraints(max_length=MAX_WORDS_LENGTH)] | None = Field(
        default=None, description="Plain text", examples=["Not this week, but gladly in June."]
    )


class OwnChallenges(ResponseModel):
    """Challenges that concern a player, the newest first."""

    received: list[Challenge] = Field(description="Open ones to this player")
    sent: list[Challenge] = Field(description="Of this player: open ones, and those that were declined")


class SeatAlertRequest(RequestModel):
    """Seats to be told of; what is left out does not matter."""

    rules: RulesWord | None = None
    speed: Literal["live", "days", "none"] | None = Field(
        default=None, description="Live games, games by days, games without a clock"
    )
    rated: bool | None = None


class SeatAlertView(ResponseModel):
    """Seats that a player wants to be told of; null: any."""

    id: str
    rules: RulesWord | None
    speed: Literal["live", "days", "none"] | None
    rated: bool | None
    expires: datetime


class SeatAlerts(ResponseModel):
    """The seats that a player wants to be told of, the newest wish first."""

    alerts: list[SeatAlertView]
