"""The board: its 211 spaces, six directions, lines, sides and central hexagon.

A set of spaces is one integer, a bit for each space (a *mask*). Spaces are numbered column by column with a stride
of 19 for the at most 17 rows, so that a step in any of the six directions is the same shift for the whole board, and
a shift of up to two steps never runs from one column into the next:

::

                 +1
         -19  \\   |   /  +20           n
               \\  |  /            nw      ne
                  x                   x
               /  |  \\            sw      se
         -20  /   |   \\  +19           s
                 -1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final

from punct.errors import PunctError, WrongTypeError, shorten

STRIDE: Final = 19
COLUMNS: Final = "abcdefghijklmnopq"
ROWS: Final = range(1, 18)
BITS: Final = len(COLUMNS) * STRIDE
"""How many bits a mask has."""


class Heading(IntEnum):
    """One of the six directions, clockwise from straight up."""

    N = 0
    NE = 1
    SE = 2
    S = 3
    SW = 4
    NW = 5

    def turned(self, steps: int) -> Heading:
        """Return the direction this many sixths of a circle further clockwise."""
        try:
            return Heading((self + steps) % 6)
        except (TypeError, ValueError):
            raise WrongTypeError(f"a heading is turned by a whole number of sixths, not {shorten(steps)}") from None

    @property
    def opposite(self) -> Heading:
        """The direction straight back."""
        return self.turned(3)

    def __str__(self) -> str:
        return self.name.lower()


STEP: Final = (1, STRIDE + 1, STRIDE, -1, -STRIDE - 1, -STRIDE)
"""By heading: what one step adds to a space's bit number."""


class Space:
    """One of the 211 spaces. There is one object for each, so spaces compare by identity and hash quickly.

    >>> Space("i9").neighbour(Heading.NE)
    Space('j10')
    >>> Space("a2").neighbour(Heading.SW) is None
    True
    """

    __slots__ = ("bit", "column", "name", "row")

    bit: int
    column: int
    row: int
    name: str

    def __new__(cls, name: str) -> Space:
        """Return the space of that name, in upper or lower case."""
        if not isinstance(name, str):
            raise WrongTypeError(f"a space is named by text, such as 'd5', not {type(name).__name__}")
        # ASCII alone: other alphabets have letters whose lower case is one of ours, such as the kelvin sign.
        space = _SPACE_BY_NAME.get(name.lower() if len(name) <= 3 and name.isascii() else "")
        if space is None:
            raise PunctError(_why_no_space(name)).about("space", name)
        return space

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a space cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a space cannot be changed: {name}")

    def __reduce__(self) -> tuple[type[Space], tuple[str]]:
        return Space, (self.name,)

    def __copy__(self) -> Space:
        return self

    def __deepcopy__(self, memo: object) -> Space:
        return self

    def __repr__(self) -> str:
        return f"Space({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __lt__(self, other: Space) -> bool:
        """Order by column, then by row."""
        return self.bit < other.bit if isinstance(other, Space) else NotImplemented

    @property
    def mask(self) -> int:
        """This space alone, as a mask."""
        return 1 << self.bit

    @property
    def in_centre(self) -> bool:
        """Whether the space is one of the 19 of the central hexagon."""
        return bool(CENTRE >> self.bit & 1)

    def neighbour(self, heading: Heading) -> Space | None:
        """Return the next space that way, or None at the edge."""
        try:
            return SPACE_AT.get(self.bit + STEP[heading])
        except (TypeError, IndexError):
            raise _no_heading(heading) from None

    @property
    def neighbours(self) -> tuple[Space, ...]:
        """The adjacent spaces, clockwise from straight up."""
        return tuple(space for heading in Heading if (space := self.neighbour(heading)))

    def line(self, heading: Heading) -> tuple[Space, ...]:
        """Return the spaces on the straight line that way, nearest first, up to the edge."""
        try:
            return LINE[self.bit][heading]
        except (TypeError, IndexError):
            raise _no_heading(heading) from None


def _no_heading(heading: object) -> WrongTypeError:
    return WrongTypeError(f"a heading is one of Heading.N to Heading.NW, not {shorten(heading)}")


def read_heading(heading: object) -> Heading:
    """Return the heading if it is one; raises WrongTypeError if not."""
    if not isinstance(heading, Heading):
        raise _no_heading(heading)
    return heading


