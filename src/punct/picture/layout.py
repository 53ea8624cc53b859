"""The layout of a picture: spaces as points, the part of the board in view, and its coordinates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

from punct.errors import PunctError, shorten
from punct.geometry import COLUMNS, ROWS, SPACES, Space
from punct.picture.markup import Point

SPACING: Final = 40.0
"""From a space to its neighbour, in the picture's own units."""
ACROSS: Final = SPACING * sqrt(3) / 2
"""From a column to the next."""
LIFT: Final = 2.4
"""How far up each level is drawn, so that a stack looks like one."""
EDGE: Final = 9.75
"""The board's outline: a hexagon whose corners are this many spacings from its middle."""

MIN_SIZE: Final = 64
MAX_SIZE: Final = 4096
"""Of a picture, in pixels."""


MIN_RATIO: Final = 0.25
MAX_RATIO: Final = 4.0
"""Of a picture's width to its height."""


def read_ratio(ratio: float | None) -> float | None:
    """Return the ratio if a picture may have it; None for the board's own."""
    if ratio is None:
        return None
    if isinstance(ratio, bool) or not isinstance(ratio, int | float) or not MIN_RATIO <= ratio <= MAX_RATIO:
        raise PunctError(f"a picture's ratio must be a number from {MIN_RATIO} to {MAX_RATIO:g}, not {shorten(ratio)}")
    return ratio


def read_size(size: int) -> int:
    """Return the size if a picture may have it."""
    if isinstance(size, bool) or not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
        raise PunctError(f"a picture's size must be a whole number from {MIN_SIZE} to {MAX_SIZE}, not {shorten(size)}")
    return size


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    def grown(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Return the box with this much more on each side."""
        return Box(self.left - left, self.top - top, self.right + right, self.bottom + bottom)

    def filled_out(self, ratio: float) -> Box:
        """Return the box made wider, or higher, on both sides until its width is this many times its height."""
        wider, higher = max(0.0, self.height * ratio - self.width), max(0.0, self.width / ratio - self.height)
        return self.grown(wider / 2, higher / 2, wider / 2, higher / 2)

    def contains(self, point: Point) -> bool:
        """Return whether a point is inside."""
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom


def _in_full_hexagon(column: int, row: int) -> bool:
    """Return whether this is a space or one of the six missing corners, which coordinates treat alike."""
    q, r = column - 8, row - 9
    return max(abs(q), abs(r), abs(q - r)) <= 8


GRID: Final = tuple((column, row) for column in range(len(COLUMNS)) for row in ROWS if _in_full_hexagon(column, row))


@dataclass(frozen=True)
class View:
    """How the board is shown: from White's side or flipped, whole or cropped."""

    flipped: bool
    coordinates: bool
    crop: Box | None

    @classmethod
    def of(cls, *, flipped: bool, coordinates: bool, around: Collection[Space]) -> View:
        """Return the view that holds these spaces, or the whole board if there are none."""
        whole = cls(flipped, coordinates, None)
        if not around:
            return whole
        points = [whole.at(space) for space in around]
        horizontal, vertical = [x for x, _ in points], [y for _, y in points]
        margin = 0.6 * SPACING
        box = Box(min(horizontal), min(vertical), max(horizontal), max(vertical)).grown(margin, margin, margin, margin)
        return cls(flipped, coordinates, box)

    def point(self, column: int, row: int) -> Point:
        """Return where a column and row meet, on the board or beyond it."""
        x, y = (column - 8) * ACROSS, ((column - 8) / 2 - (row - 9)) * SPACING
        return (-x, -y) if self.flipped else (x, y)

    def at(self, space: Space, level: int = 1) -> Point:
        """Return where a dot on this space at this level is drawn."""
        x, y = self.point(space.column, space.row)
        return x, y - LIFT * (level - 1)

    def shows(self, space: Space) -> bool:
        """Return whether the space is in view."""
        return self.crop is None or self.crop.contains(self.at(space))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The spaces in view."""
        return tuple(space for space in SPACES if self.shows(space))

    @property
    def frame(self) -> Box:
        """The picture's own rectangle, with a margin for coordinates."""
        if self.crop is None:
            reach_x, reach_y = EDGE * ACROSS + 12, EDGE * SPACING - 2
            return Box(-reach_x, -reach_y, reach_x, reach_y)
        if not self.coordinates:
            return self.crop.grown(6, 10, 6, 6)
        return self.crop.grown(0.7 * SPACING, 0.8 * SPACING, 6, SPACING)

    def labels(self) -> list[tuple[str, Point]]:
        """Return the coordinates in view: letters below the columns, row numbers at the rows' upper left ends."""
        in_view = [place for place in GRID if self.crop is None or self.crop.contains(self.point(*place))]
        towards = 1 if self.flipped else -1
        labels = []
        for column in sorted({column for column, _ in in_view}):
            rows = [row for other, row in in_view if other == column]
            x, y = self.point(column, (max(rows) if self.flipped else min(rows)) + towards)
            labels.append((COLUMNS[column], (x, y if self.crop is None else self.crop.bottom + 0.6 * SPACING)))
        for row in sorted({row for _, row in in_view}):
            columns = [column for column, other in in_view if other == row]
            labels.append((str(row), self.point((max(columns) if self.flipped else min(columns)) + towards, row)))
        return labels


def hexagon(radius: float, middle: Point = (0.0, 0.0)) -> list[Point]:
    """Return a hexagon standing on a corner, as the board does."""
    x, y = middle
    half, reach = radius / 2, radius * sqrt(3) / 2
    corners = ((0, -radius), (reach, -half), (reach, half), (0, radius), (-reach, half), (-reach, -half))
    return [(x + dx, y + dy) for dx, dy in corners]
