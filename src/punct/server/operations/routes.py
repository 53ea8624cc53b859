"""Health check."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from fastapi import APIRouter

from punct.server.auth.routing import ApiRoute
from punct.server.operations.schemas import Health

router = APIRouter(prefix="/api/v1", route_class=ApiRoute)
_VERSION: Final = version("punct")


@router.get("/health", tags=["board"])
async def get_health() -> Health:
    """Tell that the server is up, and which version it is."""
    return Health(version=_VERSION)
