"""Files of evaluation weights: what tuning writes, and an engine may be told to use."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from punct._kernel import default_weights
from punct.engine.errors import EngineError
from punct.errors import shorten

_FORMAT: Final = "punct weights 1"
_LARGEST_FILE: Final = 1 << 20
_LARGEST: Final = 1e4


def load_weights(path: Path) -> list[float]:
    """Read a file of weights; raises EngineError, which says what is wrong with it."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise EngineError(f"{path} is too large for a file of weights")
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise EngineError(f"{path} is not a file of weights: it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise EngineError(f"{path} is not a file of weights: its format is not {_FORMAT!r}")
    try:
        return checked_weights(data.get("weights"))
    except EngineError as error:
        raise EngineError(f"{path}: {error}") from None


def save_weights(path: Path, weights: Sequence[float], about: str) -> None:
    """Write a file of weights, with a word about where they come from."""
    data = {"format": _FORMAT, "about": about, "weights": [round(float(weight), 5) for weight in weights]}
    try:
        path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise EngineError(f"{path} cannot be written: {error.strerror}") from None


def checked_weights(weights: object) -> list[float]:
    """Return the weights if the evaluation can use them; raises EngineError if not."""
    if not isinstance(weights, (list, tuple)):
        raise EngineError("weights are a list of numbers")
    wanted = len(default_weights())
    if len(weights) != wanted:
        raise EngineError(f"the evaluation has {wanted} weights, not {len(weights)}")
    for index, weight in enumerate(weights):
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not number or not math.isfinite(weight) or abs(weight) > _LARGEST:
            raise EngineError(f"weight {index} is not a sensible number: {shorten(weight)}")
    return [float(weight) for weight in weights]
