"""A player's own games: searched, and written as one file."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Final, Literal

from punct import Position, records
from punct.errors import PunctError
from punct.server.auth.actor import Actor
from punct.server.db.errors import UnreadableGameError
from punct.server.errors import BrokenGameError, RequestError
from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredGame, StoredMove
from punct.server.games.search_store import MAX_OPENING_MOVES, GameFilter, GameSearchStore, Place
from punct.server.games.store import GameStore
from punct.symmetry import SYMMETRIES

_log = logging.getLogger(__name__)
DOWNLOAD_PAGE_SIZE: Final = 200
"""Games that are in memory at a time."""
_MAX_WRITERS: Final = 1
"""Pages of downloads that are written at a time, in each process: games that are played come first."""
WriteGame = Callable[[StoredGame, list[StoredMove]], bytes]
"""Returns a game as a part of a file."""


class InvalidOpeningError(RequestError, status=422, code="invalid_opening"):
    """A text is not the beginning of a game."""


class GameSearch:
    """Searches games, and streams them."""

    def __init__(self, store: GameStore) -> None:
        """Read from a store of games."""
        self._store, self._search = store, GameSearchStore(store.database)
        self._writers = asyncio.Semaphore(_MAX_WRITERS)

    async def find(
        self, actor: Actor, wanted: GameFilter, after: Place | None, limit: int
    ) -> tuple[list[StoredGame], Place | None, int | None]:
        """Return a page of an actor's games, the place after it, and on the first page how many there are."""
        if not actor.is_unrestricted and actor.player_id is None:
            return [], None, 0

        def read() -> tuple[list[StoredGame], Place | None, int | None]:
            total = self._search.count(actor.player_id, wanted) if after is None else None
            return *self._search.find(actor.player_id, wanted, after, limit), total

        return await asyncio.to_thread(read)

    async def download(self, actor: Actor, wanted: GameFilter, write: WriteGame) -> AsyncIterator[bytes]:
        """Yield an actor's games, some at a time, newest first, each as it is when its part is written.

        A game that begins meanwhile is not among them, and none is written twice. What is damaged is left out.
        """
        if not actor.is_unrestricted and actor.player_id is None:
            return
        after: Place | None = None
        while True:
            async with self._writers:  # not while the client reads: it may be slow
                page, after = await asyncio.to_thread(self._write_page, actor.player_id, wanted, after, write)
            if page:
                yield page
            if after is None:
                return

    def _write_page(
        self, player_id: str | None, wanted: GameFilter, after: Place | None, write: WriteGame
    ) -> tuple[bytes, Place | None]:
        games, place = self._search.find(player_id, wanted, after, DOWNLOAD_PAGE_SIZE)
        return b"".join(self._write(game.id, write) for game in games), place

    def _write(self, game_id: str, write: WriteGame) -> bytes:
        try:
            loaded = self._store.load(game_id)
            return b"" if loaded is None else write(*loaded)
        except (UnreadableGameError, BrokenGameError) as error:
            _log.error("left out of a download: game %s: %s", game_id, error)
            return b""


def record_writer(form: Literal["text", "sgf"]) -> WriteGame:
    """Return the function that writes games as records of a format."""

    def write(game: StoredGame, moves: list[StoredMove]) -> bytes:
        text = records.dumps([PlayedGame.replay(game, moves).to_record()], format=form)
        return (text if form == "sgf" else f"{text}\n").encode()

    return write


def images_of_opening(text: str, rules: str | None) -> tuple[str, ...]:
    """Return the first moves of a game in each symmetric image of the board; raises InvalidOpeningError."""
    texts = text.split()
    if len(texts) > MAX_OPENING_MOVES:
        raise InvalidOpeningError(f"An opening is searched by its first {MAX_OPENING_MOVES} moves at most.")
    try:
        return _images(texts, rules or "standard")
    except PunctError as error:
        if rules is None:
            try:
                return _images(texts, "basic")
            except PunctError:
                pass
        raise InvalidOpeningError(f"This is no opening: {error}") from None


def _images(texts: list[str], rules: str) -> tuple[str, ...]:
    position = Position(f"{rules} w")
    images: list[list[str]] = [[] for _ in SYMMETRIES]
    for text in texts:
        for image, symmetry in zip(images, SYMMETRIES, strict=True):
            image.append(str(symmetry.move(text, position)))
        position.push(text)
    return tuple(" ".join(image) for image in images)
