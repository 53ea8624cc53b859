"""The SQL statements of the store of games."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BindParameter,
    Boolean,
    ColumnElement,
    FromClause,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    not_,
    null,
    or_,
    select,
    union,
    update,
)

from punct.server.db.sql import Statement, bindparams, sql
from punct.server.db.tables import GAMES, MOVES, PLAYERS, RATINGS, RECORDS, SEATS
from punct.server.games.model import FIRST_MOVES
from punct.server.games.rows import GAME_COLUMNS, REVISION_COLUMNS

_GAME_ID: Final[BindParameter[str]] = bindparam("game")
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_LIMIT: Final[BindParameter[int]] = bindparam("limit")
_LAST_CHANGED_FIRST: Final = GAMES.c.updated.desc()

# ---------------------------------------------------------------------- conditions

_WHITE, _BLACK = SEATS.alias("white"), SEATS.alias("black")
_IS_RUNNING: Final = GAMES.c.ending.is_(None)
_IS_WHITE_TO_MOVE: Final = GAMES.c.start.like(GAMES.c.rules + " w%") == (GAMES.c.ply % 2 == 0)
"""White began and the ply is even, or neither; as ``StoredGame.turn``."""
_KIND_TO_MOVE: Final = case((_IS_WHITE_TO_MOVE, _WHITE.c.kind), else_=_BLACK.c.kind)
_WAITS_FOR_PLAYER: Final = case(
    (GAMES.c.ending.is_not(None), 0),
    (and_(_IS_WHITE_TO_MOVE, _WHITE.c.player_id == _PLAYER_ID), 1),
    (and_(not_(_IS_WHITE_TO_MOVE), _BLACK.c.player_id == _PLAYER_ID), 1),
    else_=0,
)
_IS_OWN: Final = GAMES.c.id.in_(
    union(
        select(SEATS.c.game_id).where(SEATS.c.player_id == _PLAYER_ID),
        select(GAMES.c.id).where(GAMES.c.owner_id == _PLAYER_ID),
    )
)
_IS_PLAYED_BY: Final = and_(
    GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.player_id == _PLAYER_ID)),
    or_(GAMES.c.listed, GAMES.c.rated, bindparam("all", type_=Boolean)),
)

# ---------------------------------------------------------------------- games with their seats

_WHITE_PLAYER, _BLACK_PLAYER = PLAYERS.alias("white_player"), PLAYERS.alias("black_player")
_WHITE_RATING, _BLACK_RATING = RATINGS.alias("white_rating"), RATINGS.alias("black_rating")
_POOL: Final = case(
    (GAMES.c.time.like("%d"), GAMES.c.rules + "-days"),
    (GAMES.c.time.is_not(None), GAMES.c.rules + "-live"),
    (GAMES.c.rated, GAMES.c.rules + "-level"),
)
"""The rating pool of a game, named as in the service of ratings; null if it belongs to none."""


def _is_rating_of(rating: FromClause, seat: FromClause) -> ColumnElement[bool]:
    """Return the condition that a rating is that of a seat's player in the pool of the game."""
    return and_(rating.c.player_id == seat.c.player_id, rating.c.pool == _POOL)


_SEATED: Final = ((_WHITE, _WHITE_PLAYER, _WHITE_RATING), (_BLACK, _BLACK_PLAYER, _BLACK_RATING))
_GAMES: Final = (
    select(
        *(GAMES.c[name] for name in GAME_COLUMNS),
        *(
            column
            for seat, player, rating in _SEATED
            for column in (
                *(seat.c[name] for name in ("kind", "name", "level", "player_id")),
                player.c.name,
                player.c.kind,
                player.c.handle,
                rating.c.rating,
            )
        ),
    )
    .select_from(GAMES)
    .join(_WHITE, and_(_WHITE.c.game_id == GAMES.c.id, _WHITE.c.colour == "w"), isouter=True)
    .join(_BLACK, and_(_BLACK.c.game_id == GAMES.c.id, _BLACK.c.colour == "b"), isouter=True)
    .join(_WHITE_PLAYER, _WHITE_PLAYER.c.id == _WHITE.c.player_id, isouter=True)
    .join(_BLACK_PLAYER, _BLACK_PLAYER.c.id == _BLACK.c.player_id, isouter=True)
    .join(_WHITE_RATING, _is_rating_of(_WHITE_RATING, _WHITE), isouter=True)
    .join(_BLACK_RATING, _is_rating_of(_BLACK_RATING, _BLACK), isouter=True)
)
GAMES_WITH_SEATS: Final = _GAMES
"""The games, as ``rows.read_game`` reads them."""

# ---------------------------------------------------------------------- reading


def _select_page(*conditions: ColumnElement[bool], first: ColumnElement[int] | None = None) -> Statement:
    games = _GAMES.where(*conditions) if conditions else _GAMES
    order = [_LAST_CHANGED_FIRST, GAMES.c.id.desc()]
    if first is not None:
        order.insert(0, first.desc())
    return sql(games.order_by(*order).offset(bindparam("offset")).limit(_LIMIT))


def _count(*conditions: ColumnElement[bool]) -> Statement:
    count = select(func.count()).select_from(GAMES)
    return sql(count.where(*conditions) if conditions else count)


