"""The options of UGI programs: how one is announced, and which values it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from punct.errors import shorten
from punct.ugi.errors import OptionError

LARGEST_NUMBER: Final = 2**31 - 1
"""Match runners and boards keep numbers in 32 bits."""
_EMPTY: Final = "<empty>"
_WHOLE: Final = re.compile("[+-]?[0-9]{1,19}")
_WORDS: Final = ("name", "type", "default", "min", "max", "var")


@dataclass(frozen=True, slots=True)
class Option:
    """An option as a program announces it. Names and choices are the same in any case."""

    name: str
    kind: str
    """``spin`` (a whole number), ``combo`` (one of some words), ``check`` (true or false), ``string`` or ``button``."""
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the line that announces it."""
        words = [f"option name {self.name} type {self.kind}"]
        if self.kind != "button":
            words.append(f"default {self.default or _EMPTY}")
        words += [f"{word} {bound}" for word, bound in (("min", self.least), ("max", self.most)) if bound is not None]
        words += [f"var {choice}" for choice in self.choices]
        return " ".join(words)

    @classmethod
    def read(cls, words: Iterable[str]) -> Option | None:
        """Read what follows ``option`` in such a line; None if it announces nothing."""
        found: dict[str, list[list[str]]] = {word: [] for word in _WORDS}
        current: list[str] | None = None
        for word in words:
            if word in found and (word != "name" or current is None):
                current = []
                found[word].append(current)
            elif current is not None:
                current.append(word)
        texts = {word: [" ".join(value) for value in values] for word, values in found.items()}
        if not texts["name"] or not texts["name"][0]:
            return None
        default = texts["default"][0] if texts["default"] else ""
        return cls(
            texts["name"][0],
            texts["type"][0] if texts["type"] else "string",
            "" if default == _EMPTY else default,
            whole(texts["min"][0]) if texts["min"] else None,
            whole(texts["max"][0]) if texts["max"] else None,
            tuple(texts["var"]),
        )

    def checked(self, value: str) -> str:
        """Return the value as it is meant; raises OptionError, which says what it may be, if it cannot be."""
        match self.kind:
            case "spin":
                number = whole(value)
                least = number if self.least is None else self.least
                most = number if self.most is None else self.most
                if number is None or least is None or most is None or not least <= number <= most:
                    between = f" from {self.least} to {self.most}" if None not in (self.least, self.most) else ""
                    raise OptionError(f"{self.name} is a number{between}, not {shorten(value)}")
                return str(number)
            case "combo" if self.choices:
                return self._choice(value, self.choices)
            case "check":
                return self._choice(value, ("true", "false"))
            case _:
                return "" if value == _EMPTY else value

    def _choice(self, value: str, choices: tuple[str, ...]) -> str:
        for choice in choices:
            if choice.lower() == value.lower():
                return choice
        raise OptionError(f"{self.name} is {' or '.join(choices)}, not {shorten(value)}")


def find_option(options: Iterable[Option], name: str) -> Option:
    """Return the option of that name; raises OptionError, which names those there are."""
    known = []
    for option in options:
        if option.name.lower() == name.lower():
            return option
        known.append(option.name)
    raise OptionError(f"there is no option {shorten(name)}; there are {', '.join(known) if known else 'none'}")


def whole(text: str) -> int | None:
    """Return the whole number a word is, or None."""
    return int(text) if _WHOLE.fullmatch(text) else None
