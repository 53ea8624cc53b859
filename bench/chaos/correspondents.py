"""Players far apart: they plan conditional moves, pause, take vacations, leave, and are told by messages."""

from __future__ import annotations

import asyncio
import itertools
import random
from dataclasses import dataclass, field
from typing import Any, Final

from bench.chaos.caller import Caller, InvalidError, RefusedError
from bench.chaos.report import Report
from bench.plans import PlannedReply, choices, plan_replies
from bench.receiver import Receiver

from punct import kernel

MAX_PLIES: Final = 40
PLAN_SHARE: Final = 0.5
"""How often whoever waits plans replies, if nothing of theirs is planned."""
PAUSE_SHARE, RESUME_SHARE, VACATION_SHARE = 0.1, 0.5, 0.05
"""How often a pause is agreed to before a move, or ended before the next one, and a vacation begins or ends."""
LEAVE_SHARE: Final = 0.05
"""How often both leave after a move: whoever is to move then has to be told."""


@dataclass
class Correspondent:
    """A player with an account, whose messages arrive at a webhook or in a browser."""

    name: str
    cookie: str
    is_on_vacation: bool = False


@dataclass
class CorrespondenceLog:
    """What the players of a game were told."""

    id: str
    players: tuple[Correspondent, Correspondent]
    """White and Black."""
    moves: dict[int, str] = field(default_factory=dict)
    """By ply: the moves that were acknowledged, with the replies to them."""
    planned: list[PlannedReply] = field(default_factory=list)
    unsure: list[PlannedReply] = field(default_factory=list)
    """Plans that were refused after a request that was not answered: perhaps they were stored, and played."""
    is_paused: bool = False
    was_paused: bool = False
    """Whether its clock stood at any time: whoever is to move is told again when it goes on."""


class Correspondents:
    """Play days games until told to stop."""

    def __init__(self, caller: Caller, receiver: Receiver, report: Report, stopping: asyncio.Event) -> None:
        """Play by a caller; messages go to a receiver."""
        self._caller, self._receiver, self._report, self._stopping = caller, receiver, report, stopping
        self._numbers = itertools.count()
        self.logs: list[CorrespondenceLog] = []

    async def play(self, seed: int) -> None:
        """Have two players play one game after another."""
        rng = random.Random(seed)
        try:
            pair = await self._enter(), await self._enter()
        except TimeoutError:
            self._report.gave_up += 1
            return
        while not self._stopping.is_set():
            try:
                await self._play_game(pair, rng)
            except TimeoutError:
                self._report.gave_up += 1
            except RefusedError as error:  # nobody else plays here
                self._report.last_failures.append(f"refused: {error}")
                self._report.inconsistent += 1
            pair = pair[1], pair[0]

    async def _enter(self) -> Correspondent:
        """Return a new player: every other one is told by a webhook, the others by a browser."""
        number = next(self._numbers)
        login = {"login": f"correspondent-{number}", "password": f"three blue bridges {number}"}
        try:
            response = await self._caller.request("POST", "/account", login)
        except RefusedError:  # it was made, though the answer was lost
            response = await self._caller.request("POST", "/session", login)
        cookie = response.session_cookie()
        assert cookie is not None, response
        one = Correspondent(str(number), cookie)
        if number % 2:
            subscription = self._receiver.browser(one.name).subscription
            await self._caller.request_json("PUT", "/push/devices", subscription, cookie)
            return one
        url = self._receiver.hook_url(one.name)
        self._receiver.expect_signatures(one.name, None)
        try:
            hook = await self._caller.request_json("POST", "/hooks", {"url": url, "form": "json"}, cookie)
            self._receiver.expect_signatures(one.name, hook["secret"])
        except RefusedError:  # added, though the answer with its secret was lost
            pass
        return one

    async def _play_game(self, pair: tuple[Correspondent, Correspondent], rng: random.Random) -> None:
        challenge = await self._ask("POST", "/challenges", {"colour": "w", "time": "3d"}, pair[0])
        game = await self._ask("POST", f"/challenges/{challenge['id']}/accept", {}, pair[1])
        log = CorrespondenceLog(game["id"], pair, was_paused=any(one.is_on_vacation for one in pair))
        self.logs.append(log)
        self._report.correspondence += 1
        moves: list[str] = []
        position = kernel.Position()
        while len(moves) < MAX_PLIES and game["outcome"] is None and not self._stopping.is_set():
            mover, waiting = pair[len(moves) % 2], pair[(len(moves) + 1) % 2]
            if rng.random() < PLAN_SHARE:
                await self._plan(log, waiting, position, len(moves), rng)
            await self._pause_or_resume(log, mover, waiting, rng)
            if rng.random() < VACATION_SHARE:
                await self._change_vacation(log, mover)
            move = {"text": rng.choice(choices(position)), "ply": len(moves)}
            game = await self._ask("POST", f"/games/{log.id}/turns", move, mover)
            moves = [turn["text"] for turn in game["turns"]]
            log.moves.update(enumerate(moves))
            self._report.acknowledged += 1
            position = kernel.Position()
            for text in moves:
                position.push(text)
            if rng.random() < LEAVE_SHARE:
                return

    async def _plan(
        self, log: CorrespondenceLog, owner: Correspondent, position: kernel.Position, ply: int, rng: random.Random
    ) -> None:
        """Plan replies, if nothing is planned."""
        before = await self._ask("GET", f"/games/{log.id}/plan", None, owner)
        replies, planned = plan_replies(position, rng, ply)
        if before["replies"] or not replies:
            return
        body = {"ply": ply, "version": before["version"], "replies": replies}
        try:
            await self._ask("PUT", f"/games/{log.id}/plan", body, owner)
            log.planned += planned
        except RefusedError as error:
            if not error.is_first:
                log.unsure += planned
        except InvalidError as error:
            if "The game is over" not in str(error):  # by a repetition, which players here do not see
                raise

    async def _pause_or_resume(
        self, log: CorrespondenceLog, mover: Correspondent, waiting: Correspondent, rng: random.Random
    ) -> None:
        """Have both agree on a pause, or one of them end it."""
        if log.is_paused:
            if rng.random() < RESUME_SHARE:
                await self._ask("POST", f"/games/{log.id}/resume", None, mover)
                log.is_paused = False
        elif rng.random() < PAUSE_SHARE:
            await self._ask("POST", f"/games/{log.id}/offers", {"kind": "pause"}, mover)
            await self._ask("POST", f"/games/{log.id}/offers/accept", {"kind": "pause"}, waiting)
            log.is_paused = log.was_paused = True
            self._report.pauses += 1

    async def _change_vacation(self, log: CorrespondenceLog, player: Correspondent) -> None:
        """Begin a vacation, or end it; no more than the days of a year."""
        log.was_paused = True
        try:
            if player.is_on_vacation:
                await self._ask("DELETE", "/me/vacations", None, player)
            else:
                await self._ask("POST", "/me/vacations", {"days": 1}, player)
                self._report.vacations += 1
        except RefusedError:
            return
        player.is_on_vacation = not player.is_on_vacation
        for other in self.logs:  # all their games stand, or go on
            other.was_paused = other.was_paused or player in other.players

    async def _ask(self, method: str, path: str, body: object, player: Correspondent) -> Any:
        return await self._caller.request_json(method, path, body, player.cookie)
