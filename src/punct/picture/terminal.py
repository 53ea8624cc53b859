"""A position drawn in a terminal: 72 characters wide, 33 lines high, the board standing as in every picture.

A space is three characters wide. Columns are four characters apart, and a step up a column is two lines, so that the
six neighbours of a space are all near it:

::

               n
        nw  ╭─ ○ ─╮  ne        ○ minor dot, ◇ PÜNCT; a digit after it is its level, if it is not on the board itself
        ──  ◇     ○  ──        ∩ before it: the middle of a bridge
        sw           se        · empty space, + empty space of the central hexagon
               s

With colours the bodies of the pieces are painted; without, lines join their dots, White's dots are hollow and Black's
filled. Plain ASCII has letters instead: ``W w`` and ``B b``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from punct.contract import PositionLike
from punct.geometry import COLUMNS, SPACES, Heading, Space
from punct.piece import SET_SIZE, Colour, Kind, Piece

if TYPE_CHECKING:  # loaded for colours alone
    from rich.text import Text

COLUMN_WIDTH: Final = 4
LEFT: Final = 5
"""Where column a stands: right of the row numbers."""
TOP: Final = 15
"""The line of the centre, i9."""
LINES: Final = 33


@dataclass(frozen=True)
class Glyphs:
    """The characters a drawing is made of."""

    punct: tuple[str, str]
    minor: tuple[str, str]
    empty: str
    centre: str
    bridge: str
    mark: str
    across: str
    upright: str
    joints: dict[tuple[bool, Heading], str]
    """By side of a dot (True: right), and where the body continues from there; S means both ways."""


LINED: Final = Glyphs(
    punct=("◇", "◆"),
    minor=("○", "●"),
    empty="·",
    centre="+",
    bridge="∩",
    mark="›",
    across="─",
    upright="│",
    joints={
        (True, Heading.NE): "╯",
        (True, Heading.SE): "╮",
        (True, Heading.S): "┤",
        (False, Heading.NW): "╰",
        (False, Heading.SW): "╭",
        (False, Heading.S): "├",
    },
)
"""Without colours."""

PAINTED: Final = Glyphs(
    punct=("◉", "◉"),
    minor=("○", "○"),
    empty="·",
    centre="+",
    bridge="∩",
    mark=" ",
    across=" ",
    upright=" ",
    joints={
        (True, Heading.NE): "▀",
        (True, Heading.SE): "▄",
        (True, Heading.S): "█",
        (False, Heading.NW): "▀",
        (False, Heading.SW): "▄",
        (False, Heading.S): "█",
    },
)
"""With colours: bodies are painted, and half blocks round their corners."""

LETTERED: Final = Glyphs(
    punct=("W", "B"),
    minor=("w", "b"),
    empty=".",
    centre="+",
    bridge="^",
    mark=">",
    across="-",
    upright="|",
    joints={
        (True, Heading.NE): "/",
        (True, Heading.SE): "\\",
        (True, Heading.S): "<",
        (False, Heading.NW): "\\",
        (False, Heading.SW): "/",
        (False, Heading.S): ">",
    },
)
"""Plain ASCII."""

# The board is a mid tone, on which ivory and charcoal both stand out whatever the terminal's own background.
_BOARD: Final = "#cdbd98"
_CENTRE: Final = "#b7a377"
_INK: Final = "#5f5238"
_BODY: Final = ("#f6f0e2", "#2b2d36")
_MARKED: Final = ("#ffd36b", "#6d4c12")
_MARKED_EMPTY: Final = "#dfae4c"
_PUNCT: Final = ("#b8321f", "#f2ab2e")
_MINOR: Final = ("#6f6755", "#b4b8c4")
_DIGIT: Final = ("#1d1b16", "#ffffff")


def draw(position: PositionLike, *, ascii_only: bool = False, names: bool = False, marked: Iterable[Space] = ()) -> str:
    """Draw the board without colours.

    ``names`` writes each empty space's name on it. ``marked`` spaces stand out: the last move's, or a winning chain.
    """
    glyphs = LETTERED if ascii_only else LINED
    lines = _Canvas(position, glyphs, False, names, frozenset(marked)).lines()
    return "\n".join("".join(text for text, _ in line) for line in lines)


def paint(position: PositionLike, *, names: bool = False, marked: Iterable[Space] = ()) -> Text:
    """Draw the board in colours."""
    from rich.text import Text

    text = Text(no_wrap=True, end="")
    for number, line in enumerate(_Canvas(position, PAINTED, True, names, frozenset(marked)).lines()):
        if number:
            text.append("\n")
        for characters, style in line:
            text.append(characters, style or None)
    return text


def legend(*, ascii_only: bool = False, colour: bool = False) -> str:
    """Return one line that explains the drawing's characters."""
    if colour and not ascii_only:
        return "◉ PÜNCT, ○ minor dot, digit level, ∩ bridge, + centre"
    glyphs = LETTERED if ascii_only else LINED
    white, black = (f"{player} {glyphs.punct[player]}{glyphs.minor[player]}" for player in Colour)
    punct, minor = "/".join(glyphs.punct), "/".join(glyphs.minor)
    word = "PUNCT" if ascii_only else "PÜNCT"
    return (
        f"{white}, {black}; {punct} {word}, {minor} minor, digit level, {glyphs.bridge} bridge, {glyphs.centre} centre"
    )


