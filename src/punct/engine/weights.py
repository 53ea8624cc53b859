"""Files of weights: tuning writes them, and an engine can use them."""

from __future__ import annotations

import json
import os
from typing import Final, NamedTuple

from punct._kernel import default_evaluation_weights, default_prior_weights
from punct.engine.errors import EngineError
from punct.errors import WrongTypeError, shorten
from punct.paths import PathLike, read_path

_FORMAT: Final = "punct weights 2"
_MAX_FILE_BYTES: Final = 1 << 20
_MAX_WEIGHT: Final = 1e4


class Weights(NamedTuple):
    """The weights that tuning fits: those of the evaluation, and those of the prior by which candidates are chosen."""

    evaluation: list[float]
    prior: list[float]


def default_weights() -> Weights:
    """Return the kernel's own."""
    return Weights(default_evaluation_weights(), default_prior_weights())


def load_weights(path: PathLike) -> Weights:
    """Read a file of weights; raises EngineError if it is invalid. The prior may be missing."""
    path = read_path(path, "path of a file of weights")
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise EngineError(f"{path} is too large for a file of weights")
        data = json.loads(path.read_text(encoding="utf-8-sig"))  # editors may write a byte order mark
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise EngineError(f"{path} is not a file of weights: it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise EngineError(f"{path} is not a file of weights: its format is not {_FORMAT!r}")
    defaults = default_weights()
    try:
        return Weights(
            checked("evaluation weight", data.get("evaluation"), len(defaults.evaluation)),
            checked("prior weight", data.get("prior", defaults.prior), len(defaults.prior)),
        )
    except EngineError as error:
        raise EngineError(f"{path}: {error}") from None


def read_weights(weights: Weights | PathLike) -> Weights:
    """Return weights, checked, and read from their file if they are given by its path.

    Raises EngineError for numbers that the search cannot use, WrongTypeError for anything else.
    """
    if isinstance(weights, (str, os.PathLike)):
        return load_weights(weights)
    if not isinstance(weights, tuple) or len(weights) != len(Weights._fields):
        raise WrongTypeError(f"weights are Weights(evaluation, prior) or a file's path, not {type(weights).__name__}")
    defaults = default_weights()
    return Weights(
        checked("evaluation weight", weights[0], len(defaults.evaluation)),
        checked("prior weight", weights[1], len(defaults.prior)),
    )


def save_weights(path: PathLike, weights: Weights, about: str) -> None:
    """Write a file of weights, with a note about where they come from."""
    data = {"format": _FORMAT, "about": about}
    file = read_path(path, "path of a file of weights")
    lists = {name: [round(float(number), 5) for number in values] for name, values in weights._asdict().items()}
    try:
        file.write_text(json.dumps(data | lists, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise EngineError(f"{path} cannot be written: {error.strerror}") from None


def checked(name: str, numbers: object, count: int) -> list[float]:
    """Return the numbers if the search can use them; raises EngineError if not."""
    if not isinstance(numbers, (list, tuple)):
        raise EngineError(f"{name}s are a list of numbers")
    if len(numbers) != count:
        raise EngineError(f"the search has {count} {name}s, not {len(numbers)}")
    for index, number in enumerate(numbers):
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not is_number or not abs(number) <= _MAX_WEIGHT:  # also false for NaN
            raise EngineError(f"{name} {index} is not a sensible number: {shorten(number)}")
    return [float(number) for number in numbers]
