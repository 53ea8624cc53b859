"""Puzzles on the account: what was tried, how strong that makes somebody, and how hard the puzzles are."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from punct.server.api.schemas.words import Answer, Request

MOST_TRIES = 100
"""In one request: they fit into what most routes take in."""
MOST_IN_A_ROW = 100_000
PuzzleMode = Literal["strength", "theme", "streak", "rush", "day"]
"""How puzzles are chosen: by one's strength; by a theme; in a row until one fails; against the clock; the day's."""
PuzzleId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,16}$"), Field(examples=["k3v9qa"])]
PuzzleRatings = dict[str, int]
"""How hard puzzles are, by id."""


class PuzzleTry(Request):
    """A puzzle that was tried. Of each puzzle the first try counts."""

    puzzle: PuzzleId
    solved: bool
    at: AwareDatetime = Field(description="When; what lies ahead of the server's clock counts as just now")
    mode: PuzzleMode
    day: date | None = Field(
        default=None, description="Of a day's puzzle: whose it was; the day of `at`, in UTC, if left out"
    )


class PuzzleTriesRequest(Request):
    """What was tried, in this order."""

    tries: list[PuzzleTry] = Field(min_length=1, max_length=MOST_TRIES)


class PuzzleBestsRequest(Request):
    """The most that was solved: what is left out, or is less than before, changes nothing."""

    best_streak: int = Field(default=0, ge=0, le=MOST_IN_A_ROW, description="In a row")
    best_rush: int = Field(default=0, ge=0, le=MOST_IN_A_ROW, description="Against the clock")


class PuzzleSkill(Answer):
    """How strong somebody is at puzzles."""

    rating: int
    deviation: int = Field(description="How uncertain that is: the true strength is within twice this, most likely")
    provisional: bool = Field(description="Too uncertain to be ranked")
    tries: int = Field(description="Puzzles that were tried")
    solved: int = Field(description="Puzzles that the first try solved")


class PuzzleStanding(PuzzleSkill):
    """How an account holder stands at puzzles."""

    best_streak: int
    best_rush: int
    days: list[date] = Field(description="The days whose puzzle they have solved, the first one first")
    tried: dict[str, bool] = Field(description="Whether the first try solved it, by puzzle; the first tried first")


class PuzzlesTried(Answer):
    """What has come of tries."""

    standing: PuzzleStanding
    puzzles: PuzzleRatings = Field(description="The ratings that these puzzles now have")


class PuzzleRatingList(Answer):
    """The ratings of the puzzles that somebody has tried; all others have those they come with."""

    ratings: PuzzleRatings
