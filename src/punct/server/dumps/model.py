"""What a public file of games is, and of which months there are any."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from punct.server.dumps.errors import DumpConfigurationError

GRACE: Final = timedelta(days=1)
"""How long after its end a month's file is made: by then its last games have been rated."""
FIRST_VERSION: Final = ""
"""The version of a month's games before any of their players was deleted."""


@dataclass(frozen=True, slots=True)
class DumpConfiguration:
    """Where this server keeps its public files, and what its operator says of their use."""

    folder: Path
    licence: str | None = None

    def prepare(self, *, online: bool) -> None:
        """Create the folder; raises DumpConfigurationError if nothing can be written there, or at home."""
        if not online:
            raise DumpConfigurationError("public files of games need players with accounts: give --online or --name")
        if self.licence is not None and not self.licence.isprintable():
            raise DumpConfigurationError("the licence of the public games is one line of text")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self.folder).close()
        except OSError as error:
            raise DumpConfigurationError(
                f"public games cannot be written to {self.folder}: {error.strerror or os.strerror(error.errno or 0)}"
            ) from None


@dataclass(frozen=True, slots=True)
class PublicFile:
    """A month's public file."""

    month: str
    """As ``2026-10``."""
    name: str
    """In the folder: it has a part of the checksum, so that a file that replaces it has another name."""
    games: int
    bytes: int
    sha256: str
    made: datetime
    version: str
    """Of the month's games when the file was made; see ``punct.server.db.tables.DUMP_VERSIONS``."""


def month_of(time: datetime) -> str:
    """Return the month of a time.

    >>> month_of(datetime(2026, 10, 31, tzinfo=UTC))
    '2026-10'
    """
    return time.astimezone(UTC).strftime("%Y-%m")


def bounds_of(month: str) -> tuple[datetime, datetime]:
    """Return when a month begins, and when the next one does."""
    begin = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    return begin, (begin + timedelta(days=31)).replace(day=1)


def complete_months(first: datetime, now: datetime) -> Iterator[str]:
    """Yield the months from that of a time on that are over."""
    begin, end = bounds_of(month_of(first))
    while end + GRACE <= now:
        yield month_of(begin)
        begin, end = bounds_of(month_of(end))
