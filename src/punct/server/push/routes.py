"""Routes of Web Push: a player's browsers that get notifications while the page is closed."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from punct.server.auth.errors import UnauthenticatedError
from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute, limited, open_to_blocked
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import PUSH_TESTS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.push import presenter
from punct.server.push.device import device_name
from punct.server.push.model import Subscription
from punct.server.push.schemas import Device, Devices, PushKey, SubscriptionRequest
from punct.server.push.service import Push

router = APIRouter(prefix="/api/v1", tags=["notifications"], route_class=ApiRoute)
DeviceId = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
_ERRORS: Final = error_responses(401, 403, 409, 422, 429)


@router.get("/push/key", response_model=PushKey, responses=error_responses(403, 404, 409, 429))
async def get_push_key(request: Request) -> Response:
    """Return the server's public key, which a browser needs to subscribe."""
    return json_response({"key": await _push(request).public_key()})


@router.put(
    "/push/devices",
    response_model=Device,
    responses={**_ERRORS, **error_responses(413, 415)},
)
async def subscribe_device(body: SubscriptionRequest, request: Request) -> Response:
    """Send the player's notifications to a browser from now on; doing it again changes nothing."""
    subscription = Subscription(body.endpoint, body.keys.p256dh.rstrip("="), body.keys.auth.rstrip("="))
    device = device_name(request.headers.get("user-agent", ""))
    stored = await _push(request).subscribe(_player_id(request), subscription, device)
    return json_response(presenter.device(stored))


@router.get("/push/devices", response_model=Devices, responses=_ERRORS)
async def list_devices(request: Request) -> Response:
    """Return the player's browsers that get notifications."""
    return json_response(presenter.devices(await _push(request).list_own(_player_id(request))))


@router.delete("/push/devices/{device_id}", status_code=204, responses={**_ERRORS, **error_responses(404)})
@open_to_blocked
async def unsubscribe_device(device_id: DeviceId, request: Request) -> None:
    """Send no notifications to a browser any more."""
    await _push(request).unsubscribe(_player_id(request), device_id)


@router.post("/push/devices/{device_id}/test", status_code=204, responses={**_ERRORS, **error_responses(404, 503)})
@limited(PUSH_TESTS)
async def test_device(device_id: DeviceId, request: Request) -> None:
    """Send a notification to a browser now, to see whether it arrives."""
    await _push(request).test(_player_id(request), device_id)


def _push(request: Request) -> Push:
    return services_of(request).get(Push)


def _player_id(request: Request) -> str:
    """Return the id of the session's player, who may be a guest; no token manages a player's browsers."""
    session = identity_of(request).session
    if session is None:
        raise UnauthenticatedError
    return session.player.id
