"""What is said on the live connection of a game."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from punct.server.api.schemas.errors import ErrorBody
from punct.server.api.schemas.games import Game, Seats, Thinking, You
from punct.server.api.schemas.words import Answer, ColourLetter, GreetingWord, Request


class LiveGame(Answer):
    """The game as it now is: on connecting, and after every change."""

    type: Literal["game"] = "game"
    game: Game


class LiveThinking(Answer):
    """What the engine does, and how far it has come; numbers only once there are some."""

    type: Literal["thinking"] = "thinking"
    revision: int = Field(description="Of the game it thinks about; if the client has a newer one, this is old news")
    thinking: Thinking = Field(description="As in the game of that revision")
    ply: int
    colour: ColourLetter
    depth: int | None
    nodes: int | None
    chance: float | None = Field(description="For the side that thinks, 0 … 1")
    line: list[str]
    progress: float = Field(description="How much of its time is used, 0 … 1")


class LiveGone(Answer):
    """There is no such game any more."""

    type: Literal["gone"] = "gone"
    reason: Literal["deleted", "aborted"]


class LiveCurrent(Answer):
    """The client has the game as it is: on connecting, instead of the game."""

    type: Literal["current"] = "current"
    revision: int
    seats: Seats = Field(description="As they are now: a player may have another name or rating at the same revision")


class LiveYou(You):
    """What the one who is connected is in this game, once; online only."""

    type: Literal["you"] = "you"


class LivePresence(Answer):
    """Who is at the board, whenever that changes; online only."""

    type: Literal["presence"] = "presence"
    w: bool = Field(description="White's player is connected")
    b: bool
    watchers: int = Field(description="How many connections are nobody's who plays")


class LiveProbe(Answer):
    """Answer at once: so the server learns how long the network takes, and takes that off the clock."""

    type: Literal["probe"] = "probe"
    n: int
    now: datetime = Field(description="The server's time")


class LiveGreeting(Answer):
    """One of the players says something friendly."""

    type: Literal["greeting"] = "greeting"
    by: ColourLetter
    greeting: GreetingWord


class LivePong(Answer):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"


class LiveError(Answer):
    """A message could not be understood."""

    type: Literal["error"] = "error"
    error: ErrorBody


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


class LivePing(Request):
    """Asks for a pong, to see whether the connection lives."""

    type: Literal["ping"]


class LiveAnswer(Request):
    """The answer to a probe."""

    type: Literal["probe"]
    n: Annotated[int, Field(ge=0, le=2**53)]


LiveSaid = LivePing | LiveAnswer
"""What a client says on the live connection."""
