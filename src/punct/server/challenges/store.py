"""The table of challenges. Which of several players accepts one is decided by a single update."""

from __future__ import annotations

import secrets
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Integer,
    String,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from punct.server.auth.model import PlayerKind
from punct.server.challenges.model import StoredChallenge
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError, MissingPlayerError, QuotaExceededError
from punct.server.db.idempotency import IdempotencyKey, raise_if_used, record_result
from punct.server.db.locks import LockStrength, lock_players
from punct.server.db.outbox import Notice, NoticeKind, add_notices
from punct.server.db.sql import Statement, bindparams, sql
from punct.server.db.tables import CHALLENGES, GAMES, PLAYERS, RATINGS, RELATIONS, SEATS
from punct.server.db.values import from_db_bool, from_db_time, to_db_time
from punct.server.games.model import COLOURS, NewStoredGame, SeatedPlayer, StoredGame
from punct.server.games.notices import notices_of_start
from punct.server.games.store import NewGameRows
from punct.server.relations.store import find_blockers


class OpenLimits(NamedTuple):
    """How many challenges may be open at once."""

    of_player: int
    of_pair: int
    """From one player to another."""
    to_player: int


class BlockedPairError(ConflictError):
    """Two players are to be kept apart: one has blocked the other, or takes no more challenges; the id is theirs."""

    def __init__(self, player_id: str) -> None:
        super().__init__(player_id)
        self.player_id = player_id


class AlreadyPlayingError(ConflictError):
    """The player plays a game from the same standing challenge."""

    def __init__(self, game_id: str) -> None:
        super().__init__(game_id)
        self.game_id = game_id


