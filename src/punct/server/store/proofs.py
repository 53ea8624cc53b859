"""Proof of who somebody is, looked at again where it is acted upon: what proved it may have changed since.

Checking a password takes a while, and meanwhile it may become another. So whatever acts on a proof does so in the
transaction in which the proof still holds, or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple

from sqlalchemy import bindparam, delete, select

from punct.server.store.database import Connection
from punct.server.store.faults import ConflictError
from punct.server.store.locks import LockedPlayer
from punct.server.store.sql import in_place, sql
from punct.server.store.tables import PASSKEYS, SECRETS, SESSIONS
from punct.server.store.values import moment, written

Part = Literal["password", "passkey", "session", "link"]


class ResetLink(NamedTuple):
    """A link that sets a lost password, once."""

    secret_hash: str
    at: datetime
    """When it was opened: it must have been in time."""


@dataclass(frozen=True, slots=True)
class Proof:
    """By what an account holder has proved who they are, as it was when it was verified."""

    password: str | None = None
    """The hash that their password was verified against."""
    passkey: str | None = None
    """The id of the passkey that has answered."""
    session: str | None = None
    """The session they are known in."""
    link: ResetLink | None = None


UNPROVED: Final = Proof()
"""For what needs no proof."""


class OutdatedProofError(ConflictError):
    """What proved who somebody is has changed, or has ended, since it was verified; nothing was stored."""

    def __init__(self, part: Part) -> None:
        """Name the part that no longer holds."""
        super().__init__(part)
        self.part = part


def check(connection: Connection, player: LockedPlayer, proof: Proof) -> None:
    """See that a proof still holds, and will until the transaction ends: the player must be locked alone.

    Raises OutdatedProofError. Changes nothing, but for a link, which is used up.
    """
    if proof.password is not None and proof.password != player.password:
        raise OutdatedProofError("password")
    whose = {"player": player.id}
    if proof.session is not None and not connection.execute(_SESSION, {**whose, "id": proof.session}).fetchall():
        raise OutdatedProofError("session")
    if proof.passkey is not None and not connection.execute(_PASSKEY, {**whose, "id": proof.passkey}).fetchall():
        raise OutdatedProofError("passkey")
    if proof.link is not None:
        rows = connection.execute(SECRET, {"name": _reset(player.id)}).fetchall()
        used = {"name": _reset(player.id), "value": rows[0][0] if rows else ""}
        if not _opens(used["value"], proof.link) or connection.execute(USE_SECRET, used).rowcount != 1:
            raise OutdatedProofError("link")


# ---------------------------------------------------------------------- links that set a lost password


def offer_link(connection: Connection, player_id: str, secret_hash: str, expires: datetime) -> None:
    """Let whoever has a secret set an account's password once, until then; no other secret does from now on."""
    connection.execute(SET_SECRET, {"name": _reset(player_id), "value": f"{secret_hash} {written(expires)}"})


def withdraw_link(connection: Connection, player_id: str) -> None:
    """Have no link set an account's password any more."""
    connection.execute(_DROP_SECRET, {"name": _reset(player_id)})


def link_opens(connection: Connection, player_id: str, link: ResetLink) -> bool:
    """Tell whether an account's password may be set with a link."""
    rows = connection.execute(SECRET, {"name": _reset(player_id)}).fetchall()
    return bool(rows) and _opens(rows[0][0], link)


def _reset(player_id: str) -> str:
    """Return the name of the secret with which a player's password may be set."""
    return f"reset {player_id}"


def _opens(kept: str, link: ResetLink) -> bool:
    """Tell whether a secret is the one that was kept, and still in time."""
    known, _, expires = kept.partition(" ")
    return known == link.secret_hash and moment(expires) > link.at


_SESSION: Final = sql(
    select(SESSIONS.c.id).where(SESSIONS.c.id == bindparam("id"), SESSIONS.c.player_id == bindparam("player"))
)
_PASSKEY: Final = sql(
    select(PASSKEYS.c.id).where(PASSKEYS.c.id == bindparam("id"), PASSKEYS.c.player_id == bindparam("player"))
)
SECRET: Final = sql(select(SECRETS.c.value).where(SECRETS.c.name == bindparam("name")))
SET_SECRET: Final = in_place(SECRETS, "value")
USE_SECRET: Final = sql(
    delete(SECRETS).where(SECRETS.c.name == bindparam("name"), SECRETS.c.value == bindparam("value"))
)
_DROP_SECRET: Final = sql(delete(SECRETS).where(SECRETS.c.name == bindparam("name")))
