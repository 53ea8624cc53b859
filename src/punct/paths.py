"""Paths of files, given as text or as path objects."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from punct.errors import PunctError, WrongTypeError, shorten

PathLike: TypeAlias = str | os.PathLike[str]
"""A path: a text, a ``pathlib.Path``, or any other object that stands for one."""


def read_path(path: PathLike, what: str = "path") -> Path:
    """Return a path as an object; raises WrongTypeError, which says what it is the path of, for anything else.

    >>> read_path("games.punct").suffix
    '.punct'
    """
    try:
        text = os.fspath(path)
    except TypeError:
        text = None
    if not isinstance(text, str):
        raise WrongTypeError(f"the {what} is a text or a pathlib.Path, not {type(path).__name__}")
    if "\0" in text:
        raise PunctError(f"the {what} {shorten(text)} has a zero character in it, which no file's name has")
    return Path(text)
