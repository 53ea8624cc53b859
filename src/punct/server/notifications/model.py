"""The data model of notifications, and the interface of the channels that carry them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from punct.server.db.database import Connection
from punct.server.db.outbox import NoticeKind


@dataclass(frozen=True, slots=True)
class StoredNotice:
    """A notice in the outbox; see ``punct.server.db.outbox``."""

    id: str
    player_id: str
    kind: NoticeKind
    subject: str
    data: Mapping[str, Any]
    created: datetime
    due: datetime


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    """How a player wants to be told."""

    muted: Mapping[str, frozenset[NoticeKind]]
    """The kinds that are switched off, by channel."""
    language: str = "en"
    zone: str = "UTC"

    def wants(self, kind: NoticeKind, channel: str) -> bool:
        """Tell whether a kind is switched on for a channel."""
        return kind not in self.muted.get(channel, frozenset())


@dataclass(frozen=True, slots=True)
class SettingsChanges:
    """What a player wants to be otherwise; None, or a channel that is not named, stays as it is."""

    muted: Mapping[str, frozenset[NoticeKind]]
    language: str | None = None
    zone: str | None = None


def is_zone(name: str) -> bool:
    """Tell whether a time zone has this name, as ``Europe/Warsaw``. It may read a file."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):  # it is looked up as a file
        return False
    return True


@dataclass(frozen=True, slots=True)
class Message:
    """A notice in words, in the player's language."""

    kind: NoticeKind
    subject: str
    title: str
    body: str
    path: str
    """The page that it leads to, from the server's root."""
    at: datetime
    """When it was written."""
    game_id: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the payload of a delivery."""
        return {
            "kind": self.kind,
            "subject": self.subject,
            "title": self.title,
            "body": self.body,
            "path": self.path,
            "at": self.at.isoformat(),
            "game": self.game_id,
        }


Writer = Callable[[StoredNotice, NoticeSettings, datetime], Awaitable[Message | None]]
"""Puts a notice into words at a time; None if it is out of date. May raise ``wording.NotYetError``."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message on its way to one target of a channel."""

    id: str
    player_id: str
    channel: str
    target: str
    kind: NoticeKind
    subject: str
    payload: Mapping[str, Any]
    """As ``Message.to_json`` made it."""
    created: datetime
    attempts: int
    """How often it was tried before."""
    claimed: datetime | None = None


class Delivered:
    """The target has the message."""


class TargetGone:
    """The target takes no messages any more, and is to be forgotten."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The message could not be delivered."""

    reason: str
    """For the log and for the player; no secrets."""
    is_final: bool = False
    """Whether trying again is no use; else it is tried again with growing delays."""
    retry_after: timedelta | None = None
    """How long the target asked to be left alone."""
    was_not_tried: bool = False
    """Whether there was no room to try it: that counts as no attempt, and it is tried again after ``retry_after``."""


SendResult = Delivered | TargetGone | Failed


class Channel(ABC):
    """A way to reach players: Web Push, mail, webhooks."""

    name: ClassVar[str]
    """Of at most 8 characters; as in the tables."""
    has_notices: ClassVar[bool] = True
    """Whether it carries notices, whose kinds a player can switch off for it."""

    @abstractmethod
    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        """Return where a player gets a kind of message by this channel: ids of devices, addresses… It blocks."""

    def collect(self, connection: Connection, player_id: str, message: Message, settings: NoticeSettings) -> None:
        """Keep a message that is sent later, together with others. It blocks; most channels have no such messages."""
        return

    @abstractmethod
    async def send(self, delivery: Delivery) -> SendResult:
        """Send a message to its target. It may be sent again after the process was killed: the receiver replaces it."""

    @abstractmethod
    async def forget(self, target: str) -> None:
        """Forget a target that takes no messages any more."""

    def refuse_waiting(self) -> None:
        """Begin to send nothing more: ``send`` raises JobNotStartedError for what no worker has begun to send."""
        return
