"""Groups, distances and random games, as plain Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from punct import _kernel
from punct.errors import PunctError
from punct.geometry import SPACES, Space
from punct.piece import Colour

if TYPE_CHECKING:
    from punct.kernel.position import Position


class Group(NamedTuple):
    """Adjoining dots of one colour, and the sides they touch: 0 and 1, 2 and 3, 4 and 5 are opposite."""

    spaces: tuple[Space, ...]
    sides: frozenset[int]


class Distances(NamedTuple):
    """What is missing to join one pair of sides.

    The maps give, by space, the lowest price of a way from the first or second side to there, both ends included: own
    dots are free, empty spaces cost 2 (3 in the standard game's central hexagon), the opponent's dots 6 and more.
    255 means there is no way. ``shortest`` is the price of the cheapest way from side to side; 0 means joined.
    """

    from_first: dict[Space, int]
    from_second: dict[Space, int]
    shortest: int


class RandomGames(NamedTuple):
    """How many games ended how, and how many turns were played in all."""

    white_wins: int
    black_wins: int
    draws: int
    unfinished: int
    turns: int


def groups(line: _kernel.Line, colour: Colour) -> list[Group]:
    """Return the groups of one colour."""
    labels, sizes, sides = _kernel.groups(line, colour)
    members: list[list[Space]] = [[] for _ in sizes]
    for space, label in zip(SPACES, labels, strict=True):
        if label < len(members):
            members[label].append(space)
    return [
        Group(tuple(spaces), frozenset(side for side in range(6) if touched >> side & 1))
        for spaces, touched in zip(members, sides, strict=True)
    ]


def distances(line: _kernel.Line, colour: Colour, pair: int) -> Distances:
    """Return the maps of one pair of sides."""
    if pair not in (0, 1, 2):
        raise PunctError(f"a pair of sides is 0, 1 or 2, not {pair}")
    first, second, shortest = _kernel.distances(line, colour, pair)
    return Distances(dict(zip(SPACES, first, strict=True)), dict(zip(SPACES, second, strict=True)), shortest)


def random_games(
    position: Position, games: int, seed: int, *, most: int = 10_000, raised: int = 0, bridge: int = 0, moved: int = 0
) -> RandomGames:
    """Play whole pseudo-random games from a position inside the kernel; other threads may run meanwhile.

    The same seed gives the same games. A game is left unfinished after ``most`` turns. The percentages make jumps
    (``raised``), bridges among them, and otherwise moves rather than adds more likely.
    """
    if games < 0 or most < 0:
        raise PunctError("games and turns are counted from 0")
    results, turns = _kernel.random_games(
        position.line, games, seed & (1 << 64) - 1, min(most, 1 << 30), raised, bridge, moved
    )
    unfinished, white, black, draws = results
    return RandomGames(white, black, draws, unfinished, turns)
