"""The table of webhooks."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import bindparam, delete, insert, literal_column, null, select, update

from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError, QuotaExceededError
from punct.server.db.locks import LockStrength, lock_player, lock_players
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import PLAYERS, WEBHOOKS
from punct.server.db.values import from_db_bool, from_db_time, to_db_time
from punct.server.notifications.store import delete_deliveries
from punct.server.webhooks.model import StoredHook

CHANNEL: Final = "hook"
"""The name of the channel in the table of deliveries."""


class HookStore:
    """All webhooks. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, hook_id: str) -> StoredHook | None:
        """Return a webhook."""
        rows = self._database.fetch_all(_SELECT, {"hook": hook_id})
        return _hook(rows[0]) if rows else None

    def list_by_player(self, player_id: str) -> list[StoredHook]:
        """Return a player's webhooks, the oldest first."""
        return [_hook(row) for row in self._database.fetch_all(_SELECT_BY_PLAYER, {"player": player_id})]

    def add(self, hook: StoredHook, max_hooks: int) -> Future[None]:
        """Store a new webhook; raises MissingPlayerError, and QuotaExceededError if the player has so many already.

        ConflictError if the player has one with this address.
        """
        row = {
            "id": hook.id,
            "player_id": hook.player_id,
            "url": hook.url,
            "form": hook.form,
            "secret": hook.secret,
            "created": to_db_time(hook.created),
            "failed": None,
            "error": None,
            "failures": 0,
            "off": False,
        }

        def store(connection: Connection) -> None:
            lock_player(connection, hook.player_id)
            others = [_hook(row) for row in connection.execute(_SELECT_BY_PLAYER, {"player": hook.player_id})]
            if any(other.url == hook.url for other in others):
                raise ConflictError(hook.player_id)
            if len(others) >= max_hooks:
                raise QuotaExceededError(hook.player_id)
            connection.execute(_INSERT, row)

        return self._database.change(store)

    def remove(self, player_id: str, hook_id: str) -> Future[bool]:
        """Remove a webhook of a player, with what is on its way to it; return whether the player had it."""

        def store(connection: Connection) -> bool:
            lock_players(connection, [player_id], LockStrength.KEY_SHARE, missing_ok=True)
            if connection.execute(_DELETE, {"hook": hook_id, "player": player_id}).rowcount != 1:
                return False
            delete_deliveries(connection, CHANNEL, [hook_id])
            return True

        return self._database.change(store)

    def record_success(self, hook_id: str) -> Future[None]:
        """Record that a webhook works; it is switched on again if it was off."""

        def store(connection: Connection) -> None:
            connection.execute(_RECORD_SUCCESS, {"hook": hook_id, "off": False})

        return self._database.change(store)

    def record_failure(
        self, hook_id: str, error: str, now: datetime, max_failures: int, max_duration: timedelta
    ) -> Future[bool]:
        """Record a failed call; return whether the webhook is off now.

        It is switched off after so many failures in a row, over so long.
        """

        def store(connection: Connection) -> bool:
            rows = connection.execute(_SELECT_FOR_UPDATE, {"hook": hook_id}).fetchall()
            if not rows:
                return True
            hook = _hook(rows[0])
            failed, failures = hook.failed or now, hook.failures + 1
            is_off = hook.is_off or (failures >= max_failures and now - failed >= max_duration)
            values = {"failed": to_db_time(failed), "error": error, "failures": failures, "off": is_off}
            connection.execute(_RECORD_FAILURE, {"hook": hook_id, **values})
            return is_off

        return self._database.change(store)

    def switch_off(self, hook_id: str, error: str, now: datetime) -> Future[bool]:
        """Switch off a webhook at once."""
        return self.record_failure(hook_id, error, now, 0, timedelta())


def working_hooks(connection: Connection, player_id: str) -> list[str]:
    """Return the ids of an account holder's webhooks that are not off; none of a blocked player."""
    rows = connection.execute(_SELECT_TARGETS, {"player": player_id, "off": False})
    return [hook_id for (hook_id,) in rows]


def _hook(row: Any) -> StoredHook:
    hook_id, player_id, url, form, secret, created, failed, error, failures, off = row
    return StoredHook(
        hook_id,
        player_id,
        url,
        form,
        secret,
        from_db_time(created),
        None if failed is None else from_db_time(failed),
        error,
        failures,
        from_db_bool(off),
    )


_COLUMNS: Final = (*("id", "player_id", "url", "form", "secret", "created", "failed", "error", "failures", "off"),)
_IS_HOOK: Final = WEBHOOKS.c.id == bindparam("hook")
_IS_PLAYERS: Final = WEBHOOKS.c.player_id == bindparam("player")
_SELECT_ALL: Final = select(*(WEBHOOKS.c[name] for name in _COLUMNS))
_SELECT: Final = sql(_SELECT_ALL.where(_IS_HOOK))
_SELECT_FOR_UPDATE: Final = sql(_SELECT_ALL.where(_IS_HOOK).with_for_update())
_SELECT_BY_PLAYER: Final = sql(_SELECT_ALL.where(_IS_PLAYERS).order_by(WEBHOOKS.c.created, WEBHOOKS.c.id))
_SELECT_TARGETS: Final = sql(
    select(WEBHOOKS.c.id)
    .join(PLAYERS, PLAYERS.c.id == WEBHOOKS.c.player_id)
    .where(_IS_PLAYERS, WEBHOOKS.c.off == bindparam("off"), PLAYERS.c.login.is_not(None), PLAYERS.c.blocked.is_(None))
    .order_by(WEBHOOKS.c.created, WEBHOOKS.c.id)
)
_INSERT: Final = sql(insert(WEBHOOKS))
_DELETE: Final = sql(delete(WEBHOOKS).where(_IS_HOOK, _IS_PLAYERS))
_RECORD_SUCCESS: Final = sql(
    update(WEBHOOKS)
    .where(_IS_HOOK)
    .values(failed=null(), error=null(), failures=literal_column("0"), off=bindparam("off"))
)
_RECORD_FAILURE: Final = sql(update(WEBHOOKS).where(_IS_HOOK).values(bindparams("failed", "error", "failures", "off")))
