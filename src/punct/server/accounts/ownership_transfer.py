"""Games change hands: merged into an account, resigned and anonymised at a deletion, adopted by an administrator.

Each such game gets its next revision, so that a change based on the old one is refused.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import BindParameter, and_, bindparam, delete, exists, func, literal_column, null, or_, select, update

from punct.piece import Colour
from punct.server.db.database import Connection
from punct.server.db.sql import Statement, sql
from punct.server.db.tables import (
    CHALLENGES,
    DELIVERIES,
    GAMES,
    NOTEBOOKS,
    NOTICES,
    PLANS,
    PLAYERS,
    PUSH_SUBSCRIPTIONS,
    RELATIONS,
    REQUESTS,
    SEAT_ALERTS,
    SEATS,
)
from punct.server.db.values import to_db_time
from punct.server.dumps.store import mark_deletion


def transfer_games(connection: Connection, player_id: str, account_id: str) -> list[str]:
    """Transfer what is a player's to an account: games, seats, challenges, messages, plans, notes, relations and keys.

    Return the games that changed.

    A seat or a key stays behind where the account has one too: the seat becomes nobody's, the key is deleted.
    """
    both = {"player": player_id, "account": account_id}
    changed_games = _increment_revisions(connection, player_id)
    for statement in (
        *(_MOVE_SEATS, _MOVE_GAMES, _MOVE_CHALLENGES, _MOVE_REQUESTS),
        *(*_MOVE_MESSAGES, *_MOVE_PRIVATE, *_MOVE_RELATIONS),
    ):
        connection.execute(statement, both)
    for statement in (_ANONYMISE_SEATS, _DELETE_REQUESTS):
        connection.execute(statement, {"player": player_id})
    return changed_games


def resign_games(connection: Connection, player_id: str, now: datetime) -> list[str]:
    """Resign a player's running games with an opponent, and delete those without one; return all of the player's games.

    Offers are withdrawn, also in games that are over.
    """
    parameters = {"player": player_id}
    changed_games = _increment_revisions(connection, player_id)
    connection.execute(_DELETE_OWN_GAMES, parameters)
    connection.execute(_DELETE_OFFERS, parameters)
    connection.execute(_DELETE_PLANS, parameters)
    for statement in _RESIGN:
        connection.execute(statement, {**parameters, "now": to_db_time(now)})
    return changed_games


def anonymise_games(connection: Connection, player_id: str) -> None:
    """Remove a player from their games with opponents, who own these now.

    The player's idempotency keys are deleted, and what the player was to be told later: it names their games. Public
    files of these games are made again without the player.
    """
    mark_deletion(connection, player_id)
    for statement in (
        *(_DELETE_CHALLENGES_TO, _PASS_ON_GAMES, _DELETE_SEAT_NAMES, _ANONYMISE_SEATS),
        *(_DELETE_REQUESTS, _DELETE_NOTICES),
    ):
        connection.execute(statement, {"player": player_id})


def adopt_games(connection: Connection, player_id: str) -> list[str]:
    """Make a player the owner of every game without one; return these games."""
    game_ids = [row[0] for row in connection.execute(_OWNERLESS)]
    connection.execute(_ADOPT, {"player": player_id})
    return game_ids


def _increment_revisions(connection: Connection, player_id: str) -> list[str]:
    """Increment the revision of every game of a player; return these games."""
    game_ids = [row[0] for row in connection.execute(_SELECT_GAMES, {"player": player_id})]
    connection.execute(_INCREMENT_REVISIONS, {"player": player_id})
    return game_ids


_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_ACCOUNT_ID: Final[BindParameter[str]] = bindparam("account")
_SEATED_IN: Final = select(SEATS.c.game_id).where(SEATS.c.player_id == _PLAYER_ID)
_THEIRS: Final = or_(GAMES.c.owner_id == _PLAYER_ID, GAMES.c.id.in_(_SEATED_IN))
_NEXT_REVISION: Final = GAMES.c.revision + literal_column("1")
_SELECT_GAMES: Final = sql(select(GAMES.c.id).where(_THEIRS).order_by(GAMES.c.id).with_for_update())
_INCREMENT_REVISIONS: Final = sql(update(GAMES).where(_THEIRS).values(revision=_NEXT_REVISION))
_OWNERLESS: Final = sql(select(GAMES.c.id).where(GAMES.c.owner_id.is_(None)).order_by(GAMES.c.id).with_for_update())
_ADOPT: Final = sql(
    update(GAMES).where(GAMES.c.owner_id.is_(None)).values(owner_id=_PLAYER_ID, revision=_NEXT_REVISION)
)
_ACCOUNT_SEATS: Final = SEATS.alias("account_seats")
_MOVE_SEATS: Final = sql(
    update(SEATS)
    .where(
        SEATS.c.player_id == _PLAYER_ID,
        ~exists().where(_ACCOUNT_SEATS.c.game_id == SEATS.c.game_id, _ACCOUNT_SEATS.c.player_id == _ACCOUNT_ID),
    )
    .values(player_id=_ACCOUNT_ID)
)
_MOVE_GAMES: Final = sql(update(GAMES).where(GAMES.c.owner_id == _PLAYER_ID).values(owner_id=_ACCOUNT_ID))
_MOVE_CHALLENGES: Final = sql(
    update(CHALLENGES).where(CHALLENGES.c.player_id == _PLAYER_ID).values(player_id=_ACCOUNT_ID)
)
_DELETE_CHALLENGES_TO: Final = sql(
    delete(CHALLENGES).where(CHALLENGES.c.to_id == _PLAYER_ID, CHALLENGES.c.game_id.is_(None))
)
"""Nobody else could accept them."""
_ACCOUNT_REQUESTS: Final = REQUESTS.alias("account_requests")
_MOVE_REQUESTS: Final = sql(
    update(REQUESTS)
    .where(
        REQUESTS.c.player_id == _PLAYER_ID,
        ~exists().where(_ACCOUNT_REQUESTS.c.player_id == _ACCOUNT_ID, _ACCOUNT_REQUESTS.c.key == REQUESTS.c.key),
    )
    .values(player_id=_ACCOUNT_ID)
)
_MOVE_MESSAGES: Final = [
    sql(update(table).where(table.c.player_id == _PLAYER_ID).values(player_id=_ACCOUNT_ID))
    for table in (NOTICES, DELIVERIES, PUSH_SUBSCRIPTIONS, SEAT_ALERTS)
]
"""What the guest is to be told, the browsers that may be told, and the seats that the guest looks for."""
_PRIVATE: Final = [(table, table.alias(f"account_{table.name}")) for table in (PLANS, NOTEBOOKS)]
_MOVE_PRIVATE: Final = [
    sql(
        update(table)
        .where(
            table.c.player_id == _PLAYER_ID,
            ~exists().where(account.c.game_id == table.c.game_id, account.c.player_id == _ACCOUNT_ID),
        )
        .values(player_id=_ACCOUNT_ID)
    )
    for table, account in _PRIVATE
]
"""Conditional moves and notes, unless the account has its own in the same game; the rest is deleted with the guest."""
_BOTH_RELATIONS: Final = RELATIONS.alias("both_relations")


def _move_relations(own: str, others: str) -> list[Statement]:
    """Return the statements that transfer relations; ``own`` is the column of the two that is the guest's.

    Where both have one to the same player, a block stays. What is left behind is deleted with the guest.
    """
    of_account = select(_BOTH_RELATIONS.c[others]).where(_BOTH_RELATIONS.c[own] == _ACCOUNT_ID)
    blocked = select(_BOTH_RELATIONS.c[others]).where(
        _BOTH_RELATIONS.c[own] == _PLAYER_ID, _BOTH_RELATIONS.c.kind == literal_column("'block'")
    )
    return [
        sql(
            update(RELATIONS)
            .where(RELATIONS.c[own] == _ACCOUNT_ID, RELATIONS.c[others].in_(blocked))
            .values(kind=literal_column("'block'"))
        ),
        sql(
            update(RELATIONS)
            .where(
                RELATIONS.c[own] == _PLAYER_ID,
                RELATIONS.c[others] != _ACCOUNT_ID,
                RELATIONS.c[others].not_in(of_account),
            )
            .values({own: _ACCOUNT_ID})
        ),
    ]


_MOVE_RELATIONS: Final = [*_move_relations("player_id", "other_id"), *_move_relations("other_id", "player_id")]
_DELETE_REQUESTS: Final = sql(delete(REQUESTS).where(REQUESTS.c.player_id == _PLAYER_ID))
_DELETE_NOTICES: Final = sql(delete(NOTICES).where(NOTICES.c.player_id == _PLAYER_ID))
_DELETE_SEAT_NAMES: Final = sql(update(SEATS).where(SEATS.c.player_id == _PLAYER_ID).values(name=null()))
_ANONYMISE_SEATS: Final = sql(update(SEATS).where(SEATS.c.player_id == _PLAYER_ID).values(player_id=SEATS.c.game_id))
"""The seat stays taken. Its player id becomes the game's id, so that no two games show the same deleted player."""
# The seat of a deleted player, though still taken, counts as nobody's.
_OPPONENT_SEAT: Final = (
    SEATS.c.game_id == GAMES.c.id,
    SEATS.c.player_id != _PLAYER_ID,
    SEATS.c.player_id.in_(select(PLAYERS.c.id)),
)
_OPPONENT: Final = select(func.min(SEATS.c.player_id)).where(*_OPPONENT_SEAT).correlate(GAMES)
_WITHOUT_OPPONENT: Final = and_(_THEIRS, ~exists().where(*_OPPONENT_SEAT))
_DELETE_OWN_GAMES: Final = sql(delete(GAMES).where(_WITHOUT_OPPONENT))
_DELETE_OFFERS: Final = sql(
    update(GAMES).where(GAMES.c.offer.is_not(None), GAMES.c.id.in_(_SEATED_IN)).values(offer=null(), offered_by=null())
)
"""Also in games that are over: nobody accepts a rematch with a deleted player."""
_DELETE_PLANS: Final = sql(delete(PLANS).where(PLANS.c.game_id.in_(_SEATED_IN)))
"""Of both players: their games are over."""
_PASS_ON_GAMES: Final = sql(
    update(GAMES).where(GAMES.c.owner_id == _PLAYER_ID).values(owner_id=_OPPONENT.scalar_subquery())
)
_RESIGN: Final = [
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
            pauses=null(),
        )
    )
    for colour in Colour
]
