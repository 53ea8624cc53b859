"""Jobs that call an address that a player gave us: only public hosts, by https, within bounds of time and size.

Such an address could lead into the operator's own network (SSRF), so nothing is left to a library with more abilities
than are needed: a strict grammar of addresses, one resolution whose every result is judged, a connection to the very
address that was judged, no redirects, no proxies, and no content of the response beyond its status.
"""

from __future__ import annotations

import contextlib
import email.utils
import functools
import ipaddress
import os
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from punct.errors import PunctError
from punct.server.workers.process import ReportProgress, WorkerLimits

LIMITS: Final = WorkerLimits(seconds=20.0, memory_mb=512, is_low_priority=True)
"""The worker is killed then: half of it is for its start, and the job ends by itself before."""
MESSAGE_WORKERS: Final = 4
"""Processes that call addresses, for each kind of message. They mostly wait."""
TOTAL_SECONDS: Final = 10.0
"""For one call, from resolving the host to the head of the response."""
CONNECT_SECONDS: Final = 4.0
"""For each address of a host."""
BODY_SECONDS: Final = 2.0
"""For the rest of a response whose status is known: a server that is cut off early may take that for a failure."""
MAX_ADDRESSES: Final = 8
"""A host with more of them is refused: all have to be judged."""
MAX_URL_CHARS: Final = 2000
MAX_BODY_BYTES: Final = 64 * 1024
"""Of a request."""
MAX_HEAD_BYTES: Final = 16 * 1024
"""Of a response, with its interim responses."""
MAX_RESPONSE_BYTES: Final = 64 * 1024
MAX_RETRY_AFTER: Final = 86400.0
EXEMPT_VARIABLE: Final = "PUNCT_OUTBOUND_EXEMPT"


class RefusedAddressError(PunctError):
    """An address that this server does not call. ``code`` says why, for pages that have their own words for it."""


class PostError(PunctError):
    """A call that failed before there was a response. ``code`` says how."""


@dataclass(frozen=True, slots=True)
class AddressRules:
    """Which addresses may be called."""

    hosts: tuple[str, ...] = ()
    """The only hosts, ``*.example.org`` for all below one; empty: any public host."""
    exempt: tuple[str, ...] = ()
    """Each ``host:port`` that the operator trusts: without these rules, by http too, and on a private network."""

    @classmethod
    def from_environment(cls, hosts: tuple[str, ...] = ()) -> AddressRules:
        """Return the rules with the operator's exemptions; raises RefusedAddressError if these make no sense."""
        names = [name.strip().lower() for name in os.environ.get(EXEMPT_VARIABLE, "").split(",")]
        exempt = tuple(name for name in names if name)
        for name in exempt:
            match = _AUTHORITY.fullmatch(name)
            if match is None or not match["port"]:
                message = f"{EXEMPT_VARIABLE} has {name!r}; it lists hosts with ports, as chat.internal:8443"
                raise RefusedAddressError(message).about("exempt", name)
        return cls(hosts, exempt)

    def allows_host(self, host: str) -> bool:
        """Tell whether a host is on the list of hosts, if there is one."""
        return not self.hosts or any(
            host.endswith(name[1:]) if name.startswith("*.") else host == name for name in self.hosts
        )


@dataclass(frozen=True, slots=True)
class Address:
    """An address that may be called, if its host resolves to public addresses."""

    is_secure: bool
    host: str
    """A name in lower case; an IP address only if the operator exempts it."""
    port: int
    path: str
    """With its query."""
    is_exempt: bool

    @property
    def host_header(self) -> str:
        """Return the host as requests name it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


def check_url(url: str, rules: AddressRules) -> Address:
    """Return the parts of an address; raises RefusedAddressError if it is none that may be called.

    The host is not resolved: what it resolves to is judged at each call.
    """
    match = _URL.fullmatch(url) if len(url) <= MAX_URL_CHARS else None
    if match is None:
        raise RefusedAddressError("this is not an address as https://example.org/path").about("url", "")
    is_secure, host, path = match["scheme"].lower() == "https", match["host"].lower(), match["path"] or "/"
    port = int(match["port"] or (443 if is_secure else 80))
    if f"{host}:{port}" in rules.exempt:
        return Address(is_secure, host.strip("[]"), port, path, True)
    if not is_secure:
        raise RefusedAddressError("only https:// is called").about("https", "")
    if port != 443:
        raise RefusedAddressError("only the port 443 is called").about("port", "")
    if not _is_public_name(host):
        raise RefusedAddressError("the host is not a public name").about("host", "")
    if not rules.allows_host(host):
        raise RefusedAddressError("this host is not on the list of those that are called").about("list", "")
    return Address(True, host, port, path if path.startswith("/") else f"/{path}", False)


def is_public(address: str) -> bool:
    """Tell whether an IP address is one of the public internet, which many lead to, and none inside a network."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # with the zone of a local network, for one
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        # Nothing else is global unicast: not NAT64 nor what is mapped from IPv4, which could lead anywhere.
        return ip.scope_id is None and ip in _GLOBAL_IPV6 and not any(ip in network for network in _SPECIAL_IPV6)
    return not any(ip in network for network in _SPECIAL_IPV4)


