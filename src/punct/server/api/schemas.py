"""What travels between server and client, as typed models. The client's types are generated from them.

Spaces travel by name (``i9``), colours as ``w`` and ``b``, kinds and headings as in turns. A set of spaces travels as a
*mask*: 27 bytes in base64 (36 characters, no padding), where the space with index ``i`` in ``Board.spaces`` is bit
``i % 8`` (lowest first) of byte ``i // 8``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

ColourLetter = Literal["w", "b"]
KindLetter = Literal["T", "C", "E", "M", "L", "R"]
HeadingWord = Literal["n", "ne", "se", "s", "sw", "nw"]
RulesWord = Literal["standard", "basic"]
Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
EndingWord = Literal[
    "connection",
    "centre_count",
    "last_piece",
    "no_turn",
    "repetition",
    "resignation",
    "agreement",
    "time",
]
OfferWord = Literal["draw", "undo", "rematch"]
GreetingWord = Literal["hello", "good_luck", "well_played", "thanks", "sorry", "bye"]
RecordFormat = Literal["text", "sgf"]
Manner = Literal["add", "move", "turn", "jump", "bridge"]
"""How a piece was played: from the set; along the board; turned in place; onto other pieces; as a bridge."""
Mask = Annotated[str, Field(description="A set of spaces: 27 bytes in base64, a bit for each of `Board.spaces`")]
SpaceName = Annotated[str, Field(examples=["i9"])]
PieceId = Annotated[str, Field(examples=["wT1"], description="Stays with a piece for the whole game")]
TurnText = Annotated[str, StringConstraints(min_length=1, max_length=64)]
PositionText = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
PlayerName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")
]  # fmt: skip
"""One line of text, as records can hold it."""
Ply = Annotated[int, Field(ge=0, le=100_000, description="How many turns have been played")]
EngineLevel = Annotated[int, Field(ge=1, le=8)]


class Answer(BaseModel):
    """Anything the server says."""

    # Fields with a default are always sent, so the client's generated types need no question marks.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class Request(BaseModel):
    """Anything a client asks; a word the server does not know is an error, not silently dropped."""

    model_config = ConfigDict(extra="forbid")


# ---------------------------------------------------------------------- the board, once


class BoardSpace(Answer):
    """One of the 211 spaces. Columns and rows count from 0 and 1; neighbours as in `headings`."""

    name: SpaceName
    column: int = Field(description="0 for column a … 16 for column q")
    row: int = Field(description="1 … 17")


class Offset(Answer):
    """A step in columns and rows."""

    column: int
    row: int


class KindShape(Answer):
    """A kind of piece, drawn from its PÜNCT."""

    count: int = Field(description="How many of it each player's set has")
    middle: int | None = Field(description="Which of the three dots lies between the ends; null for the triangle")
    headings: list[HeadingWord] = Field(description="The headings that give different placements")
    dots: dict[HeadingWord, list[Offset]] = Field(description="By heading: the three dots, the PÜNCT first")


class Board(Answer):
    """What never changes: enough to draw every position."""

    spaces: list[BoardSpace] = Field(description="All 211 in their canonical order: masks count them so")
    headings: dict[HeadingWord, Offset] = Field(description="One step each way, clockwise from straight up")
    centre: list[SpaceName] = Field(description="The central hexagon")
    sides: list[tuple[list[SpaceName], list[SpaceName]]] = Field(description="The three pairs of opposite sides")
    kinds: dict[KindLetter, KindShape]


# ---------------------------------------------------------------------- a position


class Blocker(Answer):
    """What lies right above one dot of a piece."""

    space: SpaceName
    piece: PieceId


class PieceView(Answer):
    """A piece on the board."""

    id: PieceId
    colour: ColourLetter
    kind: KindLetter
    space: SpaceName = Field(description="Where its PÜNCT is")
    heading: HeadingWord
    level: int = Field(description="1 on the board itself")
    spaces: tuple[SpaceName, SpaceName, SpaceName] = Field(description="Below its dots, the PÜNCT's first")
    bridge: bool = Field(description="Its middle dot hangs free")
    free: bool = Field(description="Nothing lies on it")
    blocked_by: list[Blocker]


class LegalTurns(Answer):
    """Every legal turn: where a PÜNCT may stand, by piece and heading. Empty when the game is over."""

    count: int
    adds: dict[KindLetter, dict[HeadingWord, Mask]] = Field(description="Pieces from the set, by kind")
    moves: dict[SpaceName, dict[HeadingWord, Mask]] = Field(
        description="Pieces on the board, by the space of their PÜNCT; staying there with another heading included"
    )


class Threat(Answer):
    """With how many turns a player would connect at once, were it that player's turn."""

    count: int
    turns: list[str] = Field(description="At most 12 of them")
    chain: list[SpaceName] = Field(description="The chain the first of them would make")


