"""Ratings, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from punct.server.auth.schemas import PublicPlayer
from punct.server.http.schemas import ResponseModel

Speed = Literal["live", "days", "level"]
"""Live games; correspondence games; games against the engine's levels."""


class RatingView(ResponseModel):
    """A player's rating in a pool of games with the same rules and speed."""

    pool: str = Field(examples=["standard-live"])
    rating: int
    deviation: int = Field(description="The standard deviation: the true strength is within twice this, most likely")
    games: int
    provisional: bool = Field(description="Too uncertain to be ranked")


class Counts(ResponseModel):
    """How many games a player is playing, has won, drawn and lost against other people."""

    running: int
    wins: int
    draws: int
    losses: int


class CurvePoint(ResponseModel):
    """How a game changed a rating."""

    at: datetime
    before: int
    rating: int = Field(description="After the game")
    deviation: int
    game: str


class RatingCurve(ResponseModel):
    """A player's rating after each game, oldest first."""

    pool: str
    points: list[CurvePoint]


class Ranked(ResponseModel):
    """A player on a leaderboard."""

    rank: int | None = Field(description="null for a provisional rating")
    player: PublicPlayer
    rating: RatingView


class Leaderboard(ResponseModel):
    """A pool's players, strongest first; those whose rating is provisional come last."""

    pool: str
    players: list[Ranked]
