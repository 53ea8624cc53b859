"""The context of a request that writes: who acts, and the idempotency key, so that a retry changes nothing again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request

from punct.server.auth.actor import Actor
from punct.server.auth.identity import actor_of
from punct.server.db.idempotency import IdempotencyKey

IdempotencyHeader = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=64,
        pattern=r"^[\x21-\x7e]+$",
        description="Any text, a new one for each request: a retry with the same text changes nothing again",
    ),
]


@dataclass(frozen=True, slots=True)
class RequestContext:
    """Who makes a request, and its idempotency key."""

    actor: Actor
    idempotency_key: IdempotencyKey | None


async def request_context(request: Request, key: IdempotencyHeader = None) -> RequestContext:
    """Return the context of a request."""
    actor = await actor_of(request)
    return RequestContext(actor, await idempotency_key_of(request, actor.player_id or "", key))


async def idempotency_key_of(
    request: Request, player_id: str, key: str | None, content: bytes | None = None
) -> IdempotencyKey | None:
    """Return the idempotency key of a player's request, with a hash of method, path and body; None without the header.

    ``content`` is hashed in place of a body that contains a secret: a fast hash like this would not protect it.
    """
    if key is None:
        return None
    body = await request.body() if content is None else content
    fingerprint = b"%b %b\n%b" % (request.method.encode(), request.url.path.encode(), body)
    return IdempotencyKey(player_id, key, hashlib.sha256(fingerprint).hexdigest()[:32])


Context = Annotated[RequestContext, Depends(request_context)]
"""The parameter of routes that write."""
