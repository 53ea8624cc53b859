"""Owners who leave while records are imported for them: no game is left without an owner, no import is torn apart.

``python -m bench.departure`` starts PostgreSQL, Redis and a ``punct serve --online`` of two processes, and imports
records, several imports of many games at once, for people who at a random instant meanwhile delete their account, or
log in, by which their guest's games become their account's. In the end every import must be there as a whole, with an
owner who exists, or not at all.
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

from bench.cluster import run_cluster
from bench.http import Client, Response

from punct.server.db.database import open_database

MAX_WAIT_SECONDS: Final = 120.0
"""Until a client that is never answered gives up."""
IMPORTS_PER_OWNER: Final = 4
"""At once."""
GAMES_PER_IMPORT: Final = 40
CONCURRENT_OWNERS: Final = 4
PASSWORD: Final = "a bridge of three blue dots"
MOVES: Final = "1. Ed5ne Tl5s 2. Tb9ne Cl8n *"


@dataclass
class Import:
    """Records that were sent to be imported, and the result."""

    name: str
    heir: str | None
    """The account that gets the games once their owner has logged in; None if the owner deletes their account."""
    stored: bool = False
    """Whether the server said so."""
    has_new_owner: bool = False
    """Whether it came when its owner had left, and was imported for a new guest."""
    was_retried: bool = False


@dataclass
class Report:
    """Counts of a run."""

    deleted: int = 0
    logged_in: int = 0
    stored: int = 0
    for_new_owner: int = 0
    """Stored for a new guest, since the owner had left before."""
    refused: int = 0
    games: int = 0
    """Games that are there in the end."""
    retries: int = 0
    gave_up: int = 0
    without_owner: int = 0
    """Games whose owner is gone."""
    with_wrong_owner: int = 0
    """Games of somebody else."""
    torn: int = 0
    """Imports of which some games are there."""
    lost: int = 0
    """Imports that were stored and are not there, though their owner is."""
    refused_but_stored: int = 0

    @property
    def faults(self) -> int:
        """Count what must be zero."""
        return (
            self.without_owner + self.with_wrong_owner + self.torn + self.lost + self.refused_but_stored + self.gave_up
        )

    def __str__(self) -> str:
        imports = self.stored + self.refused
        return (
            f"left: {self.deleted} owners by deleting their account, {self.logged_in} guests by logging in, under "
            f"{imports} imports of {GAMES_PER_IMPORT} games: {self.stored} stored, {self.for_new_owner} of them for a "
            f"new guest, the owner having left; {self.refused} refused, {self.retries} requests sent again; "
            f"{self.games} games stored\n"
            f"without an owner: {self.without_owner}, with a wrong owner: {self.with_wrong_owner}, imports torn apart: "
            f"{self.torn}, lost: {self.lost}, refused but stored: {self.refused_but_stored}, never answered: "
            f"{self.gave_up}"
        )


class Owners:
    """People for whom records are imported, and who leave."""

    def __init__(self, client: Client, report: Report, rng: random.Random) -> None:
        self._client, self._report, self._rng = client, report, rng
        self._import_seconds = 0.5
        """The duration of the last import."""
        self.imports: list[Import] = []

    async def import_and_leave(self, number: int) -> None:
        """Import for an owner who leaves meanwhile: every other one by deleting their account."""
        try:
            login = {"login": f"owner-{number}", "password": PASSWORD}
            response = await self._request("POST", "/account", login)
            cookie, heir = _session(response), None
            if number % 2:
                heir = response.json()["player"]["id"]
                cookie = _session(await self._request("POST", "/me", {}))
            leaving = self._log_in(cookie, login) if heir else self._delete(cookie)
            imports = [Import(f"import {number} {which}", heir) for which in range(IMPORTS_PER_OWNER)]
            self.imports += imports
            await asyncio.gather(leaving, *(self._import(each, cookie) for each in imports))
        except TimeoutError:
            self._report.gave_up += 1

    async def _import(self, item: Import, cookie: str) -> None:
        text = "\n\n".join([f'[White "{item.name}"]\n\n{MOVES}'] * GAMES_PER_IMPORT)
        start = time.monotonic()
        response = await self._request("POST", "/records", {"text": text}, cookie, item)
        self._import_seconds = time.monotonic() - start
        item.stored = response.status == 201
        item.has_new_owner = response.session_cookie() is not None
        if item.stored:
            self._report.stored += 1
            self._report.for_new_owner += item.has_new_owner
        else:
            assert response.status in (401, 403), response
            self._report.refused += 1

    async def _log_in(self, cookie: str, login: dict[str, str]) -> None:
        await asyncio.sleep(self._rng.uniform(0.0, self._import_seconds))
        response = await self._request("POST", "/session", login, cookie)
        assert response.status == 200, response
        self._report.logged_in += 1

    async def _delete(self, cookie: str) -> None:
        await asyncio.sleep(self._rng.uniform(0.0, self._import_seconds))
        response = await self._request("DELETE", "/me", {"password": PASSWORD}, cookie)
        assert response.status in (204, 401), response  # 401 if the response to the first attempt was lost
        self._report.deleted += 1

    async def _request(
        self, method: str, path: str, body: object, cookie: str | None = None, about: Import | None = None
    ) -> Response:
        """Send a request until it is answered by anything but an outage."""
        headers = {} if cookie is None else {"Cookie": cookie}
        if about is not None:
            headers["Idempotency-Key"] = about.name.replace(" ", "-")
        end = time.monotonic() + MAX_WAIT_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError):
                response = await self._client.request(method, f"/api/v1{path}", body, headers)
                if response.status < 500 and response.status != 429:
                    return response
            self._report.retries += 1
            if about is not None:
                about.was_retried = True
            await asyncio.sleep(0.2)
        raise TimeoutError


def compare(
    games: Iterable[tuple[str, str | None]], players: set[str], imports: Iterable[Import], report: Report
) -> None:
    """Compare the stored games, each given by its import's name and its owner, with the responses to the imports."""
    owners: dict[str, Counter[str | None]] = defaultdict(Counter)
    for name, owner in games:
        owners[name][owner] += 1
    for each in imports:
        counts = owners[each.name]
        report.games += counts.total()
        report.without_owner += sum(count for owner, count in counts.items() if owner not in players)
        if each.has_new_owner:
            report.with_wrong_owner += counts.total() - max(counts.values(), default=0)
        else:
            report.with_wrong_owner += sum(count for owner, count in counts.items() if owner in players - {each.heir})
        report.torn += counts.total() not in (0, GAMES_PER_IMPORT)
        report.lost += each.stored and (each.has_new_owner or each.heir is not None) and not counts
        report.refused_but_stored += bool(counts) and not each.stored and not each.was_retried


