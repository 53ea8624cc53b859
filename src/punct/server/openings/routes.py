"""Routes of the opening explorer."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from punct.server.auth.routing import ApiRoute, limited
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import EXPLORER
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.http.security import SAME_SITE_ONLY
from punct.server.openings import presenter
from punct.server.openings.schemas import Opening
from punct.server.openings.service import SOURCES, Explorer, SourceName
from punct.server.positions.parameters import PositionQuery

router = APIRouter(prefix="/api/v1", tags=["analysis"], route_class=ApiRoute)


@router.get("/explorer", response_model=Opening, responses=error_responses(403, 422, 429), dependencies=SAME_SITE_ONLY)
@limited(EXPLORER)
async def explore_openings(
    request: Request,
    position: PositionQuery = "standard w",
    source: Annotated[
        list[SourceName] | None, Query(max_length=3, description="The sources of games; all of them if left out")
    ] = None,
) -> Response:
    """Return which moves were played in a position, how often, and how those games ended."""
    explorer = services_of(request).get(Explorer)
    sources = [name for name in SOURCES if source is None or name in source]
    response = await asyncio.to_thread(lambda: json_response(presenter.opening(explorer.explore(position, sources))))
    response.headers["Cache-Control"] = "public, max-age=10"
    return response
