"""What never changes while the server runs: the board, the opponent's strengths."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from punct.server.api.schemas.words import Answer, HeadingWord, KindLetter, SpaceName


class BoardSpace(Answer):
    """One of the 211 spaces. Columns and rows count from 0 and 1; neighbours as in `headings`."""

    name: SpaceName
    column: int = Field(description="0 for column a … 16 for column q")
    row: int = Field(description="1 … 17")


class Offset(Answer):
    """A step in columns and rows."""

    column: int
    row: int


class KindShape(Answer):
    """A kind of piece, drawn from its PÜNCT."""

    count: int = Field(description="How many of it each player's set has")
    middle: int | None = Field(description="Which of the three dots lies between the ends; null for the triangle")
    headings: list[HeadingWord] = Field(description="The headings that give different placements")
    dots: dict[HeadingWord, list[Offset]] = Field(description="By heading: the three dots, the PÜNCT first")


class Board(Answer):
    """What never changes: enough to draw every position."""

    spaces: list[BoardSpace] = Field(description="All 211 in their canonical order: masks count them so")
    headings: dict[HeadingWord, Offset] = Field(description="One step each way, clockwise from straight up")
    centre: list[SpaceName] = Field(description="The central hexagon")
    sides: list[tuple[list[SpaceName], list[SpaceName]]] = Field(description="The three pairs of opposite sides")
    kinds: dict[KindLetter, KindShape]


class Level(Answer):
    """A strength the opponent can play at."""

    level: int
    name: str
    description: str


class Levels(Answer):
    """All strengths, weakest first."""

    levels: list[Level]


class Health(Answer):
    """The server is up."""

    status: Literal["ok"] = "ok"
    version: str
