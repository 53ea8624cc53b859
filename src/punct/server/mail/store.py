"""The table of mail addresses, and letters about them, which are deliveries as notices are.

A letter is stored without the secret of its link, which is made when it is sent: no table has a secret that opens
anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, bindparam, delete, insert, literal_column, null, select, update

from punct.server.auth.proofs import Proof, check_proof, delete_reset_link
from punct.server.db.database import Connection, Database
from punct.server.db.locks import LockStrength, lock_player, lock_players
from punct.server.db.outbox import NoticeKind
from punct.server.db.sql import Statement, bindparams, insert_or_ignore, sql, upsert
from punct.server.db.tables import DELIVERIES, MAIL_ADDRESSES, NOTICE_SETTINGS, PLAYERS
from punct.server.db.values import from_db_time, json_converters, new_id, to_db_time
from punct.server.mail.model import LetterKind, StoredAddress
from punct.server.notifications.store import delete_deliveries

MAIL, LETTER = "mail", "letter"
"""The channels of notices, and of letters about the account. The target of either is the player's id."""
MAX_REFUSALS: Final = 3
"""An address whose mail server has said so often in a row that there is no such mailbox gets no more mails."""
_REPLACED: Final[tuple[LetterKind, ...]] = ("verify", "reset")
"""Letters with a link: only the last one works."""
MAX_RECOVERED: Final = 5
"""Accounts with one address that a lost password is recovered for at once."""


