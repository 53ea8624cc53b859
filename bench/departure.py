"""Owners who go while records are taken in for them: nothing is left with nobody, and no import is torn apart.

``python -m bench.departure`` starts PostgreSQL, Redis and a ``punct serve --online`` of two processes, and has records
taken in, several imports of many games at once, for people who at a random instant meanwhile delete their account, or
log in and so have what they did as guests made their account's. In the end every import must be there as a whole, with
an owner whom there is, or not at all.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bench.chaos import COOKIE, Cluster
from bench.http import Answer, Client
from tests.databases import run_postgresql, run_redis

from punct.server.db.database import open_database

PATIENCE = 120.0
"""Seconds after which whoever was never answered gives up."""
IMPORTS: Final = 4
"""For one owner, at once."""
GAMES: Final = 40
"""In each."""
AT_ONCE: Final = 4
"""Owners."""
PASSWORD: Final = "a bridge of three blue dots"
MOVES: Final = "1. Ed5ne Tl5s 2. Tb9ne Cl8n *"


@dataclass
class Import:
    """Records that were to be taken in, and what came of it."""

    name: str
    heir: str | None
    """Whose they are once their owner has logged in; None if the owner deletes their account."""
    stored: bool = False
    """Whether it was said so."""
    is_newcomers: bool = False
    """Whether it came when its owner had gone, and was taken in for a new guest."""
    asked_again: bool = False


@dataclass
class Figures:
    """What was counted."""

    deleted: int = 0
    logged_in: int = 0
    stored: int = 0
    newcomers: int = 0
    """Stored for a new guest, since the owner had gone before."""
    refused: int = 0
    kept: int = 0
    """Games that are there in the end."""
    asked_again: int = 0
    gave_up: int = 0
    nobodys: int = 0
    """Games whose owner is gone."""
    strangers: int = 0
    """Games that are somebody else's."""
    torn: int = 0
    """Imports of which some games are there."""
    lost: int = 0
    """Imports that were stored and are not there, though their owner is."""
    refused_and_there: int = 0

    @property
    def faults(self) -> int:
        """What must be zero."""
        return self.nobodys + self.strangers + self.torn + self.lost + self.refused_and_there + self.gave_up

    def __str__(self) -> str:
        return (
            f"gone: {self.deleted} owners by deleting their account, {self.logged_in} guests by logging in, under "
            f"{self.stored + self.refused} imports of {GAMES} games: {self.stored} stored ({self.newcomers} of them "
            f"for a new guest, the owner being gone), {self.refused} refused, {self.asked_again} asked again; "
            f"{self.kept} games kept\n"
            f"with nobody: {self.nobodys}, with somebody else: {self.strangers}, imports torn apart: {self.torn}, "
            f"lost: {self.lost}, refused and there all the same: {self.refused_and_there}, never answered: "
            f"{self.gave_up}"
        )


