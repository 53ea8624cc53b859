"""The data model of webhooks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

HookForm = Literal["json", "discord", "slack"]
MAX_HOOKS: Final = 5
"""Of one player."""
_TAIL_CHARS: Final = 4


@dataclass(frozen=True, slots=True)
class StoredHook:
    """A webhook."""

    id: str
    player_id: str
    url: str
    """A secret of its owner, as is whatever else can call it."""
    form: HookForm
    secret: str
    """Signs the bodies of the form ``json``; empty for the others."""
    created: datetime
    failed: datetime | None = None
    """Since when it has not worked."""
    error: str | None = None
    """What its last call came to: a word as ``timeout``, or a status as ``500``."""
    failures: int = 0
    """In a row."""
    is_off: bool = False

    @property
    def label(self) -> str:
        """Return the address as its owner recognises it, without what makes it a secret."""
        host = re.sub(r"^https?://([^/?]*).*$", r"\1", self.url, flags=re.IGNORECASE)
        path = self.url.partition("://")[2][len(host) :]
        return host if path in ("", "/") else f"{host}/…{path[-_TAIL_CHARS:] if len(path) > 4 * _TAIL_CHARS else ''}"


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call of a webhook came to."""

    status: int | None = None
    """Of the response; None without one."""
    error: str | None = None
    """A word, if the call failed; a status if the response was not a success."""
