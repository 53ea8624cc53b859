"""Handles: unique public names, which cannot be mistaken for one another; and the keys by which players are found."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from punct.server.auth.errors import InvalidHandleError

MAX_HANDLE_LENGTH: Final = 20
MAX_KEY_LENGTH: Final = 60
"""Of the columns."""
_HANDLE: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){2,19}")
_ALIKE: Final = str.maketrans(
    # Digits that look like letters; i as l, because a capital I does. The last three look like two letters.
    {"0": "o", "1": "l", "i": "l", "2": "z", "5": "s", "8": "b", "m": "rn", "w": "vv", "d": "cl", "-": ""}
)
_RESERVED_BEGINNINGS: Final = ("admin", "moderator", "official", "punct", "system", "support")
"""Nobody's handle begins like that: it would seem to speak for the server."""
_RESERVED: Final = (
    *("anonymous", "anybody", "bot", "computer", "deleted", "engine", "everybody", "guest", "help", "info", "level"),
    *("mod", "nobody", "null", "root", "server", "somebody", "staff", "undefined", "you"),
    *(f"level{level}" for level in range(1, 10)),
)


def clean_handle(text: str) -> str:
    """Return a handle as it is stored and shown; raises InvalidHandleError if it is not allowed.

    >>> clean_handle(" @Anna-K ")
    'Anna-K'
    """
    handle = text.strip().removeprefix("@")
    if not _HANDLE.fullmatch(handle):
        raise InvalidHandleError(
            "A handle has 3 to 20 characters: letters from A to Z and digits, with a letter first, and single hyphens "
            "between them."
        )
    key = handle_key(handle)
    if key in _RESERVED_KEYS or key.startswith(_RESERVED_BEGINNING_KEYS):
        raise InvalidHandleError("This handle would seem to speak for the server; choose another.")
    return handle


def handle_key(handle: str) -> str:
    """Return what all handles have in common that look like this one.

    Case and hyphens do not count; 0 is o, 1, i and l are one letter, 2 is z, 5 is s, 8 is b; m is rn, w is vv, d is cl.
    Letters that look like two others are spelt out, so that every handle has one key, however its letters are grouped.

    >>> handle_key("Corn-Mill") == handle_key("c0mrnI11")
    True
    """
    return handle.lower().translate(_ALIKE)


def search_key(text: str) -> str:
    """Return a name without case, accents and double spaces, as it is searched; the migration has a copy.

    >>> search_key("Łukasz  ÄNNE")
    'lukasz anne'
    """
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_STROKES)
    kept = "".join(letter for letter in plain if not unicodedata.category(letter).startswith("M"))
    return " ".join(kept.split())[:MAX_KEY_LENGTH]


_STROKES: Final = str.maketrans("łøđħ", "lodh")
"""Letters with a stroke, which Unicode does not take apart."""
_RESERVED_KEYS: Final = frozenset(map(handle_key, _RESERVED))
_RESERVED_BEGINNING_KEYS: Final = tuple(map(handle_key, _RESERVED_BEGINNINGS))
