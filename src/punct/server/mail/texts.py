"""The words of mails, in the page's languages: one JSON file each in ``texts/``."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from datetime import timedelta
from importlib.resources import files
from typing import Any, Final

from punct.server.notifications.texts import FALLBACK, LANGUAGES

_DAY: Final = timedelta(days=1)


def text(language: str, key: str, **values: Any) -> str:
    """Return a text in a language, with the values in place of ``{names}``."""
    return texts(known_language(language))[key].format(**values)


def known_language(language: str) -> str:
    """Return the language itself if mails are written in it, else English."""
    return language if language in LANGUAGES else FALLBACK


def duration(language: str, left: timedelta) -> str:
    """Return how long a time is, to the hour, and below two hours to the minute."""
    left = max(timedelta(), left)
    days, hours, minutes = left // _DAY, left // timedelta(hours=1), left // timedelta(minutes=1)
    if hours < 2:
        return text(language, "time.minutes", n=minutes)
    if days == 0:
        return text(language, "time.hours", n=hours)
    if days == 1:
        return text(language, "time.day", hours=text(language, "time.hours", n=hours - 24))
    return text(language, "time.days", n=days)


@functools.cache
def texts(language: str) -> Mapping[str, str]:
    """Return all texts of a language."""
    content = files(__package__).joinpath("texts", f"{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(content)
    return found
