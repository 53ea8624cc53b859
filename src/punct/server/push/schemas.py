"""Web Push subscriptions, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from punct.server.http.schemas import RequestModel, ResponseModel


class PushKey(ResponseModel):
    """The server's public key."""

    key: str = Field(description="In base64url: the `applicationServerKey` of `PushManager.subscribe`")


class PushKeys(RequestModel):
    """The keys of a browser's subscription, in base64url."""

    p256dh: Annotated[str, StringConstraints(pattern="^[A-Za-z0-9_-]{86,88}=?$", max_length=89)]
    auth: Annotated[str, StringConstraints(pattern="^[A-Za-z0-9_-]{22}(==)?$")]


class SubscriptionRequest(RequestModel):
    """What `PushSubscription.toJSON` gives, without the expiration time."""

    endpoint: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"^[\x21-\x7e]+$")]
    keys: PushKeys


class Device(ResponseModel):
    """A browser that gets notifications."""

    id: str = Field(description="The SHA-256 of its endpoint, in hexadecimal digits")
    name: str | None = Field(description="The browser and its system, as far as it told", examples=["Firefox, Linux"])
    created: datetime
    used: datetime | None = Field(description="When a notification last arrived there, to the day")


class Devices(ResponseModel):
    """A player's browsers that get notifications."""

    devices: list[Device] = Field(description="The oldest first")
