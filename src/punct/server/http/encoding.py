"""JSON encoding of what all features share: colours, kinds and headings as letters, times, results."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, get_args

import orjson

from punct.geometry import Heading
from punct.outcome import Outcome
from punct.piece import Kind
from punct.server.http.schemas import HeadingWord, KindLetter

Json = dict[str, Any]

encode: Final = orjson.dumps
"""Returns the JSON of plain dictionaries, lists and values."""
COLOUR_LETTERS: Final = ("w", "b")
"""By colour."""
HEADING_WORDS: Final[tuple[HeadingWord, ...]] = get_args(HeadingWord)
"""By heading."""
KIND_LETTERS: Final[dict[Kind, KindLetter]] = {Kind(letter): letter for letter in get_args(KindLetter)}
assert tuple(map(str, Heading)) == HEADING_WORDS


def outcome_of(outcome: Outcome | None) -> Json | None:
    """Return how a game ended; None while it goes on."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else COLOUR_LETTERS[outcome.winner]
    return {"winner": winner, "reason": outcome.reason.name.lower()}


def result_of(outcome: Outcome | None) -> str:
    """Return a game's result."""
    return "*" if outcome is None else outcome.result()


def format_time(time: datetime | None) -> str | None:
    """Return a time, which must be in UTC, in the form in which Pydantic's models write it."""
    return None if time is None else time.isoformat().replace("+00:00", "Z")
