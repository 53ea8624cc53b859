"""Who asks: at home anybody, online the player whose cookie or token comes with the request."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import Scope

from punct.server.api.limits import GUESTS, LOGIN, LOGIN_ANYWHERE, Limit
from punct.server.api.services import People, services_of
from punct.server.people.players import Entry, Player
from punct.server.people.refusals import NotOfferedError, StrangerError
from punct.server.play.actor import HOME, Actor
from punct.server.store import StoredSession, StoredToken

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_VISIT: Final = "punct.visit"
_STRANGER: Final = Actor()


@dataclass(slots=True)
class Visit:
    """One request's visitor, as the gate knows them, and the cookies that go out with the answer."""

    people: People
    address: str | None = None
    """From where the request came; None for this machine."""
    secure: bool = False
    """Whether the request came encrypted."""
    session: StoredSession | None = None
    by_token: Player | None = None
    """For whom the token speaks that came with the request."""
    token: StoredToken | None = None
    """The token itself."""
    set_cookies: list[str] = field(default_factory=list)

    @property
    def player(self) -> Player | None:
        """Who it is; None for somebody unknown."""
        return self.by_token or (self.session and self.session.player)

    @property
    def reads(self) -> bool:
        """Whether they may see what only they see of their games: at a browser, or by a token that was made for it."""
        return self.token is None or "read" in self.token.scopes

    @property
    def is_admin(self) -> bool:
        """Whether they look after the server: at a browser alone, for no token was made for that."""
        return self.token is None and self.player is not None and self.player.kind == "admin"

    async def count(self, limit: Limit) -> None:
        """Count a request against a rate limit; raises TooManyError."""
        await self.people.limits.take(limit, self.address, None if self.player is None else self.player.id)

    @contextlib.asynccontextmanager
    async def trying(self, login: str) -> AsyncIterator[None]:
        """Count a password that is tried for a login in the block; raises TooManyError.

        By login and address: whoever guesses elsewhere does not shut the owner out. After a right one it begins anew.
        """
        who = f"{login} from {self.address}"
        await self.people.limits.take(LOGIN, player=who)
        await self.people.limits.take(LOGIN_ANYWHERE, player=login)
        yield
        await self.people.limits.forgive(LOGIN, who)

    async def enter(self) -> Player:
        """Return who it is, a guest from now on if nobody knew them."""
        if self.player is None:
            await self.people.limits.take(GUESTS, self.address)
            self.admit(await self.people.players.welcome())
        assert self.player is not None
        return self.player

    def somebody(self) -> Player:
        """Return who it is; raises StrangerError if nobody knows them."""
        if self.player is None:
            raise StrangerError
        return self.player

    def see(self, player: Player) -> None:
        """Note what has become of the visitor."""
        if self.by_token is not None:
            self.by_token = player
        elif self.session is not None:
            self.session = self.session._replace(player=player)

    def admit(self, entry: Entry) -> None:
        """Know the visitor from now on."""
        self.session = entry.session
        self.give(entry.secret)

    def leave(self) -> None:
        """Know the visitor no longer."""
        self.session = None
        self.set_cookies.append(self.people.cookies.dropped(secure=self.secure))

    def give(self, secret: str) -> None:
        """Have the browser keep a secret."""
        self.set_cookies.append(self.people.cookies.written(secret, secure=self.secure))


def begin_visit(scope: Scope, visit: Visit) -> None:
    """Note who makes a request."""
    scope[_VISIT] = visit


def visit_in(scope: Scope) -> Visit | None:
    """Return a request's visitor; None at home."""
    visit = scope.get(_VISIT)
    return visit if isinstance(visit, Visit) else None


def visit_of(connection: HTTPConnection) -> Visit:
    """Return a request's visitor; raises NotOfferedError at home."""
    visit = visit_in(connection.scope)
    if visit is None:
        raise NotOfferedError("There are no accounts at home: everything is yours.")
    return visit


async def player_of(connection: HTTPConnection) -> Player | None:
    """Return who asks; None at home, and for somebody unknown."""
    return visit_of(connection).player if services_of(connection).online else None


async def actor_of(connection: HTTPConnection) -> Actor:
    """Return who wishes something. Online, whoever writes without being known becomes a guest by it."""
    if not services_of(connection).online:
        return HOME
    visit = visit_of(connection)
    player = visit.player
    if player is None:
        if connection.scope["type"] != "http" or connection.scope["method"] in SAFE_METHODS:
            return _STRANGER
        player = await visit.enter()
    return Actor(player.id, admin=visit.is_admin)
