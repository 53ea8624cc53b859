"""The tables of notices, deliveries and settings. Whatever a process has claimed and not finished is claimed again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Integer, bindparam, delete, insert, literal_column, null, or_, select, update

from punct.server.db.database import Connection, Database
from punct.server.db.locks import LockStrength, lock_player, lock_players
from punct.server.db.outbox import read_data
from punct.server.db.sql import Statement, bindparams, sql, upsert
from punct.server.db.tables import DELIVERIES, NOTICE_SETTINGS, NOTICES, PLAYERS
from punct.server.db.values import from_db_time, json_converters, new_id, to_db_time
from punct.server.notifications.model import (
    Channel,
    Delivery,
    Message,
    NoticeSettings,
    SettingsChanges,
    StoredNotice,
)

MAX_DUE: Final = 100
"""Notices, or deliveries, read at a time."""


class NotificationStore:
    """Notices, deliveries and settings. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self.database = database

    # ------------------------------------------------------------------ notices

    def due_notices(self, now: datetime) -> list[StoredNotice]:
        """Return notices that are due, the earliest first."""
        rows = self.database.fetch_all(_SELECT_DUE_NOTICES, {"now": to_db_time(now), "limit": MAX_DUE})
        return [_notice(row) for row in rows]

    def settings(self, player_id: str) -> NoticeSettings | None:
        """Return how a player wants to be told; None if there is no such player."""
        rows = self.database.fetch_all(_SELECT_SETTINGS, {"player": player_id})
        if not rows:
            return None
        page_settings, muted, language, zone = rows[0]
        page_language = (_read_page_settings(page_settings) or {}).get("language")
        if language is None and isinstance(page_language, str):
            language = page_language
        by_channel = _read_muted(muted) or {}
        return NoticeSettings(
            {channel: frozenset(kinds) for channel, kinds in by_channel.items()}, language or "en", zone or "UTC"
        )

    def update_settings(self, player_id: str, changes: SettingsChanges) -> Future[None]:
        """Change some of how a player wants to be told; raises MissingPlayerError."""

        def store(connection: Connection) -> None:
            lock_player(connection, player_id)  # two changes at once, each of another channel, are both kept
            row = connection.execute(_SELECT_OWN_SETTINGS, {"player": player_id}).fetchone()
            muted, language, zone = (None, None, None) if row is None else row
            changed = {channel: sorted(kinds) for channel, kinds in changes.muted.items()}
            values = {
                "player_id": player_id,
                "muted": _write_muted({**(_read_muted(muted) or {}), **changed}),
                "language": language if changes.language is None else changes.language,
                "zone": zone if changes.zone is None else changes.zone,
                "digested": None,
            }
            connection.execute(_UPSERT_SETTINGS, values)

        return self.database.change(store)

    def postpone(self, notice: StoredNotice, due: datetime) -> Future[None]:
        """Make a notice due later, unless it was replaced or handled meanwhile."""
        values = {"notice": notice.id, "before": to_db_time(notice.due), "due": to_db_time(due)}
        return self._change(_POSTPONE, values)

    def expand(
        self, notice: StoredNotice, message: Message | None, channels: Sequence[Channel], settings: NoticeSettings
    ) -> Future[int]:
        """Replace a notice by its deliveries, or by nothing; return how many there are.

        An undelivered message about the same subject to the same target is replaced. Another process may have handled
        the notice meanwhile: then nothing happens.
        """

        def store(connection: Connection) -> int:
            if message is not None and not lock_players(
                connection, [notice.player_id], LockStrength.KEY_SHARE, missing_ok=True
            ):
                connection.execute(_DELETE_NOTICE, {"notice": notice.id, "player": notice.player_id})
                return 0
            if (
                connection.execute(_DELETE_NOTICE, {"notice": notice.id, "player": notice.player_id}).rowcount != 1
                or message is None
            ):
                return 0
            count = 0
            for channel in channels:
                if not settings.wants(notice.kind, channel.name):
                    continue
                channel.collect(connection, notice.player_id, message, settings)
                for target in channel.targets(connection, notice.player_id, notice.kind):
                    add_delivery(connection, channel.name, target, notice.player_id, message)
                    count += 1
            return count

        return self.database.change(store)

    # ------------------------------------------------------------------ deliveries

    def due_deliveries(self, now: datetime, lease: timedelta, channel: str) -> list[Delivery]:
        """Return deliveries of a channel that are due, and that no process has claimed within the lease."""
        values = {"now": to_db_time(now), "lapsed": to_db_time(now - lease), "channel": channel, "limit": MAX_DUE}
        return [_delivery(row) for row in self.database.fetch_all(_SELECT_DUE_DELIVERIES, values)]

    def claim(self, delivery: Delivery, now: datetime) -> Future[bool]:
        """Claim a delivery for this process; False if another one was quicker, or it was replaced.

        Also if another one has tried it since it was read, and it is due later now.
        """
        values = {"delivery": delivery.id, "claimed": to_db_time(now)}
        statement = _CLAIM
        if delivery.claimed is not None:
            statement, values["before"] = _CLAIM_AGAIN, to_db_time(delivery.claimed)
        return self.database.change(lambda connection: bool(connection.execute(statement, values).rowcount == 1))

    def finish(self, delivery: Delivery) -> Future[None]:
        """Delete a delivery: it has arrived, or never will."""
        values = {"delivery": delivery.id}
        return self._change(_DELETE_DELIVERY, values)

    def retry_later(self, delivery: Delivery, due: datetime, attempts: int) -> Future[None]:
        """Give a delivery back, to be tried again later, after so many attempts."""
        values = {"delivery": delivery.id, "due": to_db_time(due), "attempts": attempts}
        return self._change(_RETRY, values)

    def hand_back(self, delivery: Delivery) -> Future[None]:
        """Give a delivery back that was claimed and not tried: it is due as before."""
        return self._change(_HAND_BACK, {"delivery": delivery.id, "attempts": delivery.attempts})

    def _change(self, statement: Statement, values: Mapping[str, Any]) -> Future[None]:
        """Execute one statement, whether or not there is such a row any more."""

        def store(connection: Connection) -> None:
            connection.execute(statement, values)

        return self.database.change(store)


