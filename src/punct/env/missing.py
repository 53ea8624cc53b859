"""Libraries that are not there: said in one sentence, with what to install."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

EXTRAS: Final = {"gymnasium": "env", "pettingzoo": "env", "pyspiel": "openspiel", "open_spiel": "openspiel"}
"""By library: the extra that brings it."""

A = TypeVar("A")


def explained(load: Callable[[str], A], name: str) -> A:
    """Return what is loaded; ImportError with a sentence where a library of an extra is missing."""
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
