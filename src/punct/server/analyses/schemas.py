"""Shared analyses and reviews, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from punct.server.http.schemas import ColourLetter, RequestModel, ResponseModel, TurnText

JudgementWord = Literal["inaccuracy", "mistake", "blunder", "missed_win", "gives_win"]
Chance = Annotated[float, Field(ge=0.0, le=1.0)]


class AnalysisRequest(RequestModel):
    """An analysis to share."""

    tree: Annotated[str, StringConstraints(min_length=1)] = Field(
        description="A text or SGF record of one game, with its comments and variations"
    )


class AnalysisMade(ResponseModel):
    """The id of a new analysis."""

    id: str = Field(description="It cannot be guessed")


class Analysis(AnalysisMade):
    """A shared analysis."""

    tree: str = Field(description="A text record of one game, with its comments and variations")
    created: datetime
    kept_until: datetime = Field(description="It is extended whenever the analysis is requested")


class ReviewedTurn(RequestModel):
    """A move of a finished game, evaluated by an engine."""

    turn: TurnText
    chance: Chance = Field(description="White's winning chance after it")
    given_away: Chance = Field(description="How much of the winning chance the move cost its player")
    proven: int = Field(
        default=0,
        ge=-10_000,
        le=10_000,
        description="A proven win in this many plies for the player of the move, or loss (-)",
    )
    judgement: JudgementWord | None = None
    best: list[TurnText] = Field(
        default=[], max_length=32, description="The best move instead, and its principal variation"
    )


class ReviewRequest(RequestModel):
    """The review of a finished game."""

    engine: Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")] = Field(
        description="The engine's name"
    )
    nodes: int = Field(ge=0, le=10**12, description="Nodes searched for each move")
    start: Chance = Field(description="White's winning chance before the first move")
    turns: list[ReviewedTurn] = Field(max_length=2000, description="Every move of the game, in order")


class ReviewedTurnView(ResponseModel):
    """A move of a finished game, evaluated by an engine."""

    ply: int = Field(description="The number of moves before it")
    colour: ColourLetter
    turn: str
    chance: float
    given_away: float
    proven: int
    judgement: JudgementWord | None
    best: list[str]


class Accuracy(ResponseModel):
    """Each side's accuracy in percent; null for a side without a move."""

    w: float | None
    b: float | None


class Review(ResponseModel):
    """The review of a finished game."""

    game: str
    engine: str
    nodes: int
    start: float
    turns: list[ReviewedTurnView]
    accuracy: Accuracy
    updated: datetime
