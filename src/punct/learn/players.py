"""Who plays: the search with a network, or with the engine's own linear weights."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from punct._kernel import Network, Searcher
from punct.game import Game
from punct.learn.errors import LearnError

LINEAR: Final = "linear"
"""The name of the weights that need no network."""
MOST_PLIES: Final = 150
"""A game so long is a draw: by then it goes round in circles."""
_HASH_MB: Final = 64
_KEPT: Final = 8
"""Searches a worker keeps ready: the best network, a new one, and a pool."""
_LETTERS: Final = 16


def name_of(network: bytes | None) -> str:
    """Return what a network is called: the first letters of its digest.

    >>> name_of(None), name_of(b"")
    ('linear', 'e3b0c44298fc1c14')
    """
    return LINEAR if network is None else sha256(network).hexdigest()[:_LETTERS]


def load_network(path: Path | None) -> bytes | None:
    """Return what a network's file holds, if the search takes it; None for the linear weights. LearnError if not."""
    if path is None:
        return None
    try:
        network = path.read_bytes()
        searcher_of(network)
    except OSError as error:
        raise LearnError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise LearnError(f"{path} cannot be played by: {error}") from None
    return network


@lru_cache(_KEPT)
def searcher_of(network: bytes | None) -> Searcher:
    """Return a search with a network; ValueError, which says why, if that is none."""
    searcher = Searcher(_HASH_MB)
    if network is not None:
        searcher.set_network(Network(network))
    return searcher


def search(network: bytes | None, game: Game, nodes: int, seed: int, variations: int = 1) -> dict[str, Any]:
    """Think about a game's position, with its history for repetition: the same for the same seed."""
    moves = [str(move) for move in game.moves]
    return searcher_of(network).search(str(game.start), moves, nodes=nodes, variations=variations, seed=seed)


def is_over(game: Game) -> bool:
    """Tell whether nobody plays on: the game has ended, or leads nowhere."""
    return game.outcome() is not None or len(game.moves) >= MOST_PLIES
