"""Records that clients send: read in a worker, within bounds."""

from __future__ import annotations

from typing import Final

from punct.server.api import schemas
from punct.server.api.errors import TooLargeError
from punct.server.play.game import LONGEST_GAME
from punct.server.workers.pool import OverrunError, Pool
from punct.server.workers.read import Read, ReadGame, ReadTree

MOST_IMPORTED: Final = 500
"""How many games one record may bring."""
LARGEST_TAGS: Final = 10_000
"""Characters in all tags of one game: every list reads them. Real ones have a few hundred."""


async def read_record(
    pool: Pool, text: str, form: schemas.RecordFormat | None = None, most_games: int = MOST_IMPORTED
) -> list[ReadGame]:
    """Return a record's games."""
    try:
        return await pool.run(Read(text, form, most_games, LONGEST_GAME, LARGEST_TAGS))
    except OverrunError:
        raise TooLargeError("This record is too much to read at once; take in fewer games at a time.") from None


async def read_tree(pool: Pool, text: str, form: schemas.RecordFormat = "text") -> str:
    """Return a record of one game with its variations, as it is written."""
    try:
        return await pool.run(ReadTree(text, LONGEST_GAME, form))
    except OverrunError:
        raise TooLargeError("This analysis is too much to read.") from None
