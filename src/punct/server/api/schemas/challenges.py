"""Games that want a second player."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from punct.server.api.schemas.games import PlayerView
from punct.server.api.schemas.words import Answer, ColourLetter, PositionText, Request, RulesWord

TimeText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=16),
    Field(description="`5+3`: minutes and seconds a turn; `3d`: days a turn; or `none`", examples=["5+3"]),
]


class NewChallenge(Request):
    """A game that wants a second player."""

    rules: RulesWord = "standard"
    colour: ColourLetter | None = Field(default=None, description="The challenger's; random if left out")
    time: TimeText = "none"
    rated: bool = False
    listed: bool = Field(default=False, description="In the lobby, for everybody; else for whoever has the link")
    position: PositionText | None = Field(default=None, description="Where to start; its rules then hold")


class Challenge(Answer):
    """A game that wants a second player, or found one."""

    id: str
    link: str = Field(description="Where a browser accepts it", examples=["/join/c0ffee-Punct-c0ffee-42"])
    challenger: PlayerView
    rules: RulesWord
    position: str | None
    colour: ColourLetter | None
    time: str = Field(description="As it was asked for")
    rated: bool
    listed: bool
    created: datetime
    expires: datetime
    game: str | None = Field(description="The game that it became")
