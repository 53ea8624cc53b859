"""Errors of training, and imports of its optional libraries."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from punct.errors import PunctError
from punct.extras import explain_missing


class TrainingError(PunctError):
    """Invalid settings, a folder of something else, damaged samples or networks."""


def import_optional(module: str) -> ModuleType:
    """Import a module of the extra ``training``; MissingExtraError says what to install if it is missing."""
    with explain_missing("training", "training"):
        return import_module(module)
