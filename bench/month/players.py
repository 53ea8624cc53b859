"""The players of the simulation: they look twice a day, or not, and note what they did."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bench.http import Client, Response
from bench.plans import PlannedReply, choices, plan_replies

from punct import kernel

ZONES: Final = (-8, -5, 0, 1, 2, 5.5, 9)
"""Hours before or after UTC."""
LOOKS: Final = (8, 20)
"""The hours of the day at which players look, by their own clocks."""
PLAN_SHARE: Final = 0.35
PAUSE_WITHIN: Final = timedelta(hours=24)
"""Who goes away so soon, and says so, asks for a pause."""
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
    asks_for_pauses: bool = False
    """Whether the player asks the opponents for a pause before going away."""
    never_comes: bool = False
    played: dict[tuple[str, int], str] = field(default_factory=dict)
    """Acknowledged moves, by game and ply."""
    planned: dict[str, list[PlannedReply]] = field(default_factory=dict)
    """Acknowledged plans, by game."""
    unsure: dict[str, list[PlannedReply]] = field(default_factory=dict)
    """Plans that were refused, after a request that was never answered: perhaps they were stored, and played."""
    asked: set[str] = field(default_factory=set)
    """Games in which the player has asked for a pause."""

    @property
    def name(self) -> str:
        """The name by which messages to the player arrive."""
        return str(self.number)

    def looks_at(self, now: datetime) -> bool:
        """Tell whether the player looks within the half hour that begins now."""
        if self.never_comes or self.is_away(now, now):
            return False
        local = now + timedelta(hours=self.zone)
        return local.hour in LOOKS and local.minute < 30

    def is_away(self, begin: datetime, end: datetime) -> bool:
        """Tell whether the player is away at any time between two."""
        return self.never_comes or (self.away is not None and self.away[0] <= end and begin < self.away[1])

    def leaves_soon(self, now: datetime) -> bool:
        """Tell whether the player goes away soon."""
        return self.away is not None and now < self.away[0] <= now + PAUSE_WITHIN


@dataclass
class Pause:
    """A pause that two players agreed to."""

    begin: datetime
    end: datetime | None = None


class Answer(NamedTuple):
    """A response, and whether it is the first that was sent to this request."""

    response: Response
    is_first: bool


class Site:
    """The server, as players reach it: every request is sent again until it is answered."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.retries = 0
        self.games: dict[str, tuple[int, int]] = {}
        """The numbers of both players, White's first, by game."""
        self.pauses: dict[str, list[Pause]] = {}
        """What was agreed to, by game."""

    async def request(
        self,
        player: MonthPlayer | None,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Response:
        """Send a request with one idempotency key until the server answers."""
        return (await self.ask(player, method, path, body, headers)).response

    async def ask(
        self,
        player: MonthPlayer | None,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Answer:
        """Do the same, and tell whether the request had to be sent again."""
        headers = {**headers, **({"Cookie": player.cookie} if player and player.cookie else {})}
        if method != "GET":
            headers["Idempotency-Key"] = token_urlsafe(12)
        loop = asyncio.get_running_loop()
        end, is_first = loop.time() + MAX_WAIT_SECONDS, True
        while True:
            try:
                response = await self._client.request(method, f"/api/v1{path}", body, headers, 30.0)
                if response.status < 500 and response.status != 429:
                    return Answer(response, is_first)
                failure = f"{response.status} {response.content[:200]!r}"
            except (OSError, ValueError, TimeoutError) as error:
                failure = repr(error)
            if loop.time() > end:
                raise TimeoutError(f"{method} {path}: {failure}")
            self.retries += 1
            is_first = False
            await asyncio.sleep(RETRY_SECONDS)

    async def sign_up(self, player: MonthPlayer) -> None:
        """Make an account."""
        account = {"login": f"player-{player.number}", "password": f"three blue bridges {player.number}"}
        response = await self.request(None, "POST", "/account", account)
        cookie = response.session_cookie()
        assert response.status == 201 and cookie is not None, response
        player.cookie = cookie

    async def start_game(self, white: MonthPlayer, black: MonthPlayer, time: str) -> None:
        """Have one challenge the other, and the other accept."""
        challenge = await self.request(white, "POST", "/challenges", {"colour": "w", "time": time, "rated": True})
        assert challenge.status == 201, challenge
        game = await self.request(black, "POST", f"/challenges/{challenge.json()['id']}/accept", {})
        assert game.status == 201, game
        self.games[game.json()["id"]] = white.number, black.number

    async def look(self, player: MonthPlayer, now: datetime) -> None:
        """Have a player answer offers, move wherever it is their turn, plan replies, and ask for pauses."""
        games: list[Any] = []
        while True:
            page = (await self.request(player, "GET", f"/games?running=true&limit=50&offset={len(games)}")).json()
            games += page["games"]
            if len(games) >= page["total"] or not page["games"]:
                break
        for entry in games:
            game_id = entry["id"]
            if game_id in player.asked and not player.leaves_soon(now):
                await self._resume(player, game_id, now)
            asks = player.asks_for_pauses and player.leaves_soon(now) and game_id not in player.asked
            if not entry["your_turn"]:  # whoever asks for a pause has moved before, and it is the opponent's turn
                if asks:
                    await self._ask_for_pause(player, game_id, now)
                continue
            game = (await self.request(player, "GET", f"/games/{game_id}")).json()
            if "turns" not in game or game["outcome"] is not None:
                continue
            other = "b" if self.games[game_id][0] == player.number else "w"
            if game["offer"] == {"kind": "pause", "by": other}:
                await self._agree(player, game_id, now)
            await self._move(player, game)
            if asks:
                await self._ask_for_pause(player, game_id, now)

    async def _ask_for_pause(self, player: MonthPlayer, game_id: str, now: datetime) -> None:
        response = await self.request(player, "POST", f"/games/{game_id}/offers", {"kind": "pause"})
        assert response.status in (200, 404, 409), response  # over, or it pauses for the other side
        if response.status == 200:
            player.asked.add(game_id)
            if any(pause["by"] is None for pause in response.json()["pauses"]):  # the other has asked at the same time
                self.pauses.setdefault(game_id, []).append(Pause(now))

    async def _agree(self, player: MonthPlayer, game_id: str, now: datetime) -> None:
        response = await self.request(player, "POST", f"/games/{game_id}/offers/accept", {"kind": "pause"})
        assert response.status in (200, 404, 409), response  # withdrawn, or the game has gone on
        if response.status == 200:
            self.pauses.setdefault(game_id, []).append(Pause(now))

    async def _resume(self, player: MonthPlayer, game_id: str, now: datetime) -> None:
        player.asked.discard(game_id)
        response = await self.request(player, "POST", f"/games/{game_id}/resume")
        assert response.status in (200, 404, 409), response  # over, or nobody had agreed
        if response.status == 200:
            self.pauses[game_id][-1].end = now

    async def _move(self, player: MonthPlayer, game: Any) -> None:
        game_id, ply = game["id"], len(game["turns"])
        position = kernel.Position(game["start"])
        for turn in game["turns"]:
            position.push(turn["text"])
        text = player.rng.choice(choices(position))
        response = await self.request(player, "POST", f"/games/{game_id}/turns", {"text": text, "ply": ply})
        if response.status != 200:
            assert response.status in (404, 409), response  # the game was ended, or called off meanwhile
            return
        player.played[game_id, ply] = text
        after = response.json()
        if after["ply"] == ply + 1 and after["outcome"] is None and player.rng.random() < PLAN_SHARE:
            position.push(text)
            await self._plan(player, game_id, position, after["ply"])

    async def _plan(self, player: MonthPlayer, game_id: str, position: kernel.Position, ply: int) -> None:
        replies, stored = plan_replies(position, player.rng, ply)
        if not replies:
            return
        before = (await self.request(player, "GET", f"/games/{game_id}/plan")).json()
        body = {"ply": ply, "version": before.get("version", 0), "replies": replies}
        response, is_first = await self.ask(player, "PUT", f"/games/{game_id}/plan", body)
        if response.status == 200:
            player.planned.setdefault(game_id, []).extend(stored)
        else:
            is_refused = response.status == 422 and b"The game is over" in response.content  # repetition, not seen here
            assert is_refused or response.status in (404, 409), response  # the opponent was quicker
            if not is_first:
                player.unsure.setdefault(game_id, []).extend(stored)
