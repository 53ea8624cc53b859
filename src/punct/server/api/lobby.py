"""The lobby: who wants to play, what can be watched, and for each player what waits for them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from typing import Final

from punct.server.api import present
from punct.server.api.live import Watcher
from punct.server.api.presence import Presence
from punct.server.broker import Broker
from punct.server.play.actor import Actor
from punct.server.play.challenges import Challenges
from punct.server.play.game import PlayedGame
from punct.server.play.games import Games, Gone
from punct.server.store import StoredChallenge, StoreError

_log = logging.getLogger(__name__)
PAUSE_SECONDS: Final = 0.5
"""News come no faster than that."""
MOST_WATCHED: Final = 50
"""How many running games are shown."""
_TOPIC: Final = "lobby"
_HERE: Final = "here"
"""The topic of how many are with which process."""
SAY_SECONDS: Final = 20.0
"""How often a process tells the others how many are with it, though nothing has changed."""
_BELIEVED_SECONDS: Final = 50.0
"""So long that is believed: a process that was killed says no goodbye."""
_WHO: Final = b"who"
"""Asked by a process that is new: all others say how many are with them."""
_EVERYBODY: Final = ""


class Lobby:
    """Everybody who is in the lobby, and what they are told."""

    def __init__(self, challenges: Challenges, games: Games, presence: Presence, broker: Broker) -> None:
        """Show these."""
        self._challenges, self._games, self._presence, self._broker = challenges, games, presence, broker
        self._visitors: defaultdict[str | None, set[Watcher]] = defaultdict(set)
        self._without_games: set[Watcher] = set()
        self._told = ""
        self._shown: dict[str, frozenset[str]] = {}
        self._news: set[str] = set()
        self._has_news = asyncio.Event()
        self._elsewhere: dict[str, tuple[int, float]] = {}
        self._said = (0, -SAY_SECONDS)
        broker.subscribe(_TOPIC, self._heard)
        broker.subscribe(_HERE, self._heard_how_many)
        challenges.listen(self._challenge_changed)
        games.look_on(self._game_changed)

    # ------------------------------------------------------------------ coming and going

    async def enter(self, player: str | None, *, reads: bool = True) -> Watcher:
        """Come in; whoever is a player hears of their own games too, if they may read them."""
        watcher = Watcher()
        await self._broker.follow(_TOPIC)
        self._visitors[player].add(watcher)
        if not reads:
            self._without_games.add(watcher)
        self._happened(_EVERYBODY)  # one more is here
        try:
            message = await self._message()
            if message != self._told:
                self._told = ""  # not everybody was told the same last: whatever comes next is news to somebody
            watcher.begin("lobby", message)
            if player is not None and reads:
                watcher.begin("yours", await self._yours(player))
        except BaseException:  # the store may fail, and whoever comes in may go meanwhile
            self.leave(player, watcher)
            raise
        return watcher

    def leave(self, player: str | None, watcher: Watcher) -> None:
        """Go."""
        if watcher not in self._visitors.get(player, ()):
            return
        self._visitors[player].discard(watcher)
        self._without_games.discard(watcher)
        if not self._visitors[player]:
            del self._visitors[player]
            self._shown.pop(player or "", None)
        self._broker.leave(_TOPIC)
        self._happened(_EVERYBODY)

    def look_anew(self) -> None:
        """Show everybody what there is, if it is other than before: somebody may have been shut out, or let in."""
        self._happened(_EVERYBODY)

    async def content(self) -> present.Json:
        """Return what everybody sees."""
        challenges, running = await asyncio.gather(self._challenges.listed(), self._games.listed(MOST_WATCHED))
        return present.lobby(challenges, running, self._here() + self._counted_elsewhere())

    # ------------------------------------------------------------------ how many are here

    def _here(self) -> int:
        return self._presence.connections + sum(map(len, self._visitors.values()))

    def _counted_elsewhere(self) -> int:
        oldest = time.monotonic() - _BELIEVED_SECONDS
        return sum(number for number, at in self._elsewhere.values() if at >= oldest)

    async def count(self) -> None:
        """Tell how many are here, whenever that changes, and the other processes now and then, until cancelled."""
        if self._broker.is_shared:
            await self._broker.follow(_HERE)
            self._broker.publish(_HERE, _WHO)
        while True:
            number, (last, at) = self._here(), self._said
            if number != last:
                self._happened(_EVERYBODY)  # perhaps somebody has come to a board
            if number != last or time.monotonic() - at >= SAY_SECONDS:
                self._say_how_many()
            await asyncio.sleep(PAUSE_SECONDS)

    def _say_how_many(self) -> None:
        self._said = self._here(), time.monotonic()
        if self._broker.is_shared:
            self._broker.publish(_HERE, f"{self._broker.process} {self._said[0]}".encode())

    def _heard_how_many(self, topic: str, content: bytes) -> None:
        if topic != _HERE:
            return
        if content == _WHO:
            self._say_how_many()
            return
        process, number = content.decode().split(" ")
        before = self._counted_elsewhere()
        self._elsewhere[process] = int(number), time.monotonic()
        if self._counted_elsewhere() != before:
            self._happened(_EVERYBODY)

    # ------------------------------------------------------------------ news

    async def run(self) -> None:
        """Tell what is new, now and then, until cancelled."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            news, self._news = self._news, set()
            try:
                await self._tell(news)
            except StoreError:
                _log.exception("the lobby cannot be shown")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _tell(self, news: set[str]) -> None:
        if _EVERYBODY in news and self._visitors:
            message = await self._message()
            if message != self._told:
                self._told = message
                for visitors in self._visitors.values():
                    for watcher in visitors:
                        watcher.put("lobby", message)
        for player in news - {_EVERYBODY}:
            if self._visitors.get(player, set()) - self._without_games:
                yours = await self._yours(player)
                for watcher in self._visitors.get(player, set()) - self._without_games:
                    watcher.put("yours", yours)

    async def _message(self) -> str:
        return present.lobby_message(await self.content())

    async def _yours(self, player: str) -> str:
        actor = Actor(player)
        games, _ = await self._games.page(0, MOST_WATCHED, actor, running=True)
        if player in self._visitors:
            self._shown[player] = frozenset(game.id for game in games)
        return present.yours_message(games, actor)

    def _challenge_changed(self, challenge: StoredChallenge) -> None:
        if challenge.listed:
            self._spread(f"news {_EVERYBODY}")
        if challenge.game_id is not None:
            self._spread(f"accepted {challenge.challenger.id} {challenge.id} {challenge.game_id}")

    def _game_changed(self, game_id: str, game: PlayedGame | Gone) -> None:
        if isinstance(game, Gone):
            self._spread(f"news {_EVERYBODY}")
            self._spread(f"gone {game_id}")
            return
        if game.stored.listed:
            self._spread(f"news {_EVERYBODY}")
        for player in {seat.player.id for seat in game.seats.values() if seat.player is not None}:
            self._spread(f"news {player}")

    def _spread(self, word: str) -> None:
        """Tell what happened, here and to the other processes."""
        self._hear(word)
        if self._broker.is_shared:
            self._broker.publish(_TOPIC, word.encode())

    def _heard(self, topic: str, content: bytes) -> None:
        if topic == _TOPIC:
            self._hear(content.decode())

    def _hear(self, word: str) -> None:
        kind, player, *rest = word.split(" ")  # of a game that is gone, its id
        if kind == "accepted":
            challenge, game = rest
            for watcher in self._visitors.get(player, ()):
                watcher.put(f"accepted {challenge}", present.accepted_message(challenge, game))
        elif kind == "gone":  # whose it was nobody can look up any more
            for whom in [whom for whom, games in self._shown.items() if player in games]:
                self._happened(whom)
        else:
            self._happened(player)

    def _happened(self, whom: str) -> None:
        if whom == _EVERYBODY or whom in self._visitors:
            self._news.add(whom)
            self._has_news.set()