SELECT_ONE: Final = sql(select(1))
SELECT_REVISION: Final = sql(select(GAMES.c.revision).where(GAMES.c.id == _GAME_ID))
LOCK_GAME: Final = sql(select(GAMES.c.revision).where(GAMES.c.id == _GAME_ID).with_for_update())
SELECT_GAME: Final = sql(_GAMES.where(GAMES.c.id == _GAME_ID))
SELECT_RECORD: Final = sql(
    select(RECORDS.c.moves, RECORDS.c.comments, RECORDS.c.ply).where(RECORDS.c.game_id == _GAME_ID)
)
SELECT_MOVES: Final = sql(
    select(MOVES.c.text, MOVES.c.played, MOVES.c.comment, MOVES.c.seconds)
    .where(MOVES.c.game_id == _GAME_ID)
    .order_by(MOVES.c.ply)
)
SELECT_ALL, SELECT_ALL_RUNNING = _select_page(), _select_page(_IS_RUNNING)
COUNT_ALL, COUNT_ALL_RUNNING = _count(), _count(_IS_RUNNING)
SELECT_OWN: Final = _select_page(_IS_OWN, first=_WAITS_FOR_PLAYER)
SELECT_OWN_RUNNING: Final = _select_page(_IS_OWN, _IS_RUNNING, first=_WAITS_FOR_PLAYER)
COUNT_OWN, COUNT_OWN_RUNNING = _count(_IS_OWN), _count(_IS_OWN, _IS_RUNNING)
SELECT_BY_PLAYER, COUNT_BY_PLAYER = _select_page(_IS_PLAYED_BY), _count(_IS_PLAYED_BY)
SELECT_PUBLIC: Final = sql(_GAMES.where(GAMES.c.listed, _IS_RUNNING).order_by(_LAST_CHANGED_FIRST).limit(_LIMIT))
SELECT_WAITING_FOR_ENGINE: Final = sql(
    _GAMES.where(_IS_RUNNING, _KIND_TO_MOVE == "engine").order_by(_LAST_CHANGED_FIRST)
)
SELECT_OVERDUE: Final = sql(
    select(GAMES.c.id)
    .where(GAMES.c.deadline <= bindparam("now"), GAMES.c.ticking.is_not(None), _IS_RUNNING)
    .order_by(GAMES.c.deadline)
    .limit(_LIMIT)
)
"""Games whose clock stands in a pause have a deadline too: that of the pause."""
SELECT_ABANDONED: Final = sql(
    _GAMES.where(
        _IS_RUNNING,
        GAMES.c.updated <= bindparam("since"),
        GAMES.c.rated,
        GAMES.c.time.is_(None),
        _KIND_TO_MOVE == "person",
    )
)
SELECT_UNSTARTED: Final = sql(
    select(GAMES.c.id)
    .where(_IS_RUNNING, GAMES.c.updated <= bindparam("since"), GAMES.c.ply < FIRST_MOVES, GAMES.c.time.not_like("%d"))
    .order_by(GAMES.c.updated)
    .limit(_LIMIT)
)
SELECT_STORED_SIZE: Final = sql(
    select(
        func.count(),
        func.coalesce(
            func.sum(
                func.length(cast(GAMES.c.tags, Text))
                + func.coalesce(func.length(RECORDS.c.moves), 0)
                + func.coalesce(func.length(cast(RECORDS.c.comments, Text)), 0)
            ),
            0,
        ),
    )
    .select_from(GAMES)
    .join(RECORDS, RECORDS.c.game_id == GAMES.c.id, isouter=True)
    .where(
        GAMES.c.owner_id == _PLAYER_ID,
        ~exists().where(SEATS.c.game_id == GAMES.c.id, SEATS.c.player_id != _PLAYER_ID),
    )
)
"""How many games a player owns without another player in them, and their characters."""

# ---------------------------------------------------------------------- writing

INSERT_GAME: Final = sql(insert(GAMES).values(bindparams(*GAME_COLUMNS)))
INSERT_SEAT: Final = sql(insert(SEATS).values(bindparams("game_id", "colour", "kind", "name", "level", "player_id")))
INSERT_RECORD: Final = sql(insert(RECORDS))
INSERT_MOVE: Final = sql(insert(MOVES))
UPDATE_GAME: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == _GAME_ID, GAMES.c.revision == bindparam("before"))
    .values(bindparams(*REVISION_COLUMNS))
)
SHORTEN_RECORD: Final = sql(
    update(RECORDS)
    .where(RECORDS.c.game_id == _GAME_ID, RECORDS.c.ply > bindparam("from"))
    .values(ply=bindparam("from"))
)
DELETE_MOVES: Final = sql(delete(MOVES).where(MOVES.c.game_id == _GAME_ID, MOVES.c.ply >= bindparam("from")))
DELETE_GAME: Final = sql(delete(GAMES).where(GAMES.c.id == _GAME_ID))
DELETE_REVISION: Final = sql(delete(GAMES).where(GAMES.c.id == _GAME_ID, GAMES.c.revision == bindparam("before")))
_SEATS_BEFORE, _SEATS_OF_REMATCH = SEATS.alias("seats_before"), SEATS.alias("seats_of_rematch")
SELECT_BEFORE_REMATCH: Final = sql(
    select(GAMES.c.id).where(
        GAMES.c.next_id == _GAME_ID,
        # By the players of the rematch: without an index of rematches, all games would be scanned.
        GAMES.c.id.in_(
            select(_SEATS_BEFORE.c.game_id)
            .join(_SEATS_OF_REMATCH, _SEATS_OF_REMATCH.c.player_id == _SEATS_BEFORE.c.player_id)
            .where(_SEATS_OF_REMATCH.c.game_id == _GAME_ID)
        ),
    )
)
CLEAR_REMATCH: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == _GAME_ID, GAMES.c.next_id == bindparam("next"))
    .values(next_id=null(), revision=GAMES.c.revision + 1)
)
