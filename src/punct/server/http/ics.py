"""Calendar files (iCalendar, RFC 5545): events as calendar programs read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

CALENDAR: Final = "text/calendar; charset=utf-8"
"""The media type."""
MAX_LINE_BYTES: Final = 75
"""Of a line, without its end; what is longer is folded."""
_PRODUCT: Final = "-//PUNCT//PUNCT//EN"
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UTC: Final = (
    *("BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"),
    *("TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"),
)
"""For a calendar without events: there must be something in it."""


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event. The same ``uid`` with a higher ``sequence`` replaces what a calendar program has."""

    uid: str
    start: datetime
    summary: str
    modified: datetime
    """When any of this was last changed; not the time of the request, so that the file stays the same."""
    duration: timedelta = timedelta()
    """Zero for a deadline, which keeps nobody busy."""
    description: str = ""
    url: str | None = None
    """In ASCII."""
    sequence: int = 0
    alarm: timedelta | None = None
    """How long before the start there is an alarm."""
    is_cancelled: bool = False


def calendar(events: Iterable[CalendarEvent], name: str | None = None, refresh: timedelta | None = None) -> bytes:
    """Return a calendar file; for a feed, with its name, and how often programs should look again."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_PRODUCT}", "CALSCALE:GREGORIAN"]
    if name is not None:
        lines += [f"NAME:{escape_text(name)}", f"X-WR-CALNAME:{escape_text(name)}"]
    if refresh is not None:
        duration = _duration(refresh)
        lines += [f"REFRESH-INTERVAL;VALUE=DURATION:{duration}", f"X-PUBLISHED-TTL:{duration}"]
    content = [line for event in events for line in _event(event)]
    lines += [*(content or _UTC), "END:VCALENDAR"]
    return b"".join(fold_line(line) for line in lines)


def escape_text(text: str) -> str:
    """Return a text as the value of a property."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    for special in ("\\", ";", ","):
        text = text.replace(special, f"\\{special}")
    return text.replace("\n", "\\n")


def fold_line(line: str) -> bytes:
    """Return a line with its end, folded between characters into lines of at most 75 bytes."""
    data = line.encode("utf-8", "replace")
    parts = []
    start, length = 0, MAX_LINE_BYTES
    while len(data) - start > length:
        end = start + length
        while data[end] & 0xC0 == 0x80:  # not within a character
            end -= 1
        parts.append(data[start:end])
        start, length = end, MAX_LINE_BYTES - 1  # the next line begins with a space
    parts.append(data[start:])
    return b"\r\n ".join(parts) + b"\r\n"


def _event(event: CalendarEvent) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escape_text(event.uid)}"
    yield f"DTSTAMP:{_time(event.modified)}"
    yield f"LAST-MODIFIED:{_time(event.modified)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTART:{_time(event.start)}"
    if event.duration:
        yield f"DTEND:{_time(event.start + event.duration)}"
    yield f"SUMMARY:{escape_text(event.summary)}"
    if event.description:
        yield f"DESCRIPTION:{escape_text(event.description)}"
    if event.url is not None:
        yield f"URL:{event.url}"
    yield f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}"
    yield f"TRANSP:{'OPAQUE' if event.duration else 'TRANSPARENT'}"
    if event.alarm is not None:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{escape_text(event.summary)}")
        yield from (f"TRIGGER:-{_duration(event.alarm)}", "END:VALARM")
    yield "END:VEVENT"


def _time(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _duration(time: timedelta) -> str:
    """Return a duration in minutes; whole days would be longer or shorter when clocks change."""
    return f"PT{max(0, time // timedelta(minutes=1))}M"
