"""Where games are kept: an embedded database or PostgreSQL, one row for each move played."""

from punct.server.store.analyses import AnalysisStore, StoredAnalysis, StoredReview
from punct.server.store.challenges import ChallengeStore, StoredChallenge
from punct.server.store.database import (
    Connection,
    Database,
    check_version,
    migrate_to,
    open_as_it_is,
    open_database,
)
from punct.server.store.explored import Explored, ExploredStore, Played, Source
from punct.server.store.faults import (
    ConflictError,
    NoRoomError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    TakenError,
    UnreadableGameError,
)
from punct.server.store.games import GameStore, Room
from punct.server.store.passkeys import PasskeyStore, StoredPasskey
from punct.server.store.players import PlayerStore, StoredPlayer, StoredSession, StoredToken
from punct.server.store.pulse import PulseStore
from punct.server.store.puzzles import (
    PuzzleStore,
    PuzzleTally,
    StoredPuzzle,
    StoredSkill,
    StoredStanding,
    StoredTry,
)
from punct.server.store.ratings import EndedGame, Fared, Ranked, RatedGame, RatingStore, StoredRating
from punct.server.store.requests import NEVER, Lapsed, Made, RepeatedError, RequestKey
from punct.server.store.stored import (
    NewStoredGame,
    OfferKind,
    PlayerKind,
    SeatedPlayer,
    SeatKind,
    StoredClock,
    StoredGame,
    StoredMove,
    StoredOffer,
    StoredSeat,
    Tally,
)

__all__ = [
    "NEVER",
    "AnalysisStore",
    "ChallengeStore",
    "ConflictError",
    "Connection",
    "Database",
    "EndedGame",
    "Explored",
    "ExploredStore",
    "Fared",
    "GameStore",
    "Lapsed",
    "Made",
    "NewStoredGame",
    "NoRoomError",
    "OfferKind",
    "PasskeyStore",
    "Played",
    "PlayerKind",
    "PlayerStore",
    "PulseStore",
    "PuzzleStore",
    "PuzzleTally",
    "Ranked",
    "RatedGame",
    "RatingStore",
    "RepeatedError",
    "RequestKey",
    "Room",
    "SeatKind",
    "SeatedPlayer",
    "Source",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoredAnalysis",
    "StoredChallenge",
    "StoredClock",
    "StoredGame",
    "StoredMove",
    "StoredOffer",
    "StoredPasskey",
    "StoredPlayer",
    "StoredPuzzle",
    "StoredRating",
    "StoredReview",
    "StoredSeat",
    "StoredSession",
    "StoredSkill",
    "StoredStanding",
    "StoredToken",
    "StoredTry",
    "TakenError",
    "Tally",
    "UnreadableGameError",
    "check_version",
    "migrate_to",
    "open_as_it_is",
    "open_database",
]
