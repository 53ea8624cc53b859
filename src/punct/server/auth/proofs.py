"""Proofs of identity, checked again in the transaction that relies on them.

Verifying a password takes a while, and it may be changed meanwhile. So a change that needs a proof is stored in a
transaction in which the proof still holds, or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple

from sqlalchemy import bindparam, delete, select

from punct.server.db.database import Connection
from punct.server.db.errors import ConflictError
from punct.server.db.locks import LockedPlayer
from punct.server.db.sql import Statement, sql, upsert
from punct.server.db.tables import PASSKEYS, SECRETS, SESSIONS
from punct.server.db.values import from_db_time, to_db_time

Part = Literal["password", "passkey", "session", "link"]


class ResetLink(NamedTuple):
    """A one-time link that sets a lost password."""

    secret_hash: str
    at: datetime
    """When it was opened: it must not have expired by then."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The credentials by which an account holder has proved their identity, as they were when they were verified."""

    password_hash: str | None = None
    """The hash that their password was verified against."""
    passkey: str | None = None
    """The id of the passkey that has signed the challenge."""
    session: str | None = None
    """The id of their session."""
    link: ResetLink | None = None


NO_PROOF: Final = Proof()
"""For changes that need no proof."""


class OutdatedProofError(ConflictError):
    """A credential was changed or deleted after it was verified; nothing was stored."""

    def __init__(self, part: Part) -> None:
        """Name the part that no longer holds."""
        super().__init__(part)
        self.part = part


def check_proof(connection: Connection, player: LockedPlayer, proof: Proof) -> None:
    """Raise OutdatedProofError unless a proof still holds.

    The player must be locked exclusively: then the proof holds until the transaction ends.
    """
    if proof.password_hash is not None and proof.password_hash != player.password_hash:
        raise OutdatedProofError("password")
    if proof.session is not None and not _exists(connection, _SESSION, player, proof.session):
        raise OutdatedProofError("session")
    if proof.passkey is not None and not _exists(connection, _PASSKEY, player, proof.passkey):
        raise OutdatedProofError("passkey")
    if proof.link is not None and not is_valid_reset_link(connection, player.id, proof.link):
        raise OutdatedProofError("link")


def _exists(connection: Connection, statement: Statement, player: LockedPlayer, credential_id: str) -> bool:
    return bool(connection.execute(statement, {"player": player.id, "id": credential_id}).fetchall())


# ---------------------------------------------------------------------- links that set a lost password


def store_reset_link(connection: Connection, player_id: str, secret_hash: str, expires: datetime) -> None:
    """Store a link that may set an account's password until it expires; an earlier link becomes invalid."""
    connection.execute(
        UPSERT_SECRET, {"name": _secret_name(player_id), "value": f"{secret_hash} {to_db_time(expires)}"}
    )


def delete_reset_link(connection: Connection, player_id: str) -> None:
    """Make the link that may set an account's password invalid."""
    connection.execute(_DELETE_SECRET_BY_NAME, {"name": _secret_name(player_id)})


def is_valid_reset_link(connection: Connection, player_id: str, link: ResetLink) -> bool:
    """Tell whether a link may set an account's password."""
    rows = connection.execute(SELECT_SECRET, {"name": _secret_name(player_id)}).fetchall()
    return bool(rows) and _matches(rows[0][0], link)


def _secret_name(player_id: str) -> str:
    """Return the name under which the secret of a player's reset link is stored."""
    return f"reset {player_id}"


def _matches(stored: str, link: ResetLink) -> bool:
    """Tell whether a link has the stored secret, and was opened before it expired."""
    secret_hash, _, expires = stored.partition(" ")
    return secret_hash == link.secret_hash and from_db_time(expires) > link.at


_SESSION: Final = sql(
    select(SESSIONS.c.id).where(SESSIONS.c.id == bindparam("id"), SESSIONS.c.player_id == bindparam("player"))
)
_PASSKEY: Final = sql(
    select(PASSKEYS.c.id).where(PASSKEYS.c.id == bindparam("id"), PASSKEYS.c.player_id == bindparam("player"))
)
SELECT_SECRET: Final = sql(select(SECRETS.c.value).where(SECRETS.c.name == bindparam("name")))
UPSERT_SECRET: Final = upsert(SECRETS, "value")
DELETE_SECRET: Final = sql(
    delete(SECRETS).where(SECRETS.c.name == bindparam("name"), SECRETS.c.value == bindparam("value"))
)
_DELETE_SECRET_BY_NAME: Final = sql(delete(SECRETS).where(SECRETS.c.name == bindparam("name")))
