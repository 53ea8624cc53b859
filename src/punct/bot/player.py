"""A bot: seeks games on a server, and plays them with a program that speaks UGI."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from punct.bot.remote import Json, Remote, RemoteError
from punct.match.player import Entrant
from punct.ugi.client import UgiProgram
from punct.ugi.errors import Fault, ProgramFaultError

_PATIENCE: Final = 60.0
"""Seconds a program may take to start, and for a turn without a time."""
_THOUGHT: Final = 2000
"""Milliseconds for a turn where neither a clock nor its own pace limits the program."""
_COLOURS: Final = "wb"


@dataclass(frozen=True, slots=True)
class Wishes:
    """Which games a bot wants."""

    rules: str = "standard"
    time: str = "5+3"
    rated: bool = False
    colour: str | None = None
    seeks: bool = True
    """Whether it offers games of its own; otherwise it takes those that others offer."""
    against_bots: bool = False


class Bot:
    """One account's player. Games that are under way when it comes are played on."""

    def __init__(
        self,
        remote: Remote,
        entrant: Entrant,
        wishes: Wishes,
        *,
        at_once: int = 1,
        games: int | None = None,
        notice: Callable[[str], object] = lambda text: None,
    ) -> None:
        """Play ``at_once`` games at a time, ``games`` in all (None: for ever), and say what happens."""
        self._remote, self._entrant, self._wishes = remote, entrant, wishes
        self._at_once, self._left, self._notice = at_once, games, notice
        self._me = ""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._challenge: str | None = None
        self._done = asyncio.Event()

    async def run(self) -> None:
        """Play until all games are played; cancelled, it withdraws what it seeks and lets games stand as they are."""
        player = (await self._remote.call("GET", "/me")).get("player")
        if not player:
            raise RemoteError("the token is nobody's; make one on the account's page", 401)
        self._me = player["id"]
        self._notice(f"playing as {player['name'] or 'a bot without a name'}")
        following = asyncio.create_task(self._follow())
        ended = asyncio.create_task(self._done.wait())
        try:
            await asyncio.wait([following, ended], return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                following.result()  # it ends by an error alone
        finally:
            tasks = [following, ended, *self._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._withdraw()

    async def _follow(self) -> None:
        """Do what the lobby's news call for."""
        async with contextlib.aclosing(self._remote.listen("/lobby/live")) as lobby:
            async for message in lobby:
                match message.get("type"):
                    case "yours":
                        for game in message["games"]:
                            if not game.get("outcome"):
                                self._begin(game["id"])
                    case "accepted":
                        self._challenge = None
                        self._begin(message["game"])
                    case "lobby" if not self._wishes.seeks:
                        await self._take(message["challenges"])
                await self._seek()

    def _begin(self, game_id: str) -> None:
        if game_id not in self._tasks:
            task = self._tasks[game_id] = asyncio.create_task(self._play(game_id), name=f"play {game_id}")
            task.add_done_callback(lambda task: self._ended(game_id, task))

    def _ended(self, game_id: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(game_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            self._notice(f"game {game_id}: {error}")
        if self._left is not None:
            self._left -= 1
            if self._left <= 0 and not self._tasks:
                self._done.set()
                return
        if not task.cancelled():
            self._seeking = asyncio.ensure_future(self._seek())

    # ------------------------------------------------------------------ finding games

    @property
    def _has_room(self) -> bool:
        wanted = self._at_once if self._left is None else min(self._at_once, self._left)
        return len(self._tasks) < wanted

    async def _seek(self) -> None:
        """Offer a game, if one is wanted and none is offered."""
        if not self._wishes.seeks or self._challenge is not None or not self._has_room:
            return
        self._challenge = ""  # being made
        wishes = self._wishes
        wanted = {"rules": wishes.rules, "time": wishes.time, "rated": wishes.rated, "colour": wishes.colour}
        made = await self._remote.call("POST", "/challenges", {**wanted, "listed": True})
        self._challenge = made["id"]
        self._notice(f"offers a game: {wishes.rules}, {wishes.time}")

    async def _take(self, offered: Collection[Json]) -> None:
        """Accept games of others that are as wished."""
        for challenge in offered:
            challenger = challenge["challenger"]
            is_wished = (
                challenge["rules"] == self._wishes.rules
                and challenge["time"] == self._wishes.time
                and challenge["rated"] == self._wishes.rated
                and challenger["id"] != self._me
                and (self._wishes.against_bots or challenger["kind"] != "bot")
            )
            if is_wished and self._has_room:
                with contextlib.suppress(RemoteError):  # somebody else was quicker
                    self._begin((await self._remote.call("POST", f"/challenges/{challenge['id']}/accept"))["id"])

    async def _withdraw(self) -> None:
        if self._challenge:
            with contextlib.suppress(RemoteError, TimeoutError):
                async with asyncio.timeout(5):
                    await self._remote.call("DELETE", f"/challenges/{self._challenge}")

    # ------------------------------------------------------------------ playing

    async def _play(self, game_id: str) -> None:
        """Play a game to its end, with a program of its own."""
        program = UgiProgram(self._entrant.command, self._entrant.name)
        try:
            await program.start(_PATIENCE)
            for name, value in self._entrant.options.items():
                program.set_option(name, value)
            await program.new_game(_PATIENCE)
            await self._play_with(program, game_id)
        except* ProgramFaultError as faults:
            self._notice(f"game {game_id}: {faults.exceptions[0]}; resigning")
            await self._remote.call("POST", f"/games/{game_id}/resign")
        finally:
            await program.close()

    async def _play_with(self, program: UgiProgram, game_id: str) -> None:
        """Follow a game, and think while following it: it may end, by the clock or the other side, at any moment."""
        to_play: asyncio.Queue[Json] = asyncio.Queue()
        async with (
            asyncio.TaskGroup() as thinking,
            contextlib.aclosing(self._remote.listen(f"/games/{game_id}/live")) as live,
        ):
            thinker = thinking.create_task(self._think(program, to_play))
            async for message in live:
                if message.get("type") == "gone":
                    self._notice(f"game {game_id} is gone")
                    break
                if message.get("type") != "game":
                    continue
                game = message["game"]
                if game["outcome"]:
                    self._notice(f"game {game_id}: {game['result']}, {game['outcome']['reason']}")
                    break
                mine = [colour for colour in _COLOURS if (game["seats"][colour]["player"] or {}).get("id") == self._me]
                if game["offer"] and game["offer"]["by"] not in mine:
                    with contextlib.suppress(RemoteError):  # withdrawn meanwhile
                        await self._remote.call("DELETE", f"/games/{game_id}/offers")
                if game["turn"] in mine:
                    to_play.put_nowait(game)
            thinker.cancel()

    async def _think(self, program: UgiProgram, to_play: asyncio.Queue[Json]) -> None:
        """Play a turn whenever there is one to be played.

        The other side's reply may be heard before one's own turn is answered; so what was heard waits here, and what is
        older than that answer is no longer to be played.
        """
        played = -1
        while True:
            game = await to_play.get()
            while not to_play.empty():
                game = to_play.get_nowait()
            if game["revision"] > played:
                played = max(played, await self._play_turn(program, game))

    async def _play_turn(self, program: UgiProgram, game: Json) -> int:
        """Play a turn; return the game's revision since, -1 if it went on without it."""
        turns = [turn["text"] for turn in game["turns"]]
        text = await program.move(game["start"], turns, self._go(game), _PATIENCE + self._seconds_left(game))
        wanted = {"text": text, "ply": game["ply"]}
        try:
            revision = (await self._remote.call("POST", f"/games/{game['id']}/turns", wanted))["revision"]
        except RemoteError as error:
            if error.status == 422:
                raise ProgramFaultError(Fault.ILLEGAL, f"{program.name} played {text}: {error}") from None
            if error.status != 409:  # else the game went on, or ended, meanwhile: that is told too
                raise
            return -1
        return int(revision)

    def _go(self, game: Json) -> str:
        """Return how the program is to think: by its own pace, else by the clock, else for a while."""
        pace = self._entrant.pace.words((0, 0), (0, 0))
        if pace and self._entrant.pace.clock is None:
            return pace
        clock, time = game["clock"], game["time"] or ""
        if clock and "+" in time:
            increment = round(1000 * float(time.partition("+")[2]))
            return f"p1time {clock['w']} p2time {clock['b']} p1inc {increment} p2inc {increment}"
        return f"movetime {_THOUGHT}"

    def _seconds_left(self, game: Json) -> float:
        return game["clock"][game["turn"]] / 1000 if game["clock"] and game["clock"].get(game["turn"]) else 0.0
