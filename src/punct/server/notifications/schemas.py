"""How players are told what happens while they are away, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from punct.server.db.outbox import NoticeKind
from punct.server.http.schemas import RequestModel, ResponseModel

ChannelWord = Literal["push", "mail", "hook"]
LanguageWord = Literal["en", "de", "fr", "nl", "it", "es", "pl"]


class NotificationSettings(ResponseModel):
    """How a player is told what happens."""

    channels: list[ChannelWord] = Field(description="The ways that this server has")
    kinds: list[NoticeKind] = Field(description="What this server tells about")
    muted: dict[ChannelWord, list[NoticeKind]] = Field(description="What is switched off, by channel")
    language: LanguageWord
    zone: str = Field(description="A time zone of the IANA database", examples=["Europe/Warsaw"])


class NotificationChanges(RequestModel):
    """What is to be otherwise. What is left out stays as it is, and so does a channel that is not named."""

    muted: dict[ChannelWord, Annotated[list[NoticeKind], Field(max_length=20)]] = Field(
        default={}, examples=[{"push": ["over"]}]
    )
    language: LanguageWord | None = None
    zone: Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_+/-]+$")] | None = None
