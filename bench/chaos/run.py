"""The whole run: services, cluster, players, faults, and the comparison in the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from bench.chaos.checks import compare, wait_for_decisions
from bench.chaos.faults import inject_faults
from bench.chaos.players import Players
from bench.chaos.report import Report
from bench.chaos.services import run_services
from bench.cluster import Cluster
from bench.http import Client

from punct.server.db.database import open_database


async def run(rounds: int, players: int = 12, processes: int = 2, seed: int = 1) -> Report:
    """Run the whole of it, and return the counts."""
    report = Report()
    with run_services() as services:
        database_url = services.postgresql.new_database()
        open_database(database_url).close()
        cluster = Cluster(*services.proxied_urls(database_url), processes)
        try:
            async with _playing(cluster, players, report, seed) as everybody:
                await asyncio.to_thread(inject_faults, rounds, seed, services, database_url, cluster, report)
            await asyncio.to_thread(wait_for_decisions, database_url, everybody.logs, cluster, report)
        finally:
            cluster.close()
        compare(database_url, everybody.logs, report)
    return report


@contextlib.asynccontextmanager
async def _playing(cluster: Cluster, players: int, report: Report, seed: int) -> AsyncIterator[Players]:
    """Have games played until this is left, and the last responses have come."""
    stopping = asyncio.Event()
    client = Client(cluster.host, 2 * players)
    everybody = Players(cluster.host, client, report, stopping)
    async with asyncio.TaskGroup() as group:
        for number in range(players):
            group.create_task(everybody.play(seed * 1000 + number))
        try:
            yield everybody
        finally:
            stopping.set()
    await client.close()
