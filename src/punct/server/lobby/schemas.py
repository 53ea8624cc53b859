"""The lobby and its live messages, as typed models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from punct.server.appointments.schemas import OwnAppointments
from punct.server.challenges.schemas import Challenge, OwnChallenges
from punct.server.games.schemas import GameSummary, ListedGame
from punct.server.http.schemas import LiveError, ResponseModel
from punct.server.live.schemas import LivePong


class LobbyView(ResponseModel):
    """Open challenges, and games to watch."""

    challenges: list[Challenge] = Field(description="Open ones for everybody, the newest first")
    running: list[GameSummary] = Field(description="Games that anybody may watch, the last changed first")
    players: int = Field(description="How many are connected")


class LobbyNews(LobbyView):
    """The lobby as it now is: on connecting, and when it changes."""

    type: Literal["lobby"] = "lobby"


class LobbyYours(ResponseModel):
    """The player's own games that are not over, those that wait for them first: on connecting, and when it changes."""

    type: Literal["yours"] = "yours"
    games: list[ListedGame]


class LobbyChallenges(OwnChallenges):
    """The player's own challenges, and those to them: on connecting, if there are any, and when that changes."""

    type: Literal["challenges"] = "challenges"


class LobbyAppointments(OwnAppointments):
    """The player's appointments: on connecting, if there are any, and when one changes."""

    type: Literal["appointments"] = "appointments"


class LobbyAccepted(ResponseModel):
    """Somebody has accepted a challenge of the player's."""

    type: Literal["accepted"] = "accepted"
    challenge: str
    game: str


LobbyMessage = LobbyNews | LobbyYours | LobbyChallenges | LobbyAppointments | LobbyAccepted | LivePong | LiveError
