"""Models that all features share: base classes, words of the API, errors."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

ColourLetter = Literal["w", "b"]
KindLetter = Literal["T", "C", "E", "M", "L", "R"]
HeadingWord = Literal["n", "ne", "se", "s", "sw", "nw"]
RulesWord = Literal["standard", "basic"]
Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
EndingWord = Literal[
    "connection",
    "centre_count",
    "last_piece",
    "no_turn",
    "repetition",
    "resignation",
    "agreement",
    "time",
]
OfferWord = Literal["draw", "undo", "rematch", "pause"]
UncountedWord = Literal["short", "pair", "guest"]
GreetingWord = Literal["hello", "good_luck", "well_played", "thanks", "sorry", "bye"]
RecordFormat = Literal["text", "sgf"]
Manner = Literal["add", "move", "turn", "jump", "bridge"]
"""How a piece was played: from the set; along the board; turned in place; onto other pieces; as a bridge."""
Mask = Annotated[str, Field(description="A set of spaces: 27 bytes in base64, a bit for each of `Board.spaces`")]
SpaceName = Annotated[str, Field(examples=["i9"])]
PieceId = Annotated[str, Field(examples=["wT1"], description="Stays with a piece for the whole game")]
TurnText = Annotated[str, StringConstraints(min_length=1, max_length=64)]
PositionText = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
PlayerName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")
]  # fmt: skip
"""One line of text, as records can hold it."""
Ply = Annotated[int, Field(ge=0, le=100_000, description="How many turns have been played")]
EngineLevel = Annotated[int, Field(ge=1, le=8)]


class ResponseModel(BaseModel):
    """The base class of responses and live messages."""

    # Fields with a default are always sent, so they are required in the client's generated types.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class RequestModel(BaseModel):
    """The base class of request bodies and clients' messages; an unknown field is an error, not silently dropped."""

    model_config = ConfigDict(extra="forbid")


class ErrorBody(ResponseModel):
    """What went wrong."""

    code: str = Field(examples=["illegal_turn"])
    message: str = Field(description="For people, in English")
    detail: dict[str, object] | None = None


class ErrorAnswer(ResponseModel):
    """The one shape of every error response."""

    error: ErrorBody


class LiveError(ResponseModel):
    """A message was malformed."""

    type: Literal["error"] = "error"
    error: ErrorBody
