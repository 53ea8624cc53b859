"""The service of notebooks: what their owner sees and changes, while a game is played and afterwards."""

from __future__ import annotations

import asyncio

from punct.server.auth.actor import Actor
from punct.server.clock import Now, utc_now
from punct.server.db.errors import MissingPlayerError
from punct.server.games.errors import NotYourSeatError, PlayerRemovedError, UnknownGameError
from punct.server.games.rights import rights_of
from punct.server.games.service import Games
from punct.server.notebooks.errors import NotebookChangedError
from punct.server.notebooks.store import MissingGameError, Notebook, NotebookStore, OutdatedNotebookError


class Notebooks:
    """All notebooks of this server. Every method checks that the actor plays in the game."""

    def __init__(self, store: NotebookStore, games: Games, now: Now = utc_now) -> None:
        """Use a store; notebooks are of these games."""
        self._store, self._games, self._now = store, games, now

    async def get(self, game_id: str, actor: Actor) -> Notebook:
        """Return the actor's notebook in a game; an empty one if there is none."""
        player_id = await self.check_player(game_id, actor)
        return await asyncio.to_thread(self._store.get, game_id, player_id) or Notebook()

    async def put(self, game_id: str, version: int, note: str | None, tree: str | None, actor: Actor) -> Notebook:
        """Store the actor's note or variations, or both, in place of the notebook with a version; return all of it."""
        player_id = await self.check_player(game_id, actor)
        try:
            return await asyncio.wrap_future(self._store.put(game_id, player_id, version, note, tree, self._now()))
        except OutdatedNotebookError:
            raise NotebookChangedError from None
        except MissingGameError:
            raise UnknownGameError from None
        except MissingPlayerError:
            raise PlayerRemovedError from None

    async def delete(self, game_id: str, actor: Actor) -> None:
        """Delete the actor's notebook in a game."""
        player_id = await self.check_player(game_id, actor)
        await asyncio.wrap_future(self._store.delete(game_id, player_id))

    async def check_player(self, game_id: str, actor: Actor) -> str:
        """Return the actor's id; raises NotYourSeatError for everybody who does not play in the game."""
        game = await self._games.get(game_id)
        if actor.player_id is None or not rights_of(game.stored, actor).seats:
            raise NotYourSeatError
        return actor.player_id
