"""Games that want a second player, as they are stored. Who comes first is decided by one update alone."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Integer, and_, bindparam, case, delete, insert, literal_column, or_, select, update

from punct.piece import Colour
from punct.server.store.database import Connection, Database
from punct.server.store.faults import ConflictError, NoRoomError
from punct.server.store.games import NewRows
from punct.server.store.locks import Strength, lock_player, lock_players
from punct.server.store.requests import RequestKey, check, note
from punct.server.store.sql import named, sql
from punct.server.store.stored import COLOURS, NewStoredGame, SeatedPlayer, StoredGame
from punct.server.store.tables import CHALLENGES, PLAYERS, RATINGS
from punct.server.store.values import flag, moment, written


@dataclass(frozen=True, slots=True)
class StoredChallenge:
    """A game that wants a second player."""

    id: str
    challenger: SeatedPlayer
    rules: str
    start: str | None
    """A position to begin from; None for the usual one."""
    colour: Colour | None
    """The challenger's; None for a random one."""
    time: str | None
    rated: bool
    listed: bool
    created: datetime
    expires: datetime
    game_id: str | None = None
    """The game that it became."""


class ChallengeStore:
    """All challenges. What reads blocks; what changes returns at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, challenge_id: str) -> StoredChallenge | None:
        """Return a challenge; None for one that waits for a player who was shut out."""
        found = self._database.ask(_CHALLENGE, {"challenge": challenge_id})
        return _read(found[0]) if found else None

    def listed(self, now: datetime, limit: int) -> list[StoredChallenge]:
        """Return what anybody may accept now, the newest first."""
        return [_read(row) for row in self._database.ask(_LISTED, {"now": written(now), "limit": limit})]

    def create(self, challenge: StoredChallenge, request: RequestKey | None, most: int) -> Future[None]:
        """Store a challenge; NoRoomError if so many of the player's wait already, AbsentError if they are gone."""
        row = {
            "id": challenge.id,
            "player_id": challenge.challenger.id,
            "rules": challenge.rules,
            "start": challenge.start,
            "colour": None if challenge.colour is None else challenge.colour.letter,
            "time": challenge.time,
            "rated": challenge.rated,
            "listed": challenge.listed,
            "created": written(challenge.created),
            "expires": written(challenge.expires),
        }

        def store(connection: Connection) -> None:
            check(connection, request)
            lock_player(connection, challenge.challenger.id)  # other processes count theirs, too
            asked = {"player": challenge.challenger.id, "now": written(challenge.created)}
            if len(connection.execute(_OPEN_OF, asked).fetchall()) >= most:
                raise NoRoomError(challenge.challenger.id)
            note(connection, request, "challenge", challenge.id, challenge.created)
            connection.execute(_NEW, row)

        return self._database.change(store)

    def withdraw(
        self, challenge_id: str, player_id: str, now: datetime, request: RequestKey | None = None
    ) -> Future[bool]:
        """Forget a challenge of a player's that nobody has accepted; tell whether there was one."""
        asked = {"challenge": challenge_id, "player": player_id}

        def store(connection: Connection) -> bool:
            check(connection, request)
            if connection.execute(_WITHDRAW, asked).rowcount == 0:
                check(connection, request)  # perhaps another process was asked the same, and has done it meanwhile
                return False
            note(connection, request, "gone", challenge_id, now)
            return True

        return self._database.change(store)

    def accept(
        self, challenge_id: str, by: str, game: NewStoredGame, now: datetime, request: RequestKey | None
    ) -> Future[StoredGame]:
        """Store the game that a challenge becomes. Raises ConflictError if it is somebody else's by now, or gone.

        AbsentError if one of the two players is.
        """
        rows = NewRows([game], now)
        (stored,) = rows.stored
        asked = {"challenge": challenge_id, "player": by, "now": written(now), "game": stored.id}

        def store(connection: Connection) -> StoredGame:
            check(connection, request)
            lock_players(connection, rows.players, Strength.STAYS)
            if connection.execute(_ACCEPT, asked).rowcount != 1:
                raise ConflictError(challenge_id)
            note(connection, request, "game", stored.id, now)
            rows.insert(connection)
            return stored

        return self._database.change(store)


_OF_CHALLENGE: Final = (
    *("id", "player_id", "rules", "start", "colour", "time", "rated", "listed", "created", "expires", "game_id"),
)
_POOL: Final = CHALLENGES.c.rules + case(
    (CHALLENGES.c.time.like(literal_column("'%d'")), literal_column("'-days'")), else_=literal_column("'-live'")
)
_CHALLENGES: Final = (
    select(*(CHALLENGES.c[name] for name in _OF_CHALLENGE), PLAYERS.c.name, PLAYERS.c.kind, RATINGS.c.rating)
    .select_from(CHALLENGES)
    .join(PLAYERS, PLAYERS.c.id == CHALLENGES.c.player_id)
    .join(RATINGS, and_(RATINGS.c.player_id == CHALLENGES.c.player_id, RATINGS.c.pool == _POOL), isouter=True)
)
_IS_OPEN: Final = and_(CHALLENGES.c.game_id.is_(None), CHALLENGES.c.expires > bindparam("now"))
_IS_LET_IN: Final = PLAYERS.c.blocked.is_(None)
_CHALLENGE: Final = sql(
    _CHALLENGES.where(CHALLENGES.c.id == bindparam("challenge"), or_(CHALLENGES.c.game_id.is_not(None), _IS_LET_IN))
)
_LISTED: Final = sql(
    _CHALLENGES.where(CHALLENGES.c.listed, _IS_OPEN, _IS_LET_IN)
    .order_by(CHALLENGES.c.created.desc())
    .offset(literal_column("0", Integer))  # SQLite wants one, and SQLAlchemy would ask for its value
    .limit(bindparam("limit"))
)
_OPEN_OF: Final = sql(select(CHALLENGES.c.id).where(CHALLENGES.c.player_id == bindparam("player"), _IS_OPEN))
_NEW: Final = sql(insert(CHALLENGES).values(named(*_OF_CHALLENGE[:-1])))
_WITHDRAW: Final = sql(
    delete(CHALLENGES).where(
        CHALLENGES.c.id == bindparam("challenge"),
        CHALLENGES.c.player_id == bindparam("player"),
        CHALLENGES.c.game_id.is_(None),
    )
)
_ACCEPT: Final = sql(
    update(CHALLENGES)
    .where(
        CHALLENGES.c.id == bindparam("challenge"),
        _IS_OPEN,
        CHALLENGES.c.player_id != bindparam("player"),
        CHALLENGES.c.player_id.in_(select(PLAYERS.c.id).where(_IS_LET_IN)),
    )
    .values(game_id=bindparam("game"))
)


def _read(row: Any) -> StoredChallenge:
    challenge_id, player_id, rules, start, colour, time, rated, listed, created, expires, game_id = row[:11]
    name, kind, rating = row[11:]
    return StoredChallenge(
        challenge_id,
        SeatedPlayer(player_id, name, kind, None if rating is None else round(rating)),
        rules,
        start,
        None if colour is None else COLOURS[colour],
        time,
        flag(rated),
        flag(listed),
        moment(created),
        moment(expires),
        game_id,
    )