def add_delivery(connection: Connection, channel: str, target: str, player_id: str, message: Message) -> None:
    """Insert a delivery of a message. An undelivered one about the same subject to the same target is replaced."""
    connection.execute(_DELETE_REPLACED, {"target": target, "channel": channel, "subject": message.subject})
    row = {
        "id": new_id(),
        "player_id": player_id,
        "channel": channel,
        "target": target,
        "kind": message.kind,
        "subject": message.subject,
        "payload": _write_payload(message.to_json()),
        "created": to_db_time(message.at),
        "due": to_db_time(message.at),
        "attempts": 0,
        "claimed": None,
    }
    connection.execute(_INSERT_DELIVERY, row)


def delete_deliveries(connection: Connection, channel: str, targets: Iterable[str]) -> None:
    """Delete what is on its way to targets that are removed."""
    for target in targets:
        connection.execute(_DELETE_TARGET, {"channel": channel, "target": target})


def _notice(row: Sequence[Any]) -> StoredNotice:
    notice_id, player_id, kind, subject, data, created, due = row
    content: Mapping[str, Any] = read_data(data) or {}
    return StoredNotice(notice_id, player_id, kind, subject, content, from_db_time(created), from_db_time(due))


def _delivery(row: Sequence[Any]) -> Delivery:
    delivery_id, player_id, channel, target, kind, subject, payload, created, attempts, claimed = row
    return Delivery(
        delivery_id,
        player_id,
        channel,
        target,
        kind,
        subject,
        _read_payload(payload),
        from_db_time(created),
        attempts,
        None if claimed is None else from_db_time(claimed),
    )


