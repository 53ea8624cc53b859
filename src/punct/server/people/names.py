"""Names that players choose: shown to strangers, so they hold nothing but what can be seen."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from punct.server.people.refusals import InvalidLoginError, InvalidNameError

LONGEST_NAME: Final = 30
"""Visible characters."""
_LONGEST_TEXT: Final = 60
"""Characters of any kind: letters may carry marks."""
_MOST_MARKS: Final = 3
"""That one letter may carry. Scripts need two or three; towers of them hide what is above and below."""
_JOINERS: Final = "\u200c\u200d"
"""Some scripts and emoji need them, between two characters."""
_LOGIN: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{1,28})[a-z0-9]")


def clean_name(written: str) -> str:
    """Return a name as it is kept and shown; raises InvalidNameError for what cannot be seen or misleads.

    >>> clean_name("  Anna   Karenina ")
    'Anna Karenina'
    """
    name = " ".join(unicodedata.normalize("NFC", written).split())
    visible, marks = 0, 0
    for at, character in enumerate(name):
        category = unicodedata.category(character)
        if category in ("Mn", "Me", "Mc"):
            marks += 1
            if marks > _MOST_MARKS or at == 0:
                raise InvalidNameError("A letter of this name carries too many marks, or a mark has no letter.")
            continue
        if character in _JOINERS:
            if at in (0, len(name) - 1) or name[at - 1] in _JOINERS:
                raise InvalidNameError("This name has characters that cannot be seen.")
            continue
        if category[0] == "C" or category in ("Zl", "Zp"):  # control, direction, private, unassigned, halves of pairs
            raise InvalidNameError("This name has characters that cannot be seen.")
        visible, marks = visible + 1, 0
    if not visible or not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise InvalidNameError("A name needs a character that can be seen.")
    if visible > LONGEST_NAME or len(name) > _LONGEST_TEXT:
        raise InvalidNameError(f"A name has {LONGEST_NAME} characters at most.")
    return name


def clean_login(written: str) -> str:
    """Return a login as it is kept: small letters, digits, and ``. _ -`` within; raises InvalidLoginError.

    >>> clean_login("Anna.K")
    'anna.k'
    """
    login = written.strip().lower()
    if not _LOGIN.fullmatch(login):
        raise InvalidLoginError(
            "A login has 3 to 30 characters: letters from a to z, digits, and between them dots, hyphens, underscores."
        )
    return login
