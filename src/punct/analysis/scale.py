"""The scale by which moves are judged. ``scale.json`` beside this is its one source: the page in the browser reads it.

``judgements`` are ordered from bad to worse, each with its word in English and the winning chance that a move must give
away to deserve it; those without such a number are about wins: missed, or given to the opponent. The accuracy of a move
that gives away ``g`` is ``100 * exp(-accuracy_decay * g)`` percent, a player's the mean over their moves.
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
"""How many moves of a better variation are shown."""
_DECAY: Final[float] = _SCALE["accuracy_decay"]


class Judgement(Enum):
    """The judgement of a move, from bad to worse."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    MISSED_WIN = "missed_win"
    GIVES_WIN = "gives_win"

    def __str__(self) -> str:
        return str(_SCALE["judgements"][self.value]["word"])


_THRESHOLDS: Final = [
    (float(entry["given_away"]), Judgement(name))
    for name, entry in reversed(_SCALE["judgements"].items())
    if entry["given_away"] is not None
]


def judge_loss(given_away: float) -> Judgement | None:
    """Return the judgement of a move that gives away this much winning chance; None if it is no mistake."""
    return next((judgement for threshold, judgement in _THRESHOLDS if given_away >= threshold), None)


def accuracy(given_away: Sequence[float]) -> float | None:
    """Return the accuracy in percent, from the winning chance that each move gave away; None without a move."""
    if not given_away:
        return None
    return sum(100.0 * math.exp(-_DECAY * share) for share in given_away) / len(given_away)
