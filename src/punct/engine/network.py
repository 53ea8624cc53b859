"""The engine's network: its own, which comes with it, or one from a file."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

from punct._kernel import Network
from punct.engine.errors import EngineError

OWN_NETWORK_PATH: Final = Path(__file__).with_name("own.network")
_MAX_FILE_BYTES: Final = 1 << 22

__all__ = ["OWN_NETWORK_PATH", "Network", "load_network", "own_network"]


@cache
def own_network() -> Network:
    """Return the engine's own network; all engines of a process share it."""
    return load_network(OWN_NETWORK_PATH)


def load_network(path: str | os.PathLike[str]) -> Network:
    """Read a network from a file that training wrote; raises EngineError if it is invalid."""
    path = Path(path)
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
