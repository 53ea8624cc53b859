"""Challenges, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from punct.server.games.schemas import PlayerView
from punct.server.http.schemas import ColourLetter, PositionText, RequestModel, ResponseModel, RulesWord

TimeText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=16),
    Field(description="`5+3`: minutes, and seconds for each move; `3d`: days for a move; or `none`", examples=["5+3"]),
]


class NewChallenge(RequestModel):
    """The terms of a new challenge."""

    rules: RulesWord = "standard"
    colour: ColourLetter | None = Field(default=None, description="The challenger's colour; random if left out")
    time: TimeText = "none"
    rated: bool = False
    listed: bool = Field(default=False, description="In the lobby, for everybody; else only for those with its link")
    position: PositionText | None = Field(default=None, description="The initial position, whose rules apply")


class Challenge(ResponseModel):
    """A challenge, open or accepted."""

    id: str
    link: str = Field(description="The page on which a browser accepts it", examples=["/join/c0ffee-Punct-c0ffee-42"])
    challenger: PlayerView
    rules: RulesWord
    position: str | None
    colour: ColourLetter | None
    time: str = Field(description="The time control, as it was requested")
    rated: bool
    listed: bool
    created: datetime
    expires: datetime
    game: str | None = Field(description="The game it has become; null while it is open")
