"""Routes for operators and their tools: liveness, readiness, metrics, version."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Awaitable
from importlib.metadata import version
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from punct.server.auth.routing import ApiRoute
from punct.server.broker.broker import Broker
from punct.server.games.service import Games
from punct.server.http.proxies import source_of
from punct.server.http.registry import services_of
from punct.server.operations.metrics import Metrics
from punct.server.operations.schemas import Health

router: Final = APIRouter()
api: Final = APIRouter(prefix="/api/v1", route_class=ApiRoute)
probes: Final = APIRouter(include_in_schema=False)

READY_SECONDS: Final = 3.0
"""The timeout of the store's and of the broker's readiness check."""
TOKEN_VARIABLE: Final = "PUNCT_METRICS_TOKEN"
"""In the environment: a token with which other machines may read the metrics."""
_VERSION: Final = version("punct")


@api.get("/health", tags=["board"])
async def get_health() -> Health:
    """Tell that the server is up, and which version it is."""
    return Health(version=_VERSION)


@probes.get("/healthz")
async def is_alive() -> Response:
    """Respond, which shows that the process is alive."""
    return PlainTextResponse("ok\n")


@probes.get("/readyz")
async def is_ready(request: Request) -> Response:
    """Tell whether the store and the broker respond; if not, a load balancer should choose another machine."""
    services = services_of(request)
    checks = {
        "store": await _succeeds(services.get(Games).is_reachable()),
        "broker": await _succeeds(services.get(Broker).is_reachable()),
    }
    # A misconfigured proxy does not make the server unready: another machine's would be no better.
    proxy = not request.app.state.proxies.has_silent_proxy
    return JSONResponse({**checks, "proxy": proxy}, 200 if all(checks.values()) else 503)


async def _succeeds(check: Awaitable[bool]) -> bool:
    """Return the result of a check; False if it fails or takes too long."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            return await check
    except Exception:  # the log of whoever needs the store or the broker says more
        return False


@probes.get("/metrics")
async def get_metrics(request: Request) -> Response:
    """Return all metrics to this machine, and to clients with the token."""
    if not _may_read_metrics(request):
        return PlainTextResponse("Only from this machine, or with the token that its server was given.\n", 403)
    services_of(request).get(Metrics).update_gauges()
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return Response(await asyncio.to_thread(generate_latest, registry), media_type=CONTENT_TYPE_LATEST)


def _may_read_metrics(request: Request) -> bool:
    token, header = os.environ.get(TOKEN_VARIABLE), request.headers.get("authorization", "")
    if token and secrets.compare_digest(header.encode(), f"Bearer {token}".encode()):
        return True
    return source_of(request.scope).is_local


router.include_router(api)
router.include_router(probes)
