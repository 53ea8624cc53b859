"""Whom players follow, and whom they have blocked: known to themselves alone."""

from __future__ import annotations

import asyncio
from typing import Final

from punct.server.auth.errors import UnknownPlayerError
from punct.server.clock import Now, utc_now
from punct.server.db.errors import MissingPlayerError, QuotaExceededError
from punct.server.events import EventBus
from punct.server.relations.errors import OwnRelationError, TooManyRelationsError
from punct.server.relations.events import RelationChanged
from punct.server.relations.model import RelatedPlayer, RelationKind
from punct.server.relations.store import RelationStore

MAX_RELATIONS: Final = 300
"""Of one player."""


class Relations:
    """All relations between players."""

    def __init__(self, store: RelationStore, now: Now = utc_now, bus: EventBus | None = None) -> None:
        """Use a store, and publish changes on the bus."""
        self._store, self._now, self._bus = store, now, bus or EventBus()

    async def list_of(self, player_id: str) -> list[RelatedPlayer]:
        """Return whom a player follows or has blocked, the newest first."""
        return await asyncio.to_thread(self._store.list_of, player_id)

    async def between(self, player_id: str, other_id: str) -> RelationKind | None:
        """Return a player's own relation to another; None without one."""
        return await asyncio.to_thread(self._store.between, player_id, other_id)

    async def has_blocked(self, player_id: str, other_id: str) -> bool:
        """Tell whether a player has blocked another."""
        return await self.between(player_id, other_id) == "block"

    async def relate(self, player_id: str, other_id: str, kind: RelationKind) -> None:
        """Follow a player, or block them: one takes the place of the other."""
        if player_id == other_id:
            raise OwnRelationError
        try:
            stored = self._store.store(player_id, other_id, kind, self._now(), MAX_RELATIONS)
            has_ended = await asyncio.wrap_future(stored)
        except MissingPlayerError:
            raise UnknownPlayerError from None
        except QuotaExceededError:
            raise TooManyRelationsError(MAX_RELATIONS) from None
        self._bus.publish(RelationChanged(player_id, other_id, has_ended))

    async def end(self, player_id: str, other_id: str) -> None:
        """Neither follow a player nor block them any more."""
        await asyncio.wrap_future(self._store.delete(player_id, other_id))
        self._bus.publish(RelationChanged(player_id, other_id))
