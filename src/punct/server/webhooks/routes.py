"""Routes of webhooks. No token may use them: whoever has one could read along in a chat of their own."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute, limited
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import HOOK_TESTS, HOOKS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.webhooks import presenter, schemas
from punct.server.webhooks.service import Webhooks

router = APIRouter(prefix="/api/v1", tags=["account"], route_class=ApiRoute)
HookId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$")]
_ERRORS: Final = error_responses(401, 403, 409, 413, 415, 422, 429)


@router.get("/hooks", response_model=schemas.Hooks, responses=error_responses(401, 403, 409))
async def list_hooks(request: Request) -> Response:
    """List one's webhooks, the oldest first."""
    player = identity_of(request).require_account()
    return json_response(presenter.hooks(await _webhooks(request).list_by_player(player)))


@router.post("/hooks", status_code=201, response_model=schemas.CreatedHook, responses=_ERRORS)
@limited(HOOKS)
async def add_hook(body: schemas.NewHook, request: Request) -> Response:
    """Add a webhook: an address that is called with what you are told."""
    player = identity_of(request).require_account()
    return json_response(presenter.created_hook(await _webhooks(request).add(player, body.url, body.form)), 201)


@router.delete("/hooks/{hook_id}", status_code=204, responses=error_responses(401, 403, 404, 409, 422, 429))
async def remove_hook(hook_id: HookId, request: Request) -> None:
    """Remove a webhook. What is on its way to it is not sent any more."""
    await _webhooks(request).remove(identity_of(request).require_account(), hook_id)


@router.post(
    "/hooks/{hook_id}/test", response_model=schemas.HookTest, responses={**_ERRORS, **error_responses(404, 503)}
)
@limited(HOOK_TESTS)
async def test_hook(hook_id: HookId, request: Request) -> Response:
    """Call a webhook now, and say what came of it. One that works is switched on again."""
    player = identity_of(request).require_account()
    language = str((player.settings or {}).get("language", "en"))
    return json_response(presenter.hook_test(await _webhooks(request).test(player, hook_id, language)))


def _webhooks(request: Request) -> Webhooks:
    return services_of(request).get(Webhooks)
