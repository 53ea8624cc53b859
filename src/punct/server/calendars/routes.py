"""Routes of calendar feeds: the feed itself, for calendar programs, and its secret address, for its owner."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from fastapi import APIRouter, Request, Response

from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute
from punct.server.calendars import schemas
from punct.server.calendars.errors import UnknownCalendarError
from punct.server.calendars.service import Calendars
from punct.server.http.errors import error_responses
from punct.server.http.ics import CALENDAR
from punct.server.http.proxies import source_of
from punct.server.http.rate_limits import BAD_CALENDARS, CALENDARS, Limits
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response, not_modified

router = APIRouter(prefix="/api/v1", tags=["account"], route_class=ApiRoute)
feed_router = APIRouter(route_class=ApiRoute)
MAX_AGE_SECONDS: Final = 300
_FEED_HEADERS: Final = {
    "Cache-Control": f"private, max-age={MAX_AGE_SECONDS}",
    "Content-Disposition": 'inline; filename="punct.ics"',
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}


@router.get("/calendar", response_model=schemas.Calendar, responses=error_responses(401, 403, 409))
async def get_calendar(request: Request) -> Response:
    """Tell whether you have a calendar feed. Its address is not stored."""
    player = identity_of(request).require_account()
    return json_response({"exists": await _calendars(request).has_feed(player)})


@router.put("/calendar", response_model=schemas.NewCalendar, responses=error_responses(401, 403, 409, 422, 429))
async def renew_calendar(request: Request) -> Response:
    """Make your calendar feed, or give it another address: the one before does not work any more."""
    player = identity_of(request).require_account()
    return json_response({"path": f"/calendar/{await _calendars(request).renew(player)}.ics"})


@router.delete("/calendar", status_code=204, responses=error_responses(401, 403, 409, 422, 429))
async def withdraw_calendar(request: Request) -> None:
    """Withdraw your calendar feed: its address does not work any more."""
    await _calendars(request).withdraw(identity_of(request).require_account())


@feed_router.api_route("/calendar/{secret}.ics", methods=["GET", "HEAD"], include_in_schema=False)
async def read_calendar(secret: str, request: Request) -> Response:
    """Return the calendar feed of a secret address."""
    calendars, limits = _calendars(request), services_of(request).get(Limits)
    address = source_of(request.scope).address  # outside of the API nobody is authenticated, nor counted
    await limits.hit(CALENDARS, address)
    try:
        content = await calendars.read(secret, str(request.base_url).rstrip("/"))
    except UnknownCalendarError:
        await limits.hit(BAD_CALENDARS, address)
        raise
    headers = {**_FEED_HEADERS, "ETag": f'"{blake2b(content, digest_size=12).hexdigest()}"'}
    return not_modified(request, headers) or Response(content, 200, headers, CALENDAR)


def _calendars(request: Request) -> Calendars:
    return services_of(request).get(Calendars)