_write_payload, _read_payload = json_converters(DELIVERIES.c.payload)
_write_muted, _read_muted = json_converters(NOTICE_SETTINGS.c.muted)
_, _read_page_settings = json_converters(PLAYERS.c.settings)
_NOTICE_COLUMNS: Final = ("id", "player_id", "kind", "subject", "data", "created", "due")
_DELIVERY_COLUMNS: Final = (
    *("id", "player_id", "channel", "target", "kind", "subject", "payload", "created", "attempts", "claimed"),
)
_OFFSET: Final = literal_column("0", Integer)
"""SQLite needs one, and SQLAlchemy would add a parameter for it."""
_SELECT_DUE_NOTICES: Final = sql(
    select(*(NOTICES.c[name] for name in _NOTICE_COLUMNS))
    .where(NOTICES.c.due <= bindparam("now"))
    .order_by(NOTICES.c.due)
    .offset(_OFFSET)
    .limit(bindparam("limit"))
)
_SELECT_SETTINGS: Final = sql(
    select(PLAYERS.c.settings, NOTICE_SETTINGS.c.muted, NOTICE_SETTINGS.c.language, NOTICE_SETTINGS.c.zone)
    .select_from(PLAYERS)
    .join(NOTICE_SETTINGS, NOTICE_SETTINGS.c.player_id == PLAYERS.c.id, isouter=True)
    .where(PLAYERS.c.id == bindparam("player"))
)
_SELECT_OWN_SETTINGS: Final = sql(
    select(NOTICE_SETTINGS.c.muted, NOTICE_SETTINGS.c.language, NOTICE_SETTINGS.c.zone).where(
        NOTICE_SETTINGS.c.player_id == bindparam("player")
    )
)
_UPSERT_SETTINGS: Final = upsert(NOTICE_SETTINGS, "muted", "language", "zone")
_POSTPONE: Final = sql(
    update(NOTICES)
    .where(NOTICES.c.id == bindparam("notice"), NOTICES.c.due == bindparam("before"))
    .values(bindparams("due"))
)
_DELETE_NOTICE: Final = sql(
    delete(NOTICES).where(NOTICES.c.id == bindparam("notice"), NOTICES.c.player_id == bindparam("player"))
)
"""Only while it is this player's: a guest may have been merged into an account since it was read."""
_SELECT_DUE_DELIVERIES: Final = sql(
    select(*(DELIVERIES.c[name] for name in _DELIVERY_COLUMNS))
    .where(
        DELIVERIES.c.channel == bindparam("channel"),
        DELIVERIES.c.due <= bindparam("now"),
        or_(DELIVERIES.c.claimed.is_(None), DELIVERIES.c.claimed < bindparam("lapsed")),
    )
    .order_by(DELIVERIES.c.due)
    .offset(_OFFSET)
    .limit(bindparam("limit"))
)
_IS_DELIVERY: Final = DELIVERIES.c.id == bindparam("delivery")
_INSERT_DELIVERY: Final = sql(insert(DELIVERIES))
_DELETE_REPLACED: Final = sql(
    delete(DELIVERIES).where(
        DELIVERIES.c.target == bindparam("target"),
        DELIVERIES.c.channel == bindparam("channel"),
        DELIVERIES.c.subject == bindparam("subject"),
    )
)
_DELETE_TARGET: Final = sql(
    delete(DELIVERIES).where(DELIVERIES.c.target == bindparam("target"), DELIVERIES.c.channel == bindparam("channel"))
)
_CLAIMED: Final = {"claimed": bindparam("claimed"), "attempts": DELIVERIES.c.attempts + literal_column("1", Integer)}
_CLAIM: Final = sql(
    update(DELIVERIES)
    .where(_IS_DELIVERY, DELIVERIES.c.claimed.is_(None), DELIVERIES.c.due <= bindparam("claimed"))
    .values(_CLAIMED)
)
_CLAIM_AGAIN: Final = sql(
    update(DELIVERIES).where(_IS_DELIVERY, DELIVERIES.c.claimed == bindparam("before")).values(_CLAIMED)
)
_HAND_BACK: Final = sql(update(DELIVERIES).where(_IS_DELIVERY).values(attempts=bindparam("attempts"), claimed=null()))
_DELETE_DELIVERY: Final = sql(delete(DELIVERIES).where(_IS_DELIVERY))
_RETRY: Final = sql(
    update(DELIVERIES).where(_IS_DELIVERY).values(due=bindparam("due"), attempts=bindparam("attempts"), claimed=null())
)
