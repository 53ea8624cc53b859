"""The page's texts, as the client has them: tests name a message, not its words."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

CLIENT = Path(__file__).parent.parent.parent / "web"
LANGUAGES = ("en", "de", "fr", "it", "nl", "es", "pl")


@cache
def messages(language: str) -> dict[str, str | dict[str, str]]:
    """Return all messages of a language, all chapters together, some of them in several plural forms."""
    files = sorted((CLIENT / "src" / "i18n").glob(f"*/{language}.json"))
    return {key: said for file in files for key, said in json.loads(file.read_text(encoding="utf-8")).items()}


def text(key: str, language: str = "en", **values: object) -> str:
    """Return a message, its places filled; of plural forms, one that every language but Polish has."""
    message = messages(language)[key]
    if not isinstance(message, str):
        message = message["one" if values["n"] == 1 else "other"]
    return message.format(**values)
