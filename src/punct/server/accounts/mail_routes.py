"""Routes of an account's mail address, and of lost passwords."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response

from punct.server.accounts import schemas
from punct.server.accounts.routes import holder_of, reauthenticate
from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute, limited
from punct.server.errors import NotOfferedError
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import ADDRESSES, RECOVERIES, RECOVERY_OF
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.mail import presenter
from punct.server.mail import schemas as mail_schemas
from punct.server.mail.routes import mail_of
from punct.server.mail.service import Mail

router = APIRouter(prefix="/api/v1", tags=["account"], route_class=ApiRoute)

_ERRORS: Final = error_responses(401, 403, 409, 413, 415, 422, 429)


@router.get("/account/mail", response_model=mail_schemas.MailView, responses=error_responses(403, 409))
async def get_mail(request: Request) -> Response:
    """Return one's mail address, and whether this server sends mail at all. Tokens do not see the address."""
    identity = identity_of(request)
    try:
        mail = services_of(request).get(Mail)
    except NotOfferedError:
        return json_response(presenter.mail_view(None, offered=False))
    session = identity.session
    return json_response(presenter.mail_view(None if session is None else await mail.get_address(session.player)))


@router.put("/account/mail", response_model=mail_schemas.MailView, responses=_ERRORS)
@limited(ADDRESSES)
async def set_mail(body: schemas.AddressRequest, request: Request) -> Response:
    """Set or change the mail address; needs reauthentication. A link that verifies it is mailed there."""
    mail, player = mail_of(request), holder_of(identity_of(request))
    proof = await reauthenticate(request, player, body)
    return json_response(presenter.mail_view(await mail.set_address(player, body.address, proof)))


@router.delete("/account/mail", status_code=204, responses=_ERRORS)
@limited(ADDRESSES)
async def delete_mail(request: Request, body: schemas.ProofRequest | None = None) -> None:
    """Remove the mail address; needs reauthentication. If it was verified, it is told."""
    mail, player = mail_of(request), holder_of(identity_of(request))
    await mail.set_address(player, None, await reauthenticate(request, player, body))


@router.post("/account/mail/link", status_code=204, responses=_ERRORS)
@limited(ADDRESSES)
async def send_link_again(request: Request) -> None:
    """Mail the link that verifies the address once more; only the last one works."""
    mail, player = mail_of(request), holder_of(identity_of(request))
    await mail.verify_again(player)


@router.post("/account/recovery", status_code=204, responses=error_responses(403, 409, 413, 415, 422, 429))
@limited(RECOVERIES)
async def recover_account(body: mail_schemas.RecoveryRequest, request: Request) -> None:
    """Mail a link that resets a lost password, to the verified address of an account if there is one.

    The answer is the same whether there is one or not.
    """
    mail, identity = mail_of(request), identity_of(request)
    await identity.limits.hit(RECOVERY_OF, player=body.login.strip().lower())
    mail.recover(body.login)
