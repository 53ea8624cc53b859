"""Tags of a game: who played it, when and where, checked so that every record can hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from punct.errors import PunctError, WrongTypeError, expect, shorten

DERIVED_TAGS: Final = frozenset({"Rules", "Position", "FEN", "Result", "Termination"})
"""Tags that records write but the game itself knows: setting them could contradict it."""

_MAX_NAME_LENGTH: Final = 64
# Half a surrogate pair cannot be stored in a file; control characters have no place in a text people read.
_NOT_IN_TAG: Final = "[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]"


class Tags(dict[str, str]):
    """The tags of a game: ``White``, ``Black``, ``Date``, ``Event`` and any other name one likes.

    Values lose surrounding blanks. What could not be written to a record is refused with a PunctError.
    """

    def __init__(self, tags: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.update(tags or {})

    def __setitem__(self, name: str, value: str) -> None:
        super().__setitem__(name, _check_tag(name, value))

    def update(self, tags: Mapping[str, str], /) -> None:  # type: ignore[override]  # dict's own would not check
        """Set several tags, or none of them if one is refused."""
        expect(tags, Mapping, "tags are a mapping from names to values, such as {'White': 'Anna'}")
        super().update({name: _check_tag(name, value) for name, value in tags.items()})

    def setdefault(self, name: str, value: str, /) -> str:
        """Set a tag that is not there yet, and return what it is."""
        if name not in self:
            self[name] = value
        return self[name]

    def __ior__(self, tags: Mapping[str, str], /) -> Tags:  # type: ignore[override,misc]  # as above
        self.update(tags)
        return self

    def copy(self) -> Tags:
        """Return an independent copy."""
        return Tags(self)


def find_character(characters: str, text: str) -> str | None:
    """Return the first of some unprintable characters, given as a regular expression, in a text, or None."""
    if text.isprintable():
        return None
    import re  # few texts need it

    match = re.search(characters, text)
    return match[0] if match else None


def _check_tag(name: str, value: str) -> str:
    """Return the value without surrounding blanks, or raise if no record could hold such a tag."""
    if not isinstance(name, str) or not isinstance(value, str):
        raise WrongTypeError("a tag's name and value are texts")
    if not (name.isascii() and name.isidentifier() and name[0] != "_" and len(name) <= _MAX_NAME_LENGTH):
        raise PunctError(f"{shorten(name)} cannot name a tag: use letters, digits and _, beginning with a letter")
    if name in DERIVED_TAGS:
        raise PunctError(f"the tag {name} follows from the game itself and cannot be set")
    value = value.strip()
    if not value:
        raise PunctError(f"the tag {name} is empty; leave it out instead")
    if find_character(_NOT_IN_TAG, value):
        raise PunctError(f"the tag {name} holds a line break or control character: {shorten(value)}")
    return value
