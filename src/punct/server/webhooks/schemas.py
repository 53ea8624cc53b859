"""Requests and responses of webhooks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from punct.server.http.schemas import RequestModel, ResponseModel
from punct.server.webhooks.model import HookForm


class NewHook(RequestModel):
    """A webhook to add."""

    url: Annotated[
        str,
        StringConstraints(min_length=1, max_length=2000),
        Field(description="By https, on the public internet", examples=["https://chat.example.org/hook"]),
    ]
    form: HookForm = Field(
        default="json", description="What is sent: signed JSON, or the form that Discord or Slack takes"
    )


class Hook(ResponseModel):
    """A webhook, without what its owner keeps secret."""

    id: str
    form: HookForm
    label: str = Field(description="The address, shortened", examples=["chat.example.org/…k3yX"])
    created: datetime
    failed: datetime | None = Field(description="Since when it has not worked; null if it works")
    error: str | None = Field(
        description="Why: `timeout`, `name`, `connection`, `tls`, `certificate`, `response`, `private`, `gone`… or a "
        "status, as `500`"
    )
    off: bool = Field(description="Whether it was switched off because it did not work for days")


class CreatedHook(Hook):
    """A new webhook."""

    secret: str | None = Field(description="Signs what is sent as `json`; it is shown this once")


class Hooks(ResponseModel):
    """A player's webhooks, the oldest first."""

    hooks: list[Hook]
    max: int = Field(description="How many one may have")


class HookTest(ResponseModel):
    """What the call of a webhook came to."""

    status: int | None = Field(description="Of the response; null without one")
    error: str | None = Field(description="As `error` of a webhook; null if it worked")
