"""Numbers that callers give, checked before the kernel gets them."""

from __future__ import annotations

import operator
from typing import Final, SupportsIndex

from punct.errors import PunctError, WrongTypeError, shorten

_SEED_BITS: Final = (1 << 64) - 1


def integer(name: str, value: object) -> int:
    """Return an argument as an int; raises WrongTypeError, which names it, if it is no whole number."""
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return operator.index(value)
    raise WrongTypeError(f"{name} is a whole number, not {shorten(value)} ({type(value).__name__})")


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """Return an argument as an int; raises PunctError, which names it, if it is out of range or no whole number.

    >>> whole_number("turns", 3, 0, 10)
    3
    >>> whole_number("turns", -1, 0, 10)
    Traceback (most recent call last):
    punct.errors.PunctError: turns is a whole number from 0 to 10, not -1
    """
    number = integer(name, value)
    if not least <= number <= most:
        given = str(number) if number.bit_length() <= 64 else f"one of {number.bit_length()} bits"
        raise PunctError(f"{name} is a whole number from {least} to {most}, not {given}")
    return number


def percentage(name: str, value: object) -> int:
    """Return an argument from 0 to 100; raises PunctError otherwise."""
    return whole_number(name, value, 0, 100)


def seed_number(seed: object) -> int:
    """Return a seed's lower 64 bits; raises WrongTypeError if it is no whole number."""
    return integer("seed", seed) & _SEED_BITS
