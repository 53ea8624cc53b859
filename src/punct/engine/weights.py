"""Files of weights: what tuning writes, and an engine may be told to use."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final, NamedTuple

from punct._kernel import default_evaluation_weights, default_prior_weights
from punct.engine.errors import EngineError
from punct.errors import shorten

_FORMAT: Final = "punct weights 2"
_LARGEST_FILE: Final = 1 << 20
_LARGEST: Final = 1e4


class Weights(NamedTuple):
    """What tuning fits: the weights of the evaluation, and those of the prior by which candidates are chosen."""

    evaluation: list[float]
    prior: list[float]


def default_weights() -> Weights:
    """Return the kernel's own."""
    return Weights(default_evaluation_weights(), default_prior_weights())


def load_weights(path: str | os.PathLike[str]) -> Weights:
    """Read a file of weights; raises EngineError, which says what is wrong with it. The prior may be missing."""
    path = Path(path)
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise EngineError(f"{path} is too large for a file of weights")
        data = json.loads(path.read_text(encoding="utf-8-sig"))  # editors put a mark before it
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise EngineError(f"{path} is not a file of weights: it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise EngineError(f"{path} is not a file of weights: its format is not {_FORMAT!r}")
    usual = default_weights()
    try:
        return Weights(
            checked("evaluation weight", data.get("evaluation"), len(usual.evaluation)),
            checked("prior weight", data.get("prior", usual.prior), len(usual.prior)),
        )
    except EngineError as error:
        raise EngineError(f"{path}: {error}") from None


def save_weights(path: str | os.PathLike[str], weights: Weights, about: str) -> None:
    """Write a file of weights, with a word about where they come from."""
    data = {"format": _FORMAT, "about": about}
    lists = {name: [round(float(number), 5) for number in found] for name, found in weights._asdict().items()}
    try:
        Path(path).write_text(json.dumps(data | lists, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise EngineError(f"{path} cannot be written: {error.strerror}") from None


def checked(what: str, numbers: object, wanted: int) -> list[float]:
    """Return the numbers if the search can use them; raises EngineError if not."""
    if not isinstance(numbers, (list, tuple)):
        raise EngineError(f"{what}s are a list of numbers")
    if len(numbers) != wanted:
        raise EngineError(f"the search has {wanted} {what}s, not {len(numbers)}")
    for index, number in enumerate(numbers):
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not is_number or not abs(number) <= _LARGEST:  # nor is what is no number at all
            raise EngineError(f"{what} {index} is not a sensible number: {shorten(number)}")
    return [float(number) for number in numbers]
