"""Players whom a change is about: they are there, and stay until it is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import bindparam, select

from punct.server.store.database import Connection
from punct.server.store.faults import AbsentError
from punct.server.store.sql import sql
from punct.server.store.tables import PLAYERS

_ITS_PLAYER: Final = PLAYERS.c.id == bindparam("player")
HOLD_PLAYER: Final = sql(select(PLAYERS.c.id).where(_ITS_PLAYER).with_for_update())
"""For whoever changes what a player is, or forgets them: until the transaction ends, nobody else does."""
_KEEP: Final = sql(select(PLAYERS.c.id).where(_ITS_PLAYER).with_for_update(key_share=True, read=True))
_KEEP_LET_IN: Final = sql(
    select(PLAYERS.c.id).where(_ITS_PLAYER, PLAYERS.c.blocked.is_(None)).with_for_update(read=True)
)


def hold_players(connection: Connection, players: Iterable[str], *, let_in: bool = False) -> None:
    """Have players stay until the transaction ends; raise AbsentError if one is gone: with ``let_in``, or shut out.

    Whoever forgets a player holds them first, and so finds what was stored for them: nothing is left with nobody.
    """
    for player in sorted(players):
        if not connection.execute(_KEEP_LET_IN if let_in else _KEEP, {"player": player}).fetchall():
            raise AbsentError(player)
