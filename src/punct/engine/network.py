"""The engine's network: its own, which comes with it, or one from a file."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

from punct._kernel import Network
from punct.engine.errors import EngineError
from punct.errors import WrongTypeError
from punct.paths import PathLike, read_path

OWN_NETWORK_PATH: Final = Path(__file__).with_name("own.network")
NETWORK_VARIABLE: Final = "PUNCT_NETWORK"
"""The environment variable that names another network, for every engine that is given none."""
_MAX_FILE_BYTES: Final = 1 << 22

__all__ = [
    "NETWORK_VARIABLE", "OWN_NETWORK_PATH", "Network", "check_configured_network", "configured_network_path",
    "default_network", "load_network", "own_network", "read_network",
]  # fmt: skip


def own_network() -> Network:
    """Return the engine's own network; all engines of a process share it."""
    return _shared_network(OWN_NETWORK_PATH)


def default_network() -> Network:
    """Return the network of engines that are given none: the one that PUNCT_NETWORK names, or the engine's own.

    All engines of a process share it. Raises EngineError if PUNCT_NETWORK names none.
    """
    path = configured_network_path()
    if path is None:
        return own_network()
    try:
        return _shared_network(path)
    except EngineError as error:
        raise EngineError(f"{NETWORK_VARIABLE} names no network: {error}") from None


def configured_network_path() -> Path | None:
    """Return the file that PUNCT_NETWORK names; None if it is not set."""
    path = os.environ.get(NETWORK_VARIABLE)
    return Path(path) if path else None


def check_configured_network() -> None:
    """Raise EngineError if PUNCT_NETWORK names no network: now, and not when the first engine is to move."""
    if configured_network_path() is not None:
        default_network()


@cache
def _shared_network(path: Path) -> Network:
    return load_network(path)


def read_network(network: Network | PathLike) -> Network:
    """Return a network, read from its file if it is given by its path; raises WrongTypeError for anything else."""
    if isinstance(network, Network):
        return network
    if not isinstance(network, (str, os.PathLike)):
        raise WrongTypeError(f"a network is a Network or the path of its file, not {type(network).__name__}")
    return load_network(network)


def load_network(path: PathLike) -> Network:
    """Read a network from a file that training wrote; raises EngineError if it is invalid."""
    path = read_path(path, "path of a network")
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise EngineError(f"{path} is too large for a network")
        return Network(path.read_bytes())
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, EngineError):
            raise
        raise EngineError(f"{path} cannot be played by: {error}") from None
