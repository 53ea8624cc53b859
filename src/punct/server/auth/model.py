"""Players, sessions and tokens, as the store returns them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

PlayerKind = Literal["guest", "person", "bot", "admin"]
TokenScope = Literal["read", "challenge", "play"]


@dataclass(frozen=True, slots=True)
class StoredPlayer:
    """An online player, without credentials."""

    id: str
    kind: PlayerKind
    name: str | None
    login: str | None
    """Account holders have one."""
    settings: Mapping[str, Any] | None
    created: datetime
    seen: datetime
    blocked: datetime | None = None
    has_password: bool = False
    """Account holders without one have a passkey."""
    handle: str | None = None
    """A unique public name, of account holders who have chosen one."""

    @property
    def has_account(self) -> bool:
        """Whether they can log in; a guest has only the cookie."""
        return self.login is not None


class StoredSession(NamedTuple):
    """A player's session in one browser."""

    id: str
    player: StoredPlayer
    expires: datetime


class StoredToken(NamedTuple):
    """An access token: a program acts for a player with it."""

    id: str
    name: str
    scopes: frozenset[str]
    created: datetime
    expires: datetime | None
    used: datetime | None