class Threats(Answer):
    """Who could connect with a single turn."""

    w: Threat
    b: Threat


class LastTurn(Answer):
    """The turn that led to a position, with everything that changed."""

    text: str
    colour: ColourLetter
    kind: KindLetter
    piece: PieceId
    manner: Manner
    origin: SpaceName | None = Field(description="Where the PÜNCT came from; null for an add")
    origin_heading: HeadingWord | None
    origin_level: int | None
    space: SpaceName
    heading: HeadingWord
    level: int
    path: list[SpaceName] = Field(description="The PÜNCT's way, both ends included; just its space if it stayed")
    covered: list[Blocker] = Field(description="Dots it came to lie above, with the piece right below")
    uncovered: list[Blocker] = Field(description="Spaces it left, with the piece that shows there now")
    emptied: list[SpaceName] = Field(description="Spaces it left with nothing on them")


class Outcome(Answer):
    """How a game ended."""

    winner: ColourLetter | None = Field(description="null for a draw")
    reason: EndingWord


class PiecesLeft(Answer):
    """How many pieces of each kind are still in a set."""

    T: int
    C: int
    E: int
    M: int
    L: int
    R: int


class Sets(Answer):
    """Both players' sets."""

    w: PiecesLeft
    b: PiecesLeft


class CentreCount(Answer):
    """Dots that show in the central hexagon."""

    w: int
    b: int


class PositionView(Answer):
    """A position, with all a client needs to show it and to offer turns."""

    ply: int
    text: str
    rules: RulesWord
    turn: ColourLetter
    pieces: list[PieceView] = Field(description="By level, then by the PÜNCT's column and row: draw in this order")
    sets: Sets
    centre: CentreCount
    chain: list[SpaceName] = Field(description="The winner's chain from side to side; empty without one")
    outcome: Outcome | None
    result: Result
    legal: LegalTurns
    threats: Threats
    last: LastTurn | None


AnyHeading = Annotated[
    bool, Field(description="The text names a piece and a space only, Td5 or d5-h9: all headings are judged")
]


class PositionRequest(Request):
    """A position to look at, and turns to play there first."""

    position: PositionText
    turns: list[TurnText] = Field(default=[], max_length=400)


class ExplainRequest(Request):
    """A turn somebody would like to play, or a piece and a space."""

    text: TurnText
    any_heading: AnyHeading = False
    ply: Ply | None = Field(default=None, description="In which position; the current one if left out")


class PositionExplainRequest(PositionRequest):
    """A turn somebody would like to play in a position, after some turns there; or a piece and a space."""

    text: TurnText
    any_heading: AnyHeading = False


class JudgedHeading(Answer):
    """One way a piece could lie."""

    heading: HeadingWord
    reason: str | None = Field(description="The rule it breaks; null if it is legal")


class Explanation(Answer):
    """Whether a turn is legal, and if not, the rule it breaks and what is in the way."""

    legal: bool = Field(description="For a piece and a space: whether one heading at least is legal")
    turn: str | None = Field(description="The turn as it is written; null if the text is not a turn, or has no heading")
    reason: str | None = Field(
        description="The broken rule's code, or UNREADABLE; null if it is legal. "
        "Of several rules broken, first what no heading could mend; of several headings, the rule that forbids most"
    )
    section: str | None = Field(description="The rulebook's section")
    sentence: str | None = Field(description="The same for people, in English")
    spaces: list[SpaceName] = Field(description="The spaces that are in the way, or give no support")
    headings: list[JudgedHeading] = Field(description="What was judged: one heading, or all the piece has, clockwise")


# ---------------------------------------------------------------------- games


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


class RecordsAnswer(Answer):
    """The games taken in, in their order."""

    games: list[GameSummary]


class Level(Answer):
    """A strength the opponent can play at."""

    level: int
    name: str
    description: str


class Levels(Answer):
    """All strengths, weakest first."""

    levels: list[Level]


class Health(Answer):
    """The server is up."""

    status: Literal["ok"] = "ok"
    version: str


# ---------------------------------------------------------------------- people

PlayerKind = Literal["guest", "person", "bot", "admin"]
Speed = Literal["live", "days", "level"]
"""Games against the clock; by correspondence; against the computer's levels."""
ChosenName = Annotated[str, StringConstraints(max_length=200), Field(examples=["Anna"])]
"""What a player types; what is left of it is shown to strangers as plain text."""
Settings = dict[str, JsonValue]
"""Whatever a client keeps for a player."""


class PublicPlayer(Answer):
    """A player, as anybody sees them."""

    id: str
    name: str | None = Field(description="As they chose it; null for a guest without a name")
    kind: PlayerKind
    created: datetime


