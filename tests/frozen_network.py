"""The network that tests play by, which never changes: a stronger one changes no fixture, picture or browser test.

``tests/conftest.py`` names it in PUNCT_NETWORK, which every engine, server and page build that a test starts obeys; the
page's own tests read the same file. A test of the network that is shipped takes the fixture ``shipped_network``.

It is the engine's own network after 19,072 games (commit 8de5247), pruned by ``python -m tests.frozen_network``: so it
takes 50 kB compressed, and beats the engine without a network in three games of four. Only a new file format needs a
new one, and new fixtures with it; a stronger network does not.
"""

from __future__ import annotations

import gzip
import os
import struct
from pathlib import Path
from typing import Final

import numpy as np

from punct import _kernel
from punct.engine.network import NETWORK_VARIABLE, OWN_NETWORK_PATH

ROOT: Final = Path(__file__).resolve().parents[1]
COMPRESSED_NETWORK_PATH: Final = ROOT / "tests" / "engine" / "frozen.network.gz"
FROZEN_NETWORK_PATH: Final = ROOT / "build" / "frozen.network"
"""Where it is decompressed to: the engine reads no compressed file."""

_HEAD_BYTES: Final = 12
_CHECKSUM_BYTES: Final = 8
_MAPS: Final = 3 * 211
"""Outputs of the maps: three for each space of the board."""
_FIRST_STEP: Final = 24
_MAP_STEP: Final = 128


def frozen_network() -> bytes:
    """Return the file's content."""
    return gzip.decompress(COMPRESSED_NETWORK_PATH.read_bytes())


def use_frozen_network() -> None:
    """Have all engines play by it that are made later, in this process and in those that it starts."""
    os.environ[NETWORK_VARIABLE] = str(_decompress())


def _decompress() -> Path:
    """Write the network where engines can read it, unless it is there, and return its path."""
    content = frozen_network()
    if not FROZEN_NETWORK_PATH.exists() or FROZEN_NETWORK_PATH.read_bytes() != content:
        FROZEN_NETWORK_PATH.parent.mkdir(exist_ok=True)
        part = FROZEN_NETWORK_PATH.with_suffix(f".{os.getpid()}")  # tests run in several processes
        part.write_bytes(content)
        part.replace(FROZEN_NETWORK_PATH)
    return FROZEN_NETWORK_PATH


def prune(content: bytes) -> bytes:
    """Return a network whose two largest layers have few numbers other than 0: each is rounded towards it."""
    numbers = bytearray(content[:-_CHECKSUM_BYTES])
    hidden, second, units = _kernel.NETWORK_HIDDEN, _kernel.NETWORK_SECOND, _kernel.NETWORK_SPACE_UNITS
    _round(np.frombuffer(numbers, "<i1", _kernel.NETWORK_INPUTS * hidden, _HEAD_BYTES), _FIRST_STEP)
    after_maps = 4 * _MAPS + 2 * units * (_kernel.NETWORK_SPACE_FEATURES + 1) + 3 * units * (2 * second + 4)
    maps_at = len(numbers) - after_maps - 2 * _MAPS * hidden
    _round(np.frombuffer(numbers, "<i2", _MAPS * hidden, maps_at), _MAP_STEP)
    return bytes(numbers) + struct.pack("<Q", _kernel.network_checksum(bytes(numbers)))


def _round(numbers: np.ndarray[tuple[int], np.dtype[np.integer]], step: int) -> None:
    """Round numbers towards 0, in place, to multiples of a step."""
    numbers -= np.fmod(numbers, step)  # whose sign is the number's


if __name__ == "__main__":
    COMPRESSED_NETWORK_PATH.write_bytes(gzip.compress(prune(OWN_NETWORK_PATH.read_bytes()), 9, mtime=0))
