"""A clock in a file, which the bench sets and a server reads."""

from __future__ import annotations

import mmap
import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_SECONDS: Final = struct.Struct("d")


class FileClock:
    """The simulated time: it stands still unless the bench sets it."""

    def __init__(self, path: Path) -> None:
        """Use a file, which is created if it is missing."""
        if not path.exists():
            path.write_bytes(_SECONDS.pack(datetime(2027, 3, 1, tzinfo=UTC).timestamp()))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _SECONDS.size)

    def __call__(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(_SECONDS.unpack_from(self._memory)[0], UTC)

    def set(self, time: datetime) -> None:
        """Have it be some time from now on."""
        _SECONDS.pack_into(self._memory, 0, time.timestamp())
