"""Options as programs announce them."""

from __future__ import annotations

import pytest

from punct.ugi.errors import OptionError
from punct.ugi.options import Option, find_option

LINES = [
    "option name Hash type spin default 256 min 1 max 1024",
    "option name Rules type combo default standard var standard var basic",
    "option name Own Book type check default false",
    "option name Weights type string default <empty>",
    "option name Clear Hash type button",
]


@pytest.mark.parametrize("line", LINES)
def test_what_is_announced_is_read_back(line: str) -> None:
    option = Option.read(line.split()[1:])
    assert option is not None
    assert str(option) == line


def test_odd_announcements() -> None:
    assert Option.read([]) is None
    assert Option.read(["name"]) is None
    assert Option.read(["type", "spin"]) is None
    assert Option.read(["name", "x", "type", "spin", "min", "low"]) == Option("x", "spin")
    assert Option.read(["name", "x"]) == Option("x", "string")


@pytest.mark.parametrize(
    ("number", "value", "meant"),
    [(0, "12", "12"), (0, "+7", "7"), (1, "BASIC", "basic"), (2, "True", "true"), (3, "a b", "a b"),
     (3, "<empty>", ""), (4, "", "")],
)  # fmt: skip
def test_values_that_are_taken(number: int, value: str, meant: str) -> None:
    option = Option.read(LINES[number].split()[1:])
    assert option is not None
    assert option.check(value) == meant


@pytest.mark.parametrize(
    ("number", "value", "why"),
    [
        (0, "0", "Hash is a number from 1 to 1024, not '0'"),
        (0, "much", "Hash is a number from 1 to 1024"),
        (1, "chess", "Rules is standard or basic, not 'chess'"),
        (2, "maybe", "Own Book is true or false"),
    ],
)
def test_values_that_are_refused(number: int, value: str, why: str) -> None:
    option = Option.read(LINES[number].split()[1:])
    assert option is not None
    with pytest.raises(OptionError, match=why):
        option.check(value)


def test_options_are_found_in_any_case() -> None:
    options = [option for line in LINES if (option := Option.read(line.split()[1:]))]
    assert find_option(options, "own book").name == "Own Book"
    with pytest.raises(OptionError, match="there is no option 'Colour'; there are Hash, Rules, Own Book"):
        find_option(options, "Colour")
    with pytest.raises(OptionError, match="there are none"):
        find_option([], "Colour")
