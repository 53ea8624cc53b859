"""Routes that links in mails lead to: verifying an address, and unsubscribing, with and without the page.

Whoever has the link may use it, logged in or not: mails are opened on other devices. The routes of the account's
address are ``punct.server.accounts.mail_routes``.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.server.auth.routing import ApiRoute, limited, open_to_blocked
from punct.server.errors import NotOfferedError
from punct.server.http.errors import error_responses
from punct.server.http.proxies import source_of
from punct.server.http.rate_limits import MAIL_LINKS, WRITES, Limits
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.mail import schemas
from punct.server.mail.errors import NoMailError
from punct.server.mail.service import Mail

router = APIRouter(tags=["account"], route_class=ApiRoute)

Token = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,200}$")]


@router.post("/api/v1/mail/verify", status_code=204, responses=error_responses(403, 409, 413, 415, 422, 429))
@limited(MAIL_LINKS)
async def verify_address(body: schemas.VerificationRequest, request: Request) -> None:
    """Verify a mail address, by the link that was mailed to it."""
    await mail_of(request).verify(body.secret)


@router.get(
    "/api/v1/mail/subscriptions/{token}",
    response_model=schemas.SubscriptionView,
    responses=error_responses(403, 404, 409, 422, 429),
)
@limited(MAIL_LINKS)
async def get_subscription(token: Token, request: Request) -> Response:
    """Return what the link at the end of a mail unsubscribes from; it changes nothing."""
    return json_response({"kind": await mail_of(request).read_subscription(token)})


@router.post("/api/v1/mail/unsubscribe", status_code=204, responses=error_responses(403, 409, 413, 415, 422, 429))
@limited(MAIL_LINKS)
@open_to_blocked
async def unsubscribe(body: schemas.UnsubscribeRequest, request: Request) -> None:
    """Send no more mails of a kind, or none at all, by the link at the end of a mail."""
    await mail_of(request).unsubscribe(body.token, everything=body.scope == "all")


@router.post("/unsubscribe/{token}", status_code=200, include_in_schema=False)
async def unsubscribe_by_one_click(token: Token, request: Request) -> Response:
    """Unsubscribe as mail clients do (RFC 8058): a form without cookies. Its answer is for nobody.

    The same address leads people to the page, which asks first: who only follows the link unsubscribes nobody.
    """
    await services_of(request).get(Limits).hit(WRITES, source_of(request.scope).address)
    await mail_of(request).unsubscribe(token)
    return Response(status_code=200)


def mail_of(request: Request) -> Mail:
    """Return the service; raises NoMailError if this server sends no mail."""
    try:
        return services_of(request).get(Mail)
    except NotOfferedError:
        raise NoMailError from None
