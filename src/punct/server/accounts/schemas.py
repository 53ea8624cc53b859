"""To be known again: logging in, passkeys, tokens for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue, StringConstraints

from punct.server.auth.schemas import PublicPlayer
from punct.server.http.schemas import RequestModel, ResponseModel
from punct.server.puzzles.schemas import PuzzleSkill
from punct.server.ratings.schemas import Counts, RatingView

Login = Annotated[str, StringConstraints(min_length=1, max_length=60), Field(examples=["anna"])]
Password = Annotated[
    str,
    StringConstraints(min_length=1, max_length=400),
    Field(examples=["three blue bridges"], json_schema_extra={"format": "password"}),
]
Scope = Literal["read", "challenge", "play"]
LinkSecret = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class AccountRequest(RequestModel):
    """To be known on other devices too."""

    login: Login
    password: Password
    name: ChosenName | None = None


class PasskeyAccountRequest(RequestModel):
    """To be known on other devices too, by a key instead of a password."""

    login: Login


class LoginRequest(RequestModel):
    """To be known again."""

    login: Login
    password: Password


class PasskeyAnswer(BaseModel):
    """What a browser's `PublicKeyCredential.toJSON()` returns; whatever else is in it is not looked at."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=512)]
    raw_id: Annotated[str, StringConstraints(min_length=1, max_length=512)] = Field(alias="rawId")
    type: Literal["public-key"]
    response: dict[str, JsonValue]


Proof = Annotated[
    PasskeyAnswer | None, Field(description="Instead of the password: an answer to `POST …/passkeys/proof/options`")
]


class PasswordRequest(RequestModel):
    """Another password, or the first one."""

    old: Password | None = Field(default=None, description="For whoever has one")
    passkey: Proof = None
    new: Password


class ResetRequest(RequestModel):
    """A password instead of a lost one."""

    secret: LinkSecret = Field(description="What follows `#` in the link")
    password: Password


class ProofRequest(RequestModel):
    """Proof of who one is, once more: for what whoever finds an open browser must not do."""

    password: Password | None = Field(default=None, description="For whoever has one")
    passkey: Proof = None


class PasskeyView(ResponseModel):
    """A key on somebody's own device."""

    id: str
    created: datetime


class PasskeyList(ResponseModel):
    """Somebody's passkeys, the oldest first."""

    passkeys: list[PasskeyView]


PasskeyOptions = dict[str, JsonValue]
"""For `navigator.credentials`, as WebAuthn writes them in JSON."""


class TokenRequest(ProofRequest):
    """A token for a program."""

    name: ChosenName = Field(description="What it is for, for oneself")
    scopes: list[Scope] = Field(min_length=1, max_length=3)
    days: int | None = Field(default=None, ge=1, le=3650, description="How long it lasts; for ever if left out")


class TokenView(ResponseModel):
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


class Tokens(ResponseModel):
    """Somebody's tokens, the newest first."""

    tokens: list[TokenView]


class AdoptionRequest(RequestModel):
    """To become the administrator."""

    secret: LinkSecret


class Adoption(ResponseModel):
    """What an administrator takes over."""

    games: int = Field(description="So many games had no owner, and are theirs now")


ChosenName = Annotated[str, StringConstraints(max_length=200), Field(examples=["Anna"])]
"""What a player types; what is left of it is shown to strangers as plain text."""
Settings = dict[str, JsonValue]
"""Whatever a client keeps for a player."""


class OwnPlayer(PublicPlayer):
    """A player, as they see themselves."""

    login: bool = Field(description="Whether they have an account, and can log in elsewhere")
    password: bool = Field(description="Whether they have a password; else a passkey opens the account")


class PlayerPage(ResponseModel):
    """A player's page."""

    player: PublicPlayer
    ratings: list[RatingView]
    counts: Counts
    puzzles: PuzzleSkill | None = Field(description="null for whoever has tried none")


class Me(ResponseModel):
    """Who asks."""

    mode: Literal["home", "online"]
    player: OwnPlayer | None = Field(description="null at home, and for somebody unknown")
    ratings: list[RatingView]
    settings: Settings | None


class NameRequest(RequestModel):
    """To be known here, perhaps by a name."""

    name: ChosenName | None = None


class MeRequest(RequestModel):
    """What to change: what is left out stays."""

    name: ChosenName | None = Field(default=None, description="null for none")
    settings: Settings | None = None
