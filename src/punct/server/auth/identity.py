"""Who makes a request: at home anybody, online the player whose cookie or token comes with it.

Routes that write get a ``Context``: who acts, and the idempotency key, so that a retry changes nothing again.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import Depends, Header, Request
from starlette.requests import HTTPConnection
from starlette.types import Scope

from punct.server.auth.actor import HOME_ACTOR, Actor
from punct.server.auth.cookies import Cookies
from punct.server.auth.errors import NoAccountError, UnauthenticatedError
from punct.server.auth.model import StoredPlayer, StoredSession, StoredToken
from punct.server.auth.sessions import NewSession, Sessions
from punct.server.db.idempotency import IdempotencyKey
from punct.server.errors import NotOfferedError
from punct.server.http.rate_limits import GUESTS, LOGIN_ANYWHERE, LOGIN_FROM_ADDRESS, Limit, Limits
from punct.server.http.registry import services_of
from punct.server.http.security import SAFE_METHODS

_KEY: Final = "punct.identity"
_STRANGER: Final = Actor()


@dataclass(slots=True)
class RequestIdentity:
    """Who makes a request, as the middleware has established it, and the cookies to set with the response."""

    sessions: Sessions
    cookies: Cookies
    limits: Limits
    generation: int
    """Of the sessions, before the credential was looked up."""
    address: str | None = None
    """The client's, as rate limits count it; None for this machine."""
    secure: bool = False
    """Whether the request came by HTTPS."""
    session: StoredSession | None = None
    token_player: StoredPlayer | None = None
    """The player for whom the request's token acts."""
    token: StoredToken | None = None
    cookie_headers: list[str] = field(default_factory=list)
    """The values of ``Set-Cookie`` headers for the response."""

    @property
    def player(self) -> StoredPlayer | None:
        """The player; None for a stranger."""
        return self.token_player or (self.session and self.session.player)

    @property
    def can_read(self) -> bool:
        """Whether they may see what only they see of their games: in a browser, or with a token of that scope."""
        return self.token is None or "read" in self.token.scopes

    @property
    def is_admin(self) -> bool:
        """Whether they administer the server: in a browser only, for no token has that scope."""
        return self.token is None and self.player is not None and self.player.kind == "admin"

    async def count(self, limit: Limit) -> None:
        """Count a request against a rate limit; raises TooManyError."""
        await self.limits.hit(limit, self.address, None if self.player is None else self.player.id)

    @contextlib.asynccontextmanager
    async def count_password_attempt(self, login: str) -> AsyncIterator[None]:
        """Count an attempt to log in, made in the block, against the limits for that login; raises TooManyError.

        By login and address: guessing from elsewhere does not lock the owner out. A success resets the count.
        """
        key = f"{login} from {self.address}"  # these limits count logins as others count players
        await self.limits.hit(LOGIN_FROM_ADDRESS, player=key)
        await self.limits.hit(LOGIN_ANYWHERE, player=login)
        yield
        await self.limits.reset(LOGIN_FROM_ADDRESS, key)

    async def get_or_create_player(self) -> StoredPlayer:
        """Return the player; a stranger becomes a guest."""
        if self.player is None:
            await self.limits.hit(GUESTS, self.address)
            self.log_in(await self.sessions.create_guest())
        assert self.player is not None
        return self.player

    def require_player(self) -> StoredPlayer:
        """Return the player; raises UnauthenticatedError for a stranger."""
        if self.player is None:
            raise UnauthenticatedError
        return self.player

    def require_account(self) -> StoredPlayer:
        """Return the account holder of the session; raises UnauthenticatedError for tokens too, and NoAccountError."""
        if self.session is None:
            raise UnauthenticatedError
        if not self.session.player.has_account:
            raise NoAccountError
        return self.session.player

    def update_player(self, player: StoredPlayer) -> None:
        """Replace the player by what was stored for them since."""
        if self.token_player is not None:
            self.token_player = player
        elif self.session is not None:
            self.session = self.session._replace(player=player)

    def log_in(self, new: NewSession) -> None:
        """Use another session from now on, and set its cookie."""
        self.session = new.session
        self.set_session_cookie(new.secret)

    def log_out(self) -> None:
        """Use no session from now on, and delete its cookie."""
        self.session = None
        self.cookie_headers.append(self.cookies.delete_header(secure=self.secure))

    def set_session_cookie(self, secret: str) -> None:
        """Set the session's cookie."""
        self.cookie_headers.append(self.cookies.set_header(secret, secure=self.secure))


def attach_identity(scope: Scope, identity: RequestIdentity) -> None:
    """Attach the identity to a request."""
    scope[_KEY] = identity


def find_identity(scope: Scope) -> RequestIdentity | None:
    """Return a request's identity; None at home."""
    identity = scope.get(_KEY)
    return identity if isinstance(identity, RequestIdentity) else None


def find_challenge_reader(connection: HTTPConnection) -> str | None:
    """Return the id of the player who makes a request, if they may see what is proposed to them; None for others."""
    identity = find_identity(connection.scope)
    if identity is None or identity.player is None:
        return None
    may_see = identity.can_read or (identity.token is not None and "challenge" in identity.token.scopes)
    return identity.player.id if may_see else None


def identity_of(connection: HTTPConnection) -> RequestIdentity:
    """Return a request's identity; raises NotOfferedError at home."""
    identity = find_identity(connection.scope)
    if identity is None:
        raise NotOfferedError("There are no accounts at home: everything is yours.")
    return identity


def player_of(connection: HTTPConnection) -> StoredPlayer | None:
    """Return the player who makes a request; None at home, and for a stranger."""
    return identity_of(connection).player if services_of(connection).online else None


async def actor_of(connection: HTTPConnection) -> Actor:
    """Return who acts. Online, a stranger's first write creates a guest."""
    if not services_of(connection).online:
        return HOME_ACTOR
    identity = identity_of(connection)
    player = identity.player
    if player is None:
        if connection.scope["type"] != "http" or connection.scope["method"] in SAFE_METHODS:
            return _STRANGER
        player = await identity.get_or_create_player()
    return Actor(player.id, is_admin=identity.is_admin)


def own_actor(connection: HTTPConnection) -> Actor:
    """Return who acts on what only they may see; raises UnauthenticatedError for a stranger, who has no such thing."""
    identity = identity_of(connection)
    return Actor(identity.require_player().id, is_admin=identity.is_admin)


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
