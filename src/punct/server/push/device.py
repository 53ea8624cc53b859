"""Names browsers for their owner, by what they say of themselves."""

from __future__ import annotations

import re
from typing import Final

_BROWSERS: Final = (
    ("Edge", r"\bEdg(e|A|iOS)?/"),
    ("Opera", r"\bOPR/"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(Firefox|FxiOS)/"),
    ("Chrome", r"\b(Chrome|CriOS|HeadlessChrome)/"),
    ("Safari", r"\bSafari/"),
)
"""In this order: most of them also claim to be others."""
_SYSTEMS: Final = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("Mac", r"\bMacintosh\b"),
    ("Linux", r"\bLinux\b"),
)


def device_name(user_agent: str) -> str | None:
    """Return the browser and its system, as ``Firefox, Linux``; None if it tells neither."""
    names = (_first_match(_BROWSERS, user_agent), _first_match(_SYSTEMS, user_agent))
    return ", ".join(name for name in names if name is not None) or None


def _first_match(patterns: tuple[tuple[str, str], ...], text: str) -> str | None:
    return next((name for name, pattern in patterns if re.search(pattern, text)), None)
