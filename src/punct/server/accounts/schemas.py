"""Requests and responses of accounts: players, login, passkeys, tokens for programs."""

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
    """An account to create, with a password."""

    login: Login
    password: Password
    name: ChosenName | None = None


class PasskeyAccountRequest(RequestModel):
    """An account to create, with a passkey instead of a password."""

    login: Login


class LoginRequest(RequestModel):
    """A login with a password."""

    login: Login
    password: Password


class PasskeyAnswer(BaseModel):
    """What a browser's `PublicKeyCredential.toJSON()` returns; other fields in it are ignored."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=512)]
    raw_id: Annotated[str, StringConstraints(min_length=1, max_length=512)] = Field(alias="rawId")
    type: Literal["public-key"]
    response: dict[str, JsonValue]


Proof = Annotated[
    PasskeyAnswer | None, Field(description="Instead of the password: an answer to `POST …/passkeys/proof/options`")
]


class PasswordRequest(RequestModel):
    """A new password, or the first one."""

    old: Password | None = Field(default=None, description="For accounts that have one")
    passkey: Proof = None
    new: Password


class ResetRequest(RequestModel):
    """A password in place of a lost one."""

    secret: LinkSecret = Field(description="What follows `#` in the link")
    password: Password


class ProofRequest(RequestModel):
    """Reauthentication: for what nobody who finds an open browser may do."""

    password: Password | None = Field(default=None, description="For accounts that have one")
    passkey: Proof = None


class AddressRequest(ProofRequest):
    """A mail address."""

    address: Annotated[str, StringConstraints(min_length=1, max_length=254), Field(examples=["anna@example.org"])]


class PasskeyView(ResponseModel):
    """A passkey."""

    id: str
    created: datetime


class PasskeyList(ResponseModel):
    """A player's passkeys, the oldest first."""

    passkeys: list[PasskeyView]


PasskeyOptions = dict[str, JsonValue]
"""For `navigator.credentials`, as WebAuthn writes them in JSON."""


class TokenRequest(ProofRequest):
    """A token for a program."""

    name: ChosenName = Field(description="What the token is for, as a note to oneself")
    scopes: list[Scope] = Field(min_length=1, max_length=3)
    days: int | None = Field(
        default=None, ge=1, le=3650, description="How long the token is valid; for ever if left out"
    )


class TokenView(ResponseModel):
    """A token, without its secret."""

    id: str
    name: str
    scopes: list[Scope]
    created: datetime
    expires: datetime | None
    used: datetime | None = Field(description="When it was last used, to a day; null if it never was")


class NewToken(TokenView):
    """A new token."""

    secret: str = Field(description="To be sent as `Authorization: Bearer …`; it is shown this once")


class Tokens(ResponseModel):
    """A player's tokens, the newest first."""

    tokens: list[TokenView]


class AdoptionRequest(RequestModel):
    """The secret of the link that makes its user the administrator."""

    secret: LinkSecret


class Adoption(ResponseModel):
    """What an administrator has adopted."""

    games: int = Field(description="How many games had no owner, and are theirs now")


ChosenName = Annotated[str, StringConstraints(max_length=200), Field(examples=["Anna"])]
"""As the player types it; it is cleaned before it is stored, and shown to others as plain text."""
Settings = dict[str, JsonValue]
"""Any settings that a client stores for a player."""


class OwnPlayer(PublicPlayer):
    """A player, as they see themselves."""

    login: bool = Field(description="Whether they have an account, and can log in elsewhere")
    password: bool = Field(description="Whether they have a password; else they log in with a passkey")


class PlayerPage(ResponseModel):
    """A player's page."""

    player: PublicPlayer
    ratings: list[RatingView]
    counts: Counts
    puzzles: PuzzleSkill | None = Field(description="null for players who have tried none")


class Me(ResponseModel):
    """The player who makes the request."""

    mode: Literal["home", "online"]
    player: OwnPlayer | None = Field(description="null at home, and without a session")
    ratings: list[RatingView]
    settings: Settings | None


class NameRequest(RequestModel):
    """A session for a guest, perhaps with a name."""

    name: ChosenName | None = None


class HandleRequest(RequestModel):
    """A handle to choose."""

    handle: str = Field(
        min_length=1,
        max_length=40,
        description="3 to 20 letters from A to Z, digits, and single hyphens between them; a letter first",
        examples=["Anna-K"],
    )


class FoundPlayers(ResponseModel):
    """The players whom a search has found: first by handle, then by name."""

    players: list[PublicPlayer]


class MeRequest(RequestModel):
    """The fields to change; a field that is left out stays."""

    name: ChosenName | None = Field(default=None, description="null for none")
    settings: Settings | None = None
