"""Names that players choose: shown to strangers, so they hold nothing but what can be seen."""

from __future__ import annotations

import contextlib
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
"""Some scripts need them, between two letters."""
_VIRAMA: Final = 9
"""The combining class of the mark after which Indic scripts tell by a joiner how two letters are written."""
_APART: Final = re.compile(
    "[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb"
    "\u06cd\u06cf\u06d2\u06d3\u06d5]"
)
"""Arabic letters that never join the next one: nothing shows whether there is a joiner after them."""
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\ufffc\U00013441-\U00013446\U00016fe4\U0001d159]"
)
"""What Unicode has programs leave out when they show a text (Default_Ignorable_Code_Point), which Python does not know;
in the last row, letters and symbols that are blank by their nature."""
_ABOUT_EMOJI: Final = re.compile("(?<=[\u2190-\u2bff\U0001f000-\U0001faff])(?:[\ufe0e\ufe0f]\u200d?|\u200d)")
"""Keyboards add these to emoji unasked. A name does without them: joined emoji stand side by side."""
_LOGIN: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{1,28})[a-z0-9]")


def clean_name(written: str) -> str:
    """Return a name as it is kept and shown; raises InvalidNameError for what cannot be seen or misleads.

    >>> clean_name("  Anna   Karenina ")
    'Anna Karenina'
    """
    name = _tidy(written)
    visible, marks = 0, 0
    for at, character in enumerate(name):
        category = unicodedata.category(character)
        if character in _JOINERS and _is_needed(name, at):
            continue
        if not _can_be_seen(character):
            raise InvalidNameError("This name has characters that cannot be seen.")
        if category[0] == "M":
            marks += 1
            if marks > _MOST_MARKS or at == 0:
                raise InvalidNameError("A letter of this name carries too many marks, or a mark has no letter.")
            continue
        visible, marks = visible + 1, 0
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise InvalidNameError("A name needs a character that can be seen.")
    if visible > LONGEST_NAME or len(name) > _LONGEST_TEXT:
        raise InvalidNameError(f"A name has {LONGEST_NAME} characters at most.")
    return name


def mended_name(written: str) -> str | None:
    """Return a name that somebody else wrote down, without what must not be shown; None if nothing is left of it.

    >>> mended_name("Anna\\u3164"), mended_name("\\u2800"), mended_name("Anna Karenina")
    ('Anna', None, 'Anna Karenina')
    """
    with contextlib.suppress(InvalidNameError):
        return clean_name(written)
    kept, visible, marks = "", 0, 0
    for character in _tidy(written):
        is_mark = unicodedata.category(character)[0] == "M"
        marks = marks + 1 if is_mark else 0
        if not _can_be_seen(character) or (is_mark and (marks > _MOST_MARKS or not visible)):
            continue
        visible += not is_mark
        if visible > LONGEST_NAME or len(kept) == _LONGEST_TEXT:
            break
        kept += character
    with contextlib.suppress(InvalidNameError):
        return clean_name(kept)
    return None


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


def _tidy(written: str) -> str:
    """Return a text with its letters composed, its emoji plain, and single spaces."""
    return " ".join(_ABOUT_EMOJI.sub("", unicodedata.normalize("NFC", written)).split())


def _can_be_seen(character: str) -> bool:
    """Tell whether a character shows: no control, direction, private, unassigned one, or half of a pair."""
    category = unicodedata.category(character)
    return category[0] != "C" and category not in ("Zl", "Zp") and not _INVISIBLE.match(character)


def _is_needed(name: str, at: int) -> bool:
    """Tell whether letters look otherwise for the joiner between them: after a virama, or in Arabic's scripts."""
    before, after = name[at - 1 : at], name[at + 1 : at + 2]
    if not before or not after or not unicodedata.category(after).startswith("L"):
        return False
    if unicodedata.combining(before) == _VIRAMA:
        return True
    return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL" and not _APART.match(before)
