"""The server's log, to standard error, rate-limited."""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, Literal

LogFormat = Literal["text", "json"]


MAX_PER_MINUTE: Final = 5
"""Per line of code that logs."""


class RateLimit(logging.Filter):
    """Suppresses repeated messages; the next one that passes says how many were suppressed."""

    def __init__(self, max_messages: int = MAX_PER_MINUTE, seconds: float = 60.0) -> None:
        super().__init__()
        self._max_messages, self._seconds = max_messages, seconds
        self._counts: dict[tuple[str, int], tuple[float, int]] = {}  # by line: start of the period, messages in it

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a message may pass."""
        place = record.pathname, record.lineno
        since, count = self._counts.get(place, (record.created, 0))
        suppressed = 0
        if record.created - since >= self._seconds:
            suppressed = max(0, count - self._max_messages)
            since, count = record.created, 0
        self._counts[place] = since, count + 1
        if suppressed:
            record.msg, record.args = f"{record.getMessage()} (and {suppressed} more like this before)", ()
        return count < self._max_messages


class JsonFormatter(logging.Formatter):
    """One JSON object a line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a message's line."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "place": f"{record.name}:{record.lineno}",
            "process": record.process,
            "message": record.getMessage(),
        }
        if (request := REQUEST_ID.get()) is not None:
            entry["request"] = request
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    """One line for people, with the id of the request, if any."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        """Return a message's line."""
        request = REQUEST_ID.get()
        return super().formatMessage(record) + (f" [request {request}]" if request else "")


def configure(form: LogFormat = "text") -> None:
    """Log warnings and errors of all libraries to standard error, and of this program infos too."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    handler.addFilter(RateLimit())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("punct").setLevel(logging.INFO)


REQUEST_ID: Final[ContextVar[str | None]] = ContextVar("request", default=None)
"""The id of the current request; None outside of any."""
