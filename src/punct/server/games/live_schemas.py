"""Schemas of the messages on the live connection of a game."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from punct.server.games.schemas import Game, Seats, Thinking, You
from punct.server.http.schemas import ColourLetter, GreetingWord, LiveError, ResponseModel
from punct.server.live.schemas import LivePong, LiveProbe


class LiveGame(ResponseModel):
    """The current game: on connecting, and after every change."""

    type: Literal["game"] = "game"
    game: Game


class LiveThinking(ResponseModel):
    """What the engine does, and its progress; numbers are null until there are some."""

    type: Literal["thinking"] = "thinking"
    revision: int = Field(description="Of the game it thinks about; ignore the message if the client has a newer one")
    thinking: Thinking = Field(description="As in the game of that revision")
    ply: int
    colour: ColourLetter
    depth: int | None
    nodes: int | None
    chance: float | None = Field(description="The chance to win of the thinking side, 0 … 1")
    line: list[str]
    progress: float = Field(description="The share of its time that is used, 0 … 1")


class LiveGone(ResponseModel):
    """The game was removed."""

    type: Literal["gone"] = "gone"
    reason: Literal["deleted", "aborted"]


class LiveCurrent(ResponseModel):
    """The client has the current revision: on connecting, instead of the game."""

    type: Literal["current"] = "current"
    revision: int
    seats: Seats = Field(description="Current: a player may have a new name or rating at the same revision")


class LiveYou(You):
    """The rights of the connected player, once; online only."""

    type: Literal["you"] = "you"


class LivePresence(ResponseModel):
    """Who is connected to the game, whenever that changes; online only."""

    type: Literal["presence"] = "presence"
    w: bool = Field(description="White's player is connected")
    b: bool
    watchers: int = Field(description="The number of connections of spectators")


class LiveGreeting(ResponseModel):
    """A greeting from one of the players."""

    type: Literal["greeting"] = "greeting"
    by: ColourLetter
    greeting: GreetingWord


LiveMessage = (
    LiveGame
    | LiveThinking
    | LiveGone
    | LiveCurrent
    | LiveYou
    | LivePresence
    | LiveProbe
    | LiveGreeting
    | LivePong
    | LiveError
)
