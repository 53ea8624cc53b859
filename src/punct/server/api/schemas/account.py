"""To be known again: logging in, passkeys, tokens for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue, StringConstraints

from punct.server.api.schemas.people import ChosenName
from punct.server.api.schemas.words import Answer, Request

Login = Annotated[str, StringConstraints(min_length=1, max_length=60), Field(examples=["anna"])]
Password = Annotated[
    str,
    StringConstraints(min_length=1, max_length=400),
    Field(examples=["three blue bridges"], json_schema_extra={"format": "password"}),
]
Scope = Literal["read", "challenge", "play"]
LinkSecret = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class AccountRequest(Request):
    """To be known on other devices too."""

    login: Login
    password: Password
    name: ChosenName | None = None


class PasskeyAccountRequest(Request):
    """To be known on other devices too, by a key instead of a password."""

    login: Login


class LoginRequest(Request):
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


class PasswordRequest(Request):
    """Another password, or the first one."""

    old: Password | None = Field(default=None, description="For whoever has one")
    passkey: Proof = None
    new: Password


class ResetRequest(Request):
    """A password instead of a lost one."""

    secret: LinkSecret = Field(description="What follows `#` in the link")
    password: Password


class ProofRequest(Request):
    """Proof of who one is, once more: for what whoever finds an open browser must not do."""

    password: Password | None = Field(default=None, description="For whoever has one")
    passkey: Proof = None


class PasskeyView(Answer):
    """A key on somebody's own device."""

    id: str
    created: datetime


class PasskeyList(Answer):
    """Somebody's passkeys, the oldest first."""

    passkeys: list[PasskeyView]


PasskeyOptions = dict[str, JsonValue]
"""For `navigator.credentials`, as WebAuthn writes them in JSON."""


class TokenRequest(ProofRequest):
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

    secret: LinkSecret


class Adoption(Answer):
    """What an administrator takes over."""

    games: int = Field(description="So many games had no owner, and are theirs now")
