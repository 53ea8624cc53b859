"""Relations, as typed models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from punct.server.auth.schemas import PublicPlayer
from punct.server.http.schemas import RequestModel, ResponseModel

RelationWord = Literal["follow", "block"]


class RelationRequest(RequestModel):
    """To follow a player, or to block them."""

    kind: RelationWord


class Relation(ResponseModel):
    """Your relation to a player, which nobody else sees."""

    kind: RelationWord | None = Field(description="null if you neither follow nor block them")


class FollowedPlayer(ResponseModel):
    """A player whom you follow."""

    player: PublicPlayer
    playing: str | None = Field(description="The public game that they are playing")


class RelationList(ResponseModel):
    """Whom you follow, and whom you have blocked, the newest first."""

    following: list[FollowedPlayer]
    blocked: list[PublicPlayer]
