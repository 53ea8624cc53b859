"""Trusted proxies: whom they bring, and what becomes of those whose proxy does not say.

A proxy on the same machine looks like a program on the same machine. So only who asks directly, by a name of this
machine itself, is local on a server that is online. Whoever comes by another name without ``X-Forwarded-For`` comes
through a proxy that does not say whom it brings: all of them are counted as one, and whoever runs the server is told.
"""

from __future__ import annotations

import ipaddress
import logging
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import _TrustedHosts

from punct.server.api.addresses import counted
from punct.server.api.figures import PROXY

_log = logging.getLogger(__name__)
LOOPBACK: Final = "127.0.0.1,::1"
"""Trusted unless FORWARDED_ALLOW_IPS names others: addresses, networks, or ``*`` for all."""
UNSAID: Final = "unsaid"
"""The address of everybody whose proxy does not say whom it brings."""
_FORWARDING: Final = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
)
_BROWSERS: Final = frozenset({"origin", "sec-fetch-site"})
"""Sent by browsers for pages, and by hardly anything that looks after a server."""
_MAX_DISTRUSTED: Final = 64
_SOURCE: Final = "punct.source"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a request comes from."""

    address: str | None
    """As it is counted for rate limits; None for this machine."""
    is_local: bool
    """Whether a program on this machine asks, and no proxy for somebody else."""


_NOWHERE: Final = Source(None, is_local=False)


class Proxies:
    """The proxies of a server: which are trusted, and what was noticed about them."""

    def __init__(self, trusted: str = LOOPBACK, *, online: bool) -> None:
        """Trust those that FORWARDED_ALLOW_IPS would name so."""
        self._trusted, self._online = _TrustedHosts(trusted), online
        self._distrusted: set[str] = set()
        self._silent_about: set[str] = set()

    @property
    def are_silent(self) -> bool:
        """Whether one was noticed that does not say whom it brings, or whether they came encrypted."""
        return bool(self._silent_about)

    def trusts(self, peer: str) -> bool:
        """Tell whether a peer's connections may be anybody's."""
        return peer in self._trusted

    def resolve(self, scope: Scope) -> Source:
        """Return where a request comes from; its scope then has the client's own address, and the scheme they used."""
        peer = scope["client"][0] if scope.get("client") else ""
        headers = Headers(scope=scope)
        is_trusted = peer in self._trusted
        if is_trusted:
            _take_scheme(scope, headers)
        if is_trusted and "x-forwarded-for" in headers and peer not in self._distrusted:
            if self._online and "x-forwarded-proto" not in headers:
                self._note("X-Forwarded-Proto", "cookies may be sent unencrypted")
            client, port = self._trusted.get_trusted_client_address(",".join(headers.getlist("x-forwarded-for")))
            scope["client"] = client, port
            return Source(_forwarded(client), is_local=False)
        if not _is_loopback(peer):
            if is_trusted and self._online:
                self._be_told_nothing(peer, headers)
            return Source(counted(peer), is_local=False)
        if _FORWARDING.isdisjoint(headers) and (not self._online or _is_this_machine(headers.get("host", ""))):
            return Source(None, is_local=True)
        if not self._online:
            return _NOWHERE
        self._be_told_nothing(peer, headers)
        return Source(UNSAID, is_local=False)

    def _be_told_nothing(self, peer: str, headers: Headers) -> None:
        """Take note of a proxy that does not say whom it brings.

        Where it brings a browser so, whatever else says whom it brings was written by a client. Whoever looks after the
        server and asks it directly, by its public name, does not have every player counted as one.
        """
        if "x-forwarded-for" not in headers:
            self._note("X-Forwarded-For", "everybody it brings is counted as one, and nobody as this machine")
            if not _BROWSERS.isdisjoint(headers) and len(self._distrusted) < _MAX_DISTRUSTED:
                self._distrusted.add(peer)

    def _note(self, header: str, consequence: str) -> None:
        if header not in self._silent_about:
            self._silent_about.add(header)
            PROXY.set(1)
            _log.warning(
                "a proxy brings requests without %s: %s. Have it set that header, as deploy/nginx.conf does, and start "
                "this server anew",
                header,
                consequence,
            )


class ProxyHeaders:
    """Finds out where each request comes from, before anything else is asked."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self._app, self._proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its source."""
        if scope["type"] in ("http", "websocket"):
            scope[_SOURCE] = self._proxies.resolve(scope)
        await self._app(scope, receive, send)


def source_in(scope: Scope) -> Source:
    """Return where a request comes from."""
    source = scope.get(_SOURCE)
    return source if isinstance(source, Source) else _NOWHERE


def _take_scheme(scope: Scope, headers: Headers) -> None:
    scheme = headers.get("x-forwarded-proto", "").strip()
    if scheme in ("http", "https", "ws", "wss"):
        scope["scheme"] = scheme.replace("http", "ws") if scope["type"] == "websocket" else scheme


def _forwarded(client: str) -> str:
    """Return an address that a proxy named, as it is counted: also one of this machine, and what is none at all."""
    return counted(client) or (client if _is_loopback(client) else UNSAID)


def _is_loopback(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback


def _is_this_machine(host: str) -> bool:
    """Tell whether a Host names this machine itself."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.lower().removesuffix(".") == "localhost" or _is_loopback(name)
