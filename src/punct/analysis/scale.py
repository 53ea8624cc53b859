"""The scale that turns are judged by. ``scale.json`` beside this is its one source: the page in the browser reads it.

``judgements`` are from bad to worse, each with its word in English and how much winning chance a turn must give away to
deserve it; those without such a share are about wins that were there: missed, or let the opponent have. A turn that
gives away ``g`` is as accurate as ``100 * exp(-accuracy_decay * g)`` percent, a player as their turns are on average.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Final

_SCALE: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("scale.json").read_bytes())
LONGEST_VARIATION: Final[int] = _SCALE["longest_variation"]
"""So many turns of a better variation are told."""
_DECAY: Final[float] = _SCALE["accuracy_decay"]


class Judgement(Enum):
    """What is to be said about a turn, from bad to worse."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    MISSED_WIN = "missed_win"
    GIVES_WIN = "gives_win"

    def __str__(self) -> str:
        return str(_SCALE["judgements"][self.value]["word"])


_LEAST: Final = [
    (float(entry["given_away"]), Judgement(name))
    for name, entry in reversed(_SCALE["judgements"].items())
    if entry["given_away"] is not None
]


def judged(given_away: float) -> Judgement | None:
    """Return what a turn deserves that gives away so much winning chance; None if that is nothing to speak of."""
    return next((judgement for least, judgement in _LEAST if given_away >= least), None)


def accuracy(given_away: Sequence[float]) -> float | None:
    """Return how accurately turns were played that gave away so much each, in percent; None if there were none."""
    if not given_away:
        return None
    return sum(100.0 * math.exp(-_DECAY * share) for share in given_away) / len(given_away)
