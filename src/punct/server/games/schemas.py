"""Schemas of games and records."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from punct.server.http.schemas import (
    ColourLetter,
    EngineLevel,
    GreetingWord,
    KindLetter,
    Manner,
    OfferWord,
    PlayerName,
    Ply,
    PositionText,
    RecordFormat,
    RequestModel,
    ResponseModel,
    Result,
    RulesWord,
    TurnText,
    UncountedWord,
)
from punct.server.positions.schemas import Outcome, PositionView


class Seat(RequestModel):
    """Who plays one colour."""

    type: Literal["person", "engine"] = "person"
    name: PlayerName | None = None
    level: EngineLevel | None = Field(default=None, description="For an engine")


class SeatsRequest(RequestModel):
    """Both seats; a person each if left out."""

    w: Seat = Seat()
    b: Seat = Seat()


class NewGame(RequestModel):
    """A game to create: from the start, from a position, or from the moves of a record."""

    rules: RulesWord = "standard"
    seats: SeatsRequest = SeatsRequest()
    position: PositionText | None = Field(default=None, description="The start position; its rules apply")
    record: str | None = Field(default=None, max_length=15_000, description="A text or SGF record to continue")
    rated: bool = Field(default=False, description="Online, against a level of the computer, from the empty board")


class PlayerView(ResponseModel):
    """A player online, as others see them."""

    id: str
    name: str | None
    handle: str | None = Field(description="The unique public name; null for those who have chosen none")
    kind: Literal["guest", "person", "bot", "admin"]
    rating: int | None = Field(description="In the rating pool of this game; null if there is none")


class SeatView(ResponseModel):
    """Who plays one colour."""

    type: Literal["person", "engine"]
    name: str | None
    level: int | None
    player: PlayerView | None = Field(description="The player online; null at home, and for an engine")


class Seats(ResponseModel):
    """Both seats."""

    w: SeatView
    b: SeatView


class TurnView(ResponseModel):
    """One move of a game."""

    ply: int = Field(description="The number of moves before it")
    text: str
    colour: ColourLetter
    kind: KindLetter
    manner: Manner
    level: int = Field(description="The level of the piece after the move")
    at: datetime | None = Field(description="When it was played; null for an imported move")
    comment: str | None


class Thinking(ResponseModel):
    """What the engine is doing."""

    state: Literal["idle", "queued", "thinking", "failed"]
    colour: ColourLetter | None
    level: int | None
    since: datetime | None
    message: str | None = Field(description="The error, if it failed")
    code: str | None = Field(description="The error's code, for programs", examples=["engine_failed"])


class PauseView(ResponseModel):
    """A reason why both clocks of a days game stand."""

    by: ColourLetter | None = Field(description="The side that is on vacation; null for a pause both agreed to")
    until: datetime = Field(description="When it ends by itself")


class GameSummary(ResponseModel):
    """A game in a list."""

    id: str
    rules: RulesWord
    seats: Seats
    ply: int
    turn: ColourLetter
    result: Result
    outcome: Outcome | None
    created: datetime
    updated: datetime
    time: str | None = Field(
        description="The time control: `5+3`, `3d`, `7d+12h/10d`, `3d-wd`; null if there is none", examples=["5+3"]
    )
    rated: bool
    uncounted: UncountedWord | None = Field(
        description="Why a finished rated game counts for no rating: too few moves, too many games between the same "
        "players within a day, or a guest; null if it counts"
    )
    listed: bool = Field(description="Listed in the lobby for everybody")
    pauses: list[PauseView] = Field(description="Why the clock of a days game stands; empty if it does not")


class Clock(ResponseModel):
    """Both clocks, as they were when the turn began. No message is sent while they run."""

    w: int = Field(description="White's milliseconds left then; with days, those for a first move at first")
    b: int
    ticking: ColourLetter | None = Field(description="Whose clock runs; null if neither does")
    at: datetime | None = Field(description="When it started, by the server's time")
    deadline: datetime | None = Field(description="When that player loses on time, by the server's time")


class Offer(ResponseModel):
    """An offer of one player to the other."""

    kind: OfferWord
    by: ColourLetter


class Game(GameSummary):
    """A game with its moves and its current position."""

    revision: int = Field(description="Grows with every change")
    start: str
    turns: list[TurnView]
    view: PositionView
    repetitions: int = Field(description="How often the current position has occurred; the third time is a draw")
    may_undo: bool
    may_redo: bool = Field(description="Moves were taken back, and nothing else has been played since")
    may_resign: bool
    may_draw: bool = Field(description="Two persons at one screen may agree on a draw")
    clock: Clock | None = Field(description="null without a time control")
    offer: Offer | None
    next: str | None = Field(description="The id of the rematch")
    thinking: Thinking


class ListedGame(GameSummary):
    """A game in a player's list."""

    your_turn: bool = Field(description="It waits for the requester's move")
    deadline: datetime | None = Field(description="When the side to move loses on time; null if no clock runs")


class GameList(ResponseModel):
    """A page of games: online your own, those that wait for your move first; then the last changed first."""

    games: list[ListedGame]
    total: int
    offset: int
    limit: int


class FoundGames(ResponseModel):
    """A page of games that were searched for, the last begun first."""

    games: list[ListedGame]
    total: int | None = Field(description="How many there are; on the first page only")
    next: str | None = Field(description="`after` of the next page; null on the last one")


class LevelResult(ResponseModel):
    """How persons scored against one level."""

    rules: RulesWord
    level: int
    wins: int
    draws: int
    losses: int


class Results(ResponseModel):
    """How persons scored against each level, by rules; levels without a finished game are left out."""

    results: list[LevelResult]


class TurnRequest(RequestModel):
    """A move to play. The same move for the same ply may be sent again: it is played once."""

    text: TurnText
    ply: Ply


class UndoRequest(RequestModel):
    """Undo or redo: one move at one screen; against the computer, to the person's turn."""

    ply: Ply | None = Field(default=None, description="The client's number of moves, to be checked")


class ResignRequest(RequestModel):
    """Resign."""

    colour: ColourLetter | None = Field(
        default=None, description="Who resigns; the person whose turn it is if left out"
    )


class May(ResponseModel):
    """What the requester may do in a game without the other player's consent, if its state allows it."""

    undo: bool = Field(description="Undo, redo and agree on a draw")
    delete: bool
    hint: bool
    offer: bool = Field(description="Make offers to the other player, abort, greet")


class You(ResponseModel):
    """The requester's rights in a game. They do not change while the game is played."""

    seats: list[ColourLetter] = Field(description="The seats of the requester")
    owner: bool
    may: May
    now: datetime = Field(description="The server's time, by which clocks run")


class OfferRequest(RequestModel):
    """An offer to make, or to accept."""

    kind: OfferWord


class GreetingRequest(RequestModel):
    """A greeting to send."""

    greeting: GreetingWord


class RecordsRequest(RequestModel):
    """Games to import, as a text or SGF record."""

    text: str = Field(min_length=1)
    format: RecordFormat | None = Field(default=None, description="Detected from the text if left out")


class RecordToConvert(RequestModel):
    """A record to convert to another format."""

    text: str = Field(min_length=1, description="A text or SGF record of one game, with its comments and variations")
    format: RecordFormat = Field(description="The format to convert to")


class ConvertedRecord(ResponseModel):
    """The converted record."""

    text: str


class RecordsAnswer(ResponseModel):
    """The imported games, in their order."""

    games: list[GameSummary]