class MailStore:
    """Mail addresses. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, player_id: str) -> StoredAddress | None:
        """Return a player's address; None without one."""
        rows = self._database.fetch_all(_SELECT, {"player": player_id})
        return _address(rows[0]) if rows else None

    def get_login(self, player_id: str) -> str:
        """Return the login of an account; empty if it was deleted."""
        rows = self._database.fetch_all(_SELECT_LOGIN, {"player": player_id})
        return rows[0][0] or "" if rows else ""

    def set_address(self, player_id: str, address: str | None, proof: Proof, now: datetime) -> Future[bool]:
        """Store another address, which is to be verified, or none; return whether anything has changed.

        The old address is told, if it was verified. What was on its way there is dropped, links too.
        """

        def store(connection: Connection) -> bool:
            check_proof(connection, lock_player(connection, player_id), proof)
            rows = connection.execute(_SELECT, {"player": player_id}).fetchall()
            before = _address(rows[0]) if rows else None
            if (before and before.address) == address:
                return False
            delete_deliveries(connection, MAIL, [player_id])
            for kind in _REPLACED:
                connection.execute(_DELETE_LETTER, {"player": player_id, "subject": kind})
            delete_reset_link(connection, player_id)
            if address is None:
                connection.execute(_DELETE, {"player": player_id})
            else:
                row = {"player_id": player_id, "address": address, "refused": 0}
                connection.execute(_UPSERT, {**row, "verified": None, "secret": None, "expires": None})
                _add_letter(connection, player_id, "verify", now)
            if before is not None and before.verified is not None:
                _add_letter(connection, player_id, "removed" if address is None else "changed", now, before.address)
            return True

        return self._database.change(store)

    def verify_again(self, player_id: str, now: datetime) -> Future[bool]:
        """Have another link sent to an address that is not verified; False if there is none."""

        def store(connection: Connection) -> bool:
            lock_player(connection, player_id)
            rows = connection.execute(_SELECT, {"player": player_id}).fetchall()
            if not rows or _address(rows[0]).verified is not None:
                return False
            _add_letter(connection, player_id, "verify", now)
            return True

        return self._database.change(store)

    def store_secret(self, player_id: str, address: str, secret_hash: str, expires: datetime) -> Future[bool]:
        """Store the hash of the secret that verifies an address; False if it is another one by now, or verified."""
        values = {"player": player_id, "address": address, "secret": secret_hash, "expires": to_db_time(expires)}
        return self._database.change(lambda connection: connection.execute(_SET_SECRET, values).rowcount == 1)

    def verify(self, player_id: str, secret_hash: str, now: datetime) -> Future[bool]:
        """Verify an address by the secret of its link, which works once; False if that is not valid."""
        values = {"player": player_id, "secret": secret_hash, "now": to_db_time(now)}
        return self._database.change(lambda connection: connection.execute(_VERIFY, values).rowcount == 1)

    # ------------------------------------------------------------------ lost passwords

    def ask_for_reset(self, login_or_address: str, now: datetime) -> Future[list[str]]:
        """Have a link sent that resets a lost password, if an account is known by this and has a verified address.

        Returns the addresses.
        """
        wanted = login_or_address.strip().lower()

        def store(connection: Connection) -> list[str]:
            statement = _SELECT_BY_ADDRESS if "@" in wanted else _SELECT_BY_LOGIN  # no login has an @
            rows = connection.execute(statement, {"wanted": wanted, "limit": MAX_RECOVERED}).fetchall()
            locked = lock_players(connection, [row[0] for row in rows], LockStrength.KEY_SHARE, missing_ok=True)
            for player_id in locked:
                _add_letter(connection, player_id, "reset", now)
            return [address for player_id, address in rows if player_id in locked]

        return self._database.change(store)

    # ------------------------------------------------------------------ what mail servers say

    def note_arrival(self, player_id: str) -> Future[None]:
        """Forget earlier refusals: the mailbox is there."""

        def store(connection: Connection) -> None:
            connection.execute(_FORGET_REFUSALS, {"player": player_id})

        return self._database.change(store)

    def note_refusal(self, player_id: str, address: str) -> Future[bool]:
        """Count that there is no such mailbox; return whether that was said too often."""
        key = {"player": player_id, "address": address}

        def store(connection: Connection) -> bool:
            if connection.execute(_COUNT_REFUSAL, key).rowcount != 1:
                return False
            rows = connection.execute(_SELECT_REFUSALS, key).fetchall()
            return bool(rows) and rows[0][0] >= MAX_REFUSALS

        return self._database.change(store)

    def unverify(self, player_id: str) -> Future[None]:
        """Send no more mails to a player's address, and drop those on their way, until it is verified again."""

        def store(connection: Connection) -> None:
            lock_players(connection, [player_id], missing_ok=True)
            if connection.execute(_UNVERIFY, {"player": player_id}).rowcount:
                delete_deliveries(connection, MAIL, [player_id])

        return self._database.change(store)

    # ------------------------------------------------------------------ unsubscribing

    def mute(self, player_id: str, kinds: Collection[NoticeKind]) -> Future[bool]:
        """Switch kinds of mails off; return whether the player exists."""

        def store(connection: Connection) -> bool:
            if not lock_players(connection, [player_id], missing_ok=True):
                return False
            connection.execute(_INSERT_SETTINGS, {**_NO_SETTINGS, "player_id": player_id})
            rows = connection.execute(_SELECT_MUTED, {"player": player_id}).fetchall()
            muted: dict[str, list[str]] = dict(_read_muted(rows[0][0]) or {})
            muted[MAIL] = sorted({*muted.get(MAIL, ()), *kinds})
            connection.execute(_SET_MUTED, {"player": player_id, "muted": _write_muted(muted)})
            return True

        return self._database.change(store)


def verified_address(connection: Connection, player_id: str) -> str | None:
    """Return the address that a player has verified; None without one."""
    rows = connection.execute(_SELECT, {"player": player_id}).fetchall()
    address = _address(rows[0]) if rows else None
    return None if address is None or address.verified is None else address.address


def _add_letter(
    connection: Connection, player_id: str, kind: LetterKind, now: datetime, address: str | None = None
) -> None:
    """Store a letter; a link of the same kind that was not sent yet is replaced. The player must be locked."""
    if kind in _REPLACED:
        connection.execute(_DELETE_LETTER, {"player": player_id, "subject": kind})
    row = {
        "id": new_id(),
        "player_id": player_id,
        "channel": LETTER,
        "target": player_id,
        "kind": kind,
        "subject": kind,
        "payload": _write_payload({} if address is None else {"address": address}),
        "created": to_db_time(now),
        "due": to_db_time(now),
        "attempts": 0,
        "claimed": None,
    }
    connection.execute(_INSERT_LETTER, row)


def _address(row: Iterable[Any]) -> StoredAddress:
    address, verified = row
    return StoredAddress(address, None if verified is None else from_db_time(verified))


