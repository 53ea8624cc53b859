"""Which request is being answered, for whoever writes about it in the log."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
"""The id of the request that is being answered; None outside of any."""
