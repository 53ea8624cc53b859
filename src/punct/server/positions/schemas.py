"""Schemas of the board, of position views and of explanations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from punct.server.http.schemas import (
    ColourLetter,
    EndingWord,
    HeadingWord,
    KindLetter,
    Manner,
    Mask,
    PieceId,
    Ply,
    PositionText,
    RequestModel,
    ResponseModel,
    Result,
    RulesWord,
    SpaceName,
    TurnText,
)


class BoardSpace(ResponseModel):
    """One of the 211 spaces. Columns and rows count from 0 and 1; neighbours as in `headings`."""

    name: SpaceName
    column: int = Field(description="0 for column a … 16 for column q")
    row: int = Field(description="1 … 17")


class Offset(ResponseModel):
    """A step in columns and rows."""

    column: int
    row: int


class KindShape(ResponseModel):
    """A kind of piece, drawn from its PÜNCT."""

    count: int = Field(description="How many of it each player's set has")
    middle: int | None = Field(description="Which of the three dots lies between the ends; null for the triangle")
    headings: list[HeadingWord] = Field(description="The headings that give different placements")
    dots: dict[HeadingWord, list[Offset]] = Field(description="By heading: the three dots, the PÜNCT first")


class Board(ResponseModel):
    """The geometry, which never changes: enough to draw every position."""

    spaces: list[BoardSpace] = Field(description="All 211 in canonical order, which is the order of the bits of masks")
    headings: dict[HeadingWord, Offset] = Field(description="One step each way, clockwise from straight up")
    centre: list[SpaceName] = Field(description="The central hexagon")
    sides: list[tuple[list[SpaceName], list[SpaceName]]] = Field(description="The three pairs of opposite sides")
    kinds: dict[KindLetter, KindShape]


class Blocker(ResponseModel):
    """The piece directly above one dot of a piece."""

    space: SpaceName
    piece: PieceId


class PieceView(ResponseModel):
    """A piece on the board."""

    id: PieceId
    colour: ColourLetter
    kind: KindLetter
    space: SpaceName = Field(description="Where its PÜNCT is")
    heading: HeadingWord
    level: int = Field(description="1 on the board itself")
    spaces: tuple[SpaceName, SpaceName, SpaceName] = Field(description="Of its three dots, the PÜNCT's first")
    bridge: bool = Field(description="Its middle dot has nothing below it")
    free: bool = Field(description="Nothing lies on it")
    blocked_by: list[Blocker]


class LegalTurns(ResponseModel):
    """Every legal move: where a PÜNCT may go, by piece and heading. Empty when the game is over."""

    count: int
    adds: dict[KindLetter, dict[HeadingWord, Mask]] = Field(description="Pieces from the set, by kind")
    moves: dict[SpaceName, dict[HeadingWord, Mask]] = Field(
        description="Pieces on the board, by the space of their PÜNCT; staying there with another heading included"
    )


class Threat(ResponseModel):
    """The moves with which a player would connect two sides, if it were that player's turn."""

    count: int
    turns: list[str] = Field(description="At most 12 of them")
    chain: list[SpaceName] = Field(description="The chain the first of them would make")


class Threats(ResponseModel):
    """Who could connect two sides with one move."""

    w: Threat
    b: Threat


class LastTurn(ResponseModel):
    """The move that led to a position, with everything it changed."""

    text: str
    colour: ColourLetter
    kind: KindLetter
    piece: PieceId
    manner: Manner
    origin: SpaceName | None = Field(description="Where the PÜNCT was before; null if the piece was added")
    origin_heading: HeadingWord | None
    origin_level: int | None
    space: SpaceName
    heading: HeadingWord
    level: int
    path: list[SpaceName] = Field(description="The PÜNCT's path, both ends included; only its space if it stayed there")
    covered: list[Blocker] = Field(description="Spaces it now covers, with the piece directly below")
    uncovered: list[Blocker] = Field(description="Spaces it left, with the piece that is visible there now")
    emptied: list[SpaceName] = Field(description="Spaces it left empty")


class Outcome(ResponseModel):
    """How a game ended."""

    winner: ColourLetter | None = Field(description="null for a draw")
    reason: EndingWord


class PiecesLeft(ResponseModel):
    """How many pieces of each kind are still in a set."""

    T: int
    C: int
    E: int
    M: int
    L: int
    R: int


class Sets(ResponseModel):
    """Both players' sets."""

    w: PiecesLeft
    b: PiecesLeft


class CentreCount(ResponseModel):
    """Dots visible in the central hexagon."""

    w: int
    b: int


class PositionView(ResponseModel):
    """A position, with all a client needs to draw it and to let a player enter a move."""

    ply: int
    text: str
    rules: RulesWord
    turn: ColourLetter
    pieces: list[PieceView] = Field(description="By level, then by the PÜNCT's column and row: draw in this order")
    sets: Sets
    centre: CentreCount
    chain: list[SpaceName] = Field(description="The winner's chain from side to side; empty without one")
    outcome: Outcome | None
    result: Result
    legal: LegalTurns
    threats: Threats
    last: LastTurn | None


AnyHeading = Annotated[
    bool, Field(description="The text names only a piece and a space, Td5 or d5-h9; every heading is judged")
]


class PositionRequest(RequestModel):
    """A position to view, and moves to play there first."""

    position: PositionText
    turns: list[TurnText] = Field(default=[], max_length=400)


class ExplainRequest(RequestModel):
    """A move to explain, or a piece and a space."""

    text: TurnText
    any_heading: AnyHeading = False
    ply: Ply | None = Field(default=None, description="In which position; the current one if left out")


class PositionExplainRequest(PositionRequest):
    """A move to explain, or a piece and a space, in a position after some moves played there."""

    text: TurnText
    any_heading: AnyHeading = False


class JudgedHeading(ResponseModel):
    """One heading of a piece, and whether it is legal."""

    heading: HeadingWord
    reason: str | None = Field(description="The rule it breaks; null if it is legal")


class Explanation(ResponseModel):
    """Whether a move is legal, and if not, the rule it breaks and the spaces that forbid it."""

    legal: bool = Field(description="For a piece and a space: whether at least one heading is legal")
    turn: str | None = Field(
        description="The move in canonical notation; null if the text is not a move, or has no heading"
    )
    reason: str | None = Field(
        description="The broken rule's code, or UNREADABLE; null if it is legal. "
        "Of several broken rules, one that no heading satisfies comes first; of several headings, the rule that "
        "forbids most"
    )
    section: str | None = Field(description="The rulebook's section")
    sentence: str | None = Field(description="The reason in English, for people")
    spaces: list[SpaceName] = Field(description="The spaces that block the move, or give no support")
    headings: list[JudgedHeading] = Field(
        description="The headings that were judged: one, or all that the piece has, clockwise"
    )