_GAMES: Final = (
    "SELECT seats.name, games.owner_id FROM games JOIN seats ON seats.game_id = games.id AND seats.colour = 'w'"
)


async def run(owners: int, seed: int = 1) -> Report:
    """Run the whole of it, and return the counts."""
    report, numbers = Report(), iter(range(owners))
    async with run_cluster() as cluster:
        client = Client(cluster.host, CONCURRENT_OWNERS * (IMPORTS_PER_OWNER + 1))
        people = Owners(client, report, random.Random(seed))

        async def one_after_another() -> None:
            for number in numbers:
                await people.import_and_leave(number)

        try:
            await asyncio.gather(*(one_after_another() for _ in range(CONCURRENT_OWNERS)))
        finally:
            await client.close()
        with contextlib.closing(open_database(cluster.database_url)) as database:
            players = {row[0] for row in database.fetch_all("SELECT id FROM players")}
            compare(database.fetch_all(_GAMES), players, people.imports, report)
    return report


def _session(response: Response) -> str:
    cookie = response.session_cookie()
    assert cookie is not None, response
    return cookie


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--owners", type=int, default=100, help="who leave, one way or the other")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = asyncio.run(run(options.owners, options.seed))
    print(report)
    sys.exit(1 if report.faults else 0)


if __name__ == "__main__":
    main()
