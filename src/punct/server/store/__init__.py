"""Where games are kept: an embedded database, one row for each move played."""

from punct.server.store.database import Database, open_database
from punct.server.store.faults import (
    ConflictError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    UnreadableGameError,
)
from punct.server.store.games import GameStore
from punct.server.store.stored import NewStoredGame, SeatKind, StoredGame, StoredMove, StoredSeat, Tally

__all__ = [
    "ConflictError",
    "Database",
    "GameStore",
    "NewStoredGame",
    "SeatKind",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoredGame",
    "StoredMove",
    "StoredSeat",
    "Tally",
    "UnreadableGameError",
    "open_database",
]
