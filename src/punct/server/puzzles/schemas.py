"""Puzzles, as typed models: tries, the progress of account holders, and the ratings of puzzles."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from punct.server.http.schemas import RequestModel, ResponseModel

MAX_TRIES = 100
"""In one request: they fit into the size limit of most routes."""
MAX_SOLVED_IN_A_RUN = 100_000
PuzzleMode = Literal["strength", "theme", "streak", "rush", "day"]
"""How a puzzle was chosen: by strength; by theme; in a row until one fails; against the clock; puzzle of the day."""
PuzzleId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,16}$"), Field(examples=["k3v9qa"])]
PuzzleRatings = dict[str, int]
"""Ratings of puzzles, by id."""


class PuzzleTry(RequestModel):
    """A try of a puzzle. The first try of each puzzle counts."""

    puzzle: PuzzleId
    solved: bool
    at: AwareDatetime = Field(description="The time of the try; a time ahead of the server's clock counts as now")
    mode: PuzzleMode
    day: date | None = Field(
        default=None, description="For a puzzle of the day: which day; the day of `at`, in UTC, if left out"
    )


class PuzzleTriesRequest(RequestModel):
    """Tries, in their order."""

    tries: list[PuzzleTry] = Field(min_length=1, max_length=MAX_TRIES)


class PuzzleBestsRequest(RequestModel):
    """New bests: what is left out, or is not better than before, changes nothing."""

    best_streak: int = Field(default=0, ge=0, le=MAX_SOLVED_IN_A_RUN, description="Puzzles solved in a row")
    best_rush: int = Field(default=0, ge=0, le=MAX_SOLVED_IN_A_RUN, description="Puzzles solved against the clock")


class PuzzleSkill(ResponseModel):
    """A player's puzzle rating."""

    rating: int
    deviation: int = Field(description="The standard deviation: the true strength is within twice this, most likely")
    provisional: bool = Field(description="Too uncertain to be ranked")
    tries: int = Field(description="How many puzzles were tried")
    solved: int = Field(description="How many puzzles were solved by the first try")


class PuzzleStanding(PuzzleSkill):
    """An account holder's progress at puzzles."""

    best_streak: int
    best_rush: int
    days: list[date] = Field(description="The days whose puzzle of the day was solved, oldest first")
    tried: dict[str, bool] = Field(description="Whether the first try solved the puzzle, by puzzle; oldest try first")


class PuzzlesTried(ResponseModel):
    """The player's progress after tries, and the puzzles' ratings."""

    standing: PuzzleStanding
    puzzles: PuzzleRatings = Field(description="The new ratings of these puzzles")


class PuzzleRatingList(ResponseModel):
    """The ratings of all puzzles that were tried; all others have the ratings they come with."""

    ratings: PuzzleRatings