def status(position: PositionLike) -> list[str]:
    """Return the lines below a drawing: the side to move or the outcome, the two sets, the central hexagon."""
    outcome = position.outcome()
    white, black = position.centre_count()
    return [
        f"{outcome}" if outcome else f"{position.turn} to move, {position.rules} game",
        *(f"{colour}'s set: {describe_set(position, colour)}" for colour in Colour),
        f"Central hexagon: White shows {white}, Black shows {black}",
    ]


def describe_set(position: PositionLike, colour: Colour) -> str:
    """Return what a player still has to add, such as ``T 6, C 2 … (18 pieces)``; kinds used up are left out."""
    in_set = position.in_set(colour)
    left = SET_SIZE - position.on_board(colour)
    kinds = ", ".join(f"{kind} {in_set[kind]}" for kind in Kind if in_set[kind])
    return f"{kinds} ({left} piece{'' if left == 1 else 's'})" if left else "empty"


def changed_spaces(before: PositionLike, after: PositionLike) -> frozenset[Space]:
    """Return the spaces of a move: where the piece lies now, and where it came from."""
    pieces = set(before.pieces) ^ set(after.pieces)
    return frozenset(space for piece in pieces for space in piece.spaces)


class _Canvas:
    """Characters with their styles, by line and place."""

    def __init__(
        self, position: PositionLike, glyphs: Glyphs, colour: bool, names: bool, marked: frozenset[Space]
    ) -> None:
        self._position = position
        self._glyphs = glyphs
        self._colour = colour
        self._names = names
        self._marked = marked
        width = LEFT + COLUMN_WIDTH * len(COLUMNS) - 1
        self._characters = [[" "] * width for _ in range(LINES)]
        self._ink = [[""] * width for _ in range(LINES)]
        self._ground = [[""] * width for _ in range(LINES)]
        self._paint_board()
        self._write_coordinates()
        for space in SPACES:
            top = position.top(space)
            if top is None:
                self._draw_empty(space)
            else:
                self._draw_dot(space, top)

    def lines(self) -> Iterator[list[tuple[str, str]]]:
        """Yield the lines without trailing blanks, each as characters of one style and that style."""
        for line in zip(self._characters, self._ink, self._ground, strict=True):
            cells = list(zip(*line, strict=True))
            while cells and cells[-1][0] == " " and not cells[-1][2]:
                cells.pop()
            yield [
                ("".join(character for character, *_ in run), (f"{ink} on {ground}" if ground else ink).strip())
                for (ink, ground), run in groupby(cells, key=lambda cell: cell[1:])
            ]

    # ------------------------------------------------------------------ the parts

    def _paint_board(self) -> None:
        if not self._colour:
            return
        for ground, spaces in ((_BOARD, SPACES), (_CENTRE, [space for space in SPACES if space.in_centre])):
            for space in spaces:
                x, y = _place(space)
                has_space_below = space.neighbour(Heading.S) in spaces
                for line in (y, y + 1) if has_space_below else (y,):
                    self._ground[line][x - 2 : x + 3] = [ground] * 5

    def _write_coordinates(self) -> None:
        rows: dict[int, Space] = {}
        columns: dict[int, Space] = {}
        for space in SPACES:
            rows.setdefault(space.row, space)
            columns.setdefault(space.column, space)
        for row, first in rows.items():
            x, y = _place(first)
            for offset, digit in enumerate(f"{row:>2}"):
                self._put(x - 4 + offset, y, digit, "bold" if self._colour else "")
        for column, lowest in columns.items():
            x, y = _place(lowest)
            self._put(x, y + 2, COLUMNS[column], "bold" if self._colour else "")

    def _draw_empty(self, space: Space) -> None:
        x, y = _place(space)
        marked = space in self._marked
        if marked and self._colour:
            for column in range(x - 1, x + 2):
                self._ground[y][column] = _MARKED_EMPTY
        ink = _INK if self._colour else ""
        if self._names:
            for offset, character in enumerate(f"{space.name:^3}"):
                self._put(x - 1 + offset, y, character, ink)
        else:
            if marked:
                self._put(x - 1, y, self._glyphs.mark, ink)
            self._put(x, y, self._glyphs.centre if space.in_centre else self._glyphs.empty, ink)

    def _draw_dot(self, space: Space, piece: Piece) -> None:
        x, y = _place(space)
        glyphs, colour = self._glyphs, piece.colour
        is_punct = piece.space is space
        ground = (_MARKED if space in self._marked else _BODY)[colour] if self._colour else ""
        for column in range(x - 1, x + 2):
            self._ground[y][column] = ground
            self._characters[y][column] = " "
        joined = self._joined(space, piece)
        if Heading.N in joined:
            for column in range(x - 1, x + 2):
                self._ground[y - 1][column] = _BODY[colour] if self._colour else ""
            self._put(x, y - 1, glyphs.upright)
        for is_right, up, down in ((True, Heading.NE, Heading.SE), (False, Heading.NW, Heading.SW)):
            if up in joined or down in joined:
                way = Heading.S if up in joined and down in joined else up if up in joined else down
                side = 1 if is_right else -1
                self._put(x + 2 * side, y, glyphs.joints[is_right, way], _BODY[colour] if self._colour else "")
                self._put(x + side, y, glyphs.across)
        ink = f"bold {(_PUNCT if is_punct else _MINOR)[colour]}" if self._colour else ""
        digit_ink = f"bold {_DIGIT[colour]}" if self._colour else ""
        level = str(piece.level) if piece.level > 1 else ""
        # A level of two digits needs the place before the dot.
        at = x - 1 if len(level) > 1 else x
        self._put(at, y, (glyphs.punct if is_punct else glyphs.minor)[colour], ink)
        for offset, digit in enumerate(level, 1):
            self._put(at + offset, y, digit, digit_ink)
        if at == x and self._position.is_bridge(piece) and piece.middle is space:
            self._put(x - 1, y, glyphs.bridge, digit_ink)
        elif at == x and space in self._marked and not self._colour:
            self._put(x - 1, y, glyphs.mark)

    def _joined(self, space: Space, piece: Piece) -> set[Heading]:
        """Return the directions in which the same piece shows its next dot."""
        middle = piece.middle
        return {
            heading
            for heading in Heading
            if (other := space.neighbour(heading)) in piece.spaces
            and other is not None
            and self._position.top(other) == piece
            and (middle is None or middle in (space, other))
        }

    def _put(self, x: int, y: int, character: str, ink: str = "") -> None:
        self._characters[y][x] = character
        if ink:
            self._ink[y][x] = ink


def _place(space: Space) -> tuple[int, int]:
    """Return where a space's dot is drawn: the place in the line, and the line."""
    return LEFT + COLUMN_WIDTH * space.column, TOP - 2 * (space.row - 9) + (space.column - 8)
