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

_TIMEOUT_SECONDS: Final = 60.0
"""How long a program may take to start, and for a move without a time limit."""
_DEFAULT_MOVETIME_MS: Final = 2000
"""For a move that neither a clock nor the program's own pace limits."""
_COLOURS: Final = "wb"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Which games a bot wants."""

    rules: str = "standard"
    time: str = "5+3"
    rated: bool = False
    colour: str | None = None
    seeks: bool = True
    """Whether it offers games; otherwise it accepts those that others offer."""
    against_bots: bool = False


class Bot:
    """The player of one account. It continues games that are already running when it starts."""

    def __init__(
        self,
        remote: Remote,
        entrant: Entrant,
        preferences: Preferences,
        *,
        at_once: int = 1,
        games: int | None = None,
        notice: Callable[[str], object] = lambda text: None,
    ) -> None:
        """Play ``at_once`` games at a time, ``games`` in all (None: no limit); ``notice`` gets status messages."""
        self._remote, self._entrant, self._preferences = remote, entrant, preferences
        self._at_once, self._games_left, self._notice = at_once, games, notice
        self._me = ""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._challenge: str | None = None
        self._done = asyncio.Event()

    async def run(self) -> None:
        """Play until all games are played; if cancelled, withdraw the open challenge and leave running games."""
        player = (await self._remote.call("GET", "/me")).get("player")
        if not player:
            raise RemoteError("the token belongs to no account; make one on the account's page", 401)
        self._me = player["id"]
        self._notice(f"playing as {player['name'] or 'a bot without a name'}")
        lobby_task = asyncio.create_task(self._follow())
        done_task = asyncio.create_task(self._done.wait())
        try:
            await asyncio.wait([lobby_task, done_task], return_when=asyncio.FIRST_COMPLETED)
            if lobby_task.done():
                lobby_task.result()  # it ends only by an error
        finally:
            tasks = [lobby_task, done_task, *self._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._withdraw()

    async def _follow(self) -> None:
        """React to the messages of the lobby."""
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
                    case "lobby" if not self._preferences.seeks:
                        await self._accept(message["challenges"])
                await self._seek()

    def _begin(self, game_id: str) -> None:
        if game_id not in self._tasks:
            task = self._tasks[game_id] = asyncio.create_task(self._play(game_id), name=f"play {game_id}")
            task.add_done_callback(lambda task: self._on_end(game_id, task))

    def _on_end(self, game_id: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(game_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            self._notice(f"game {game_id}: {error}")
        if self._games_left is not None:
            self._games_left -= 1
            if self._games_left <= 0 and not self._tasks:
                self._done.set()
                return
        if not task.cancelled():
            self._seeking = asyncio.ensure_future(self._seek())

    # ------------------------------------------------------------------ finding games

    @property
    def _has_capacity(self) -> bool:
        capacity = self._at_once if self._games_left is None else min(self._at_once, self._games_left)
        return len(self._tasks) < capacity

    async def _seek(self) -> None:
        """Offer a game, if there is capacity and none is offered."""
        if not self._preferences.seeks or self._challenge is not None or not self._has_capacity:
            return
        self._challenge = ""  # being created
        preferences = self._preferences
        body = {
            "rules": preferences.rules,
            "time": preferences.time,
            "rated": preferences.rated,
            "colour": preferences.colour,
        }
        challenge = await self._remote.call("POST", "/challenges", {**body, "listed": True})
        self._challenge = challenge["id"]
        self._notice(f"offers a game: {preferences.rules}, {preferences.time}")

    async def _accept(self, challenges: Collection[Json]) -> None:
        """Accept challenges of others that match the preferences."""
        for challenge in challenges:
            challenger = challenge["challenger"]
            is_match = (
                challenge["rules"] == self._preferences.rules
                and challenge["time"] == self._preferences.time
                and challenge["rated"] == self._preferences.rated
                and challenger["id"] != self._me
                and (self._preferences.against_bots or challenger["kind"] != "bot")
            )
            if is_match and self._has_capacity:
                with contextlib.suppress(RemoteError):  # another player was quicker
                    self._begin((await self._remote.call("POST", f"/challenges/{challenge['id']}/accept"))["id"])

    async def _withdraw(self) -> None:
        if self._challenge:
            with contextlib.suppress(RemoteError, TimeoutError):
                async with asyncio.timeout(5):
                    await self._remote.call("DELETE", f"/challenges/{self._challenge}")

    # ------------------------------------------------------------------ playing

    async def _play(self, game_id: str) -> None:
        """Play a game to its end, in a process of its own."""
        program = UgiProgram(self._entrant.command, self._entrant.name)
        try:
            await program.start(_TIMEOUT_SECONDS)
            for name, value in self._entrant.options.items():
                program.set_option(name, value)
            await program.new_game(_TIMEOUT_SECONDS)
            await self._play_with(program, game_id)
        except* ProgramFaultError as faults:
            self._notice(f"game {game_id}: {faults.exceptions[0]}; resigning")
            await self._remote.call("POST", f"/games/{game_id}/resign")
        finally:
            await program.close()

    async def _play_with(self, program: UgiProgram, game_id: str) -> None:
        """Follow a game, and think in a task beside: it may end by the clock or the opponent at any moment."""
        to_play: asyncio.Queue[Json] = asyncio.Queue()
        async with (
            asyncio.TaskGroup() as thinking,
            contextlib.aclosing(self._remote.listen(f"/games/{game_id}/live")) as live,
        ):
            thinker = thinking.create_task(self._think(program, to_play))
            async for message in live:
                if message.get("type") == "gone":
                    self._notice(f"game {game_id} was deleted")
                    break
                if message.get("type") != "game":
                    continue
                game = message["game"]
                if game["outcome"]:
                    self._notice(f"game {game_id}: {game['result']}, {game['outcome']['reason']}")
                    break
                own_colours = [
                    colour for colour in _COLOURS if (game["seats"][colour]["player"] or {}).get("id") == self._me
                ]
                if game["offer"] and game["offer"]["by"] not in own_colours:
                    with contextlib.suppress(RemoteError):  # withdrawn meanwhile
                        await self._remote.call("DELETE", f"/games/{game_id}/offers")
                if game["turn"] in own_colours:
                    to_play.put_nowait(game)
            thinker.cancel()

    async def _think(self, program: UgiProgram, to_play: asyncio.Queue[Json]) -> None:
        """Play a move for the latest state of the game that needs one.

        The opponent's reply may arrive before the response to our own move. So states are queued, and those older than
        that response are skipped.
        """
        revision = -1
        while True:
            game = await to_play.get()
            while not to_play.empty():
                game = to_play.get_nowait()
            if game["revision"] > revision:
                revision = max(revision, await self._play_move(program, game))

    async def _play_move(self, program: UgiProgram, game: Json) -> int:
        """Play a move; return the game's new revision, -1 if the game had changed meanwhile."""
        moves = [turn["text"] for turn in game["turns"]]
        text = await program.move(game["start"], moves, self._go(game), _TIMEOUT_SECONDS + self._seconds_left(game))
        body = {"text": text, "ply": game["ply"]}
        try:
            revision = (await self._remote.call("POST", f"/games/{game['id']}/turns", body))["revision"]
        except RemoteError as error:
            if error.status == 422:
                raise ProgramFaultError(Fault.ILLEGAL, f"{program.name} played {text}: {error}") from None
            if error.status != 409:  # else the game has changed or ended: a message follows
                raise
            return -1
        return int(revision)

    def _go(self, game: Json) -> str:
        """Return the program's search limits: its own pace, else the clock, else a default time."""
        pace = self._entrant.pace.words((0, 0), (0, 0))
        if pace and self._entrant.pace.clock is None:
            return pace
        clock, time = game["clock"], game["time"] or ""
        if clock and "+" in time:
            increment = round(1000 * float(time.partition("+")[2]))
            return f"p1time {clock['w']} p2time {clock['b']} p1inc {increment} p2inc {increment}"
        return f"movetime {_DEFAULT_MOVETIME_MS}"

    def _seconds_left(self, game: Json) -> float:
        return game["clock"][game["turn"]] / 1000 if game["clock"] and game["clock"].get(game["turn"]) else 0.0
