"""The options of UGI programs: how one is declared, and which values it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from punct.errors import expect, shorten
from punct.ugi.errors import OptionError

LARGEST_NUMBER: Final = 2**31 - 1
"""Match runners and boards store numbers in 32 bits."""
_EMPTY: Final = "<empty>"
_INTEGER: Final = re.compile("[+-]?[0-9]{1,19}")
_FIELDS: Final = ("name", "type", "default", "min", "max", "var")


@dataclass(frozen=True, slots=True)
class Option:
    """An option as a program declares it. Names and choices are case-insensitive."""

    name: str
    kind: str
    """``spin`` (a whole number), ``combo`` (one of some words), ``check`` (true or false), ``string`` or ``button``."""
    default: str = ""
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the line that declares it."""
        words = [f"option name {self.name} type {self.kind}"]
        if self.kind != "button":
            words.append(f"default {self.default or _EMPTY}")
        words += [
            f"{word} {bound}" for word, bound in (("min", self.minimum), ("max", self.maximum)) if bound is not None
        ]
        words += [f"var {choice}" for choice in self.choices]
        return " ".join(words)

    @classmethod
    def read(cls, words: Iterable[str]) -> Option | None:
        """Read the words after ``option`` in such a line; None if they declare no option."""
        fields: dict[str, list[list[str]]] = {word: [] for word in _FIELDS}
        current: list[str] | None = None
        for word in expect(words, Iterable, "the words of an option are several texts"):
            if expect(word, str, "a word of an option is a text") in fields and (word != "name" or current is None):
                current = []
                fields[word].append(current)
            elif current is not None:
                current.append(word)
        texts = {word: [" ".join(value) for value in values] for word, values in fields.items()}
        if not texts["name"] or not texts["name"][0]:
            return None
        default = texts["default"][0] if texts["default"] else ""
        return cls(
            texts["name"][0],
            texts["type"][0] if texts["type"] else "string",
            "" if default == _EMPTY else default,
            read_integer(texts["min"][0]) if texts["min"] else None,
            read_integer(texts["max"][0]) if texts["max"] else None,
            tuple(texts["var"]),
        )

    def check(self, value: str) -> str:
        """Return the value in canonical form; raises OptionError, which says what is allowed, if it is invalid."""
        expect(value, str, f"the value of {self.name} is a text")
        match self.kind:
            case "spin":
                number = read_integer(value)
                low = number if self.minimum is None else self.minimum
                high = number if self.maximum is None else self.maximum
                if number is None or low is None or high is None or not low <= number <= high:
                    bounds = f" from {low} to {high}" if None not in (self.minimum, self.maximum) else ""
                    raise OptionError(f"{self.name} is a number{bounds}, not {shorten(value)}")
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
    """Return the option of that name; raises OptionError, which lists the names there are."""
    names = []
    for option in options:
        if option.name.lower() == name.lower():
            return option
        names.append(option.name)
    raise OptionError(f"there is no option {shorten(name)}; there are {', '.join(names) if names else 'none'}")


def read_integer(text: str) -> int | None:
    """Return the integer that a word is, or None."""
    return int(text) if _INTEGER.fullmatch(text) else None