class ChallengeStore:
    """All challenges. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, challenge_id: str) -> StoredChallenge | None:
        """Return a challenge; None if there is none, or if it is open and its challenger is blocked."""
        rows = self._database.fetch_all(_SELECT, {"challenge": challenge_id})
        return _from_row(rows[0]) if rows else None

    def listed(self, now: datetime, limit: int) -> list[StoredChallenge]:
        """Return the open challenges of the lobby, newest first."""
        return [
            _from_row(row) for row in self._database.fetch_all(_SELECT_LISTED, {"now": to_db_time(now), "limit": limit})
        ]

    def of_player(
        self, player_id: str, now: datetime, limit: int
    ) -> tuple[list[StoredChallenge], list[StoredChallenge]]:
        """Return the open challenges to a player, and the player's own ones: open, or declined; newest first."""
        values = {"player": player_id, "now": to_db_time(now), "limit": limit}
        with self._database.read_transaction() as connection:
            received = connection.execute(_SELECT_RECEIVED, values).fetchall()
            sent = connection.execute(_SELECT_SENT, values).fetchall()
        return [_from_row(row) for row in received], [_from_row(row) for row in sent]

    def create(self, challenge: StoredChallenge, key: IdempotencyKey | None, limits: OpenLimits) -> Future[None]:
        """Store a challenge; a challenge to a player is told to them, and the one that it replaces is declined.

        Raises QuotaExceededError if there are too many open ones, BlockedPairError, MissingPlayerError if a player is
        deleted or may not be challenged, ConflictError if the challenge to replace is not open any more.
        """
        to = challenge.to
        row = {
            "id": challenge.id,
            "player_id": challenge.challenger.id,
            "rules": challenge.rules,
            "start": challenge.start,
            "colour": None if challenge.colour is None else challenge.colour.letter,
            "time": challenge.time,
            "rated": challenge.rated,
            "listed": challenge.listed,
            "created": to_db_time(challenge.created),
            "expires": to_db_time(challenge.expires),
            "to_id": None if to is None else to.id,
            "places": challenge.places,
            "replaces": challenge.replaces,
        }
        values = {"player": challenge.challenger.id, "now": to_db_time(challenge.created)}

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            # Exclusively: else two processes might count at once.
            locked = lock_players(connection, {challenge.challenger.id} | ({to.id} if to is not None else set()))
            if len(connection.execute(_SELECT_OPEN, values).fetchall()) >= limits.of_player:
                raise QuotaExceededError(challenge.challenger.id)
            if to is not None:
                if not locked[to.id].has_account or locked[to.id].is_blocked:
                    raise MissingPlayerError(to.id)
                raise_if_blocked(connection, challenge.challenger.id, to.id)
                challengers = connection.execute(_SELECT_OPEN_TO, {"to": to.id, "now": values["now"]}).fetchall()
                if sum(row[0] == challenge.challenger.id for row in challengers) >= limits.of_pair:
                    raise QuotaExceededError(to.id)
                if len(challengers) >= limits.to_player:
                    raise BlockedPairError(to.id)
            if challenge.replaces is not None and to is not None:  # last: an error must have changed nothing
                replaced = {**values, "challenge": challenge.replaces, "challenger": to.id, "words": None}
                if connection.execute(_DECLINE, replaced).rowcount != 1:
                    raise ConflictError(challenge.replaces)
            record_result(connection, key, "challenge", challenge.id, challenge.created)
            connection.execute(_INSERT, row)
            if challenge.listed:  # whom to tell of it is found out afterwards, in smaller changes
                spread = Notice(challenge.challenger.id, "wanted", challenge.id, challenge.created)
                add_notices(connection, [spread], challenge.created)
            if to is not None:
                kind: NoticeKind = "challenge" if challenge.replaces is None else "declined"
                add_notices(connection, [Notice(to.id, kind, challenge.id, challenge.created)], challenge.created)

        return self._database.change(store)

    def decline(
        self, challenge: StoredChallenge, words: str | None, now: datetime, key: IdempotencyKey | None = None
    ) -> Future[bool]:
        """Decline a challenge for the player whom it is to, and tell its challenger; return whether it was open."""
        assert challenge.to is not None
        values = {
            "challenge": challenge.id,
            "challenger": challenge.challenger.id,
            "player": challenge.to.id,
            "words": words,
            "now": to_db_time(now),
        }

        def store(connection: Connection) -> bool:
            raise_if_used(connection, key)
            if connection.execute(_DECLINE, values).rowcount == 0:
                raise_if_used(connection, key)  # another process may have handled the same request meanwhile
                return False
            record_result(connection, key, "declined", challenge.id, now)
            add_notices(connection, [Notice(challenge.challenger.id, "declined", challenge.id, now)], now)
            return True

        return self._database.change(store)

    def withdraw(
        self, challenge_id: str, player_id: str, now: datetime, key: IdempotencyKey | None = None
    ) -> Future[bool]:
        """Delete an open challenge of a player; return whether there was one."""
        values = {"challenge": challenge_id, "player": player_id}

        def store(connection: Connection) -> bool:
            raise_if_used(connection, key)
            if connection.execute(_DELETE, values).rowcount == 0:
                raise_if_used(connection, key)  # another process may have handled the same request meanwhile
                return False
            record_result(connection, key, "gone", challenge_id, now)
            return True

        return self._database.change(store)

    def accept(
        self, challenge: StoredChallenge, player_id: str, game: NewStoredGame, now: datetime, key: IdempotencyKey | None
    ) -> Future[StoredGame]:
        """Store the game that a challenge becomes; a standing challenge stays open while it has places.

        Raises BlockedPairError, MissingPlayerError if a player is deleted, AlreadyPlayingError if they play a game from
        this standing challenge already, QuotaExceededError if it has no place left, and ConflictError if the challenge
        is accepted, declined or deleted.
        """
        rows = NewGameRows([game], now)
        (stored,) = rows.games
        values = {"challenge": challenge.id, "player": player_id, "now": to_db_time(now), "game": stored.id}

        def store(connection: Connection) -> StoredGame:
            raise_if_used(connection, key)
            lock_players(connection, rows.player_ids, LockStrength.KEY_SHARE)
            raise_if_blocked(connection, challenge.challenger.id, player_id)
            if challenge.places is not None:
                _take_place(connection, challenge, player_id, stored.id, now)
            elif connection.execute(_ACCEPT, values).rowcount != 1:
                raise ConflictError(challenge.id)
            record_result(connection, key, "game", stored.id, now)
            (begun,) = rows.insert(connection)
            add_notices(connection, notices_of_start(begun, now, by=player_id), now)
            return begun

        return self._database.change(store)


def raise_if_blocked(connection: Connection, player_id: str, other_id: str) -> None:
    """Raise BlockedPairError if one of two players has blocked the other. Both are locked."""
    blockers = find_blockers(connection, player_id, other_id)
    if blockers:
        raise BlockedPairError(next(iter(blockers)) if len(blockers) == 1 else other_id)


