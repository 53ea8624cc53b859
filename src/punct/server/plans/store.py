"""The table of conditional moves. Whoever reads or writes it in a transaction has locked the game's row before."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, delete, select

from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError
from punct.server.db.locks import LockStrength, lock_players
from punct.server.db.sql import sql, upsert
from punct.server.db.tables import GAMES, PLANS
from punct.server.db.values import from_db_time, json_converters, time_after_version, to_db_time, version_at
from punct.server.plans.model import Plan


class OutdatedPlanError(ConflictError):
    """The stored plan is another one than a change is based on."""


class PlanStore:
    """All plans. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, game_id: str, player_id: str) -> Plan | None:
        """Return a player's plan in a game; None if there is none."""
        rows = self._database.fetch_all(_SELECT_OWN, {"game": game_id, "player": player_id})
        return _plan(*rows[0][1:]) if rows else None

    def put(self, game_id: str, revision: int, player_id: str, plan: Plan, now: datetime) -> Future[Plan]:
        """Store a plan that was judged at a revision of its game, in place of that with the plan's version.

        Raises ConflictError if the game has another revision, OutdatedPlanError if the stored plan has another version,
        and MissingPlayerError.
        """

        def store(connection: Connection) -> Plan:
            lock_players(connection, [player_id], LockStrength.KEY_SHARE)
            row = connection.execute(_LOCK_GAME, {"game": game_id}).fetchone()
            if row is None or row[0] != revision:
                raise ConflictError(game_id)
            current = plans_of(connection, game_id).get(player_id)
            if (0 if current is None else current.version) == plan.version:
                return write_plan(connection, game_id, player_id, plan, now)
            if current is not None and (current.ply, current.to_stored()) == (plan.ply, plan.to_stored()):
                return current  # the same request was executed before
            raise OutdatedPlanError(game_id)

        return self._database.change(store)

    def withdraw(self, game_id: str, player_id: str, version: int | None, now: datetime) -> Future[Plan]:
        """Store that a player has no plan in a game, if theirs has a version; whatever it is if that is None.

        Nothing is deleted: a plan that was sent before, and arrives only now, finds another version, and is refused.
        Raises OutdatedPlanError, MissingPlayerError, ConflictError if the game is gone.
        """

        def store(connection: Connection) -> Plan:
            lock_players(connection, [player_id], LockStrength.KEY_SHARE)
            row = connection.execute(_LOCK_GAME, {"game": game_id}).fetchone()
            if row is None:
                raise ConflictError(game_id)
            _, ply, ending = row
            if ending is not None:  # no plan can come any more
                delete_plan(connection, game_id, player_id)
                return Plan(ply)
            current = plans_of(connection, game_id).get(player_id) or Plan(ply)
            if current.is_empty and current.version:  # the same request was executed before
                return current
            if version not in (None, current.version):
                raise OutdatedPlanError(game_id)
            return write_plan(connection, game_id, player_id, Plan(ply, version=current.version), now)

        return self._database.change(store)


def plans_of(connection: Connection, game_id: str) -> dict[str, Plan]:
    """Return the plans in a game by player, locked until the transaction ends."""
    return {row[0]: _plan(*row[1:]) for row in connection.execute(_SELECT_ALL, {"game": game_id}).fetchall()}


def write_plan(connection: Connection, game_id: str, player_id: str, plan: Plan, now: datetime) -> Plan:
    """Store a plan, at a version of its own, and return it."""
    updated = time_after_version(plan.version, now)
    row = {
        "game_id": game_id,
        "player_id": player_id,
        "ply": plan.ply,
        "replies": _write_replies(plan.to_stored()),
        "updated": to_db_time(updated),
    }
    connection.execute(_UPSERT, row)
    return replace(plan, version=version_at(updated))


def delete_plan(connection: Connection, game_id: str, player_id: str) -> None:
    """Delete a player's plan."""
    connection.execute(_DELETE, {"game": game_id, "player": player_id})


def delete_plans(connection: Connection, game_id: str) -> None:
    """Delete all plans in a game."""
    connection.execute(_DELETE_ALL, {"game": game_id})


def _plan(ply: int, replies: Any, updated: Any) -> Plan:
    return Plan.from_stored(ply, _read_replies(replies), version_at(from_db_time(updated)))


_write_replies, _read_replies = json_converters(PLANS.c.replies)
_IS_IN_GAME: Final = PLANS.c.game_id == bindparam("game")
_IS_OWN: Final = (_IS_IN_GAME, PLANS.c.player_id == bindparam("player"))
_COLUMNS: Final = (PLANS.c.player_id, PLANS.c.ply, PLANS.c.replies, PLANS.c.updated)
_SELECT_OWN: Final = sql(select(*_COLUMNS).where(*_IS_OWN))
_SELECT_ALL: Final = sql(select(*_COLUMNS).where(_IS_IN_GAME).order_by(PLANS.c.player_id).with_for_update())
_UPSERT: Final = upsert(PLANS, "ply", "replies", "updated")
_DELETE: Final = sql(delete(PLANS).where(*_IS_OWN))
_DELETE_ALL: Final = sql(delete(PLANS).where(_IS_IN_GAME))
_LOCK_GAME: Final = sql(
    select(GAMES.c.revision, GAMES.c.ply, GAMES.c.ending).where(GAMES.c.id == bindparam("game")).with_for_update()
)
