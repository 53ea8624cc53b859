"""What travels about looking at games: openings, analyses, reviews."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from punct.server.api.schemas.words import Answer, ColourLetter, Request, TurnText

SourceWord = Literal["server", "archives", "book"]
JudgementWord = Literal["inaccuracy", "mistake", "blunder", "missed_win", "gives_win"]
Chance = Annotated[float, Field(ge=0.0, le=1.0)]


class Sources(Answer):
    """How many games each source has in a position, whichever were asked for."""

    server: int = Field(description="Games that were played to their end on this server")
    archives: int = Field(description="Games of records that were taken in")
    book: int = Field(description="Games of the computer against itself, which come with the program")


class OpeningTurn(Answer):
    """A turn that was played in a position."""

    turn: str = Field(description="As it is played in the position that was asked for")
    games: int
    white: int = Field(description="Games that White won")
    draws: int
    black: int
    last: date | None = Field(description="When it was last played; null if nobody knows")
    rating: int | None = Field(description="Of the players, on average; null if nobody knows")


class Opening(Answer):
    """What was played in a position, and in those that are alike on a turned or mirrored board."""

    position: str = Field(description="The canonical one of these")
    symmetry: int = Field(description="The way there: 0–5 sixths of a turn clockwise; 6–11 mirrored first", ge=0, le=11)
    games: int
    white: int
    draws: int
    black: int
    sources: Sources
    moves: list[OpeningTurn] = Field(description="Most played first, at most 100")


class AnalysisRequest(Request):
    """An analysis to share."""

    tree: Annotated[str, StringConstraints(min_length=1)] = Field(
        description="A text or SGF record of one game, with its comments and variations"
    )


class AnalysisMade(Answer):
    """Where an analysis is kept."""

    id: str = Field(description="Nobody can guess it")


class Analysis(AnalysisMade):
    """An analysis that somebody shares."""

    tree: str = Field(description="A text record of one game, with its comments and variations")
    created: datetime
    kept_until: datetime = Field(description="Later, whenever somebody asks for it again")


class ReviewedTurn(Request):
    """A turn of a finished game, as an engine sees it."""

    turn: TurnText
    chance: Chance = Field(description="White's chance of winning after it")
    given_away: Chance = Field(description="How much chance it cost its player")
    proven: int = Field(default=0, ge=-10_000, le=10_000, description="Its player wins in so many plies, or loses (-)")
    judgement: JudgementWord | None = None
    best: list[TurnText] = Field(default=[], max_length=32, description="What was best instead, and how it goes on")


class ReviewRequest(Request):
    """The review of a finished game."""

    engine: Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")] = Field(
        description="Who looked"
    )
    nodes: int = Field(ge=0, le=10**12, description="How many nodes for each turn")
    start: Chance = Field(description="White's chance of winning before the first turn")
    turns: list[ReviewedTurn] = Field(max_length=2000, description="Every turn of the game, in order")


class ReviewedTurnView(Answer):
    """A turn of a finished game, as an engine sees it."""

    ply: int = Field(description="How many turns came before it")
    colour: ColourLetter
    turn: str
    chance: float
    given_away: float
    proven: int
    judgement: JudgementWord | None
    best: list[str]


class Accuracy(Answer):
    """How accurately both played, in percent; null without a turn."""

    w: float | None
    b: float | None


class Review(Answer):
    """The review of a finished game."""

    game: str
    engine: str
    nodes: int
    start: float
    turns: list[ReviewedTurnView]
    accuracy: Accuracy
    updated: datetime
