"""Appointments, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints

from punct.server.appointments.model import MAX_DATES, MAX_WORDS_LENGTH, AppointmentState
from punct.server.challenges.schemas import PlayerWord, TimeText
from punct.server.games.schemas import PlayerView
from punct.server.http.schemas import ColourLetter, RequestModel, ResponseModel, RulesWord

AppointmentWord = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9_-]{16,32}$")]
ZoneWord = Annotated[
    str,
    StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_+/-]+$"),
    Field(description="A time zone of the IANA database", examples=["Europe/Warsaw"]),
]
Words = Annotated[str, StringConstraints(max_length=MAX_WORDS_LENGTH), Field(description="Plain text")]


class NewAppointment(RequestModel):
    """A live game that you propose to a player, at one of a few dates."""

    to: PlayerWord = Field(description="The other player: an id, or `@` with a handle", examples=["@Anna-K"])
    dates: list[AwareDatetime] = Field(
        min_length=1,
        max_length=MAX_DATES,
        description="Ten minutes to 60 days from now, in whole minutes",
        examples=[["2026-12-05T19:00:00Z"]],
    )
    rules: RulesWord = "standard"
    colour: ColourLetter | None = Field(default=None, description="The proposer's colour; random if left out")
    time: TimeText = Field(description="Minutes, and seconds for each move", examples=["10+5"])
    rated: bool = False
    words: Words | None = None
    zone: ZoneWord | None = Field(default=None, description="Your time zone, for the other player to see")
    replaces: AppointmentWord | None = Field(
        default=None, description="A proposal to you that this one answers: it is declined by it"
    )


class Acceptance(RequestModel):
    """The date that suits you."""

    date: AwareDatetime = Field(description="One of those that were proposed")
    zone: ZoneWord | None = Field(default=None, description="Your time zone, for the other player to see")


class Reply(RequestModel):
    """Why you decline or cancel, if you want to say it."""

    words: Words | None = Field(default=None, examples=["I am travelling that day, sorry."])


class Sides(ResponseModel):
    """Which of the two players are there."""

    proposer: bool
    to: bool


class Zones(ResponseModel):
    """The time zones of the two players, if they are known. The other player's is, once they have accepted."""

    proposer: str | None
    to: str | None


class Appointment(ResponseModel):
    """A live game that is proposed, or agreed on, for a date."""

    id: str
    link: str = Field(description="Its page", examples=["/date/c0ffee-Punct-c0ffee-42"])
    state: AppointmentState
    proposer: PlayerView
    to: PlayerView
    rules: RulesWord
    colour: ColourLetter | None = Field(description="The proposer's; null for a random one")
    time: str
    rated: bool
    dates: list[datetime] = Field(description="That were proposed, the first one first")
    words: str | None = Field(description="The proposer's")
    zones: Zones
    created: datetime
    expires: datetime = Field(
        description="When it can no longer be accepted; once agreed on, when the game can no longer begin"
    )
    date: datetime | None = Field(description="The one that was accepted")
    opens: datetime | None = Field(description="From when on players may say that they are there")
    here: Sides = Field(description="Who is there: the game begins when both are")
    ended_by: str | None = Field(description="The id of the player who declined, withdrew or cancelled it")
    reply: str | None = Field(description="Their words")
    replaces: str | None = Field(description="The proposal that it answers with other dates or terms")
    replaced_by: str | None = Field(description="The proposal that answers it")
    game: str | None = Field(description="The game that has begun")


class OwnAppointments(ResponseModel):
    """A player's appointments, the next first."""

    appointments: list[Appointment] = Field(
        description="Proposals that wait, or that the other player declined; dates that are agreed on, until a "
        "day after; dates that the other player has cancelled"
    )
