"""Calendar feeds: made, renewed and withdrawn by their owners, and read by whoever has the secret address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from punct.server.auth.model import StoredPlayer
from punct.server.auth.sessions import hash_secret, new_secret
from punct.server.calendars.errors import UnknownCalendarError
from punct.server.calendars.store import CalendarStore
from punct.server.calendars.texts import deadline_title
from punct.server.db.errors import MissingPlayerError
from punct.server.games.errors import PlayerRemovedError
from punct.server.games.model import StoredGame
from punct.server.games.notices import is_correspondence, player_of, reminder_lead
from punct.server.games.store import GameStore
from punct.server.http.ics import CalendarEvent, calendar
from punct.server.notifications.store import NotificationStore
from punct.server.notifications.texts import text

MAX_GAMES: Final = 500
"""Running games looked at for one feed: those that wait for the player come first."""
MAX_SECRET_CHARS: Final = 100
REFRESH: Final = timedelta(hours=1)
"""How often programs are asked to look again."""
EventSource = Callable[[str, str, str], Iterable[CalendarEvent]]
"""Returns further events of a player, in a language, with links to a site. It blocks."""


class Calendars:
    """All calendar feeds of this server."""

    def __init__(self, store: CalendarStore, games: GameStore, notifications: NotificationStore) -> None:
        """Read games, and the players' languages, from these stores."""
        self._store, self._games, self._notifications = store, games, notifications
        self._sources: list[EventSource] = []

    def add_source(self, source: EventSource) -> None:
        """Show further events in all feeds from now on."""
        self._sources.append(source)

    async def has_feed(self, player: StoredPlayer) -> bool:
        """Tell whether a player has a feed."""
        return await asyncio.to_thread(self._store.has_feed, player.id)

    async def renew(self, player: StoredPlayer) -> str:
        """Make a player's feed, or give it another address; return its secret, which is not stored."""
        secret = new_secret()
        try:
            await asyncio.wrap_future(self._store.set_secret(player.id, hash_secret(secret)))
        except MissingPlayerError:
            raise PlayerRemovedError from None
        return secret

    async def withdraw(self, player: StoredPlayer) -> None:
        """Delete a player's feed, if there is one."""
        await asyncio.wrap_future(self._store.delete(player.id))

    async def read(self, secret: str, site: str) -> bytes:
        """Return the feed of a secret, with links to a site; raises UnknownCalendarError."""
        player_id = None
        if len(secret) <= MAX_SECRET_CHARS:
            player_id = await asyncio.to_thread(self._store.find_player, hash_secret(secret))
        if player_id is None:
            raise UnknownCalendarError
        return await asyncio.to_thread(self._read, player_id, site)

    def _read(self, player_id: str, site: str) -> bytes:
        settings = self._notifications.settings(player_id)
        if settings is None:  # deleted just now
            raise UnknownCalendarError
        games, _ = self._games.list_own(player_id, 0, MAX_GAMES, running=True)
        events = [*_deadlines(games, player_id, settings.language, site)]
        events += [event for source in self._sources for event in source(player_id, settings.language, site)]
        return calendar(events, "PÜNCT", REFRESH)


def _deadlines(games: list[StoredGame], player_id: str, language: str, site: str) -> Iterator[CalendarEvent]:
    """Return the deadlines of the games in which it is a player's turn."""
    for game in games:
        if player_of(game, game.turn) != player_id or not is_correspondence(game):
            continue
        if game.time is None or game.clock is None or game.clock.deadline is None:
            continue
        opponent = game.seats[game.turn.other].display_name or text(language, "nobody")
        url = f"{site}/game/{game.id}"
        yield CalendarEvent(
            uid=f"game-{game.id}-{game.ply}@{urlsplit(site).hostname}",
            start=game.clock.deadline,
            summary=deadline_title(language, opponent),
            modified=game.updated,
            description=url,
            url=url,
            sequence=game.revision,
            alarm=reminder_lead(game),
        )
