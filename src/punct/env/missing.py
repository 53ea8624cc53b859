"""An import error that says what to install, for optional libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

EXTRAS: Final = {"gymnasium": "env", "pettingzoo": "env", "pyspiel": "openspiel", "open_spiel": "openspiel"}
"""By library: the extra that installs it."""

A = TypeVar("A")


def explain_missing(load: Callable[[str], A], name: str) -> A:
    """Load a name; ImportError that says what to install if a library of an extra is missing."""
    try:
        return load(name)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        extra = EXTRAS.get(library)
        if extra is None:
            raise
        raise ImportError(
            f"punct.env.{name} needs {library}, which is not installed: pip install 'punct[{extra}]'", name=library
        ) from None