def _take_place(
    connection: Connection, challenge: StoredChallenge, player_id: str, game_id: str, now: datetime
) -> None:
    """Store that a player has taken a place of a standing challenge."""
    # The update locks the row: places are taken one after the other.
    values = {"challenge": challenge.id, "player": player_id, "now": to_db_time(now)}
    if connection.execute(_LOCK_STANDING, values).rowcount != 1:
        raise ConflictError(challenge.id)
    opponents = dict(connection.execute(_SELECT_OPPONENTS, {"challenge": challenge.id}).fetchall())
    if player_id in opponents:
        raise AlreadyPlayingError(opponents[player_id])
    if challenge.places is not None and len(opponents) >= challenge.places:
        raise QuotaExceededError(challenge.id)
    taken = {"id": secrets.token_urlsafe(16), "game": game_id, "challenge": challenge.id}
    connection.execute(_INSERT_TAKEN, taken)


_COLUMNS: Final = (
    *("id", "player_id", "rules", "start", "colour", "time", "rated", "listed", "created", "expires", "game_id"),
    *("places", "declined", "words", "replaces"),
)
_POOL: Final = CHALLENGES.c.rules + case(
    (CHALLENGES.c.time.like(literal_column("'%d'")), literal_column("'-days'")), else_=literal_column("'-live'")
)
_CHALLENGER, _RECIPIENT = PLAYERS.alias("challenger"), PLAYERS.alias("recipient")
_RATING, _RECIPIENT_RATING = RATINGS.alias("rating"), RATINGS.alias("recipient_rating")
_TAKEN: Final = CHALLENGES.alias("taken")
"""The places that are taken of a standing challenge: a row for each, with its game."""
_RUNNING_GAMES: Final = (
    select(func.count())
    .select_from(_TAKEN)
    .join(GAMES, GAMES.c.id == _TAKEN.c.game_id)
    .where(
        _TAKEN.c.player_id == CHALLENGES.c.player_id,
        _TAKEN.c.replaces == CHALLENGES.c.id,
        GAMES.c.ending.is_(None),
    )
    .correlate(CHALLENGES)
    .scalar_subquery()
)
_RUNNING: Final = case((CHALLENGES.c.places.is_not(None), _RUNNING_GAMES), else_=literal_column("0", Integer))
_CHALLENGES: Final = (
    select(
        *(CHALLENGES.c[name] for name in _COLUMNS),
        _RUNNING,
        *(
            column
            for player, rating in ((_CHALLENGER, _RATING), (_RECIPIENT, _RECIPIENT_RATING))
            for column in (*(player.c[name] for name in ("id", "name", "kind", "handle")), rating.c.rating)
        ),
    )
    .select_from(CHALLENGES)
    .join(_CHALLENGER, _CHALLENGER.c.id == CHALLENGES.c.player_id)
    .join(_RATING, and_(_RATING.c.player_id == CHALLENGES.c.player_id, _RATING.c.pool == _POOL), isouter=True)
    .join(_RECIPIENT, _RECIPIENT.c.id == CHALLENGES.c.to_id, isouter=True)
    .join(
        _RECIPIENT_RATING,
        and_(_RECIPIENT_RATING.c.player_id == CHALLENGES.c.to_id, _RECIPIENT_RATING.c.pool == _POOL),
        isouter=True,
    )
)
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_IS_CHALLENGE: Final = CHALLENGES.c.id == bindparam("challenge")
_IS_UNEXPIRED: Final = and_(CHALLENGES.c.game_id.is_(None), CHALLENGES.c.expires > bindparam("now"))
_IS_OPEN: Final = and_(_IS_UNEXPIRED, CHALLENGES.c.declined.is_(None))
_IS_ADMITTED: Final = _CHALLENGER.c.blocked.is_(None)
_SELECT: Final = sql(_CHALLENGES.where(_IS_CHALLENGE, or_(CHALLENGES.c.game_id.is_not(None), _IS_ADMITTED)))
_HAS_PLACE: Final = or_(CHALLENGES.c.places.is_(None), CHALLENGES.c.places > _RUNNING)
_HAS_BLOCKED: Final = exists().where(
    RELATIONS.c.player_id == _PLAYER_ID,
    RELATIONS.c.other_id == CHALLENGES.c.player_id,
    RELATIONS.c.kind == literal_column("'block'"),
)


def _select_newest(*conditions: ColumnElement[bool]) -> Statement:
    return sql(
        _CHALLENGES.where(*conditions)
        .order_by(CHALLENGES.c.created.desc())
        .offset(literal_column("0", Integer))  # SQLite needs one, and SQLAlchemy would add a parameter for it
        .limit(bindparam("limit"))
    )


