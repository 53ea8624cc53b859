"""Handles of players, and the search for players."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from typing import Final

from punct.server.accounts.errors import HandleTakenError, HandleTooSoonError
from punct.server.accounts.handle_store import FoundPlayer, HandleStore, TooSoonError
from punct.server.auth.errors import NoAccountError
from punct.server.auth.handles import clean_handle, handle_key, search_key
from punct.server.auth.model import StoredPlayer
from punct.server.auth.sessions import Sessions
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, DuplicateKeyError

CHANGE_INTERVAL: Final = timedelta(days=30)
"""Between two changes of a handle: others should find under it whom they know."""
MAX_FOUND: Final = 20
"""Players that a search returns."""
_IN_HANDLES: Final = re.compile(r"@?[A-Za-z0-9-]+")


class Handles:
    """The handles of all players."""

    def __init__(self, store: HandleStore, sessions: Sessions, now: Now = utc_now) -> None:
        """Use a store; publish changes by ``Sessions.announce``."""
        self._store, self._sessions, self._now = store, sessions, now

    async def change(self, player: StoredPlayer, handle: str) -> StoredPlayer:
        """Give an account holder a handle; raises InvalidHandleError, HandleTakenError, HandleTooSoonError."""
        if not player.has_account:
            raise NoAccountError("Only account holders have handles; make an account, or log in.")
        handle = clean_handle(handle)
        try:
            await asyncio.wrap_future(self._store.change(player.id, handle, self._now(), CHANGE_INTERVAL))
        except DuplicateKeyError:
            raise HandleTakenError from None
        except TooSoonError as error:
            raise HandleTooSoonError(error.until.isoformat()) from None
        except ConflictError:
            raise NoAccountError from None
        self._sessions.announce(player.id)
        return await self._sessions.get_player(player.id) or player

    async def search(self, text: str, searcher_id: str | None) -> list[FoundPlayer]:
        """Return account holders whose handle or name begins with a text; the former come first."""
        text = text.strip()
        key = handle_key(text.removeprefix("@")) if _IN_HANDLES.fullmatch(text) else ""
        name = "" if text.startswith("@") else search_key(text)
        return await asyncio.to_thread(self._store.search, key, name, searcher_id or "", MAX_FOUND)
