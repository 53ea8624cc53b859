"""What learning refuses, and what it needs that may not be there."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from punct.errors import PunctError


class LearnError(PunctError):
    """Settings without sense, a folder of something else, samples or networks that are damaged."""


def needed(module: str) -> ModuleType:
    """Return a module of the extra ``learn``; LearnError says what to install where it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = (error.name or module).partition(".")[0]
        raise LearnError(f"learning needs {library}, which is not installed: pip install 'punct[learn]'") from None
