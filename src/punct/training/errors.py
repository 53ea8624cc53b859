"""Errors of training, and imports of its optional libraries."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from punct.errors import PunctError


class TrainingError(PunctError):
    """Invalid settings, a folder of something else, damaged samples or networks."""


def import_optional(module: str) -> ModuleType:
    """Import a module of the extra ``training``; TrainingError says what to install if it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = (error.name or module).partition(".")[0]
        raise TrainingError(
            f"training needs {library}, which is not installed: pip install 'punct[training]'"
        ) from None
