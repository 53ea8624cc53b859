"""The table of Web Push subscriptions."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, or_, select, update

from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError
from punct.server.db.locks import lock_player
from punct.server.db.sql import sql, upsert
from punct.server.db.tables import PUSH_SUBSCRIPTIONS
from punct.server.db.values import from_db_time, to_db_time
from punct.server.notifications.store import delete_deliveries
from punct.server.push.model import StoredSubscription, Subscription

CHANNEL: Final = "push"
MAX_SUBSCRIPTIONS: Final = 20
"""Per player; a further one replaces the one that was used longest ago."""
_USED_PRECISION: Final = timedelta(days=1)
"""How exactly the time of the last message is stored: not every message writes."""


class PushStore:
    """All subscriptions. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, subscription_id: str) -> StoredSubscription | None:
        """Return a subscription, whoever's it is."""
        rows = self._database.fetch_all(_SELECT, {"id": subscription_id})
        return _stored(rows[0]) if rows else None

    def list_own(self, player_id: str) -> list[StoredSubscription]:
        """Return a player's subscriptions, the oldest first."""
        return [_stored(row) for row in self._database.fetch_all(_SELECT_OWN, {"player": player_id})]

    def put(self, player_id: str, subscription: Subscription, device: str | None, now: datetime) -> Future[None]:
        """Store a subscription as a player's, also if it was another player's: one logs in after the other.

        Whoever only knows the address of another player's browser has not its keys: ConflictError. Raises
        MissingPlayerError if the player was deleted.
        """

        def store(connection: Connection) -> None:
            lock_player(connection, player_id)
            existing = connection.execute(_SELECT, {"id": subscription.id}).fetchone()
            created, used = now, None
            if existing is not None:
                before = _stored(existing)
                if before.player_id == player_id:
                    created, used = before.created, before.used
                elif not _have_equal_keys(before.subscription, subscription):
                    raise ConflictError(subscription.id)
                else:
                    delete_deliveries(connection, CHANNEL, [subscription.id])
            row = {
                "id": subscription.id,
                "player_id": player_id,
                **subscription._asdict(),
                "device": device,
                "created": to_db_time(created),
                "used": None if used is None else to_db_time(used),
            }
            connection.execute(_UPSERT, row)
            _delete_oldest(connection, player_id, subscription.id)

        return self._database.change(store)

    def delete(self, player_id: str, subscription_id: str) -> Future[bool]:
        """Delete a subscription and what is on its way to it; return whether the player had it."""

        def store(connection: Connection) -> bool:
            values = {"id": subscription_id, "player": player_id}
            if connection.execute(_DELETE_OWN, values).rowcount != 1:
                return False
            delete_deliveries(connection, CHANNEL, [subscription_id])
            return True

        return self._database.change(store)

    def forget(self, subscription_id: str) -> Future[None]:
        """Delete a subscription that the push service does not know any more, and what is on its way to it."""

        def store(connection: Connection) -> None:
            connection.execute(_DELETE, {"id": subscription_id})
            delete_deliveries(connection, CHANNEL, [subscription_id])

        return self._database.change(store)

    def touch(self, subscription: StoredSubscription, now: datetime) -> Future[None] | None:
        """Store that a message has arrived; None if that is known well enough."""
        if subscription.used is not None and subscription.used > now - _USED_PRECISION:
            return None
        values = {"id": subscription.id, "now": to_db_time(now), "before": to_db_time(now - _USED_PRECISION)}

        def store(connection: Connection) -> None:
            connection.execute(_TOUCH, values)

        return self._database.change(store)


def subscriptions_of(connection: Connection, player_id: str) -> list[str]:
    """Return the ids of a player's subscriptions, in a change's transaction."""
    return [row[0] for row in connection.execute(_SELECT_IDS, {"player": player_id}).fetchall()]


def _delete_oldest(connection: Connection, player_id: str, new_id: str) -> None:
    """Delete the subscriptions beyond the most a player may have: those used longest ago, and never the new one."""
    ids = [row[0] for row in connection.execute(_SELECT_BY_USE, {"player": player_id}).fetchall()]
    excess = [each for each in ids if each != new_id][: max(0, len(ids) - MAX_SUBSCRIPTIONS)]
    for subscription_id in excess:
        connection.execute(_DELETE, {"id": subscription_id})
    delete_deliveries(connection, CHANNEL, excess)


def _have_equal_keys(one: Subscription, other: Subscription) -> bool:
    return compare_digest(one.auth, other.auth) and compare_digest(one.p256dh, other.p256dh)


def _stored(row: Sequence[Any]) -> StoredSubscription:
    subscription_id, player_id, endpoint, p256dh, auth, device, created, used = row
    return StoredSubscription(
        subscription_id,
        player_id,
        Subscription(endpoint, p256dh, auth),
        device,
        from_db_time(created),
        None if used is None else from_db_time(used),
    )


_TABLE: Final = PUSH_SUBSCRIPTIONS
_COLUMNS: Final = (
    *(_TABLE.c[name] for name in ("id", "player_id", "endpoint", "p256dh", "auth", "device", "created", "used")),
)
_IS_IT: Final = _TABLE.c.id == bindparam("id")
_IS_OWN: Final = _TABLE.c.player_id == bindparam("player")
_SELECT: Final = sql(select(*_COLUMNS).where(_IS_IT))
_SELECT_OWN: Final = sql(select(*_COLUMNS).where(_IS_OWN).order_by(_TABLE.c.created, _TABLE.c.id))
_SELECT_IDS: Final = sql(select(_TABLE.c.id).where(_IS_OWN).order_by(_TABLE.c.id))
_SELECT_BY_USE: Final = sql(
    select(_TABLE.c.id).where(_IS_OWN).order_by(func.coalesce(_TABLE.c.used, _TABLE.c.created), _TABLE.c.id)
)
_UPSERT: Final = upsert(_TABLE, "player_id", "endpoint", "p256dh", "auth", "device", "created", "used")
_DELETE_OWN: Final = sql(delete(_TABLE).where(_IS_IT, _IS_OWN))
_DELETE: Final = sql(delete(_TABLE).where(_IS_IT))
_TOUCH: Final = sql(
    update(_TABLE)
    .where(_IS_IT, or_(_TABLE.c.used.is_(None), _TABLE.c.used <= bindparam("before")))
    .values(used=bindparam("now"))
)