_write_payload, _ = json_converters(DELIVERIES.c.payload)
_write_muted, _read_muted = json_converters(NOTICE_SETTINGS.c.muted)
_NO_SETTINGS: Final = {"muted": _write_muted({}), "language": None, "zone": None, "digested": None}
_IS_PLAYER: Final = MAIL_ADDRESSES.c.player_id == bindparam("player")
_IS_ADDRESS: Final = MAIL_ADDRESSES.c.address == bindparam("address")
_SELECT: Final = sql(select(MAIL_ADDRESSES.c.address, MAIL_ADDRESSES.c.verified).where(_IS_PLAYER))
_SELECT_LOGIN: Final = sql(select(PLAYERS.c.login).where(PLAYERS.c.id == bindparam("player")))
_UPSERT: Final = upsert(MAIL_ADDRESSES, "address", "verified", "secret", "expires", "refused")
_DELETE: Final = sql(delete(MAIL_ADDRESSES).where(_IS_PLAYER))
_SET_SECRET: Final = sql(
    update(MAIL_ADDRESSES)
    .where(_IS_PLAYER, _IS_ADDRESS, MAIL_ADDRESSES.c.verified.is_(None))
    .values(bindparams("secret", "expires"))
)
_VERIFY: Final = sql(
    update(MAIL_ADDRESSES)
    .where(_IS_PLAYER, MAIL_ADDRESSES.c.secret == bindparam("secret"), MAIL_ADDRESSES.c.expires > bindparam("now"))
    .values(verified=bindparam("now"), secret=null(), expires=null(), refused=literal_column("0", Integer))
)


def _recovered(condition: ColumnElement[bool]) -> Statement:
    """Return the statement that selects accounts with a verified address."""
    joined = select(MAIL_ADDRESSES.c.player_id, MAIL_ADDRESSES.c.address).join(PLAYERS)
    zero = literal_column("0", Integer)  # SQLite needs an offset
    chosen = joined.where(MAIL_ADDRESSES.c.verified.is_not(None), condition).order_by(MAIL_ADDRESSES.c.player_id)
    return sql(chosen.offset(zero).limit(bindparam("limit")))


_SELECT_BY_LOGIN: Final = _recovered(PLAYERS.c.login == bindparam("wanted"))
_SELECT_BY_ADDRESS: Final = _recovered(MAIL_ADDRESSES.c.address == bindparam("wanted"))
_FORGET_REFUSALS: Final = sql(
    update(MAIL_ADDRESSES)
    .where(_IS_PLAYER, MAIL_ADDRESSES.c.refused > literal_column("0", Integer))
    .values(refused=literal_column("0", Integer))
)
_COUNT_REFUSAL: Final = sql(
    update(MAIL_ADDRESSES)
    .where(_IS_PLAYER, _IS_ADDRESS)
    .values(refused=MAIL_ADDRESSES.c.refused + literal_column("1", Integer))
)
_SELECT_REFUSALS: Final = sql(select(MAIL_ADDRESSES.c.refused).where(_IS_PLAYER, _IS_ADDRESS))
_UNVERIFY: Final = sql(
    update(MAIL_ADDRESSES)
    .where(_IS_PLAYER, MAIL_ADDRESSES.c.refused >= literal_column(str(MAX_REFUSALS), Integer))
    .values(verified=null(), secret=null(), expires=null())
)
"""Only the address that was refused: the player may have another one by now, which begins without refusals."""
_DELETE_LETTER: Final = sql(
    delete(DELIVERIES).where(
        DELIVERIES.c.target == bindparam("player"),
        DELIVERIES.c.channel == literal_column(f"'{LETTER}'"),
        DELIVERIES.c.subject == bindparam("subject"),
    )
)
_INSERT_LETTER: Final = sql(insert(DELIVERIES))
_INSERT_SETTINGS: Final = insert_or_ignore(NOTICE_SETTINGS)
_IS_SETTINGS: Final = NOTICE_SETTINGS.c.player_id == bindparam("player")
_SELECT_MUTED: Final = sql(select(NOTICE_SETTINGS.c.muted).where(_IS_SETTINGS))
_SET_MUTED: Final = sql(update(NOTICE_SETTINGS).where(_IS_SETTINGS).values(bindparams("muted")))