class OwnPlayer(PublicPlayer):
    """A player, as they see themselves."""

    login: bool = Field(description="Whether they have an account, and can log in elsewhere")


class RatingView(Answer):
    """How strong a player is in a pool of games with the same rules and speed."""

    pool: str = Field(examples=["standard-live"])
    rating: int
    deviation: int = Field(description="How uncertain that is: the true strength is within twice this, most likely")
    games: int
    provisional: bool = Field(description="Too uncertain to be ranked")


class Counts(Answer):
    """How a player's games with others came out."""

    running: int
    wins: int
    draws: int
    losses: int


class PlayerPage(Answer):
    """A player's page."""

    player: PublicPlayer
    ratings: list[RatingView]
    counts: Counts


class CurvePoint(Answer):
    """What a game did to a rating."""

    at: datetime
    before: int
    rating: int = Field(description="After it")
    deviation: int
    game: str


class RatingCurve(Answer):
    """A player's rating, game by game, the last one last."""

    pool: str
    points: list[CurvePoint]


class Ranked(Answer):
    """A player in the order of a pool."""

    rank: int | None = Field(description="null for a provisional rating")
    player: PublicPlayer
    rating: RatingView


class Leaderboard(Answer):
    """A pool's players, the strongest first; those whose rating is provisional after all others."""

    pool: str
    players: list[Ranked]


class Me(Answer):
    """Who asks."""

    mode: Literal["home", "online"]
    player: OwnPlayer | None = Field(description="null at home, and for somebody unknown")
    ratings: list[RatingView]
    settings: Settings | None


class NameRequest(Request):
    """To be known here, perhaps by a name."""

    name: ChosenName | None = None


class MeRequest(Request):
    """What to change: what is left out stays."""

    name: ChosenName | None = Field(default=None, description="null for none")
    settings: Settings | None = None


Login = Annotated[str, StringConstraints(min_length=1, max_length=60), Field(examples=["anna"])]
Password = Annotated[
    str,
    StringConstraints(min_length=1, max_length=400),
    Field(examples=["three blue bridges"], json_schema_extra={"format": "password"}),
]
Scope = Literal["read", "challenge", "play"]


class AccountRequest(Request):
    """To be known on other devices too."""

    login: Login
    password: Password
    name: ChosenName | None = None


class LoginRequest(Request):
    """To be known again."""

    login: Login
    password: Password


class PasswordRequest(Request):
    """Another password."""

    old: Password
    new: Password


class DeletionRequest(Request):
    """To be forgotten."""

    password: Password | None = Field(default=None, description="For account holders")


class PasskeyAnswer(BaseModel):
    """What a browser's `PublicKeyCredential.toJSON()` returns; whatever else is in it is not looked at."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=512)]
    raw_id: Annotated[str, StringConstraints(min_length=1, max_length=512)] = Field(alias="rawId")
    type: Literal["public-key"]
    response: dict[str, JsonValue]


class PasskeyView(Answer):
    """A key on somebody's own device."""

    id: str
    created: datetime


class PasskeyList(Answer):
    """Somebody's passkeys, the oldest first."""

    passkeys: list[PasskeyView]


PasskeyOptions = dict[str, JsonValue]
"""For `navigator.credentials`, as WebAuthn writes them in JSON."""


class TokenRequest(Request):
    """A token for a program."""

    name: ChosenName = Field(description="What it is for, for oneself")
    scopes: list[Scope] = Field(min_length=1, max_length=3)
    days: int | None = Field(default=None, ge=1, le=3650, description="How long it lasts; for ever if left out")


class TokenView(Answer):
    """A token, without what proves it."""

    id: str
    name: str
    scopes: list[Scope]
    created: datetime
    expires: datetime | None
    used: datetime | None = Field(description="When it was last used, to a day; null if it never was")


class NewToken(TokenView):
    """A token, just made."""

    secret: str = Field(description="To be sent as `Authorization: Bearer …`; it is told this once")


class Tokens(Answer):
    """Somebody's tokens, the newest first."""

    tokens: list[TokenView]


class AdoptionRequest(Request):
    """To become the administrator."""

    secret: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Adoption(Answer):
    """What an administrator takes over."""

    games: int = Field(description="So many games had no owner, and are theirs now")


# ---------------------------------------------------------------------- errors


class ErrorBody(Answer):
    """What went wrong."""

    code: str = Field(examples=["illegal_turn"])
    message: str = Field(description="For people, in English")
    detail: dict[str, object] | None = None


class ErrorAnswer(Answer):
    """The one shape of every answer that is not a success."""

    error: ErrorBody


# ---------------------------------------------------------------------- the live connection


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


# ---------------------------------------------------------------------- the lobby


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
