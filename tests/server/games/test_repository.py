"""The repository of games: what it publishes while games change."""

from __future__ import annotations

import asyncio
from pathlib import Path

from punct.piece import Colour
from punct.server.db.database import open_database
from punct.server.events import EventBus
from punct.server.games.events import GameChanged
from punct.server.games.model import StoredGame, StoredMove, StoredSeat
from punct.server.games.service import Games
from punct.server.games.setup import game_from_position
from punct.server.games.store import GameStore


def test_a_reload_never_publishes_an_older_revision(tmp_path: Path) -> None:
    store, bus, revisions = GameStore(open_database(tmp_path)), EventBus(), []
    bus.subscribe(GameChanged, lambda event: revisions.append(event.game.revision))

    async def run() -> None:
        games, loop = Games(store, bus), asyncio.get_running_loop()
        game = await games.create(game_from_position("standard w", {colour: StoredSeat() for colour in Colour}))
        load = store.load

        def load_then_play(game_id: str) -> tuple[StoredGame, list[StoredMove]] | None:
            loaded = load(game_id)
            asyncio.run_coroutine_threadsafe(games.play(game.id, "Ed5ne", 0), loop).result()
            return loaded

        store.load = load_then_play  # type: ignore[method-assign]
        await games.refresh([game.id])
        await games.close()

    asyncio.run(run())
    store.close()
    assert revisions == [1, 2, 2]
