"""Sets of spaces as clients get them: 211 bits, in the canonical order of the spaces, in base64."""

from __future__ import annotations

from base64 import b64decode, b64encode
from itertools import groupby
from typing import Final

from punct.geometry import SPACES, Space

BYTES: Final = (len(SPACES) + 7) // 8


def _columns() -> tuple[tuple[int, int, int], ...]:
    """For each column: where its bits start in a library mask, which of them are spaces, and where they go."""
    columns, index = [], 0
    for _, group in groupby(SPACES, key=lambda space: space.column):
        spaces = list(group)
        columns.append((spaces[0].bit, (1 << len(spaces)) - 1, index))
        index += len(spaces)
    return tuple(columns)


_COLUMNS: Final = _columns()


def pack(mask: int) -> str:
    """Return a library mask as clients get it.

    >>> pack(0)
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    compact = 0
    for start, column, index in _COLUMNS:
        compact |= (mask >> start & column) << index
    return b64encode(compact.to_bytes(BYTES, "little")).decode()


def unpack(text: str) -> tuple[Space, ...]:
    """Return the spaces of a mask that was sent to a client."""
    compact = int.from_bytes(b64decode(text), "little")
    return tuple(space for index, space in enumerate(SPACES) if compact >> index & 1)
