"""JSON messages of every live connection."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from punct.server.http.encoding import encode, format_time


def probe_message(number: int, now: datetime) -> str:
    """Return the message of a probe."""
    return encode({"type": "probe", "n": number, "now": format_time(now)}).decode()


PONG_MESSAGE: Final = '{"type":"pong"}'


def error_message(code: str, message: str) -> str:
    """Return the message of an error."""
    return encode({"type": "error", "error": {"code": code, "message": message, "detail": None}}).decode()
