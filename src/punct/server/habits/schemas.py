"""Habits of players, as typed models."""

from __future__ import annotations

from pydantic import Field

from punct.server.http.schemas import RequestModel, ResponseModel


class Correspondence(ResponseModel):
    """How somebody has finished their last games by days and without a clock against people: 50 within a year."""

    finished: int
    timeouts: int = Field(description="How many of them they have lost on time")


class AnswerHabits(ResponseModel):
    """How soon somebody answers, and whether they finish their games; null for what too few games tell of."""

    answer: int | None = Field(
        description="Seconds: half of their last moves in games by days and without a clock took no longer. Pauses, "
        "vacations, free weekends and conditional moves do not count"
    )
    correspondence: Correspondence | None


class Habits(AnswerHabits):
    """The habits of a player."""

    hours: list[int] | None = Field(
        description="On how many days of the last half year they have played in public games, for each of the 168 "
        "hours of a week in UTC, the first of Monday first; null also if they hide it, and for guests"
    )


class HabitsOfPlayer(AnswerHabits):
    """What matters to who might play against somebody."""

    player: str


class HabitsList(ResponseModel):
    """The habits of several players, without those who have no account."""

    players: list[HabitsOfPlayer]


class HabitsSettings(RequestModel):
    """What others may see of your habits."""

    hours: bool = Field(description="Whether your page says when you usually play")


class OwnHabitsSettings(ResponseModel):
    """What others may see of your habits."""

    hours: bool
