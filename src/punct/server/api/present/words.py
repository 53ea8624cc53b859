"""What everything is written with: colours, kinds and headings by their letters, times, results."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, get_args

import orjson

from punct.geometry import Heading
from punct.outcome import Outcome
from punct.piece import Kind
from punct.server.api.schemas import HeadingWord, KindLetter

Json = dict[str, Any]

encode: Final = orjson.dumps
"""Returns the JSON of plain dictionaries, lists and values."""
LETTERS: Final = ("w", "b")
"""By colour."""
HEADINGS: Final[tuple[HeadingWord, ...]] = get_args(HeadingWord)
"""By heading: its word in texts."""
KINDS: Final[dict[Kind, KindLetter]] = {Kind(letter): letter for letter in get_args(KindLetter)}
assert tuple(map(str, Heading)) == HEADINGS


def outcome_of(outcome: Outcome | None) -> Json | None:
    """Return how a game ended; None while it goes on."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else LETTERS[outcome.winner]
    return {"winner": winner, "reason": outcome.reason.name.lower()}


def result_of(outcome: Outcome | None) -> str:
    """Return a game's result."""
    return "*" if outcome is None else outcome.result()


def time(moment: datetime | None) -> str | None:
    """Return a time as the models write it; all of ours are in UTC."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
