"""What is killed or silenced while games are played, and waiting until play goes on."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Final

from bench.chaos.report import Report
from bench.chaos.services import Services
from bench.cluster import Cluster
from tests.databases import Postgresql, Redis

MAX_RECOVERY_SECONDS: Final = 180.0
"""Until play goes on after a fault; longer is a failure."""
UNRECOVERED_SHARE: Final = 0.2
"""How often the next fault comes before anybody has recovered from the last."""


def inject_faults(
    rounds: int, seed: int, services: Services, database_url: str, cluster: Cluster, report: Report
) -> None:
    """Kill or silence something, so many times."""
    rng = random.Random(seed)

    def serving_process() -> bool:
        return cluster.kill_serving_process(rng)

    def connections() -> bool:
        return services.postgresql.drop_connections(database_url) > 0

    def service(service: Postgresql | Redis) -> Callable[[], bool]:
        def kill() -> bool:
            service.kill()
            time.sleep(rng.uniform(0.0, 0.5))
            service.start()
            return True

        return kill

    def program(name: str) -> Callable[[], bool]:
        def kill() -> bool:
            cluster.kill(name)
            return True

        return kill

    faults: dict[str, tuple[int, Callable[[], bool]]] = {  # with their weights
        "serving processes": (30, serving_process),
        "PostgreSQL connections": (30, connections),
        "workers": (15, program("worker")),
        "Redis": (12, service(services.redis)),
        "PostgreSQL": (8, service(services.postgresql)),
        "whole servers": (5, program("server")),
        **services.silences(rng),
    }
    kinds = list(faults)
    weights = [weight for weight, _ in faults.values()]
    for number in range(rounds):
        if (number == 0 or rng.random() >= UNRECOVERED_SHARE) and not wait_for_recovery(cluster, report):
            return
        time.sleep(rng.uniform(0.0, 0.5))
        # First each in turn, so that a short run has them all.
        kind = kinds[number] if number < len(kinds) else rng.choices(kinds, weights)[0]
        if faults[kind][1]():
            report.injected[kind] += 1
        cluster.restart_ended()
        if sum(report.injected.values()) % 50 == 0:
            print(f"{sum(report.injected.values())} kills, {report.acknowledged} moves acknowledged …", flush=True)
    wait_for_recovery(cluster, report)


def wait_for_recovery(cluster: Cluster, report: Report) -> bool:
    """Wait until everything runs that should, and a move was acknowledged; False if that takes too long."""
    before, end = report.acknowledged, time.monotonic() + MAX_RECOVERY_SECONDS
    while report.acknowledged == before or not cluster.are_ready():
        cluster.restart_ended()
        if time.monotonic() > end:
            report.stalled += 1
            print(
                f"nothing goes on; last failures: {report.last_failures}\n{cluster.status()}",
                file=sys.stderr, flush=True,
            )  # fmt: skip
            return False
        time.sleep(0.01)
    return True
