"""The server's log: to standard error, and no faster than somebody can read it."""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, Literal

LogFormat = Literal["text", "json"]


MAX_PER_MINUTE: Final = 5
"""Of messages from one place in the code."""


class RateLimit(logging.Filter):
    """Holds back what repeats itself; the next one that passes says how many there were."""

    def __init__(self, most: int = MAX_PER_MINUTE, seconds: float = 60.0) -> None:
        super().__init__()
        self._most, self._seconds = most, seconds
        self._seen: dict[tuple[str, int], tuple[float, int]] = {}  # since when, and how many

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a message may pass."""
        place = record.pathname, record.lineno
        since, count = self._seen.get(place, (record.created, 0))
        held_back = 0
        if record.created - since >= self._seconds:
            held_back = max(0, count - self._most)
            since, count = record.created, 0
        self._seen[place] = since, count + 1
        if held_back:
            record.msg, record.args = f"{record.getMessage()} (and {held_back} more like this before)", ()
        return count < self._most


class JsonFormatter(logging.Formatter):
    """One JSON object a line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a message's line."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "place": f"{record.name}:{record.lineno}",
            "process": record.process,
            "message": record.getMessage(),
        }
        if (request := REQUEST_ID.get()) is not None:
            told["request"] = request
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    """One line for people; what a request brought about names it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        """Return a message's line."""
        request = REQUEST_ID.get()
        return super().formatMessage(record) + (f" [request {request}]" if request else "")


def configure(form: LogFormat = "text") -> None:
    """Have warnings and errors of everything that runs in the server written to standard error; of ours, news too."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    handler.addFilter(RateLimit())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("punct").setLevel(logging.INFO)


REQUEST_ID: Final[ContextVar[str | None]] = ContextVar("request", default=None)
"""The id of the request that is being answered; None outside of any."""