class Owners:
    """People for whom records are taken in, and who go."""

    def __init__(self, client: Client, figures: Figures, lot: random.Random) -> None:
        self._client, self._figures, self._lot = client, figures, lot
        self._seconds = 0.5
        """What imports took last."""
        self.imports: list[Import] = []

    async def come_and_go(self, number: int) -> None:
        """Have one come, and go while imports are stored: every other one by deleting their account."""
        try:
            login = {"login": f"owner-{number}", "password": PASSWORD}
            answer = await self._ask("POST", "/account", login)
            cookie, heir = _cookie(answer), None
            if number % 2:
                heir = answer.json()["player"]["id"]
                cookie = _cookie(await self._ask("POST", "/me", {}))
            going = self._log_in(cookie, login) if heir else self._delete(cookie)
            wanted = [Import(f"import {number} {which}", heir) for which in range(IMPORTS)]
            self.imports += wanted
            await asyncio.gather(going, *(self._take_in(each, cookie) for each in wanted))
        except TimeoutError:
            self._figures.gave_up += 1

    async def _take_in(self, wanted: Import, cookie: str) -> None:
        text = "\n\n".join([f'[White "{wanted.name}"]\n\n{MOVES}'] * GAMES)
        begun = time.monotonic()
        answer = await self._ask("POST", "/records", {"text": text}, cookie, wanted)
        self._seconds = time.monotonic() - begun
        wanted.stored = answer.status == 201
        wanted.is_newcomers = COOKIE.search(answer.head) is not None
        if wanted.stored:
            self._figures.stored += 1
            self._figures.newcomers += wanted.is_newcomers
        else:
            assert answer.status in (401, 403), answer
            self._figures.refused += 1

    async def _log_in(self, cookie: str, login: dict[str, str]) -> None:
        await asyncio.sleep(self._lot.uniform(0.0, self._seconds))
        answer = await self._ask("POST", "/session", login, cookie)
        assert answer.status == 200, answer
        self._figures.logged_in += 1

    async def _delete(self, cookie: str) -> None:
        await asyncio.sleep(self._lot.uniform(0.0, self._seconds))
        answer = await self._ask("DELETE", "/me", {"password": PASSWORD}, cookie)
        assert answer.status in (204, 401), answer  # 401 if the answer to the first attempt was lost
        self._figures.deleted += 1

    async def _ask(
        self, method: str, path: str, body: object, cookie: str | None = None, about: Import | None = None
    ) -> Answer:
        """Ask until there is an answer that is the server's word on it."""
        headers = {} if cookie is None else {"Cookie": cookie}
        if about is not None:
            headers["Idempotency-Key"] = about.name.replace(" ", "-")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError):
                answer = await self._client.ask(method, f"/api/v1{path}", body, headers)
                if answer.status < 500 and answer.status != 429:
                    return answer
            self._figures.asked_again += 1
            if about is not None:
                about.asked_again = True
            await asyncio.sleep(0.2)
        raise TimeoutError


def compare(
    games: Iterable[tuple[str, str | None]], players: set[str], imports: Iterable[Import], figures: Figures
) -> None:
    """Compare the games that are there, each by its import's name and its owner, with what was said of the imports."""
    owners: dict[str, Counter[str | None]] = defaultdict(Counter)
    for name, owner in games:
        owners[name][owner] += 1
    for each in imports:
        found = owners[each.name]
        figures.kept += found.total()
        figures.nobodys += sum(count for owner, count in found.items() if owner not in players)
        if each.is_newcomers:
            figures.strangers += found.total() - max(found.values(), default=0)
        else:
            figures.strangers += sum(count for owner, count in found.items() if owner in players - {each.heir})
        figures.torn += found.total() not in (0, GAMES)
        figures.lost += each.stored and (each.is_newcomers or each.heir is not None) and not found
        figures.refused_and_there += bool(found) and not each.stored and not each.asked_again


_GAMES: Final = (
    "SELECT seats.name, games.owner_id FROM games JOIN seats ON seats.game_id = games.id AND seats.colour = 'w'"
)


async def run(owners: int, seed: int = 1) -> Figures:
    """Run the whole of it; return what was counted."""
    figures, lot, numbers = Figures(), random.Random(seed), iter(range(owners))
    with run_postgresql() as postgresql, run_redis() as redis:
        database = postgresql.new_database()
        open_database(database).close()
        cluster = Cluster(database, redis.address(), 2)
        client = Client(cluster.host, AT_ONCE * (IMPORTS + 1))
        people = Owners(client, figures, lot)

        async def come_one_after_another() -> None:
            for number in numbers:
                await people.come_and_go(number)

        try:
            while not cluster.are_ready():
                await asyncio.sleep(0.05)
            await asyncio.gather(*(come_one_after_another() for _ in range(AT_ONCE)))
        finally:
            await client.close()
            cluster.close()
        with contextlib.closing(open_database(database)) as stored:
            players = {row[0] for row in stored.fetch_all("SELECT id FROM players")}
            compare(stored.fetch_all(_GAMES), players, people.imports, figures)
    return figures


def _cookie(answer: Answer) -> str:
    """Return the session that an answer begins: the last, should it end another one."""
    *_, session = COOKIE.findall(answer.head)
    return str(session)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--owners", type=int, default=100, help="who go, one way or the other")
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    figures = asyncio.run(run(given.owners, given.seed))
    print(figures)
    sys.exit(1 if figures.faults else 0)


if __name__ == "__main__":
    main()
