"""Groups and distances, as plain Python values."""

# No ``from __future__ import annotations``: the API reference reads the types of named tuples.

from typing import NamedTuple

from punct import _kernel
from punct.geometry import SPACES, Space
from punct.kernel.arguments import whole_number
from punct.piece import Colour


class Group(NamedTuple):
    """Adjoining dots of one colour, and the sides they touch: 0 and 1, 2 and 3, 4 and 5 are opposite."""

    spaces: tuple[Space, ...]
    sides: frozenset[int]


class Distances(NamedTuple):
    """The distances for joining one pair of sides.

    The maps give, by space, the lowest cost of a path from the first or second side to there, both ends included: own
    dots are free, empty spaces cost 1 (2 in the central hexagon of the standard game, where nothing can be added), the
    opponent's dots 3, on the second level 4, above it 5. 255 means there is no path. ``shortest`` is the cost of the
    cheapest path from side to side; 0 means joined.
    """

    from_first: dict[Space, int]
    from_second: dict[Space, int]
    shortest: int


def groups(track: "_kernel.Track", colour: Colour) -> list[Group]:
    """Return the groups of one colour."""
    labels, sizes, sides = _kernel.groups(track, colour)
    members: list[list[Space]] = [[] for _ in sizes]
    for space, label in zip(SPACES, labels, strict=True):
        if label < len(members):
            members[label].append(space)
    return [
        Group(tuple(spaces), frozenset(side for side in range(6) if touched >> side & 1))
        for spaces, touched in zip(members, sides, strict=True)
    ]


def distances(track: "_kernel.Track", colour: Colour, pair: int) -> Distances:
    """Return the maps of one pair of sides."""
    first, second, shortest = _kernel.distances(track, colour, whole_number("pair", pair, 0, 2))
    return Distances(dict(zip(SPACES, first, strict=True)), dict(zip(SPACES, second, strict=True)), shortest)
