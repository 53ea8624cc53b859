"""Games: begun, played, listed, read from files."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from punct.server.api.schemas.positions import Outcome, PositionView
from punct.server.api.schemas.words import (
    Answer,
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
    Request,
    Result,
    RulesWord,
    TurnText,
    UncountedWord,
)


class Seat(Request):
    """Who plays one colour."""

    type: Literal["person", "engine"] = "person"
    name: PlayerName | None = None
    level: EngineLevel | None = Field(default=None, description="For an engine")


class SeatsRequest(Request):
    """Both seats; a person each if left out."""

    w: Seat = Seat()
    b: Seat = Seat()


class NewGame(Request):
    """A game to begin: from the start, from a position, or from a record's turns."""

    rules: RulesWord = "standard"
    seats: SeatsRequest = SeatsRequest()
    position: PositionText | None = Field(default=None, description="Where to start; its rules then hold")
    record: str | None = Field(default=None, max_length=15_000, description="A text or SGF record to go on from")
    rated: bool = Field(default=False, description="Online, against a level of the computer, from the empty board")


class PlayerView(Answer):
    """A player online, as others see them."""

    id: str
    name: str | None
    kind: Literal["guest", "person", "bot", "admin"]
    rating: int | None = Field(description="In the pool of this game; null if there is none")


class SeatView(Answer):
    """Who plays one colour."""

    type: Literal["person", "engine"]
    name: str | None
    level: int | None
    player: PlayerView | None = Field(description="Whose seat it is online; null at home, and for an engine")


class Seats(Answer):
    """Both seats."""

    w: SeatView
    b: SeatView


class TurnView(Answer):
    """One turn of a game."""

    ply: int = Field(description="How many turns came before it")
    text: str
    colour: ColourLetter
    kind: KindLetter
    manner: Manner
    level: int = Field(description="On which the piece came to lie")
    at: datetime | None = Field(description="When it was played; null for an imported turn")
    comment: str | None


class Thinking(Answer):
    """What the opponent is doing."""

    state: Literal["idle", "queued", "thinking", "failed"]
    colour: ColourLetter | None
    level: int | None
    since: datetime | None
    message: str | None = Field(description="What went wrong, if it failed")
    code: str | None = Field(description="The same for programs, as errors have it", examples=["engine_failed"])


class GameSummary(Answer):
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
    time: str | None = Field(description="The time control: `5+3`, `3d`; null if there is none", examples=["5+3"])
    rated: bool
    uncounted: UncountedWord | None = Field(
        description="Why a rated game that is over counts for no rating: too few turns, too many games of the same two "
        "within a day, or somebody without an account; null if it does"
    )
    listed: bool = Field(description="Anybody may find it in the lobby")


class Clock(Answer):
    """Both players' time, as it was when the one to move began to think. Nothing is sent as it runs."""

    w: int = Field(description="Milliseconds White had left then; of days, a turn's")
    b: int
    ticking: ColourLetter | None = Field(description="Whose time runs; null if nobody's does")
    at: datetime | None = Field(description="Since when it runs, by the server's time")
    deadline: datetime | None = Field(description="When that player has lost, by the server's time")


class Offer(Answer):
    """What one player has offered the other."""

    kind: OfferWord
    by: ColourLetter


class Game(GameSummary):
    """A game with its turns and its current position."""

    revision: int = Field(description="Grows with every change")
    start: str
    turns: list[TurnView]
    view: PositionView
    repetitions: int = Field(description="How often the current position has stood; the third time is a draw")
    may_undo: bool
    may_redo: bool = Field(description="Something was taken back, and nothing else has been played since")
    may_resign: bool
    may_draw: bool = Field(description="Two persons at one screen may agree on a draw")
    clock: Clock | None = Field(description="null without a time control")
    offer: Offer | None
    next: str | None = Field(description="The game that a rematch became")
    thinking: Thinking


class ListedGame(GameSummary):
    """A game in somebody's list."""

    your_turn: bool = Field(description="It waits for the one who asks")


class GameList(Answer):
    """A page of games: online one's own, those that wait for one first; then the last changed first."""

    games: list[ListedGame]
    total: int
    offset: int
    limit: int


class LevelResult(Answer):
    """How persons fared against one level."""

    rules: RulesWord
    level: int
    wins: int
    draws: int
    losses: int


class Results(Answer):
    """How persons fared against each level, by rules; levels without a finished game are left out."""

    results: list[LevelResult]


class TurnRequest(Request):
    """A turn to play. The same turn for the same ply may be sent again: it is played once."""

    text: TurnText
    ply: Ply


class UndoRequest(Request):
    """Take back, or play again: one turn at one screen; against the computer, to the person's turn."""

    ply: Ply | None = Field(default=None, description="How many turns the client believes were played")


class ResignRequest(Request):
    """Give up."""

    colour: ColourLetter | None = Field(default=None, description="Who; the person whose turn it is if left out")


class May(Answer):
    """What somebody may do in a game by themselves, if the moment allows it."""

    undo: bool = Field(description="Take back, play again and agree on a draw without asking anybody")
    delete: bool
    hint: bool
    offer: bool = Field(description="Offer the other player something, abort, greet")


class You(Answer):
    """What the one who asks is in a game. It does not change while the game is played."""

    seats: list[ColourLetter] = Field(description="The seats they play")
    owner: bool
    may: May
    now: datetime = Field(description="The server's time, by which clocks run")


class OfferRequest(Request):
    """What is offered, or accepted."""

    kind: OfferWord


class GreetingRequest(Request):
    """A friendly word."""

    greeting: GreetingWord


class Hint(Answer):
    """A turn the engine would play."""

    ply: int
    turn: str
    chance: float = Field(description="The chance to win it sees for the side to move, 0 … 1")
    line: list[str] = Field(description="How it expects play to go on, the turn first")
    depth: int
    nodes: int


class RecordsRequest(Request):
    """Games to take in, as a text or SGF record."""

    text: str = Field(min_length=1)
    format: RecordFormat | None = Field(default=None, description="Found out from the text if left out")


class RecordToConvert(Request):
    """A record to be written in another format."""

    text: str = Field(min_length=1, description="A text or SGF record of one game, with its comments and variations")
    format: RecordFormat = Field(description="The format that is wanted")


class ConvertedRecord(Answer):
    """A record in the format that was wanted."""

    text: str


class RecordsAnswer(Answer):
    """The games taken in, in their order."""

    games: list[GameSummary]
