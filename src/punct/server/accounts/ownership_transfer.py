"""What becomes of games when their players change: inherited, left, adopted.

Each becomes its next revision by it, so that nobody goes on from what was.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import BindParameter, and_, bindparam, delete, exists, func, literal_column, null, or_, select, update

from punct.piece import Colour
from punct.server.db.database import Connection
from punct.server.db.sql import sql
from punct.server.db.tables import CHALLENGES, GAMES, PLAYERS, REQUESTS, SEATS
from punct.server.db.values import to_db_time


def merge_player(connection: Connection, player_id: str, heir_id: str) -> list[str]:
    """Make everything of one player another's; return the games that changed."""
    both = {"player": player_id, "heir": heir_id}
    changed = _touch(connection, player_id)
    for statement in (_INHERIT_SEATS, _INHERIT_GAMES, _INHERIT_CHALLENGES, _INHERIT_REQUESTS):
        connection.execute(statement, both)
    for statement in (_LEAVE_SEATS, _FORGET_REQUESTS):
        connection.execute(statement, {"player": player_id})
    return changed


def resign_games(connection: Connection, player_id: str, now: datetime) -> list[str]:
    """Give up a player's games with others, and forget those without; return the games that changed or are gone."""
    whose = {"player": player_id}
    changed = _touch(connection, player_id)
    connection.execute(_FORGET_OWN_GAMES, whose)
    connection.execute(_FORGET_OFFERS, whose)
    for statement in _GIVE_UP:
        connection.execute(statement, {**whose, "now": to_db_time(now)})
    return changed


def anonymise_games(connection: Connection, player_id: str) -> None:
    """Leave a player's games, which were given up, to those with whom they were played."""
    for statement in (_LEAVE_GAMES, _FORGET_SEAT_NAMES, _LEAVE_SEATS, _FORGET_REQUESTS):
        connection.execute(statement, {"player": player_id})


def adopt_games(connection: Connection, player_id: str) -> list[str]:
    """Make every game that is nobody's a player's; return these games."""
    adopted = [row[0] for row in connection.execute(_OWNERLESS)]
    connection.execute(_ADOPT, {"player": player_id})
    return adopted


def _touch(connection: Connection, player_id: str) -> list[str]:
    """Make every game of a player its next revision; return which these are."""
    found = [row[0] for row in connection.execute(_TOUCHED, {"player": player_id})]
    connection.execute(_TOUCH, {"player": player_id})
    return found


_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_HEIR_ID: Final[BindParameter[str]] = bindparam("heir")
_SEATED_IN: Final = select(SEATS.c.game_id).where(SEATS.c.player_id == _PLAYER_ID)
_THEIRS: Final = or_(GAMES.c.owner_id == _PLAYER_ID, GAMES.c.id.in_(_SEATED_IN))
_NEXT_REVISION: Final = GAMES.c.revision + literal_column("1")
_TOUCHED: Final = sql(select(GAMES.c.id).where(_THEIRS).order_by(GAMES.c.id).with_for_update())
_TOUCH: Final = sql(update(GAMES).where(_THEIRS).values(revision=_NEXT_REVISION))
_OWNERLESS: Final = sql(select(GAMES.c.id).where(GAMES.c.owner_id.is_(None)).order_by(GAMES.c.id).with_for_update())
_ADOPT: Final = sql(
    update(GAMES).where(GAMES.c.owner_id.is_(None)).values(owner_id=_PLAYER_ID, revision=_NEXT_REVISION)
)
_HEIRS: Final = SEATS.alias("heirs")
_INHERIT_SEATS: Final = sql(
    update(SEATS)
    .where(
        SEATS.c.player_id == _PLAYER_ID,
        ~exists().where(_HEIRS.c.game_id == SEATS.c.game_id, _HEIRS.c.player_id == _HEIR_ID),
    )
    .values(player_id=_HEIR_ID)
)
_INHERIT_GAMES: Final = sql(update(GAMES).where(GAMES.c.owner_id == _PLAYER_ID).values(owner_id=_HEIR_ID))
_INHERIT_CHALLENGES: Final = sql(
    update(CHALLENGES).where(CHALLENGES.c.player_id == _PLAYER_ID).values(player_id=_HEIR_ID)
)
_ASKED: Final = REQUESTS.alias("asked")
_INHERIT_REQUESTS: Final = sql(
    update(REQUESTS)
    .where(
        REQUESTS.c.player_id == _PLAYER_ID,
        ~exists().where(_ASKED.c.player_id == _HEIR_ID, _ASKED.c.key == REQUESTS.c.key),
    )
    .values(player_id=_HEIR_ID)
)
_FORGET_REQUESTS: Final = sql(delete(REQUESTS).where(REQUESTS.c.player_id == _PLAYER_ID))
_FORGET_SEAT_NAMES: Final = sql(update(SEATS).where(SEATS.c.player_id == _PLAYER_ID).values(name=null()))
_LEAVE_SEATS: Final = sql(update(SEATS).where(SEATS.c.player_id == _PLAYER_ID).values(player_id=SEATS.c.game_id))
"""Somebody sat there, and nobody can tell by an id in which other games the same one did: it is the game's own."""
# Whoever was forgotten is nobody, though their seat has been kept.
_WITH_SOMEBODY_ELSE: Final = (
    SEATS.c.game_id == GAMES.c.id,
    SEATS.c.player_id != _PLAYER_ID,
    SEATS.c.player_id.in_(select(PLAYERS.c.id)),
)
_SOMEBODY_ELSE: Final = select(func.min(SEATS.c.player_id)).where(*_WITH_SOMEBODY_ELSE).correlate(GAMES)
_FORGOTTEN_GAMES: Final = and_(_THEIRS, ~exists().where(*_WITH_SOMEBODY_ELSE))
_FORGET_OWN_GAMES: Final = sql(delete(GAMES).where(_FORGOTTEN_GAMES))
_FORGET_OFFERS: Final = sql(
    update(GAMES).where(GAMES.c.offer.is_not(None), GAMES.c.id.in_(_SEATED_IN)).values(offer=null(), offered_by=null())
)
"""Also of games that are over: nobody begins another one with whoever is forgotten."""
_LEAVE_GAMES: Final = sql(
    update(GAMES).where(GAMES.c.owner_id == _PLAYER_ID).values(owner_id=_SOMEBODY_ELSE.scalar_subquery())
)
_GIVE_UP: Final = [
    sql(
        update(GAMES)
        .where(
            GAMES.c.ending.is_(None),
            GAMES.c.id.in_(_SEATED_IN.where(SEATS.c.colour == literal_column(f"'{colour.letter}'"))),
        )
        .values(
            winner=literal_column(f"'{colour.other.letter}'"),
            ending=literal_column("'resignation'"),
            updated=bindparam("now"),
            ticking=null(),
            deadline=null(),
        )
    )
    for colour in Colour
]
