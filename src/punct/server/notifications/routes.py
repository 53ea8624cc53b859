"""Routes of a player's settings of notifications."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response

from punct.server.auth.errors import UnauthenticatedError
from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute
from punct.server.db.outbox import NoticeKind
from punct.server.http.errors import error_responses
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.notifications import presenter
from punct.server.notifications.model import NoticeSettings, SettingsChanges
from punct.server.notifications.schemas import NotificationChanges, NotificationSettings
from punct.server.notifications.service import Notifications

router = APIRouter(prefix="/api/v1", tags=["notifications"], route_class=ApiRoute)
_ERRORS: Final = error_responses(401, 403, 409, 422, 429)


@router.get("/me/notifications", response_model=NotificationSettings, responses=_ERRORS)
async def get_notification_settings(request: Request) -> Response:
    """Return how the player is told what happens while they are away."""
    notifications = services_of(request).get(Notifications)
    return _response(notifications, await notifications.settings(_player_id(request)))


@router.patch(
    "/me/notifications", response_model=NotificationSettings, responses={**_ERRORS, **error_responses(413, 415)}
)
async def change_notification_settings(body: NotificationChanges, request: Request) -> Response:
    """Change how the player is told what happens; what is left out stays as it is."""
    notifications = services_of(request).get(Notifications)
    muted: dict[str, frozenset[NoticeKind]] = {channel: frozenset(kinds) for channel, kinds in body.muted.items()}
    changes = SettingsChanges(muted, body.language, body.zone)
    return _response(notifications, await notifications.update_settings(_player_id(request), changes))


def _response(notifications: Notifications, settings: NoticeSettings) -> Response:
    content = presenter.notification_settings(settings, notifications.channels, notifications.kinds)
    return json_response(content)


def _player_id(request: Request) -> str:
    """Return the id of the session's player, who may be a guest; no token has to do with this."""
    session = identity_of(request).session
    if session is None:
        raise UnauthenticatedError
    return session.player.id
