"""The words of notifications, in the page's languages: one JSON file each in ``texts/``."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "fr", "nl", "it", "es", "pl")
FALLBACK: Final = "en"


def text(language: str, key: str, **values: Any) -> str:
    """Return a text in a language, with the values in place of ``{names}``; in English if it has none."""
    template = _texts(language if language in LANGUAGES else FALLBACK).get(key)
    return (template if template is not None else _texts(FALLBACK)[key]).format(**values)


@functools.cache
def _texts(language: str) -> Mapping[str, str]:
    content = files(__package__).joinpath("texts", f"{language}.json").read_text(encoding="utf-8")
    texts: dict[str, str] = json.loads(content)
    return texts
