"""Trusted proxies: the address and scheme of the client, and what happens if a proxy does not send them.

A proxy on the same machine looks like a program on the same machine. So on an online server a request is local only if
it comes directly, and names this machine itself as its host. A request to another host name without
``X-Forwarded-For`` comes through a proxy that does not send the client's address: all such clients are counted as one
by rate limits, and the server's operator is warned.
"""

from __future__ import annotations

import functools
import ipaddress
import logging
from dataclasses import dataclass
from typing import Final

from prometheus_client import Gauge
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from punct.server.uvicorn_internals import TrustedHosts

_log = logging.getLogger(__name__)

PROXY_SILENT: Final = Gauge(
    "punct_proxy_silent",
    "1 if a proxy forwards requests without X-Forwarded-For or X-Forwarded-Proto.",
    multiprocess_mode="livemax",
)
LOOPBACK: Final = "127.0.0.1,::1"
"""Trusted unless FORWARDED_ALLOW_IPS names others: addresses, networks, or ``*`` for all."""
UNKNOWN_CLIENT: Final = "unsaid"
"""The address of all clients whose proxy does not send it."""
_FORWARDING_HEADERS: Final = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
)
_BROWSER_HEADERS: Final = frozenset({"origin", "sec-fetch-site"})
"""Sent by browsers for pages, and hardly by any tool of an operator."""
_MAX_DISTRUSTED: Final = 64
_MAX_REMEMBERED, _MAX_REMEMBERED_CHARS = 4096, 64
"""IP addresses that need not be parsed again, and their length: clients may send others, as long as a header may be."""
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_SOURCE: Final = "punct.source"


@dataclass(frozen=True, slots=True)
class RequestSource:
    """Where a request comes from."""

    address: str | None
    """The client's, as rate limits count it; None for this machine."""
    is_local: bool
    """Whether a program on this machine makes the request, and no proxy forwards it."""


_UNKNOWN_SOURCE: Final = RequestSource(None, is_local=False)


class TrustedProxies:
    """The proxies that a server trusts, and which headers they were found not to send."""

    def __init__(self, trusted: str = LOOPBACK, *, online: bool) -> None:
        """Trust the proxies in a list of addresses and networks, as in FORWARDED_ALLOW_IPS."""
        self._trusted, self._online = TrustedHosts(trusted), online
        self._distrusted: set[str] = set()
        self._missing_headers: set[str] = set()

    @property
    def has_silent_proxy(self) -> bool:
        """Whether a proxy was found that does not send the client's address or scheme."""
        return bool(self._missing_headers)

    def trusts(self, peer: str) -> bool:
        """Tell whether a peer is a trusted proxy, whose connections may be any client's."""
        return peer in self._trusted

    def resolve(self, scope: Scope) -> RequestSource:
        """Return where a request comes from, and set the client's own address and scheme in its scope."""
        peer = scope["client"][0] if scope.get("client") else ""
        headers = Headers(scope=scope)
        is_trusted = peer in self._trusted
        if is_trusted:
            _set_scheme(scope, headers)
        if is_trusted and "x-forwarded-for" in headers and peer not in self._distrusted:
            if self._online and "x-forwarded-proto" not in headers:
                self._warn("X-Forwarded-Proto", "cookies may be sent unencrypted")
            client, port = self._trusted.find_client(",".join(headers.getlist("x-forwarded-for")))
            scope["client"] = client, port
            return RequestSource(_forwarded_key(client), is_local=False)
        if not _is_loopback(peer):
            if is_trusted and self._online:
                self._record_missing_address(peer, headers)
            return RequestSource(rate_limit_key(peer), is_local=False)
        if _FORWARDING_HEADERS.isdisjoint(headers) and (not self._online or _is_this_machine(headers.get("host", ""))):
            return RequestSource(None, is_local=True)
        if not self._online:
            return _UNKNOWN_SOURCE
        self._record_missing_address(peer, headers)
        return RequestSource(UNKNOWN_CLIENT, is_local=False)

    def _record_missing_address(self, peer: str, headers: Headers) -> None:
        """Record that a proxy has not sent the client's address.

        If it forwards a browser's request so, an ``X-Forwarded-For`` in other requests was written by a client: from
        then on it is not trusted. A request without a browser's headers may be the operator's, who uses the public name
        on the machine itself: that does not have all players counted as one.
        """
        if "x-forwarded-for" not in headers:
            self._warn("X-Forwarded-For", "all its clients are counted as one, and none as this machine")
            if not _BROWSER_HEADERS.isdisjoint(headers) and len(self._distrusted) < _MAX_DISTRUSTED:
                self._distrusted.add(peer)

    def _warn(self, header: str, consequence: str) -> None:
        if header not in self._missing_headers:
            self._missing_headers.add(header)
            PROXY_SILENT.set(1)
            _log.warning(
                "a proxy forwards requests without %s: %s. Have it set that header, as deploy/nginx.conf does, and "
                "restart this server",
                header,
                consequence,
            )


class ProxyMiddleware:
    """Resolves where each request comes from, before any other middleware runs."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies) -> None:
        self._app, self._proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its source."""
        if scope["type"] in ("http", "websocket"):
            scope[_SOURCE] = self._proxies.resolve(scope)
        await self._app(scope, receive, send)


def source_of(scope: Scope) -> RequestSource:
    """Return where a request comes from."""
    source = scope.get(_SOURCE)
    return source if isinstance(source, RequestSource) else _UNKNOWN_SOURCE


def _set_scheme(scope: Scope, headers: Headers) -> None:
    scheme = headers.get("x-forwarded-proto", "").strip()
    if scheme in ("http", "https", "ws", "wss"):
        scope["scheme"] = scheme.replace("http", "ws") if scope["type"] == "websocket" else scheme


def rate_limit_key(address: str) -> str | None:
    """Return the key of a client's address: for IPv6 its /64 network, as one household has a whole network.

    None for this machine's own address, since a proxy on it may forward everybody; and for what is no address.
    """
    client = _parse(address.partition("%")[0])
    if client is None:
        return None
    if isinstance(client, ipaddress.IPv6Address):
        if client.ipv4_mapped is None:
            return None if client.is_loopback else str(ipaddress.ip_network((client, 64), strict=False))
        client = client.ipv4_mapped
    return None if client.is_loopback else str(client)


def _forwarded_key(client: str) -> str:
    """Return an address that a proxy sent, as rate limits count it: even this machine's, and what is no address."""
    return rate_limit_key(client) or (client if _is_loopback(client) else UNKNOWN_CLIENT)


def _parse(address: str) -> _Address | None:
    """Return an IP address; None for what is none. Every request asks for a few, and mostly for the same."""
    return _parse_remembered(address) if len(address) <= _MAX_REMEMBERED_CHARS else _parse_anew(address)


def _parse_anew(address: str) -> _Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None


_parse_remembered: Final = functools.lru_cache(maxsize=_MAX_REMEMBERED)(_parse_anew)


def _is_loopback(address: str) -> bool:
    parsed = _parse(address)
    if parsed is None:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback


def _is_this_machine(host: str) -> bool:
    """Tell whether a Host names this machine itself."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.lower().removesuffix(".") == "localhost" or _is_loopback(name)
