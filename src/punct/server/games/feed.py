"""The feed of games: publishes every change to the subscribers of a game, here and through the broker."""

from __future__ import annotations

from punct.server.auth.events import PlayerChanged
from punct.server.events import EventBus
from punct.server.games import messages
from punct.server.games.events import ClocksAdjusted, EngineProgress, GameChanged, GameRemoved, RatingSkipped
from punct.server.games.service import Games
from punct.server.games.snapshots import SnapshotCache
from punct.server.live.hub import Hub
from punct.server.tasks import BackgroundTasks


class GameFeed:
    """Publishes games to their subscribers, and reloads games that were changed without an event."""

    def __init__(self, games: Games, hub: Hub, snapshots: SnapshotCache, bus: EventBus) -> None:
        """Subscribe to the events of games."""
        self._games, self._hub, self._snapshots = games, hub, snapshots
        self._tasks = BackgroundTasks("reloading games that were changed elsewhere")
        bus.subscribe(GameChanged, self._send_game)
        bus.subscribe(GameRemoved, self._send_removal)
        bus.subscribe(EngineProgress, self._send_progress)
        bus.subscribe(PlayerChanged, self._refresh_seats)
        bus.subscribe(RatingSkipped, lambda event: self._tasks.start(games.refresh([event.game_id])))
        bus.subscribe(ClocksAdjusted, lambda event: self._tasks.start(games.refresh_cached(event.game_ids)))

    async def resync(self) -> None:
        """Reload the games that have subscribers here, and publish those that have changed.

        Raises StoreError if some of them could not be read.
        """
        await self._games.refresh(self._hub.watched_games, lambda game: self._hub.is_newer(game.id, game.revision))

    async def close(self) -> None:
        """Cancel pending reloads."""
        await self._tasks.cancel()

    def _send_game(self, event: GameChanged) -> None:
        game = event.game
        if self._hub.may_be_watched(game.id):
            self._hub.publish(game.id, "game", self._snapshots.get(game).message, game.revision)

    def _send_removal(self, event: GameRemoved) -> None:
        if self._hub.may_be_watched(event.game_id):
            self._hub.publish(event.game_id, "gone", messages.gone_message(event.reason))

    def _send_progress(self, event: EngineProgress) -> None:
        if self._hub.may_be_watched(event.game.id):
            message = messages.thinking_message(event.game, event.thinking, event.progress)
            self._hub.publish(event.game.id, "thinking", message)

    def _refresh_seats(self, event: PlayerChanged) -> None:
        self._tasks.start(self._games.refresh_seats(event.player_id, self._hub.is_watched))