@dataclass(frozen=True, slots=True)
class PostResult:
    """What became of a call."""

    status: int
    retry_after: float | None
    """Seconds that the server asked to be left alone."""


@dataclass(frozen=True, slots=True, repr=False)
class PostJob:
    """Posts a body to an address. Raises RefusedAddressError if the address may not be called, and PostError.

    It has no text: address and headers are secrets, and must not get into a log.
    """

    url: str
    headers: Mapping[str, str]
    """Beside Host, Content-Length, Connection and User-Agent."""
    body: bytes
    rules: AddressRules = AddressRules()

    def run(self, report: ReportProgress, cancel: threading.Event) -> PostResult:
        """Return the status of the response, whatever it is: a redirect is not followed."""
        deadline = _Deadline(TOTAL_SECONDS, cancel)
        address = check_url(self.url, self.rules)
        request = _request(address, self.headers, self.body)
        try:
            with _connect(address, _resolve(address, deadline), deadline) as connection:
                return _exchange(connection, request, deadline)
        except ssl.SSLCertVerificationError as error:
            raise PostError(f"the certificate is not valid: {error.verify_message}").about("certificate", "") from None
        except ssl.SSLError:
            raise PostError("no secure connection could be made").about("tls", "") from None
        except TimeoutError:
            raise PostError("no response came in time").about("timeout", "") from None
        except OSError:
            raise PostError("the connection could not be made, or broke").about("connection", "") from None


@dataclass(frozen=True, slots=True, repr=False)
class HookJob(PostJob):
    """A call of a player's webhook. These have workers of their own: slow ones hold nothing else up."""


# ---------------------------------------------------------------------- addresses

_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST: Final = rf"(?P<host>{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\])"
_AUTHORITY: Final = re.compile(rf"{_HOST}(?::(?P<port>[1-9][0-9]{{0,4}}))?", re.ASCII | re.IGNORECASE)
_URL: Final = re.compile(
    rf"(?P<scheme>https?)://{_AUTHORITY.pattern}(?P<path>[/?][A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?",
    re.ASCII | re.IGNORECASE,
)
"""Of RFC 3986 what such addresses need: no user, no fragment, no other characters. So no two parsers read it apart."""
_NOT_TOP_LEVEL: Final = re.compile(
    r"localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|test|invalid|example|alt"
    r"|[0-9]+|0x[0-9a-f]*"
)
"""What no public name ends in. What ends in a number some programs read as an IP address."""

_SPECIAL_IPV4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
            *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("224.0.0.0/4", "240.0.0.0/4"),
            "168.63.129.16/32",  # public by its number, yet inside each network of one cloud
        ),
    )
)
"""Whatever is in IANA's registry of special-purpose addresses, global or not. Python's ``is_global`` has changed."""
_GLOBAL_IPV6: Final = ipaddress.IPv6Network("2000::/3")
_SPECIAL_IPV6: Final = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
)
"""Inside the above: protocols and tunnels, documentation, 6to4."""


def _is_public_name(host: str) -> bool:
    """Tell whether a host has the form of a public name."""
    _, dot, last = host.rpartition(".")
    return len(host) <= 253 and bool(dot) and host[0] != "[" and _NOT_TOP_LEVEL.fullmatch(last) is None


