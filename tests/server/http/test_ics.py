"""Calendar files: exact to the byte where calendar programs differ, and read back by another library."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import icalendar
from hypothesis import given
from hypothesis import strategies as st

from punct.server.http.ics import MAX_LINE_BYTES, CalendarEvent, calendar, escape_text, fold_line

START = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
"""Within the hour that Europe leaves out."""
EVENT = CalendarEvent("game-1-2@punct.example.org", START, "Deine Züge; gegen, Ännchen", START - timedelta(days=1))


def events_of(content: bytes) -> list[icalendar.Event]:
    parsed = icalendar.Calendar.from_ical(content)
    assert isinstance(parsed, icalendar.Calendar) and not parsed.errors
    return [part for part in parsed.walk("VEVENT") if isinstance(part, icalendar.Event)]


def test_a_deadline_to_the_byte() -> None:
    event = CalendarEvent(
        "game-1-2@punct.example.org", START.astimezone(timezone(timedelta(hours=9))), "Your move; now, \\please",
        datetime(2026, 3, 1, tzinfo=UTC), description="one\ntwo", url="https://punct.example.org/game/1", sequence=7,
        alarm=timedelta(hours=6),
    )  # fmt: skip
    assert calendar([event], "PÜNCT", timedelta(hours=1)).decode().split("\r\n") == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//PUNCT//PUNCT//EN", "CALSCALE:GREGORIAN", "NAME:PÜNCT",
        "X-WR-CALNAME:PÜNCT", "REFRESH-INTERVAL;VALUE=DURATION:PT60M", "X-PUBLISHED-TTL:PT60M", "BEGIN:VEVENT",
        "UID:game-1-2@punct.example.org", "DTSTAMP:20260301T000000Z", "LAST-MODIFIED:20260301T000000Z", "SEQUENCE:7",
        "DTSTART:20260329T013000Z", "SUMMARY:Your move\\; now\\, \\\\please", "DESCRIPTION:one\\ntwo",
        "URL:https://punct.example.org/game/1", "STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "BEGIN:VALARM",
        "ACTION:DISPLAY", "DESCRIPTION:Your move\\; now\\, \\\\please", "TRIGGER:-PT360M", "END:VALARM", "END:VEVENT",
        "END:VCALENDAR", "",
    ]  # fmt: skip


def test_a_date_takes_time() -> None:
    (event,) = events_of(calendar([CalendarEvent("a@b", START, "x", START, timedelta(hours=1), is_cancelled=True)]))
    assert event.decoded("dtstart") == START and event.decoded("dtend") == START + timedelta(hours=1)
    assert (str(event["status"]), str(event["transp"])) == ("CANCELLED", "OPAQUE")


def test_an_empty_calendar_has_a_component() -> None:
    parsed = icalendar.Calendar.from_ical(calendar([]))
    assert [part.name for part in parsed.walk()] == ["VCALENDAR", "VTIMEZONE", "STANDARD"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_is_read_back(text: str) -> None:
    content = calendar([CalendarEvent("a@b", START, text, START, description=text)])
    (event,) = events_of(content)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = "".join(each for each in lines if each in "\n\t" or not (ord(each) < 32 or ord(each) == 127))
    assert str(event["summary"]) == plain
    assert content.endswith(b"\r\n")
    for line in content.split(b"\r\n"):
        assert len(line) <= MAX_LINE_BYTES and b"\n" not in line and b"\r" not in line
        line.decode()  # folded between characters


@given(st.text(max_size=400))
def test_a_folded_line_is_the_same_line(text: str) -> None:
    line = f"X:{escape_text(text)}"
    folded = fold_line(line)
    assert folded.replace(b"\r\n ", b"") == line.encode("utf-8", "replace") + b"\r\n"
    first, *others = folded.removesuffix(b"\r\n").split(b"\r\n")
    assert all(len(part) > MAX_LINE_BYTES - 4 for part in [first, *others][:-1])
    assert all(part.startswith(b" ") for part in others)


def test_no_text_begins_another_property() -> None:
    text = "x\r\nATTACH:https://evil.org\nEND:VEVENT\x85\u2028\x0bURL:y"
    content = calendar([CalendarEvent("a@b", START, text, START)])
    (event,) = events_of(content)
    assert b"\r\nATTACH" not in content and b"\nEND:VEVENT\x85" not in content
    assert "attach" not in event and content.count(b"END:VEVENT\r\n") == 1
