"""Who asks for a change, and the key they gave their request: asked again with it, nothing is done again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request

from punct.server.api.whoami import actor_of
from punct.server.play.actor import Actor
from punct.server.store import RequestKey

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=64,
        pattern=r"^[\x21-\x7e]+$",
        description="Any text of your own, a new one for each request: sent again with it, nothing is done again",
    ),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish that somebody has."""

    actor: Actor
    request: RequestKey | None


async def asked(request: Request, key: IdempotencyKey = None) -> Asked:
    """Return who asks, and with which key."""
    actor = await actor_of(request)
    return Asked(actor, await request_key(request, actor.player or "", key))


async def request_key(
    request: Request, player: str, key: str | None, content: bytes | None = None
) -> RequestKey | None:
    """Return the key of somebody's request, if it has one; with it what is asked for, word by word.

    ``content`` says that in place of the body, if there is a secret in it: a hash as quick as this one keeps none.
    """
    if key is None:
        return None
    said = await request.body() if content is None else content
    wish = b"%b %b\n%b" % (request.method.encode(), request.url.path.encode(), said)
    return RequestKey(player, key, hashlib.sha256(wish).hexdigest()[:32])


Asking = Annotated[Asked, Depends(asked)]
"""For routes that make or change something."""
