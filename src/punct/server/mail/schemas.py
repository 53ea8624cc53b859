"""Requests and responses of mail."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from punct.server.http.schemas import RequestModel, ResponseModel
from punct.server.mail.model import Subscription

Token = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern="^[A-Za-z0-9_-]+$")]


class MailView(ResponseModel):
    """A player's mail address."""

    offered: bool = Field(description="Whether this server sends mail at all")
    address: str | None = Field(description="null for players without one")
    verified: bool = Field(description="Whether its link was opened. No mail but that one is sent before")


class VerificationRequest(RequestModel):
    """The secret of the link that verifies an address."""

    secret: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(
        description="What follows `#` in the link"
    )


class RecoveryRequest(RequestModel):
    """Who has lost the password."""

    login: Annotated[str, StringConstraints(min_length=1, max_length=254)] = Field(
        description="The login, or the mail address of the account"
    )


class SubscriptionView(ResponseModel):
    """What a link unsubscribes from."""

    kind: Subscription


class UnsubscribeRequest(RequestModel):
    """What is not to be mailed any more."""

    token: Token = Field(description="The last part of the link's path")
    scope: Literal["kind", "all"] = Field(
        default="kind", description="`kind`: mails of the kind that the link came with; `all`: every kind"
    )
