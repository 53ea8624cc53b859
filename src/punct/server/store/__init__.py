"""Where games are kept: an embedded database, one row for each turn."""

from punct.server.store.database import StoreError, open_database
from punct.server.store.games import (
    ConflictError,
    GameStore,
    NewStoredGame,
    SeatKind,
    StoredGame,
    StoredSeat,
    StoredTurn,
)

__all__ = [
    "ConflictError",
    "GameStore",
    "NewStoredGame",
    "SeatKind",
    "StoreError",
    "StoredGame",
    "StoredSeat",
    "StoredTurn",
    "open_database",
]
