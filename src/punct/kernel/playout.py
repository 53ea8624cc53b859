"""Whole random games inside the kernel."""

from __future__ import annotations

from typing import Final, NamedTuple

from punct import _kernel
from punct.contract import Start
from punct.kernel.arguments import percentage, seed_number, whole_number
from punct.kernel.position import as_kernel

_MAX_GAMES: Final = (1 << 64) - 1
_MAX_TURNS: Final = 1 << 30


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
    results, turns = _kernel.random_games(
        as_kernel(position).track,
        whole_number("games", games, 0, _MAX_GAMES),
        seed_number(seed),
        whole_number("most", most, 0, _MAX_TURNS),
        percentage("raised", raised),
        percentage("bridge", bridge),
        percentage("moved", moved),
    )
    unfinished, white, black, draws = results
    return RandomGames(white, black, draws, unfinished, turns)
