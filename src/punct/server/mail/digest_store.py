"""The daily digest in the tables: a delivery that is due in the evening, and when the last digest was made.

The first thing that can wait for the evening makes the delivery, whose id is that of the player and the day: so there
is one, however many processes make it. What else has happened until then is added to it. Whether it is sent is decided
when it is due, in one transaction with ``NOTICE_SETTINGS.digested``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, select, update

from punct.server.db.database import Connection, Database
from punct.server.db.locks import LockStrength, lock_players
from punct.server.db.sql import bindparams, insert_or_ignore, sql
from punct.server.db.tables import DELIVERIES, NOTICE_SETTINGS, PUSH_SUBSCRIPTIONS
from punct.server.db.values import from_db_time, json_converters, to_db_time
from punct.server.mail.model import News
from punct.server.mail.store import MAIL

DIGEST: Final = "digest"
HOUR: Final = time(18)
"""When digests are sent, in the player's time zone."""
SPREAD: Final = timedelta(minutes=30)
"""Within this time after it, differently for each player: not all mails of a country leave in one second."""
MIN_INTERVAL: Final = timedelta(hours=20)
"""Between two digests, even of a player who travels around the world."""
TOLD_LATELY: Final = timedelta(days=2)
"""A player whose browser took a message since then is told by it, and gets no digest."""
MAX_NEWS: Final = 20
"""In one digest; the last ones."""


def next_evening(player_id: str, zone: str, now: datetime) -> datetime:
    """Return when a player's next digest is due."""
    try:
        local = now.astimezone(ZoneInfo(zone))
    except (ValueError, OSError, KeyError):  # a zone that this machine does not know
        local = now
    number = int.from_bytes(hashlib.blake2b(player_id.encode(), digest_size=4).digest())
    spread = timedelta(seconds=number % SPREAD.seconds)
    for day in range(3):  # a day may be skipped: its evening was before now
        evening = datetime.combine(local.date() + timedelta(days=day), HOUR, local.tzinfo) + spread
        if evening.astimezone(now.tzinfo) > now:
            return evening.astimezone(now.tzinfo)
    raise AssertionError("three days without an evening")


def collect(connection: Connection, player_id: str, due: datetime, news: News | None) -> None:
    """Have a digest sent at a time, with a line of news if there is one. The player must be locked."""
    digest_id = _digest_id(player_id, due)
    row = {
        "id": digest_id,
        "player_id": player_id,
        "channel": MAIL,
        "target": player_id,
        "kind": DIGEST,
        "subject": DIGEST,
        "payload": _write_payload({"news": []}),
        "created": to_db_time(due),  # a message is dropped when it is too old: this one is as old as its evening
        "due": to_db_time(due),
        "attempts": 0,
        "claimed": None,
    }
    connection.execute(_INSERT, row)
    if news is None:
        return
    rows = connection.execute(_SELECT_PAYLOAD, {"delivery": digest_id}).fetchall()
    if rows:
        told: list[Mapping[str, str]] = [*_read_payload(rows[0][0])["news"]]
        told.append({"title": news.title, "body": news.body, "path": news.path})
        payload = _write_payload({"news": told[-MAX_NEWS:]})
        connection.execute(_SET_PAYLOAD, {"delivery": digest_id, "payload": payload})


class DigestStore:
    """Decides whether a digest that is due is sent."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def begin(
        self, player_id: str, due: datetime, waiting_since: Iterable[datetime], has_news: bool, now: datetime, zone: str
    ) -> Future[bool]:
        """Tell whether a digest is to be sent; if so, note it, so that no other one is sent that day.

        ``waiting_since`` is when the games that wait for the player began to do so. One that the last digest told of
        already is no reason for another. A digest that was noted before is sent: its process was killed, or the mail
        server wanted to be asked again.
        """
        times = [*waiting_since]

        def decide(connection: Connection) -> bool:
            if not lock_players(connection, [player_id], LockStrength.KEY_SHARE, missing_ok=True):
                return False
            connection.execute(_INSERT_SETTINGS, {**_NO_SETTINGS, "player_id": player_id})
            (digested,) = connection.execute(_SELECT_DIGESTED, {"player": player_id}).fetchone() or (None,)
            last = None if digested is None else from_db_time(digested)
            if last == due:
                return bool(times) or has_news
            lately = {"player": player_id, "since": to_db_time(now - TOLD_LATELY)}
            is_too_soon = last is not None and due - last < MIN_INTERVAL
            if is_too_soon or connection.execute(_SELECT_TOLD, lately).fetchall():
                if times:  # perhaps nobody looks at the device with that browser: tomorrow is decided anew
                    collect(connection, player_id, next_evening(player_id, zone, now), None)
                return False
            if not has_news and not any(last is None or since > last for since in times):
                return False
            connection.execute(_SET_DIGESTED, {"player": player_id, "digested": to_db_time(due)})
            return True

        return self._database.change(decide)


def _digest_id(player_id: str, due: datetime) -> str:
    """Return the id of a digest: one for each evening of a player."""
    return hashlib.blake2b(f"{DIGEST} {player_id} {due.isoformat()}".encode(), digest_size=12).hexdigest()


_write_payload, _read_payload = json_converters(DELIVERIES.c.payload)
_write_muted, _ = json_converters(NOTICE_SETTINGS.c.muted)
_NO_SETTINGS: Final = {"muted": _write_muted({}), "language": None, "zone": None, "digested": None}
_INSERT: Final = insert_or_ignore(DELIVERIES)
_IS_DELIVERY: Final = DELIVERIES.c.id == bindparam("delivery")
_SELECT_PAYLOAD: Final = sql(select(DELIVERIES.c.payload).where(_IS_DELIVERY).with_for_update())
_SET_PAYLOAD: Final = sql(update(DELIVERIES).where(_IS_DELIVERY).values(bindparams("payload")))
_INSERT_SETTINGS: Final = insert_or_ignore(NOTICE_SETTINGS)
_IS_SETTINGS: Final = NOTICE_SETTINGS.c.player_id == bindparam("player")
_SELECT_DIGESTED: Final = sql(select(NOTICE_SETTINGS.c.digested).where(_IS_SETTINGS).with_for_update())
_SET_DIGESTED: Final = sql(update(NOTICE_SETTINGS).where(_IS_SETTINGS).values(bindparams("digested")))
_SELECT_TOLD: Final = sql(
    select(PUSH_SUBSCRIPTIONS.c.id).where(
        PUSH_SUBSCRIPTIONS.c.player_id == bindparam("player"), PUSH_SUBSCRIPTIONS.c.used > bindparam("since")
    )
)
