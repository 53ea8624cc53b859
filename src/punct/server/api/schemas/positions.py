"""A position, with all a client needs to show it; and what is asked about one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from punct.server.api.schemas.words import (
    Answer,
    ColourLetter,
    EndingWord,
    HeadingWord,
    KindLetter,
    Manner,
    Mask,
    PieceId,
    Ply,
    PositionText,
    Request,
    Result,
    RulesWord,
    SpaceName,
    TurnText,
)


class Blocker(Answer):
    """What lies right above one dot of a piece."""

    space: SpaceName
    piece: PieceId


class PieceView(Answer):
    """A piece on the board."""

    id: PieceId
    colour: ColourLetter
    kind: KindLetter
    space: SpaceName = Field(description="Where its PÜNCT is")
    heading: HeadingWord
    level: int = Field(description="1 on the board itself")
    spaces: tuple[SpaceName, SpaceName, SpaceName] = Field(description="Below its dots, the PÜNCT's first")
    bridge: bool = Field(description="Its middle dot hangs free")
    free: bool = Field(description="Nothing lies on it")
    blocked_by: list[Blocker]


class LegalTurns(Answer):
    """Every legal turn: where a PÜNCT may stand, by piece and heading. Empty when the game is over."""

    count: int
    adds: dict[KindLetter, dict[HeadingWord, Mask]] = Field(description="Pieces from the set, by kind")
    moves: dict[SpaceName, dict[HeadingWord, Mask]] = Field(
        description="Pieces on the board, by the space of their PÜNCT; staying there with another heading included"
    )


class Threat(Answer):
    """With how many turns a player would connect at once, were it that player's turn."""

    count: int
    turns: list[str] = Field(description="At most 12 of them")
    chain: list[SpaceName] = Field(description="The chain the first of them would make")


class Threats(Answer):
    """Who could connect with a single turn."""

    w: Threat
    b: Threat


class LastTurn(Answer):
    """The turn that led to a position, with everything that changed."""

    text: str
    colour: ColourLetter
    kind: KindLetter
    piece: PieceId
    manner: Manner
    origin: SpaceName | None = Field(description="Where the PÜNCT came from; null for an add")
    origin_heading: HeadingWord | None
    origin_level: int | None
    space: SpaceName
    heading: HeadingWord
    level: int
    path: list[SpaceName] = Field(description="The PÜNCT's way, both ends included; just its space if it stayed")
    covered: list[Blocker] = Field(description="Dots it came to lie above, with the piece right below")
    uncovered: list[Blocker] = Field(description="Spaces it left, with the piece that shows there now")
    emptied: list[SpaceName] = Field(description="Spaces it left with nothing on them")


class Outcome(Answer):
    """How a game ended."""

    winner: ColourLetter | None = Field(description="null for a draw")
    reason: EndingWord


class PiecesLeft(Answer):
    """How many pieces of each kind are still in a set."""

    T: int
    C: int
    E: int
    M: int
    L: int
    R: int


class Sets(Answer):
    """Both players' sets."""

    w: PiecesLeft
    b: PiecesLeft


class CentreCount(Answer):
    """Dots that show in the central hexagon."""

    w: int
    b: int


class PositionView(Answer):
    """A position, with all a client needs to show it and to offer turns."""

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
    bool, Field(description="The text names a piece and a space only, Td5 or d5-h9: all headings are judged")
]


class PositionRequest(Request):
    """A position to look at, and turns to play there first."""

    position: PositionText
    turns: list[TurnText] = Field(default=[], max_length=400)


class ExplainRequest(Request):
    """A turn somebody would like to play, or a piece and a space."""

    text: TurnText
    any_heading: AnyHeading = False
    ply: Ply | None = Field(default=None, description="In which position; the current one if left out")


class PositionExplainRequest(PositionRequest):
    """A turn somebody would like to play in a position, after some turns there; or a piece and a space."""

    text: TurnText
    any_heading: AnyHeading = False


class JudgedHeading(Answer):
    """One way a piece could lie."""

    heading: HeadingWord
    reason: str | None = Field(description="The rule it breaks; null if it is legal")


class Explanation(Answer):
    """Whether a turn is legal, and if not, the rule it breaks and what is in the way."""

    legal: bool = Field(description="For a piece and a space: whether one heading at least is legal")
    turn: str | None = Field(description="The turn as it is written; null if the text is not a turn, or has no heading")
    reason: str | None = Field(
        description="The broken rule's code, or UNREADABLE; null if it is legal. "
        "Of several rules broken, first what no heading could mend; of several headings, the rule that forbids most"
    )
    section: str | None = Field(description="The rulebook's section")
    sentence: str | None = Field(description="The same for people, in English")
    spaces: list[SpaceName] = Field(description="The spaces that are in the way, or give no support")
    headings: list[JudgedHeading] = Field(description="What was judged: one heading, or all the piece has, clockwise")
