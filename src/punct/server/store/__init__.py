"""Where games are kept: an embedded database or PostgreSQL, one row for each move played."""

from punct.server.store.database import Connection, Database, open_database
from punct.server.store.faults import (
    ConflictError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    TakenError,
    UnreadableGameError,
)
from punct.server.store.games import GameStore
from punct.server.store.players import PlayerStore, StoredPlayer, StoredSession
from punct.server.store.stored import NewStoredGame, SeatKind, StoredGame, StoredMove, StoredSeat, Tally

__all__ = [
    "ConflictError",
    "Connection",
    "Database",
    "GameStore",
    "NewStoredGame",
    "PlayerStore",
    "SeatKind",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoredGame",
    "StoredMove",
    "StoredPlayer",
    "StoredSeat",
    "StoredSession",
    "TakenError",
    "Tally",
    "UnreadableGameError",
    "open_database",
]