def _why_no_space(name: str) -> str:
    import re  # only a wrong name needs it

    if len(name) > 3 or not re.fullmatch(r"[A-Qa-q][1-9][0-9]?", name):
        return f"{shorten(name)} is not a space: write a column letter a–q and a row number 1–17, such as i9"
    return f"{name} is not one of the board's 211 spaces"


def _is_on_board(column: int, row: int) -> bool:
    """Return whether column 0–16 and row 1–17 name a space: a hexagon of side 9 without its six corners."""
    q, r = column - 8, row - 9
    distances = sorted((abs(q), abs(r), abs(q - r)))
    return distances[2] <= 8 and distances[1] < 8


def _make_spaces() -> Iterator[Space]:
    for column, letter in enumerate(COLUMNS):
        for row in ROWS:
            if _is_on_board(column, row):
                space = object.__new__(Space)
                object.__setattr__(space, "bit", column * STRIDE + row)
                object.__setattr__(space, "column", column)
                object.__setattr__(space, "row", row)
                object.__setattr__(space, "name", f"{letter}{row}")
                yield space


SPACES: Final = tuple(_make_spaces())
"""All 211, by column and row."""
SPACE_AT: Final = {space.bit: space for space in SPACES}
_SPACE_BY_NAME: Final = {space.name: space for space in SPACES}


def mask_of(spaces: Iterable[Space]) -> int:
    """Return the mask of these spaces."""
    mask = 0
    for space in spaces:
        mask |= 1 << space.bit
    return mask


def bits_of(mask: int) -> Iterator[int]:
    """Yield the bit numbers in a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def spaces_of(mask: int) -> tuple[Space, ...]:
    """Return the spaces in a mask, by column and row; raises PunctError if it has bits off the board."""
    if isinstance(mask, bool) or not isinstance(mask, int) or mask & ~BOARD:
        raise PunctError(f"mask is a set of spaces as a number, with bits of BOARD alone, not {shorten(mask)}")
    return tuple(SPACE_AT[bit] for bit in bits_of(mask))


def look(mask: int, step: int) -> int:
    """Return every place from which one finds the mask ``step`` bits further on."""
    return mask >> step if step > 0 else mask << -step


def around(mask: int) -> int:
    """Return every place next to the mask (also off the board: cut with ``BOARD`` or a part of it)."""
    return (
        mask << 1 | mask >> 1 | mask << STRIDE | mask >> STRIDE | mask << (STRIDE + 1) | mask >> (STRIDE + 1)
    )  # fmt: skip


BOARD: Final = mask_of(SPACES)


def _across(space: Space) -> tuple[int, int, int]:
    """Return how far from the centre the three lines through a space run: its column, its row and the slanting one."""
    return space.column - 8, space.row - 9, space.column - space.row + 1


def _parallel() -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Return all lines as masks by how far from the centre they run: columns, rows and slanting ones."""
    lines: tuple[dict[int, int], dict[int, int], dict[int, int]] = ({}, {}, {})
    for space in SPACES:
        for masks, across in zip(lines, _across(space), strict=True):
            masks[across] = masks.get(across, 0) | 1 << space.bit
    return lines


def _crossing(space: Space) -> int:
    """Return everything on the three lines through a space but itself: they reach the edge without a gap."""
    column, row, slant = _across(space)
    return (_COLUMNS[column] | _ROWS[row] | _SLANTS[slant]) & ~(1 << space.bit)


CENTRE: Final = mask_of([space for space in SPACES if max(map(abs, _across(space))) <= 2])
"""The central hexagon."""

_COLUMNS, _ROWS, _SLANTS = _parallel()
SIDES: Final = tuple((lines[-8], lines[8]) for lines in (_COLUMNS, _ROWS, _SLANTS))
"""The three pairs of opposite sides: columns a and q, rows 1 and 17, and the two slanting ones b10–h16 and j2–p8."""

LINES: Final = {space.bit: _crossing(space) for space in SPACES}
"""By a space's bit: everything on its six lines, itself not included."""


class _Lines(dict[int, tuple[tuple[Space, ...], ...]]):
    """The lines of a space, computed when first needed: most programs need those of few spaces."""

    def __missing__(self, bit: int) -> tuple[tuple[Space, ...], ...]:
        lines = self[bit] = tuple(tuple(_ahead(SPACE_AT[bit], heading)) for heading in Heading)
        return lines


def _ahead(space: Space, heading: Heading) -> Iterator[Space]:
    step = space.neighbour(heading)
    while step is not None:
        yield step
        step = step.neighbour(heading)


LINE: Final = _Lines()
"""By a space's bit and heading: the spaces from there to the edge."""