def _resolve(address: Address, deadline: _Deadline) -> list[str]:
    """Return the IP addresses of a host, all of them public; raises RefusedAddressError if one is not.

    On a thread: the system's resolver cannot be interrupted. It gives up by itself, after a while.
    """
    results: queue.SimpleQueue[list[str] | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
            results.put(list(dict.fromkeys(str(entry[4][0]) for entry in found)))
        except (OSError, UnicodeError):
            results.put(None)

    threading.Thread(target=ask, daemon=True).start()
    try:
        addresses = results.get(timeout=deadline.left())
    except queue.Empty:
        raise TimeoutError from None
    if not addresses:
        raise PostError("the host could not be found").about("name", "")
    if address.is_exempt:
        return addresses
    if len(addresses) > MAX_ADDRESSES or not all(map(is_public, addresses)):
        raise RefusedAddressError("the host is not on the public internet").about("private", "")
    return addresses


# ---------------------------------------------------------------------- the call


class _Deadline:
    """When a call must be over; it is also over once cancelled."""

    def __init__(self, seconds: float, cancel: threading.Event) -> None:
        self._end, self._cancel = time.monotonic() + seconds, cancel

    def left(self, most: float = TOTAL_SECONDS) -> float:
        """Return the seconds left, at most so many; raises TimeoutError if there are none."""
        left = min(most, self._end - time.monotonic())
        if left <= 0 or self._cancel.is_set():
            raise TimeoutError
        return left

    def shorten(self, seconds: float) -> None:
        """Be over in so many seconds at the latest."""
        self._end = min(self._end, time.monotonic() + seconds)


def _connect(address: Address, ips: list[str], deadline: _Deadline) -> socket.socket:
    """Connect to the first of these addresses that can be reached, and check the host's certificate."""
    for ip in ips:
        try:
            connection = _connect_to(ip, address.port, deadline.left(CONNECT_SECONDS))
            break
        except OSError:
            if ip == ips[-1]:
                raise
    if not address.is_secure:
        return connection
    try:
        connection.settimeout(deadline.left())  # it bounds the whole handshake
        return _tls().wrap_socket(connection, server_hostname=address.host)
    except BaseException:
        connection.close()
        raise


def _connect_to(ip: str, port: int, seconds: float) -> socket.socket:
    """Connect to an IP address; nothing is resolved."""
    connection = socket.socket(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect((ip, port))
    except BaseException:
        connection.close()
        raise
    return connection


@functools.cache
def _tls() -> ssl.SSLContext:
    """Return the settings of secure connections: certificate and host name are checked, by the system's authorities."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


_FIELD_NAME: Final = re.compile(r"[A-Za-z0-9-]+")
_FIELD_VALUE: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_OWN_FIELDS: Final = frozenset({"host", "content-length", "connection", "user-agent", "transfer-encoding", "expect"})


def _request(address: Address, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return the bytes of a request; raises PostError if it cannot be made of this."""
    if len(body) > MAX_BODY_BYTES:
        raise PostError("the body is too long").about("request", "")
    lines = [f"POST {address.path} HTTP/1.1", f"Host: {address.host_header}", "User-Agent: PUNCT"]
    for name, value in headers.items():
        if not _FIELD_NAME.fullmatch(name) or not _FIELD_VALUE.fullmatch(value) or name.lower() in _OWN_FIELDS:
            raise PostError("a header is not allowed").about("request", "")
        lines.append(f"{name}: {value}")
    lines += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _exchange(connection: socket.socket, request: bytes, deadline: _Deadline) -> PostResult:
    """Send a request and return what the response's head says."""
    # The response may come before the request was read to its end, and the server hang up.
    with contextlib.suppress(ConnectionError):
        for start in range(0, len(request), 16384):
            connection.settimeout(deadline.left())
            connection.sendall(request[start : start + 16384])
    received, count = b"", 0
    while True:
        head, end, rest = received.partition(b"\r\n\r\n")
        if end:
            match = _STATUS.match(head)
            if match is None:
                break
            status = int(match[1])
            if status >= 200:
                deadline.shorten(BODY_SECONDS)
                _drop_body(connection, status, head, rest, deadline)
                return PostResult(status, _retry_after(head))
            received = rest  # what came before was an interim response
            continue
        connection.settimeout(deadline.left())
        chunk = connection.recv(4096)
        count += len(chunk)
        if not chunk or count > MAX_HEAD_BYTES:
            break
        received += chunk
    raise PostError("the response was not HTTP").about("response", "")


def _drop_body(connection: socket.socket, status: int, head: bytes, rest: bytes, deadline: _Deadline) -> None:
    """Read the rest of a response, or some of it; it does not matter any more how it ends."""
    match = re.search(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*(?:\r\n|$)", head, re.IGNORECASE)
    length = 0 if status in (204, 304) else min(MAX_RESPONSE_BYTES, int(match[1]) if match else MAX_RESPONSE_BYTES)
    count = len(rest)
    with contextlib.suppress(OSError):
        while count < length:
            connection.settimeout(deadline.left())
            chunk = connection.recv(16384)
            if not chunk or (not match and chunk.endswith(b"\r\n0\r\n\r\n")):
                return
            count += len(chunk)


_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: |\r\n|$)")


def _retry_after(head: bytes) -> float | None:
    """Return the seconds of the header Retry-After, which may also be a date."""
    match = re.search(rb"\r\nretry-after:[ \t]*([ -~]{1,40}?)[ \t]*(?:\r\n|$)", head, re.IGNORECASE)
    if match is None:
        return None
    text = match[1].decode("ascii")
    seconds: float
    if re.fullmatch(r"[0-9]{1,10}(?:\.[0-9]{1,9})?", text):  # some servers send fractions
        seconds = float(text)
    else:
        try:
            when = email.utils.parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = (when - datetime.now(UTC)).total_seconds()
    return min(MAX_RETRY_AFTER, max(0.0, seconds))
