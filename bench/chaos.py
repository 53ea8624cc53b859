"""Kill everything, again and again, while games are played: afterwards every acknowledged turn is there, once.

``python -m bench.chaos`` starts PostgreSQL, Redis, a ``punct serve --online`` of two processes and a ``punct worker``,
and has guests play over HTTP: two at one screen, against the computer, and against each other with a clock, with
offers made, declined and accepted; and at every board somebody listens. Meanwhile, at random instants, it kills (as
with ``kill -9``) a serving process, the whole server, the worker, Redis or PostgreSQL, has PostgreSQL drop every
connection, or either of them go silent. Players do what a page does: they ask again until they are answered. Sometimes
two play the same ply at once. In the end every game is compared with what its players were told, its turns, its offer,
its result and its clock, and with what was heard at its board, for nobody is told what is not stored; and it is
replayed by the rules. Games that their players have left must have been decided by the clock, with nobody there.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_urlsafe
from types import MappingProxyType
from typing import IO, Any

from bench.http import Answer, Client, Live
from bench.silence import Services, run_services
from tests.databases import Postgresql, Redis, free_port

from punct import Game, kernel
from punct.outcome import Ending
from punct.server.db.database import open_database
from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredGame
from punct.server.games.store import GameStore

PATIENCE = 180.0
"""Seconds after which a player who is never answered gives up, and so does whoever waits for play to go on after a
kill: either is a fault."""
ANSWER = 60.0
"""Seconds after which a player who is kept waiting hangs up and asks again: longer than the server takes, with
everything it needs there, on however slow a machine."""
HASTE = 0.2
"""How often the next kill comes before anybody has recovered from the last."""
PAUSE = 0.1
LONGEST = 60
AGAINST_COMPUTER = 0.25
AGAINST_EACH_OTHER = 0.4
AT_ONCE = 0.15
"""How often two try to play the same ply."""
OFFERED = 0.15
"""How often something is offered before a turn."""
CLOCKS = {"60+15": 60 * 60_000, "3d": 3 * 86_400_000}
"""Time controls, and the milliseconds that each side begins with."""
INCREMENT = 15_000
SHORT = "1+0"
SHORT_SECONDS = 60.0
"""The clock of a game that its players leave."""
_LAST_WORDS = 4000
SETTLED = 120.0
"""Seconds after its time was up in which a game that was left is decided: a server that was away gives back the time
for which nobody could play."""
COOKIE = re.compile(r"set-cookie:\s*([^;\r\n]+)", re.IGNORECASE)


@dataclass
class Told:
    """What the players of a game were told."""

    id: str
    cookies: tuple[str, str]
    """White's and Black's session; the same if one person plays both, or plays the computer."""
    engine: bool = False
    time: str | None = None
    turns: dict[int, str] = field(default_factory=dict)
    """By ply: the turn that was acknowledged."""
    offer: str | None = None
    drawn: bool = False
    took_back: bool = False
    """Whether turns were taken back, or perhaps were."""
    heard: tuple[int, list[str]] | None = None
    """What whoever listens was last told: at which revision the game is, and its turns."""
    left: float | None = None
    """When both players went away, for good."""

    def whose(self, ply: int) -> str:
        """Return the session of who plays a ply."""
        return self.cookies[ply % 2]

    def hear(self, game: Any) -> bool:
        """Note what is told of the game; False if it goes back behind what was told before, or is another story."""
        before, self.heard = self.heard, (game["revision"], [turn["text"] for turn in game["turns"]])
        return before is None or self.heard[0] > before[0] or self.heard == before


@dataclass
class Figures:
    """What was counted."""

    killed: Counter[str] = field(default_factory=Counter)
    games: int = 0
    acknowledged: int = 0
    asked_again: int = 0
    refused: int = 0
    both_won: int = 0
    lost: int = 0
    changed: int = 0
    illegal: int = 0
    gave_up: int = 0
    stalled: int = 0
    """Kills after which nothing went on."""
    offers: int = 0
    """Made, and then declined or accepted."""
    decided: int = 0
    """By the clock, with nobody there."""
    last: deque[str] = field(default_factory=lambda: deque(maxlen=8))
    """Answers that were none."""
    inconsistent: int = 0
    """Offers, results or clocks that are other than what was told."""
    heard: int = 0
    """Games that were told to those who listen."""
    untrue: int = 0
    """What was told to them and was not, or not for good, stored."""

    @property
    def faults(self) -> int:
        """What must be zero."""
        wrong = self.both_won + self.lost + self.changed + self.illegal + self.inconsistent + self.untrue
        return wrong + self.gave_up + self.stalled

    def __str__(self) -> str:
        kills = ", ".join(f"{count} {what}" for what, count in sorted(self.killed.items()))
        return (
            f"killed: {sum(self.killed.values())} ({kills})\n"
            f"played: {self.games} games, {self.acknowledged} turns acknowledged, {self.refused} refused to the second "
            f"of two, {self.asked_again} asked again; {self.offers} offers, {self.decided} games decided by the clock "
            f"with nobody there; {self.heard} revisions heard by those who listen\n"
            f"lost: {self.lost}, changed or doubled: {self.changed + self.both_won}, illegal: {self.illegal}, "
            f"offers, results or clocks that are not what was told: {self.inconsistent}, heard before it was stored: "
            f"{self.untrue}, "
            f"never answered: {self.gave_up}, never recovered: {self.stalled}"
        )


class Cluster:
    """A server of several processes, and a worker, which are started again whatever becomes of them."""

    def __init__(self, database: str, broker: str, processes: int) -> None:
        port = free_port()
        self.host = f"127.0.0.1:{port}"
        punct = [sys.executable, "-m", "punct"]
        urls = ["--database-url", database, "--broker-url", broker]
        options = ["--online", "--no-open", "--port", str(port), "--workers", str(processes), "--engines", "0"]
        self._commands = {
            "server": [*punct, "serve", *options, *urls],
            "worker": [*punct, "worker", "--broker-url", broker, "--engines", "1", "--pictures", "0"],
        }
        self._said: dict[str, IO[bytes]] = {}
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # as above
        self._running = {name: self._start(name) for name in self._commands}

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        if name in self._said:
            self._said[name].close()
        self._said[name] = said = tempfile.TemporaryFile()  # noqa: SIM115  # closed with what it is for
        return subprocess.Popen(self._commands[name], stdout=said, stderr=self._log)

    def are_ready(self) -> bool:
        """Tell whether both have said that they are: each says a line once it can be used, and nothing before."""
        return all(os.fstat(said.fileno()).st_size > 0 for said in self._said.values())

    def last_words(self) -> str:
        """Return what became of both, and the end of what they wrote into their log."""
        states = ", ".join(
            f"{name}: {'ended' if process.poll() is not None else 'runs'}, said {os.fstat(said.fileno()).st_size} bytes"
            for (name, process), said in zip(self._running.items(), self._said.values(), strict=True)
        )
        end = os.fstat(self._log.fileno()).st_size
        return (
            f"{states}\n{os.pread(self._log.fileno(), _LAST_WORDS, max(0, end - _LAST_WORDS)).decode(errors='replace')}"
        )

    def keep_up(self) -> None:
        """Start what has ended, as systemd would."""
        for name, process in self._running.items():
            if process.poll() is not None:
                self._running[name] = self._start(name)

    def kill(self, name: str) -> None:
        """Kill the whole server, or the worker."""
        self._running[name].kill()
        self._running[name].wait()

    def kill_one(self, lot: random.Random) -> bool:
        """Kill one of the processes that serve; False if there is none just now."""
        listed = subprocess.run(
            ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(self._running["server"].pid)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        serving = [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]
        if not serving:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(lot.choice(serving), signal.SIGKILL)
        return True

    def close(self) -> None:
        """End both."""
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for said in (*self._said.values(), self._log):
            said.close()


class Players:
    """Play games until told to stop."""

    def __init__(self, host: str, client: Client, figures: Figures, until: asyncio.Event) -> None:
        self._host, self._client, self._figures, self._until = host, client, figures, until
        self.told: list[Told] = []

    async def play(self, seed: int) -> None:
        """Play one game after another."""
        lot = random.Random(seed)
        while not self._until.is_set():
            try:
                await self._game(lot)
            except TimeoutError:
                self._figures.gave_up += 1

    async def _game(self, lot: random.Random) -> None:
        told = await self._begun(lot)
        self.told.append(told)
        self._figures.games += 1
        listening = asyncio.create_task(self._listen(told))
        try:
            await self._played(told, lot)
        finally:
            listening.cancel()
            await asyncio.wait([listening])

    async def _listen(self, told: Told) -> None:
        """Hear what is told at a board, connected again whatever becomes of the connection, until cancelled."""

        def heard(live: Live, message: bytes) -> None:
            if message.startswith(b'{"type":"game"'):
                self._figures.heard += 1
                self._figures.untrue += not told.hear(json.loads(message)["game"])

        while True:
            with contextlib.suppress(OSError):
                live = await Live.open(self._host, f"/api/v1/games/{told.id}/live", told.whose(0), heard, glance=0)
                try:
                    await live.gone.wait()
                finally:
                    live.close()
            await asyncio.sleep(PAUSE)

    async def _played(self, told: Told, lot: random.Random) -> None:
        """Play a game to its end, or until there is to be an end to everything."""
        position = kernel.Position()
        turns: list[str] = []
        while len(turns) < LONGEST and position.outcome() is None and not self._until.is_set():
            if told.engine and len(turns) % 2:
                turns = await self._answered(told, len(turns))
                told.turns.update(enumerate(turns))
                position = _after(turns)
                continue
            if told.time is not None and lot.random() < OFFERED:
                turns = await self._offer(told, turns, lot)
                if told.drawn:
                    return
                position = _after(turns)
            legal = sorted(map(str, position.legal_moves))
            text = lot.choice(legal)
            rival = lot.choice(legal) if lot.random() < AT_ONCE else None
            text = await self._turn(told, len(turns), text, rival)
            turns.append(text)
            position.push(text)
            if told.time == SHORT and len(turns) == 2:
                told.left = time.monotonic()
                return

    async def _begun(self, lot: random.Random) -> Told:
        """Have guests begin a game: one who plays both sides or against the computer, or two."""
        kind = lot.random()
        first = await self._guest()
        if kind >= AGAINST_EACH_OTHER:
            engine = kind >= 1 - AGAINST_COMPUTER
            seats: dict[str, Any] = {"w": {}, "b": {"type": "engine", "level": 1} if engine else {}}
            begun = await self._ask("POST", "/games", {"seats": seats}, first)
            return Told(begun["id"], (first, first), engine)
        second = await self._guest()
        control = lot.choice([*CLOCKS, SHORT])
        challenge = await self._ask("POST", "/challenges", {"colour": "w", "time": control}, first)
        begun = await self._ask("POST", f"/challenges/{challenge['id']}/accept", {}, second)
        return Told(begun["id"], (first, second), time=control)

    async def _guest(self) -> str:
        """Become known; return the session."""
        answer = await self._until_answered("POST", "/me", {})
        found = COOKIE.search(answer.head)
        assert found is not None, answer
        return found[1]

    async def _offer(self, told: Told, turns: list[str], lot: random.Random) -> list[str]:
        """Have the one to move offer something, and the other answer, or not; return the turns that then stand."""
        mover, other = told.whose(len(turns)), told.whose(len(turns) + 1)
        kind = lot.choice(["draw", "undo"])
        try:
            await self._ask("POST", f"/games/{told.id}/offers", {"kind": kind}, mover)
        except PermissionError:  # there is nothing yet to take back
            return turns
        told.offer = kind
        self._figures.offers += 1
        match lot.choice(["decline", "accept", "leave"] if kind == "undo" else ["decline", "leave", "leave", "accept"]):
            case "decline":
                await self._ask("DELETE", f"/games/{told.id}/offers", None, other)
                told.offer = None
            case "accept":
                told.took_back = told.took_back or kind == "undo"
                game = await self._ask("POST", f"/games/{told.id}/offers/accept", {"kind": kind}, other)
                told.offer = None
                told.drawn = kind == "draw"
                for ply in range(game["ply"], len(turns)):
                    told.turns.pop(ply, None)
                return turns[: game["ply"]]
        return turns

    async def _turn(self, told: Told, ply: int, text: str, rival: str | None) -> str:
        """Play a turn, perhaps against somebody who plays another one; return which is on the board."""

        async def play(mine: str) -> str | None:
            try:
                await self._ask("POST", f"/games/{told.id}/turns", {"text": mine, "ply": ply}, told.whose(ply))
            except PermissionError:
                self._figures.refused += 1
                return None
            return mine

        rivals = {text} if rival is None else {text, rival}
        won = [mine for mine in await asyncio.gather(*map(play, rivals)) if mine is not None]
        if len(won) == 2:
            self._figures.both_won += 1
        if not won:
            raise TimeoutError("each was told that the other was first")
        told.turns[ply] = won[0]
        told.offer = None  # whatever was offered: the game has gone on
        self._figures.acknowledged += 1
        return won[0]

    async def _answered(self, told: Told, ply: int) -> list[str]:
        """Wait for the computer's turn; return all turns."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            game = await self._ask("GET", f"/games/{told.id}", None, told.whose(ply))
            if game["ply"] > ply or game["outcome"] is not None:
                return [turn["text"] for turn in game["turns"]]
            await asyncio.sleep(PAUSE)
        raise TimeoutError

    async def _ask(self, method: str, path: str, body: object, cookie: str) -> Any:
        """Ask until there is an answer; return what it says."""
        return (await self._until_answered(method, path, body, {"Cookie": cookie})).json()

    async def _until_answered(
        self, method: str, path: str, body: object, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Answer:
        """Ask until there is an answer, with one key. PermissionError: somebody else was first."""
        end, pause = time.monotonic() + PATIENCE, PAUSE
        if method != "GET":
            headers = {**headers, "Idempotency-Key": token_urlsafe(12)}
        while time.monotonic() < end:
            try:
                answer = await self._client.ask(method, f"/api/v1{path}", body, headers, ANSWER)
            except (OSError, ValueError) as error:  # nobody there, too late, or cut off in the middle of an answer
                self._figures.last.append(f"{method} {path}: {error!r}")
            else:
                if answer.status < 300:
                    return answer
                if answer.status == 409:
                    raise PermissionError(path)
                if answer.status < 500 and answer.status != 429:
                    raise AssertionError(answer)
                self._figures.last.append(f"{method} {path}: {answer.status} {answer.content[:200]!r}")
            self._figures.asked_again += 1
            await asyncio.sleep(pause)
            pause = min(1.0, pause * 1.5)
        raise TimeoutError


def _after(turns: list[str]) -> kernel.Position:
    """Return the position after some turns."""
    position = kernel.Position()
    for text in turns:
        position.push(text)
    return position


def rage(rounds: int, seed: int, services: Services, database: str, cluster: Cluster, figures: Figures) -> None:
    """Kill something, so many times."""
    lot = random.Random(seed)

    def one() -> bool:
        return cluster.kill_one(lot)

    def connections() -> bool:
        return services.postgresql.drop_connections(database) > 0

    def everything(service: Postgresql | Redis) -> Callable[[], bool]:
        def kill() -> bool:
            service.kill()
            time.sleep(lot.uniform(0.0, 0.5))
            service.start()
            return True

        return kill

    def program(name: str) -> Callable[[], bool]:
        def kill() -> bool:
            cluster.kill(name)
            return True

        return kill

    ways: dict[str, tuple[int, Callable[[], bool]]] = {
        "serving processes": (30, one),
        "PostgreSQL connections": (30, connections),
        "workers": (15, program("worker")),
        "Redis": (12, everything(services.redis)),
        "PostgreSQL": (8, everything(services.postgresql)),
        "whole servers": (5, program("server")),
        **services.silences(lot),
    }
    order = [name for name in ways for _ in range(ways[name][0])]
    for number in range(rounds):
        if (number == 0 or lot.random() >= HASTE) and not recover(cluster, figures):
            return
        time.sleep(lot.uniform(0.0, 0.5))
        # First each in turn, so that a short run has them all.
        name = list(ways)[number] if number < len(ways) else lot.choice(order)
        if ways[name][1]():
            figures.killed[name] += 1
        cluster.keep_up()
        if sum(figures.killed.values()) % 50 == 0:
            print(f"{sum(figures.killed.values())} kills, {figures.acknowledged} turns acknowledged …", flush=True)
    recover(cluster, figures)


def recover(cluster: Cluster, figures: Figures) -> bool:
    """Wait until everything runs that should, and a turn was acknowledged: however slow the machine is."""
    before, end = figures.acknowledged, time.monotonic() + PATIENCE
    while figures.acknowledged == before or not cluster.are_ready():
        cluster.keep_up()
        if time.monotonic() > end:
            figures.stalled += 1
            print(f"nothing goes on; last answers: {figures.last}\n{cluster.last_words()}", file=sys.stderr, flush=True)
            return False
        time.sleep(0.01)
    return True


def decide(database: str, told: list[Told], cluster: Cluster, figures: Figures) -> None:
    """Wait until the clock has decided every game that was left for so long that it must have."""
    with contextlib.closing(GameStore(open_database(database))) as store:
        for each in told:
            if each.left is None or each.left + SHORT_SECONDS > time.monotonic():
                continue
            while (found := store.load(each.id)) is None or found[0].outcome is None:
                cluster.keep_up()
                if time.monotonic() > each.left + SHORT_SECONDS + SETTLED:
                    figures.inconsistent += 1
                    break
                time.sleep(PAUSE)
            else:
                figures.decided += 1


def is_as_told(stored: StoredGame, told: Told) -> bool:
    """Tell whether a game's offer, result and clock are what its players know."""
    ended = None if stored.outcome is None else stored.outcome.reason
    if told.drawn != (ended is Ending.AGREEMENT) or (ended is Ending.TIME and told.left is None):
        return False
    if ended is None and (stored.offer.kind if stored.offer else None) != told.offer:
        return False
    clock = stored.clock
    if told.time is None or clock is None:
        return told.time is None and clock is None
    if ended is not None:
        return clock.running_since is None
    if told.time == "3d":
        return clock.running_since is not None and clock.left_w == clock.left_b == CLOCKS["3d"]
    if (clock.running_since is not None) != (stored.ply >= 2):
        return False
    most = CLOCKS.get(told.time, int(SHORT_SECONDS * 1000)) + INCREMENT * stored.ply
    return all(0 < left <= most for left in (clock.left_w, clock.left_b))


def was_heard_rightly(stored: StoredGame, turns: list[str], told: Told) -> bool:
    """Tell whether what those who listen were last told of a game was stored: nobody is told before that."""
    if told.heard is None:
        return True
    revision, heard = told.heard
    if stored.revision > revision and told.took_back:
        return True  # perhaps it was taken back since
    return stored.revision >= revision and turns[: len(heard)] == heard


def compare(database: str, told: list[Told], figures: Figures) -> None:
    """Compare every game with what was told of it, and replay it by the rules."""
    with contextlib.closing(GameStore(open_database(database))) as store:
        for each in told:
            found = store.load(each.id)
            if found is None:
                figures.lost += max(1, len(each.turns))
                continue
            figures.inconsistent += not is_as_told(found[0], each)
            stored = [move.text for move in found[1]]
            figures.untrue += not was_heard_rightly(found[0], stored, each)
            for ply, text in each.turns.items():
                if ply >= len(stored):
                    figures.lost += 1
                elif stored[ply] != text:
                    figures.changed += 1
            numbered = store.database.fetch_all(
                "SELECT count(*), count(DISTINCT ply) FROM turns WHERE game_id = " + repr(each.id)
            )
            if numbered != [(len(stored), len(stored))] or found[0].ply != len(stored):
                figures.changed += 1
            try:
                PlayedGame.replay(*found)
                game = Game()
                for text in stored:
                    game.push(text)
            except Exception:
                figures.illegal += 1


@contextlib.asynccontextmanager
async def playing(cluster: Cluster, players: int, figures: Figures, seed: int) -> AsyncIterator[Players]:
    """Have games played until this is left, and the last answers have come."""
    until = asyncio.Event()
    client = Client(cluster.host, 2 * players)
    table = Players(cluster.host, client, figures, until)
    async with asyncio.TaskGroup() as together:
        for number in range(players):
            together.create_task(table.play(seed * 1000 + number))
        try:
            yield table
        finally:
            until.set()
    await client.close()


async def run(rounds: int, players: int = 12, processes: int = 2, seed: int = 1) -> Figures:
    """Run the whole of it; return what was counted."""
    figures = Figures()
    with run_services() as services:
        database = services.postgresql.new_database()
        open_database(database).close()
        cluster = Cluster(*services.addresses(database), processes)
        try:
            async with playing(cluster, players, figures, seed) as table:
                await asyncio.to_thread(rage, rounds, seed, services, database, cluster, figures)
            await asyncio.to_thread(decide, database, table.told, cluster, figures)
        finally:
            cluster.close()
        compare(database, table.told, figures)
    return figures


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--rounds", type=int, default=300, help="how often something is killed")
    reader.add_argument("--players", type=int, default=12, help="how many games at once")
    reader.add_argument("--processes", type=int, default=2, help="that serve")
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    figures = asyncio.run(run(given.rounds, given.players, given.processes, given.seed))
    print(figures)
    sys.exit(1 if figures.faults else 0)


if __name__ == "__main__":
    main()
