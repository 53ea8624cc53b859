"""Players of training games: the search with a network, or with the engine's linear weights."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from punct._kernel import Network, Searcher
from punct.game import Game
from punct.training.errors import TrainingError

LINEAR: Final = "linear"
"""The name of the player without a network."""
MAX_PLIES: Final = 150
"""A game of this length is a draw: by then moves only repeat."""
_HASH_MB: Final = 64
_CACHED_SEARCHERS: Final = 8
"""Enough for the best network, a new one, and a pool."""
_NAME_LENGTH: Final = 16


def name_of(network: bytes | None) -> str:
    """Return the name of a network: the first letters of its SHA-256 digest.

    >>> name_of(None), name_of(b"")
    ('linear', 'e3b0c44298fc1c14')
    """
    return LINEAR if network is None else sha256(network).hexdigest()[:_NAME_LENGTH]


def load_network(path: Path | None) -> bytes | None:
    """Read a network's file, checked by the search; None for the linear weights. TrainingError if it is invalid."""
    if path is None:
        return None
    try:
        network = path.read_bytes()
        get_searcher(network)
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise TrainingError(f"{path} cannot be played by: {error}") from None
    return network


@lru_cache(_CACHED_SEARCHERS)
def get_searcher(network: bytes | None) -> Searcher:
    """Return a searcher with a network; ValueError, which says why, if it is invalid."""
    searcher = Searcher(_HASH_MB)
    if network is not None:
        searcher.set_network(Network(network))
    return searcher


def search(network: bytes | None, game: Game, nodes: int, seed: int, variations: int = 1) -> dict[str, Any]:
    """Search a game's position, with its history for repetition; the same seed gives the same result."""
    moves = [str(move) for move in game.moves]
    return get_searcher(network).search(str(game.start), moves, nodes=nodes, variations=variations, seed=seed)


def is_over(game: Game) -> bool:
    """Return whether a game has ended, or has reached the greatest length."""
    return game.outcome() is not None or len(game.moves) >= MAX_PLIES
