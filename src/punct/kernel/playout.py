"""Whole random games inside the kernel."""

from __future__ import annotations

from typing import NamedTuple

from punct import _kernel
from punct.contract import Start
from punct.errors import PunctError
from punct.kernel.position import as_kernel


class RandomGames(NamedTuple):
    """How many games ended how, and how many moves were played in all."""

    white_wins: int
    black_wins: int
    draws: int
    unfinished: int
    turns: int


def random_games(
    position: Start, games: int, seed: int, *, most: int = 10_000, raised: int = 0, bridge: int = 0, moved: int = 0
) -> RandomGames:
    """Play whole pseudo-random games from a position inside the kernel; other threads may run meanwhile.

    The same seed gives the same games. A game is left unfinished after ``most`` moves. The percentages make jumps
    (``raised``), bridges among them, and otherwise moves rather than adds more likely.

    >>> sum(random_games("standard", 10, seed=1)[:4])
    10
    """
    if games < 0 or most < 0:
        raise PunctError("games and turns are counted from 0")
    results, turns = _kernel.random_games(
        as_kernel(position).track, games, seed & (1 << 64) - 1, min(most, 1 << 30), raised, bridge, moved
    )
    unfinished, white, black, draws = results
    return RandomGames(white, black, draws, unfinished, turns)
