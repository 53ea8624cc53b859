"""Validation of names and logins. Names are shown to strangers, so they contain only visible characters."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from typing import Final

from punct.server.auth.errors import InvalidLoginError, InvalidNameError

MAX_NAME_LENGTH: Final = 30
"""Visible characters."""
_MAX_CODE_POINTS: Final = 60
"""Characters of any kind: letters may carry combining marks."""
_MAX_MARKS: Final = 3
"""Combining marks of one letter. Scripts need two or three; stacks of them cover the lines above and below."""
_JOINERS: Final = "\u200c\u200d"
"""Zero-width (non-)joiners. Some scripts need them between two letters."""
_VIRAMA: Final = 9
"""The combining class of the mark after which a joiner selects the form of two letters in Indic scripts."""
_NON_JOINING: Final = re.compile(
    "[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb"
    "\u06cd\u06cf\u06d2\u06d3\u06d5]"
)
"""Arabic letters that never join the next one: a joiner after them is invisible."""
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\ufffc\U00013441-\U00013446\U00016fe4\U0001d159]"
)
"""Unicode's Default_Ignorable_Code_Point, which Python does not have; in the last row, letters and symbols that are
blank."""
_EMOJI_MODIFIERS: Final = re.compile("(?<=[\u2190-\u2bff\U0001f000-\U0001faff])(?:[\ufe0e\ufe0f]\u200d?|\u200d)")
"""Variation selectors and joiners that keyboards add to emoji. Names do without: joined emoji stand side by side."""
_LOGIN: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{1,28})[a-z0-9]")


def clean_name(text: str) -> str:
    """Return a name in the form that is stored; raises InvalidNameError if it is invisible, misleading or too long.

    >>> clean_name("  Anna   Karenina ")
    'Anna Karenina'
    """
    name = _normalise(text)
    visible, marks = 0, 0
    for at, character in enumerate(name):
        category = unicodedata.category(character)
        if character in _JOINERS and _is_visible_joiner(name, at):
            continue
        if not _is_visible(character):
            raise InvalidNameError("This name has characters that cannot be seen.")
        if category[0] == "M":
            marks += 1
            if marks > _MAX_MARKS or at == 0:
                raise InvalidNameError("A letter of this name carries too many marks, or a mark has no letter.")
            continue
        visible, marks = visible + 1, 0
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise InvalidNameError("A name needs a character that can be seen.")
    if visible > MAX_NAME_LENGTH or len(name) > _MAX_CODE_POINTS:
        raise InvalidNameError(f"A name has {MAX_NAME_LENGTH} characters at most.")
    return name


def sanitize_name(text: str) -> str | None:
    """Return a name from a record without the characters that must not be shown; None if nothing is left.

    >>> sanitize_name("Anna\\u3164"), sanitize_name("\\u2800"), sanitize_name("Anna Karenina")
    ('Anna', None, 'Anna Karenina')
    """
    with contextlib.suppress(InvalidNameError):
        return clean_name(text)
    name, visible, marks = "", 0, 0
    for character in _normalise(text):
        is_mark = unicodedata.category(character)[0] == "M"
        marks = marks + 1 if is_mark else 0
        if not _is_visible(character) or (is_mark and (marks > _MAX_MARKS or not visible)):
            continue
        visible += not is_mark
        if visible > MAX_NAME_LENGTH or len(name) == _MAX_CODE_POINTS:
            break
        name += character
    with contextlib.suppress(InvalidNameError):
        return clean_name(name)
    return None


def clean_words(text: str) -> str:
    """Return a sentence to another player in one line, without characters that cannot be seen.

    >>> clean_words("  Not today,\\n sorry\\u202e! ")
    'Not today, sorry!'
    """
    words, marks = "", 0
    for character in _normalise(text):
        is_mark = unicodedata.category(character)[0] == "M"
        marks = marks + 1 if is_mark else 0
        if _is_visible(character) and marks <= _MAX_MARKS and not (is_mark and not words):
            words += character
    return words


def clean_login(text: str) -> str:
    """Return a login in the form that is stored: small letters, digits, and ``. _ -`` within; raises InvalidLoginError.

    >>> clean_login("Anna.K")
    'anna.k'
    """
    login = normalise_login(text)
    if not _LOGIN.fullmatch(login):
        raise InvalidLoginError(
            "A login has 3 to 30 characters: letters from a to z, digits, and between them dots, hyphens, underscores."
        )
    return login


def normalise_login(text: str) -> str:
    """Return a login as entered in the form that is stored, whether or not it is valid."""
    return text.strip().lower()


def _normalise(text: str) -> str:
    """Return a text with composed letters, plain emoji and single spaces."""
    return " ".join(_EMOJI_MODIFIERS.sub("", unicodedata.normalize("NFC", text)).split())


def _is_visible(character: str) -> bool:
    """Tell whether a character is visible: no control, direction, private-use or unassigned character, no surrogate."""
    category = unicodedata.category(character)
    return category[0] != "C" and category not in ("Zl", "Zp") and not _INVISIBLE.match(character)


def _is_visible_joiner(name: str, at: int) -> bool:
    """Tell whether a joiner changes how letters look: after a virama, or in Arabic scripts."""
    before, after = name[at - 1 : at], name[at + 1 : at + 2]
    if not before or not after or not unicodedata.category(after).startswith("L"):
        return False
    if unicodedata.combining(before) == _VIRAMA:
        return True
    return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL" and not _NON_JOINING.match(
        before
    )
