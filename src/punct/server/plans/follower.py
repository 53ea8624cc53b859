"""Plays what players have planned, in the transaction of the move that triggers it, and drops plans that no longer fit.

Every change of moves locks its game's row, and so does every change of a plan: a plan that is changed at the same time
as a move arrives answers this move either as it was before or as it is afterwards.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from punct.errors import PunctError
from punct.piece import Colour
from punct.server.db.database import Connection
from punct.server.db.outbox import Notice, add_notices
from punct.server.errors import RequestError
from punct.server.games.game import PlayedGame
from punct.server.games.notices import TURN_DELAY, player_of
from punct.server.plans.model import Dropped, Plan
from punct.server.plans.store import delete_plan, delete_plans, plans_of, write_plan

_log = logging.getLogger(__name__)
_TOLD: Final = ("other", "taken_back", "illegal")
"""The reasons of which an owner is told who is away."""


class PlanFollower:
    """Follows the changes of games by their players' plans."""

    def follow(self, connection: Connection, before: PlayedGame, after: PlayedGame, now: datetime) -> PlayedGame:
        """Return a changed game after the replies that were planned, and store what is left of the plans."""
        stored = plans_of(connection, after.id)
        if not stored:
            return after
        owners = {colour: player_of(after.stored, colour) for colour in Colour}
        plans = {colour: plan for colour, owner in owners.items() if (plan := stored.get(owner or "")) is not None}
        plans = {colour: plan for colour, plan in plans.items() if not plan.is_empty}
        planned = dict(plans)
        if after.ply <= before.ply:
            move = before.moves[after.ply].text if after.ply < before.ply else None
            for colour, plan in planned.items():
                plans[colour] = _drop(plan, Dropped("taken_back", after.ply, move))
            game = after
        else:
            game = _play_replies(after, plans)
        if game.outcome is not None:  # that is the word
            delete_plans(connection, game.id)
            return game
        for colour, plan in planned.items():
            owner = owners[colour]
            assert owner is not None
            _store(connection, game, owner, colour, plan, plans[colour], now)
        return game


def _play_replies(game: PlayedGame, plans: dict[Colour, Plan]) -> PlayedGame:
    """Return a game after all replies to its last move, and what is left of the plans in ``plans``.

    Each reply uses up a part of a plan: there are at most as many as one line of each plan has.
    """
    mover, last = game.turn.other, game.moves[-1]
    if mover in plans and plans[mover].dropped is None:
        plans[mover] = plans[mover].after_own(game.ply - 1, last.text)
    while game.outcome is None:
        owner = game.turn
        if owner not in plans or plans[owner].dropped is not None or not plans[owner].replies:
            break  # nothing is planned, or all of it was played
        ply, move = game.ply - 1, game.moves[-1].text
        reply, plans[owner] = plans[owner].answer(ply, move)
        if reply is None:
            break
        try:
            game = game.push(reply, game.stored.updated, is_planned=True)
        except (PunctError, RequestError):
            _log.exception("a planned reply in game %s cannot be played", game.id)
            plans[owner] = plans[owner].drop(Dropped("illegal", ply, move))
            break
    return game


def _drop(plan: Plan, dropped: Dropped) -> Plan:
    return plan if plan.dropped is not None else plan.drop(dropped)


def _store(
    connection: Connection, game: PlayedGame, owner: str, colour: Colour, before: Plan, plan: Plan, now: datetime
) -> None:
    """Store what is left of a plan, and a notice for its owner if it was dropped."""
    if plan == before:
        return
    if plan.is_empty:  # it was played to its end: there is nothing to say
        delete_plan(connection, game.id, owner)
        return
    write_plan(connection, game.id, owner, plan, now)
    if plan.dropped is not None and plan.dropped.reason in _TOLD:
        data = {"colour": colour.letter, "reason": plan.dropped.reason, "ply": plan.dropped.ply}
        add_notices(connection, [Notice(owner, "plan", game.id, now + TURN_DELAY, data)], now)
