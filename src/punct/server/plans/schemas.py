"""Conditional moves, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from punct.server.http.schemas import Ply, RequestModel, ResponseModel, TurnText
from punct.server.plans.model import MAX_REPLIES

Version = Annotated[
    int, Field(ge=0, le=2**53, description="Of what is stored: a change of another version is refused; 0 for nothing")
]


class ReplyRequest(RequestModel):
    """A move that the opponent may play, and your reply."""

    turn: TurnText = Field(description="What the opponent may play")
    reply: TurnText = Field(description="What is played then for you")
    then: list[ReplyRequest] = Field(default=[], max_length=MAX_REPLIES, description="What may follow")


class PlanRequest(RequestModel):
    """Your conditional moves from the current position on."""

    ply: Ply
    version: Version = 0
    first: TurnText | None = Field(
        default=None, description="If it is your turn: what you will play first. It is not played by itself"
    )
    replies: list[ReplyRequest] = Field(min_length=1, max_length=MAX_REPLIES)


class ReplyView(ResponseModel):
    """A move that the opponent may play, and your reply."""

    turn: str
    reply: str
    then: list[ReplyView]


class DroppedView(ResponseModel):
    """Why there are no conditional moves any more."""

    reason: Literal["other", "own", "taken_back", "illegal"] = Field(
        description="The opponent played something else; you did; moves were taken back; a reply could not be played"
    )
    ply: int
    turn: str | None = Field(description="The move that was not expected, or was taken back")


class PlanView(ResponseModel):
    """Your conditional moves in a game. Nobody else can see them."""

    game: str
    ply: int = Field(description="Where the first of these moves is expected")
    version: Version
    first: str | None
    replies: list[ReplyView]
    dropped: DroppedView | None
