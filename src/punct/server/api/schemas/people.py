"""Who is who on a server that is online, and how strong."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints

from punct.server.api.schemas.puzzles import PuzzleSkill
from punct.server.api.schemas.words import Answer, Request

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
    password: bool = Field(description="Whether they have a password; else a passkey opens the account")


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
    puzzles: PuzzleSkill | None = Field(description="null for whoever has tried none")


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
