"""The whole run: services, cluster, players, faults, and the comparison in the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime

from bench.chaos.caller import Caller
from bench.chaos.checks import compare, wait_for_decisions
from bench.chaos.correspondents import Correspondents
from bench.chaos.faults import inject_faults
from bench.chaos.messages import compare_correspondence, wait_for_messages
from bench.chaos.players import Players
from bench.chaos.report import Report
from bench.chaos.services import run_services
from bench.cluster import Cluster
from bench.http import Client
from bench.receiver import Receiver

from punct.server.db.database import open_database
from punct.server.workers.outbound import EXEMPT_VARIABLE

CORRESPONDENTS_SHARE = 3
"""For so many games of others at once, one by days."""


async def run(rounds: int, players: int = 12, processes: int = 2, seed: int = 1) -> Report:
    """Run the whole of it, and return the counts."""
    report = Report()
    with run_services() as services, Receiver(lambda: datetime.now(UTC)) as receiver:
        database_url = services.postgresql.new_database()
        open_database(database_url).close()
        environment = {EXEMPT_VARIABLE: receiver.authority}
        cluster = Cluster(*services.proxied_urls(database_url), processes, environment)
        try:
            async with _playing(cluster, receiver, players, report, seed) as (everybody, correspondents):
                await asyncio.to_thread(inject_faults, rounds, seed, services, database_url, cluster, report)
            await asyncio.to_thread(wait_for_decisions, database_url, everybody.logs, cluster, report)
            await asyncio.to_thread(wait_for_messages, database_url, cluster, report)
        finally:
            cluster.close()
        compare(database_url, everybody.logs, report)
        compare_correspondence(database_url, correspondents.logs, receiver.messages, report)
        report.inconsistent += len(receiver.errors)
        report.last_failures.extend(receiver.errors)
    return report


@contextlib.asynccontextmanager
async def _playing(
    cluster: Cluster, receiver: Receiver, players: int, report: Report, seed: int
) -> AsyncIterator[tuple[Players, Correspondents]]:
    """Have games played until this is left, and the last responses have come."""
    stopping = asyncio.Event()
    client = Client(cluster.host, 2 * players)
    caller = Caller(client, report)
    everybody = Players(cluster.host, caller, report, stopping)
    correspondents = Correspondents(caller, receiver, report, stopping)
    async with asyncio.TaskGroup() as group:
        for number in range(players):
            group.create_task(everybody.play(seed * 1000 + number))
        for number in range(max(1, players // CORRESPONDENTS_SHARE)):
            group.create_task(correspondents.play(seed * 2000 + number))
        try:
            yield everybody, correspondents
        finally:
            stopping.set()
    await client.close()
