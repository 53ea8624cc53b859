"""Locks that changes take in their transactions, where several processes write to one database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, select

from punct.server.store.database import Connection
from punct.server.store.sql import sql
from punct.server.store.tables import PLAYERS


def lock_player(connection: Connection, player_id: str) -> None:
    """Let no other change that takes this lock go on until this one is stored: to count what a player has, and add."""
    connection.execute(_LOCK_PLAYER, {"player": player_id}).fetchall()


_LOCK_PLAYER: Final = sql(select(PLAYERS.c.id).where(PLAYERS.c.id == bindparam("player")).with_for_update())
