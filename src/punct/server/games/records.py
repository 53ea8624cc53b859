"""Reading records from clients in a worker process, within limits."""

from __future__ import annotations

from typing import Final

from punct.server.games.game import MAX_PLIES
from punct.server.http import schemas as http_schemas
from punct.server.http.errors import TooLargeError
from punct.server.workers.pool import JobLimitError, ProcessPool
from punct.server.workers.read import ReadJob, ReadTreeJob, RecordGame

MAX_IMPORTED_GAMES: Final = 500
"""In one record."""
MAX_TAG_CHARACTERS: Final = 10_000
"""In all tags of one game: every list reads them. Real games have a few hundred."""


class RecordReader:
    """Reads records in a worker process."""

    def __init__(self, pool: ProcessPool) -> None:
        self._pool = pool

    async def read_games(
        self, text: str, form: http_schemas.RecordFormat | None = None, max_games: int = MAX_IMPORTED_GAMES
    ) -> list[RecordGame]:
        """Return a record's games."""
        try:
            return await self._pool.run(ReadJob(text, form, max_games, MAX_PLIES, MAX_TAG_CHARACTERS))
        except JobLimitError:
            raise TooLargeError("This record is too much to read at once; take in fewer games at a time.") from None

    async def read_tree(self, text: str, form: http_schemas.RecordFormat = "text") -> str:
        """Return a record of one game with its variations, in a canonical form."""
        try:
            return await self._pool.run(ReadTreeJob(text, MAX_PLIES, form))
        except JobLimitError:
            raise TooLargeError("This analysis is too much to read.") from None

    async def close(self) -> None:
        """End the worker process."""
        await self._pool.close()
