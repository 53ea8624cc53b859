"""The players of the simulation: they look twice a day, or not, and note what they did and what they were told."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Final

from bench.http import Client, Response

from punct import kernel

ZONES: Final = (-8, -5, 0, 1, 2, 5.5, 9)
"""Hours before or after UTC."""
LOOKS: Final = (8, 20)
"""The hours of the day at which players look, by their own clocks."""
CHOICES: Final = 3
"""Every player chooses among so many moves: so plans for two of them often fit."""
PLAN_SHARE: Final = 0.35
RETRY_SECONDS: Final = 0.1
MAX_WAIT_SECONDS: Final = 120.0


@dataclass
class MonthPlayer:
    """One player: a session, habits, and what was noted."""

    number: int
    zone: float
    rng: random.Random
    cookie: str = ""
    away: tuple[datetime, datetime] | None = None
    """When the player does not look."""
    is_on_vacation: bool = False
    """Whether the time away is a vacation, which the server knows of."""
    never_comes: bool = False
    played: dict[tuple[str, int], str] = field(default_factory=dict)
    """Acknowledged moves, by game and ply."""
    planned: dict[str, dict[tuple[int, str], str]] = field(default_factory=dict)
    """Stored replies, by game, then by the ply and text of the expected move."""

    def looks_at(self, now: datetime) -> bool:
        """Tell whether the player looks within the half hour that begins now."""
        if self.never_comes or (self.away is not None and self.away[0] <= now < self.away[1]):
            return False
        local = now + timedelta(hours=self.zone)
        return local.hour in LOOKS and local.minute < 30


class Site:
    """The server, as players reach it: every request is sent again until it is answered."""

    def __init__(self, host: str, client: Client) -> None:
        self._host, self._client = host, client
        self.retries = 0

    async def request(
        self,
        player: MonthPlayer | None,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Response:
        """Send a request with one idempotency key until the server answers."""
        headers = {**headers, **({"Cookie": player.cookie} if player and player.cookie else {})}
        if method != "GET":
            headers["Idempotency-Key"] = token_urlsafe(12)
        loop = asyncio.get_running_loop()
        end = loop.time() + MAX_WAIT_SECONDS
        while True:
            try:
                response = await self._client.request(method, f"/api/v1{path}", body, headers, 30.0)
                if response.status < 500 and response.status != 429:
                    return response
                failure = f"{response.status} {response.content[:200]!r}"
            except (OSError, ValueError, TimeoutError) as error:
                failure = repr(error)
            if loop.time() > end:
                raise TimeoutError(f"{method} {path}: {failure}")
            self.retries += 1
            await asyncio.sleep(RETRY_SECONDS)

    async def sign_up(self, player: MonthPlayer, hook: str) -> None:
        """Make an account with a webhook."""
        account = {"login": f"player-{player.number}", "password": f"three blue bridges {player.number}"}
        response = await self.request(None, "POST", "/account", account)
        cookie = response.session_cookie()
        assert response.status == 201 and cookie is not None, response
        player.cookie = cookie
        response = await self.request(player, "POST", "/hooks", {"url": hook, "form": "json"})
        assert response.status == 201, response

    async def start_game(self, white: MonthPlayer, black: MonthPlayer, time: str) -> str:
        """Have one challenge the other, and the other accept."""
        challenge = await self.request(white, "POST", "/challenges", {"colour": "w", "time": time, "rated": True})
        assert challenge.status == 201, challenge
        game = await self.request(black, "POST", f"/challenges/{challenge.json()['id']}/accept", {})
        assert game.status == 201, game
        return str(game.json()["id"])

    async def look(self, player: MonthPlayer) -> None:
        """Have a player move wherever it is their turn, and plan replies now and then."""
        listed = (await self.request(player, "GET", "/games?running=true&limit=50")).json()["games"]
        for entry in listed:
            if entry["your_turn"]:
                await self._move(player, entry["id"])

    async def _move(self, player: MonthPlayer, game_id: str) -> None:
        game = (await self.request(player, "GET", f"/games/{game_id}")).json()
        if "turns" not in game or game["outcome"] is not None:
            return
        position = kernel.Position(game["start"])
        for turn in game["turns"]:
            position.push(turn["text"])
        text = player.rng.choice(choices(position))
        response = await self.request(
            player, "POST", f"/games/{game_id}/turns", {"text": text, "ply": len(game["turns"])}
        )
        if response.status != 200:
            assert response.status in (404, 409), response  # the game was ended, or called off meanwhile
            return
        player.played[game_id, len(game["turns"])] = text
        after = response.json()
        if after["ply"] == len(game["turns"]) + 1 and after["outcome"] is None and player.rng.random() < PLAN_SHARE:
            position.push(text)
            await self._plan(player, game_id, position, after["ply"])

    async def _plan(self, player: MonthPlayer, game_id: str, position: kernel.Position, ply: int) -> None:
        replies, stored = [], {}
        for expected in choices(position)[:2]:
            position.push(expected)
            if position.outcome() is None:
                reply = player.rng.choice(choices(position))
                replies.append({"turn": expected, "reply": reply, "then": []})
                stored[ply, expected] = reply
            position.pop()
        if not replies:
            return
        before = (await self.request(player, "GET", f"/games/{game_id}/plan")).json()
        body = {"ply": ply, "version": before.get("version", 0), "replies": replies}
        response = await self.request(player, "PUT", f"/games/{game_id}/plan", body)
        if response.status == 200:
            player.planned.setdefault(game_id, {}).update(stored)
        else:
            assert response.status in (404, 409), response  # the opponent was quicker


def choices(position: kernel.Position) -> list[str]:
    """Return the moves among which every player chooses."""
    return sorted(map(str, position.legal_moves))[-CHOICES:]