_SELECT_LISTED: Final = _select_newest(CHALLENGES.c.listed, _IS_OPEN, _IS_ADMITTED, _HAS_PLACE)
_SELECT_RECEIVED: Final = _select_newest(CHALLENGES.c.to_id == _PLAYER_ID, _IS_OPEN, _IS_ADMITTED, ~_HAS_BLOCKED)
_SELECT_SENT: Final = _select_newest(CHALLENGES.c.player_id == _PLAYER_ID, _IS_UNEXPIRED)
_SELECT_OPEN: Final = sql(select(CHALLENGES.c.id).where(CHALLENGES.c.player_id == _PLAYER_ID, _IS_OPEN))
_SELECT_OPEN_TO: Final = sql(select(CHALLENGES.c.player_id).where(CHALLENGES.c.to_id == bindparam("to"), _IS_OPEN))
_INSERT: Final = sql(
    insert(CHALLENGES).values(
        bindparams(*(name for name in _COLUMNS if name not in ("game_id", "declined", "words")), "to_id")
    )
)
_DELETE: Final = sql(
    delete(CHALLENGES).where(_IS_CHALLENGE, CHALLENGES.c.player_id == _PLAYER_ID, CHALLENGES.c.game_id.is_(None))
)
_DECLINE: Final = sql(
    update(CHALLENGES)
    .where(
        _IS_CHALLENGE,
        _IS_OPEN,
        CHALLENGES.c.player_id == bindparam("challenger"),
        CHALLENGES.c.to_id == _PLAYER_ID,
    )
    .values(declined=bindparam("now"), words=bindparam("words"))
)
_MAY_ACCEPT: Final = and_(
    _IS_CHALLENGE,
    _IS_OPEN,
    CHALLENGES.c.player_id != _PLAYER_ID,
    or_(CHALLENGES.c.to_id.is_(None), CHALLENGES.c.to_id == _PLAYER_ID),
    CHALLENGES.c.player_id.in_(select(PLAYERS.c.id).where(PLAYERS.c.blocked.is_(None))),
)
_ACCEPT: Final = sql(update(CHALLENGES).where(_MAY_ACCEPT).values(game_id=bindparam("game")))
_LOCK_STANDING: Final = sql(
    update(CHALLENGES).where(_MAY_ACCEPT, CHALLENGES.c.places.is_not(None)).values(places=CHALLENGES.c.places)
)
_SELECT_OPPONENTS: Final = sql(
    select(SEATS.c.player_id, GAMES.c.id)
    .select_from(CHALLENGES)
    .join(_TAKEN, and_(_TAKEN.c.player_id == CHALLENGES.c.player_id, _TAKEN.c.replaces == CHALLENGES.c.id))
    .join(GAMES, GAMES.c.id == _TAKEN.c.game_id)
    .join(SEATS, and_(SEATS.c.game_id == GAMES.c.id, SEATS.c.player_id != CHALLENGES.c.player_id))
    .where(_IS_CHALLENGE, GAMES.c.ending.is_(None))
)
_COPIED: Final = ("player_id", "rules", "start", "colour", "time", "rated", "listed", "created", "expires")
_TAKEN_VALUES: Final = {
    "id": bindparam("id", type_=String),
    "game_id": bindparam("game", type_=String),
    "replaces": CHALLENGES.c.id,
    **{name: CHALLENGES.c[name] for name in _COPIED},
}
_INSERT_TAKEN: Final = sql(
    insert(CHALLENGES).from_select(list(_TAKEN_VALUES), select(*_TAKEN_VALUES.values()).where(_IS_CHALLENGE))
)


def _from_row(row: Any) -> StoredChallenge:
    challenge_id, _, rules, start, colour, time, rated, listed, created, expires, game_id = row[:11]
    places, declined, words, replaces, running = row[11:16]
    challenger, to = _player(*row[16:21]), _player(*row[21:])
    assert challenger is not None
    return StoredChallenge(
        challenge_id,
        challenger,
        rules,
        start,
        None if colour is None else COLOURS[colour],
        time,
        from_db_bool(rated),
        from_db_bool(listed),
        from_db_time(created),
        from_db_time(expires),
        game_id,
        to,
        places,
        running,
        None if declined is None else from_db_time(declined),
        words,
        replaces,
    )


def _player(
    player_id: str | None, name: str | None, kind: PlayerKind, handle: str | None, rating: float | None
) -> SeatedPlayer | None:
    if player_id is None:
        return None
    return SeatedPlayer(player_id, name, kind, None if rating is None else round(rating), handle)
