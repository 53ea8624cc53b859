"""The lobby: who wants to play, what can be watched, what waits for oneself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from punct.server.api.schemas.challenges import Challenge
from punct.server.api.schemas.games import GameSummary, ListedGame
from punct.server.api.schemas.live import LiveError, LivePong
from punct.server.api.schemas.words import Answer


class LobbyView(Answer):
    """Who wants to play, and what can be watched."""

    challenges: list[Challenge] = Field(description="Open ones for everybody, the newest first")
    running: list[GameSummary] = Field(description="Games that anybody may watch, the last changed first")
    players: int = Field(description="How many are connected")


class LobbyNews(LobbyView):
    """The lobby as it now is: on connecting, and when it changes."""

    type: Literal["lobby"] = "lobby"


class LobbyYours(Answer):
    """The player's own games that are not over, those that wait for them first: on connecting, and when it changes."""

    type: Literal["yours"] = "yours"
    games: list[ListedGame]


class LobbyAccepted(Answer):
    """Somebody has accepted a challenge of the player's."""

    type: Literal["accepted"] = "accepted"
    challenge: str
    game: str


LobbyMessage = LobbyNews | LobbyYours | LobbyAccepted | LivePong | LiveError
