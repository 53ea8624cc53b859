"""The service of conditional moves: what their owner sees and changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from punct.server.auth.actor import Actor
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, MissingPlayerError
from punct.server.errors import BrokenGameError
from punct.server.games.errors import NotPossibleError, PlayerRemovedError, UnknownGameError, WrongPlyError
from punct.server.games.following import can_be_followed
from punct.server.games.game import PlayedGame
from punct.server.games.rights import require_two_player_seat
from punct.server.games.service import Games
from punct.server.notifications.model import Message, NoticeSettings, StoredNotice
from punct.server.plans.errors import PlanChangedError
from punct.server.plans.follower import PlanFollower
from punct.server.plans.model import Plan, PlannedReply, check_plan
from punct.server.plans.store import OutdatedPlanError, PlanStore
from punct.server.plans.wording import dropped_message

_MAX_ATTEMPTS: Final = 4
"""How often a plan is judged by the current revision of its game, which may change meanwhile."""


class Plans:
    """All conditional moves of this server. Every method checks that the actor plays in the game."""

    def __init__(self, store: PlanStore, games: Games, now: Now = utc_now) -> None:
        """Use a store, and follow the games."""
        self._store, self._games, self._now = store, games, now
        games.add_follower(PlanFollower())

    async def get(self, game_id: str, actor: Actor) -> Plan:
        """Return the actor's plan in a game; an empty one if there is none."""
        game, player_id = await self._own_game(game_id, actor)
        plan = await asyncio.to_thread(self._store.get, game_id, player_id)
        return plan if plan is not None and game.outcome is None else Plan(game.ply)

    async def put(
        self,
        game_id: str,
        ply: int,
        version: int,
        first: str | None,
        replies: Sequence[PlannedReply],
        actor: Actor,
    ) -> Plan:
        """Store the actor's plan from a ply on, in place of the one with a version; return it as it is stored."""
        for _ in range(_MAX_ATTEMPTS):
            game, player_id = await self._own_game(game_id, actor)
            game.check_ply(ply)
            game.check_open()
            is_own_turn = require_two_player_seat(game.stored, actor) is game.turn
            if is_own_turn is (first is None):
                raise NotPossibleError(
                    "It is your turn: say first what you will play." if is_own_turn else "It is not your turn."
                )
            checked = await asyncio.to_thread(check_plan, game, first, replies)
            plan = Plan(checked.ply, checked.first, checked.replies, version=version)
            try:
                return await asyncio.wrap_future(self._store.put(game_id, game.revision, player_id, plan, self._now()))
            except OutdatedPlanError:
                raise PlanChangedError from None
            except MissingPlayerError:
                raise PlayerRemovedError from None
            except ConflictError:
                continue
        raise WrongPlyError("The game was changed in the meantime; look at it again.")

    async def withdraw(self, game_id: str, version: int | None, actor: Actor) -> Plan:
        """Withdraw the actor's plan with a version, or any; return what is stored in its place."""
        _, player_id = await self._own_game(game_id, actor)
        try:
            return await asyncio.wrap_future(self._store.withdraw(game_id, player_id, version, self._now()))
        except OutdatedPlanError:
            raise PlanChangedError from None
        except MissingPlayerError:
            raise PlayerRemovedError from None
        except ConflictError:
            raise UnknownGameError from None

    async def write_notice(self, notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
        """Put a notice that a plan was dropped into words; None if it is out of date."""
        try:
            game = await self._games.get(notice.subject)
        except (UnknownGameError, BrokenGameError):
            return None
        plan = await asyncio.to_thread(self._store.get, game.id, notice.player_id)
        return dropped_message(notice, game, plan, settings, now)

    async def _own_game(self, game_id: str, actor: Actor) -> tuple[PlayedGame, str]:
        """Return a game in which the actor may plan, and the actor's id. It reads nothing of anybody's plans."""
        game = await self._games.get(game_id)
        require_two_player_seat(game.stored, actor)
        if not can_be_followed(game.stored):
            raise NotPossibleError("Conditional moves are for games without a live clock.")
        assert actor.player_id is not None
        return game, actor.player_id
