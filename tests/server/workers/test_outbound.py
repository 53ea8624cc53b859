"""Calls of addresses that players give: nothing gets into the operator's network, or holds a worker up."""

from __future__ import annotations

import asyncio
import email.utils
import gzip
import ipaddress
import logging
import pickle
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.databases import Redis
from tests.server.certificates import Authority
from tests.server.receiver import Receiver, Respond, endlessly, running_receiver, saying, status

from punct.server.broker.redis import RedisBroker
from punct.server.workers import outbound
from punct.server.workers.outbound import (
    AddressRules,
    HookJob,
    PostError,
    PostJob,
    PostResult,
    RefusedAddressError,
    check_url,
    is_public,
)
from punct.server.workers.pool import ProcessPool
from punct.server.workers.remote import JOB_KINDS, RemotePool
from punct.server.workers.remote_errors import pack_error, unpack_error
from punct.server.workers.remote_worker import RemoteWorker

PUBLIC = "93.184.216.34"
NO_EXEMPTIONS = AddressRules()
CONNECT_TO = outbound._connect_to


def post(
    url: str, rules: AddressRules = NO_EXEMPTIONS, body: bytes = b"{}", headers: Mapping[str, str] | None = None
) -> PostResult:
    return PostJob(url, headers or {}, body, rules).run(lambda value: None, threading.Event())


def code_of(action: Callable[[], object], kind: type[Exception]) -> str:
    with pytest.raises(kind) as met:
        action()
    return str(met.value.code)  # type: ignore[attr-defined]


# ---------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "url",
    [
        "", "https://", "https:///path", "example.org", "//example.org", "https:example.org", "https:/example.org",
        "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "javascript:alert(1)",
        "http://example.org/", "HTTP://example.org/",
        "https://user@example.org/", "https://user:pass@example.org/", "https://@example.org/",
        "https://example.org@127.0.0.1/", "https://example.org:443@127.0.0.1/", "https://127.0.0.1\\@example.org/",
        "https://example.org\\.evil.org/", "https://example.org#@127.0.0.1/", "https://example.org/#fragment",
        "https://example.org?@127.0.0.1#x",
        "https://example.org:80/", "https://example.org:8443/", "https://example.org:22/", "https://example.org:/",
        "https://example.org:0443/", "https://example.org:443443/", "https://example.org:+443/",
        "https://example.org:４４３/",
        "https://localhost/", "https://localhost./", "https://LOCALHOST/", "https://localhost.localdomain/",
        "https://a.localhost/", "https://intranet/", "https://metadata/", "https://metadata.google.internal/",
        "https://metadata.google.internal./", "https://printer.local/", "https://router.lan/", "https://a.home.arpa/",
        "https://1.0.0.127.in-addr.arpa/", "https://a.onion/", "https://example.org./",
        "https://127.0.0.1/", "https://127.1/", "https://127.0.1/", "https://0/", "https://0.0.0.0/",
        "https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0177.0.0.1/",
        "https://017700000001/", "https://example.0x7f/", "https://example.1/", "https://169.254.169.254/",
        "https://93.184.216.34/", "https://0xA9FEA9FE/",
        "https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/",
        "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/",
        "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/",
        "https://[2606:2800:220:1::]/", "https://::1/", "https://[::1/", "https://[127.0.0.1]/",
        "https://exam\nple.org/", "https://example.org/\r\nX: y", "https://example.org/\n", "\nhttps://example.org/",
        " https://example.org/", "https://example.org/ ", "https://example.org/a b", "https://example.org/\x00",
        "https://example.org/\x7f", "https://example.org\t/", "https://example.org/é", "https://exämple.org/",
        "https://example。org/", "https://example．org/", "https://ｌocalhost/", "https://①②⑦.0.0.1/",
        "https://ſlack.com/", "https://slac\u212a.com/", "httpſ://example.org/", "https://example.org/\ud800",
        "https://-a.org/", "https://a-.org/", "https://a..org/",
        "https://.org/", "https://a_b.org/", "https://a%2eorg/",
        "https://%31%32%37.0.0.1/", "https://example.org%00.evil.org/", "https://*.example.org/",
        f"https://{'a' * 64}.org/", f"https://{'a.' * 130}org/", f"https://example.org/{'a' * 2000}",
        "https://example.org/<>", 'https://example.org/"', "https://example.org/`", "https://example.org/{}",
    ],
)  # fmt: skip
def test_only_public_https_addresses_are_called(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", None)  # nothing is resolved for them
    for check in (lambda: check_url(url, AddressRules()), lambda: post(url)):
        assert code_of(check, RefusedAddressError) in {"url", "https", "port", "host"}


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("https://example.org", "example.org", "/"),
        ("https://Example.ORG/Path?a=b&c", "example.org", "/Path?a=b&c"),
        ("https://example.org?a", "example.org", "/?a"),
        ("https://example.org:443/", "example.org", "/"),
        ("https://discord.com/api/webhooks/1/a-B_c", "discord.com", "/api/webhooks/1/a-B_c"),
        ("https://xn--bcher-kva.example.com/%C3%A4", "xn--bcher-kva.example.com", "/%C3%A4"),
        ("https://127.0.0.1.example.com/", "127.0.0.1.example.com", "/"),
    ],
)
def test_the_parts_of_an_address(url: str, host: str, path: str) -> None:
    address = check_url(url, AddressRules())
    assert (address.is_secure, address.host, address.port, address.path, address.host_header) == (
        True, host, 443, path, host,
    )  # fmt: skip


def test_a_list_of_hosts() -> None:
    rules = AddressRules(hosts=("push.example.com", "*.notify.example.net"))
    for url in ("https://push.example.com/x", "https://a.notify.example.net/", "https://a.b.notify.example.net/"):
        check_url(url, rules)
    for url in (
        *("https://example.com/", "https://a.push.example.com/", "https://notify.example.net/"),
        *("https://evilnotify.example.net/", "https://push.example.com.evil.org/", "https://xnotify.example.net/"),
    ):
        assert code_of(lambda url=url: check_url(url, rules), RefusedAddressError) == "list"  # type: ignore[misc]


def test_what_the_operator_exempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(outbound.EXEMPT_VARIABLE, " Chat.internal:8443, 127.0.0.1:80,[::1]:9 ,")
    rules = AddressRules.from_environment(("push.example.com",))
    assert rules == AddressRules(("push.example.com",), ("chat.internal:8443", "127.0.0.1:80", "[::1]:9"))
    for url in ("https://chat.internal:8443/x", "http://CHAT.internal:8443/", "http://127.0.0.1/", "https://[::1]:9/"):
        assert check_url(url, rules).is_exempt
    assert check_url("http://[::1]:9/", rules).host_header == "[::1]:9"
    for url in ("https://chat.internal/", "http://chat.internal/", "https://127.0.0.1/", "http://127.0.0.1:81/",
                "http://127.0.0.1:80@evil.org/", "http://localhost/", "http://127.1/"):  # fmt: skip
        code_of(lambda url=url: check_url(url, rules), RefusedAddressError)  # type: ignore[misc]
    for wrong in ("chat.internal", "http://chat.internal:80", "a b:80", "10.0.0.0/8", "*:443"):
        monkeypatch.setenv(outbound.EXEMPT_VARIABLE, wrong)
        assert code_of(AddressRules.from_environment, RefusedAddressError) == "exempt"
    monkeypatch.delenv(outbound.EXEMPT_VARIABLE)
    assert AddressRules.from_environment() == AddressRules()


PRIVATE = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "168.63.129.16", "::", "::1", "::ffff:0:127.0.0.1", "::ffff:0.0.0.0", "::ffff:a9fe:a9fe", "::a00:1", "1::1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1:a00:1::", "2002:a00:1::1", "2002:a9fe:a9fe::", "2001:0:7f00:1::", "2001:10::1",
    "2001:20::1", "2001:1::1", "2001:4:112::1", "2620:4f:8000::1", "4000::1", "fe80::7f00:1", "ff01::1",
     "::ffff:127.0.0.1", "::ffff:93.184.216.34", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b:1::1", "64:ff9b::5db8:d822", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1", "2002:7f00:1::", "2002:5db8:d822::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254",
    "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "2606:2800:220:1::1%eth0", "localhost", "127.1", "0x7f000001",
    "",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "2a00::1"])
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@given(st.one_of(st.ip_addresses(), st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_is_public_is_global_for_python_too(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global and not (address.is_multicast or address.is_reserved or address.is_link_local)


# ---------------------------------------------------------------------- resolution and connection


class FakeNetwork:
    """A resolver with answers of its own; whatever address is connected to, a receiver accepts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
        self.answers: list[list[str] | Exception] = []
        self.asked: list[str] = []
        self.connected: list[tuple[str, int]] = []
        self.unreachable: set[str] = set()
        self._receiver = receiver
        monkeypatch.setattr(socket, "getaddrinfo", self._resolve)
        monkeypatch.setattr(outbound, "_connect_to", self._connect)

    def _resolve(self, host: str, port: int, **options: Any) -> list[Any]:
        self.asked.append(host)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (ip, port, 0, 0)) if ":" in ip
            else (socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port))
            for ip in answer
        ]  # fmt: skip

    def _connect(self, ip: str, port: int, seconds: float) -> socket.socket:
        self.connected.append((ip, port))
        if ip in self.unreachable:
            raise ConnectionRefusedError
        return CONNECT_TO("127.0.0.1", self._receiver.port, seconds)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def trust(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Trust the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    outbound._tls.cache_clear()
    yield
    outbound._tls.cache_clear()


@pytest.fixture
def secure(authority: Authority) -> Iterator[Receiver]:
    with running_receiver(authority.issue("chat.example.org")) as receiver:
        yield receiver


@pytest.fixture
def plain() -> Iterator[Receiver]:
    with running_receiver() as receiver:
        yield receiver


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give calls little time: what the tests below do against that would never end."""
    monkeypatch.setattr(outbound, "TOTAL_SECONDS", 1.0)
    monkeypatch.setattr(outbound, "BODY_SECONDS", 0.2)


URL = "https://chat.example.org/hook?x=1"


def test_a_call_arrives(secure: Receiver, trust: None, monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork(monkeypatch, secure)
    network.answers = [[PUBLIC]]
    secure.respond = status(204)
    assert post(URL, body=b"hello", headers={"Content-Type": "text/plain", "TTL": "60"}) == PostResult(204, None)
    (call,) = secure.calls
    assert (call.line, call.body) == ("POST /hook?x=1 HTTP/1.1", b"hello")
    assert call.headers == {
        "host": "chat.example.org", "user-agent": "PUNCT", "content-type": "text/plain", "ttl": "60",
        "content-length": "5", "connection": "close",
    }  # fmt: skip
    assert (network.asked, network.connected) == (["chat.example.org"], [(PUBLIC, 443)])


def test_a_second_resolution_that_leads_elsewhere_is_never_made(
    secure: Receiver, trust: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = FakeNetwork(monkeypatch, secure)
    network.answers = [[PUBLIC], ["127.0.0.1"]]
    post(URL)
    assert (len(network.asked), network.connected) == (1, [(PUBLIC, 443)])
    assert code_of(lambda: post(URL), RefusedAddressError) == "private"
    assert len(network.connected) == 1


@pytest.mark.parametrize("address", PRIVATE[:-4])
def test_one_answer_that_is_private_is_enough(address: str, plain: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork(monkeypatch, plain)
    for answer in ([address], [PUBLIC, address], [address, PUBLIC]):
        network.answers = [answer]
        assert code_of(lambda: post(URL), RefusedAddressError) == "private"
    network.answers = [[f"93.184.216.{number}" for number in range(outbound.MAX_ADDRESSES + 1)]]
    assert code_of(lambda: post(URL), RefusedAddressError) == "private"
    assert (network.connected, plain.connections) == ([], 0)


def test_a_public_name_that_is_an_alias_of_an_inner_one(plain: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A resolver follows CNAMEs by itself: what counts is where they end, whatever the name on the way."""
    network = FakeNetwork(monkeypatch, plain)
    for family, alias, place in (
        (socket.AF_INET, "localhost", ("127.0.0.1", 443)),
        (socket.AF_INET6, "localhost", ("::1", 443, 0, 0)),
        (socket.AF_INET6, "metadata.google.internal", ("::ffff:169.254.169.254", 443, 0, 0)),
        (socket.AF_INET6, "printer.local", ("fe80::1", 443, 0, 2)),
        (socket.AF_INET6, "printer.local", ("fe80::1%eth0", 443, 0, 2)),
    ):
        found = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC, 443)),
            (family, socket.SOCK_STREAM, 6, alias, place),
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *args, found=found, **options: found)
        assert code_of(lambda: post(URL), RefusedAddressError) == "private"
    assert (network.connected, plain.connections) == ([], 0)


def test_a_name_is_judged_again_at_each_call(plain: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was public when it was stored; what a list allows may lead inside, too, by the resolver of somebody else."""
    network = FakeNetwork(monkeypatch, plain)
    for rules in (NO_EXEMPTIONS, AddressRules(("chat.example.org",)), exempt(plain)):
        check_url(URL, rules)
        network.answers = [["10.0.0.1"]]
        assert code_of(lambda rules=rules: post(URL, rules), RefusedAddressError) == "private"  # type: ignore[misc]
    assert code_of(lambda: post(URL, AddressRules(("push.example.com",))), RefusedAddressError) == "list"
    assert (len(network.asked), network.connected) == (3, [])


def test_addresses_that_never_answer_take_no_longer_than_one(
    short: None, plain: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of a host's addresses is silent: all of them together get the time of one call."""
    tried: list[float] = []

    def connect(ip: str, port: int, seconds: float) -> socket.socket:
        tried.append(seconds)
        time.sleep(min(seconds, 0.4))
        raise TimeoutError

    FakeNetwork(monkeypatch, plain).answers = [[f"93.184.216.{number}" for number in range(outbound.MAX_ADDRESSES)]]
    monkeypatch.setattr(outbound, "_connect_to", connect)
    assert code_of(lambda: post(URL), PostError) == "timeout"
    assert len(tried) <= 3 and tried == sorted(tried, reverse=True)


def test_a_host_that_is_not_found(plain: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork(monkeypatch, plain)
    network.answers = [socket.gaierror(-2, "no such host"), UnicodeError("label too long"), []]
    while network.answers:
        assert code_of(lambda: post(URL), PostError) == "name"


def test_the_next_address_is_tried_if_one_cannot_be_reached(
    secure: Receiver, trust: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = FakeNetwork(monkeypatch, secure)
    network.answers = [["2606:2800:220:1::1", PUBLIC]] * 2
    network.unreachable = {"2606:2800:220:1::1"}
    assert post(URL).status == 200
    assert network.connected == [("2606:2800:220:1::1", 443), (PUBLIC, 443)]
    network.unreachable.add(PUBLIC)
    assert code_of(lambda: post(URL), PostError) == "connection"


def test_a_resolver_that_does_not_answer(short: None, plain: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: release.wait() and [])
    assert code_of(lambda: post(URL), PostError) == "timeout"
    release.set()


def test_certificates_that_are_not_valid(
    authority: Authority, trust: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for certificate in (
        authority.issue("other.example.org"),
        authority.issue("*.chat.example.org"),
        authority.issue("chat.example.org", days=-1),
        Authority(tmp_path).issue("chat.example.org"),
    ):
        with running_receiver(certificate) as receiver:
            network = FakeNetwork(monkeypatch, receiver)
            network.answers = [[PUBLIC]]
            assert code_of(lambda: post(URL), PostError) == "certificate"
            assert receiver.calls == []


def test_no_tls_at_all(plain: Receiver, trust: None, short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork(monkeypatch, plain)
    network.answers = [[PUBLIC]]
    assert code_of(lambda: post(URL), PostError) in {"tls", "connection", "timeout"}
    assert plain.calls == []


def test_proxies_of_the_environment_are_not_used(
    secure: Receiver, plain: Receiver, trust: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, f"http://{plain.authority}")
        monkeypatch.setenv(name.upper(), f"http://{plain.authority}")
    network = FakeNetwork(monkeypatch, secure)
    network.answers = [[PUBLIC]]
    assert post(URL).status == 200
    assert (plain.connections, len(secure.calls)) == (0, 1)


# ---------------------------------------------------------------------- what receivers may do


def exempt(receiver: Receiver) -> AddressRules:
    return AddressRules(exempt=(receiver.authority,))


def test_an_exempt_address_is_called_by_http_on_loopback(plain: Receiver) -> None:
    assert post(plain.url, exempt(plain)).status == 200
    assert plain.calls[0].headers["host"] == plain.authority
    assert code_of(lambda: post(plain.url), RefusedAddressError) == "https"


@pytest.mark.parametrize("number", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(number: int, plain: Receiver) -> None:
    with running_receiver() as inner:
        plain.respond = status(number, f"Location: {inner.url}")
        rules = AddressRules(exempt=(plain.authority, inner.authority))
        assert post(plain.url, rules).status == number
        assert (inner.connections, len(plain.calls)) == (0, 1)


ENDLESS_HEADS: list[Respond] = [
    endlessly(b"", b"", 0.05),
    endlessly(b"", b"H", 0.05),
    endlessly(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.05),
    endlessly(b"HTTP/1.1 200 OK\r\nX: ", b"y" * 1000),
    endlessly(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000),
    endlessly(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    endlessly(b"", b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 100),
    endlessly(b"", b"\r\n"),
    endlessly(b"", b"\x00" * 4096),
]


@pytest.mark.parametrize("number", range(len(ENDLESS_HEADS)))
def test_heads_without_end(number: int, plain: Receiver, short: None) -> None:
    plain.respond = ENDLESS_HEADS[number]
    assert code_of(lambda: post(plain.url, exempt(plain)), PostError) in {"timeout", "response"}


@pytest.mark.parametrize("head", [
    b"HTTP/1.1 200 OK\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(10_000_000)),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n",
    b"HTTP/1.1 204 No Content\r\n\r\n",
])  # fmt: skip
@pytest.mark.parametrize(("more", "pause"), [(b"x", 0.05), (b"x" * 65536, 0.0)])
def test_bodies_without_end(head: bytes, more: bytes, pause: float, plain: Receiver, short: None) -> None:
    plain.respond = endlessly(head, more, pause)
    assert post(plain.url, exempt(plain)).status in (200, 204)


def test_a_receiver_that_does_not_read(plain: Receiver, short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        authority = f"127.0.0.1:{deaf.getsockname()[1]}"
        rules = AddressRules(exempt=(authority,))
        for scheme in ("http", "https"):  # nor does it shake hands
            url = f"{scheme}://{authority}/"
            assert code_of(lambda url=url: post(url, rules, b"x" * 65536), PostError) == "timeout"  # type: ignore[misc]


def test_a_handshake_without_end(short: None, trust: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        authority = f"127.0.0.1:{listener.getsockname()[1]}"

        def drip() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"\x16\x03\x03\x3f\xff")  # a long record
                try:
                    while True:
                        connection.sendall(b"\x02")
                        time.sleep(0.05)
                except OSError:
                    return

        thread = threading.Thread(target=drip)
        thread.start()
        url = f"https://{authority}/"
        assert code_of(lambda: post(url, AddressRules(exempt=(authority,))), PostError) in {"timeout", "tls"}
        thread.join()


@pytest.mark.parametrize(
    "response",
    [b"", b"HTTP/1.1\r\n\r\n", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 2000\r\n\r\n", b"HTTP/1.1 099 x\r\n\r\n",
     b"HTTP/1.1 600 x\r\n\r\n", b"200 OK\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"<html>\r\n\r\n", b"HTTP/1.1 101 x\r\n\r\n",
     b"\n\nHTTP/1.1 200 OK\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_response(response: bytes, plain: Receiver) -> None:
    plain.respond = saying(response)
    assert code_of(lambda: post(plain.url, exempt(plain)), PostError) in {"response", "connection"}


def test_a_response_in_pieces_after_interim_ones(plain: Receiver) -> None:
    def respond(connection: socket.socket, end: threading.Event) -> None:
        for byte in b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After:7\r\nContent-Length: 3\r\n\r\nabc":
            connection.sendall(bytes((byte,)))

    plain.respond = respond
    assert post(plain.url, exempt(plain)) == PostResult(429, 7.0)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0.0), ("120", 120.0), ("1.5", 1.5), ("9999999999", outbound.MAX_RETRY_AFTER), ("-5", None), ("soon", None),
     ("inf", None), ("nan", None), ("1e9", None), ("99999999999", None), ("Mon, 99 Nov 2026 00:00:00 GMT", None),
     ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0), ("Fri, 31 Dec 9999 23:59:59 GMT", outbound.MAX_RETRY_AFTER),
     ("Fri, 31 Dec 9999 23:59:59 -2359", outbound.MAX_RETRY_AFTER), ("", None)],
)  # fmt: skip
def test_when_to_call_again(value: str, seconds: float | None, plain: Receiver) -> None:
    plain.respond = status(503, f"Retry-After: {value}")
    assert post(plain.url, exempt(plain)) == PostResult(503, seconds)


def test_when_to_call_again_by_date(plain: Receiver) -> None:
    soon = datetime.now(UTC) + timedelta(minutes=10)
    plain.respond = status(429, f"Retry-After: {email.utils.format_datetime(soon, usegmt=True)}")
    seconds = post(plain.url, exempt(plain)).retry_after
    assert seconds is not None and 0 < seconds <= 600


@pytest.mark.parametrize(
    ("name", "value"),
    [("X", "a\r\nHost: evil"), ("X", "a\nb"), ("X", "a\x00"), ("X\r\nY", "a"), ("X: y\r\nZ", "a"), ("", "a"), ("X", ""),
     ("X ", "a"), ("Host", "evil"), ("content-length", "0"), ("Transfer-Encoding", "chunked"), ("X", " a"), ("X", "ä"),
     ("Connection", "keep-alive")],
)  # fmt: skip
def test_headers_that_would_be_more_than_one(name: str, value: str, plain: Receiver) -> None:
    assert code_of(lambda: post(plain.url, exempt(plain), headers={name: value}), PostError) == "request"
    assert plain.connections == 0


def test_a_body_that_is_too_long(plain: Receiver) -> None:
    assert post(plain.url, exempt(plain), b"x" * outbound.MAX_BODY_BYTES).status == 200
    assert len(plain.calls[0].body) == outbound.MAX_BODY_BYTES
    assert code_of(lambda: post(plain.url, exempt(plain), b"x" * (outbound.MAX_BODY_BYTES + 1)), PostError) == "request"


def test_a_cancelled_call_ends(plain: Receiver) -> None:
    plain.respond = endlessly(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.02)
    cancel = threading.Event()
    timer = threading.Timer(0.1, cancel.set)
    timer.start()
    with pytest.raises(PostError):
        PostJob(plain.url, {}, b"", exempt(plain)).run(lambda value: None, cancel)
    timer.join()


# ---------------------------------------------------------------------- in workers

SECRET_JOB = PostJob("https://chat.example.org/secret", {"Authorization": "secret"}, b"secret")


@pytest.mark.parametrize("kind", [PostJob, HookJob])
def test_a_job_of_any_machine(kind: type[PostJob]) -> None:
    job = kind("https://a.example.org/", {"A": "b"}, b"\x00\xff", AddressRules(("*.example.org",), ("localhost:1",)))
    there = JOB_KINDS[kind].read(JOB_KINDS[kind].write(job))
    assert there == job and type(there) is kind
    assert pickle.loads(pickle.dumps(job)) == job
    for result in (PostResult(200, None), PostResult(429, 1.5)):
        assert JOB_KINDS[kind].unpack(JOB_KINDS[kind].pack(result)) == result


def test_an_error_of_any_machine() -> None:
    for error in (PostError("no answer").about("timeout", ""), RefusedAddressError("inside").about("private", "")):
        for there in (unpack_error(pack_error(error)), pickle.loads(pickle.dumps(error))):
            assert (type(there), str(there), there.code) == (type(error), str(error), error.code)


def test_jobs_run_in_processes_of_their_own(plain: Receiver) -> None:
    plain.respond = status(410)

    async def run() -> PostResult:
        pool = ProcessPool(outbound.LIMITS, 1, preload="punct.server.workers.outbound")
        try:
            with pytest.raises(RefusedAddressError):
                await pool.run(PostJob(plain.url, {}, b""))
            return await pool.run(PostJob(plain.url, {"A": "b"}, b"x", exempt(plain)))
        finally:
            await pool.close()

    assert asyncio.run(run()).status == 410


def test_jobs_run_on_other_machines(
    redis: Redis, plain: Receiver, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        broker, theirs = RedisBroker(redis.address()), RedisBroker(redis.address())
        await broker.start()
        await theirs.start()
        for kind in (PostJob, HookJob):
            processes = ProcessPool(outbound.LIMITS, 1, preload="punct.server.workers.outbound")
            worker = RemoteWorker(redis.address(), theirs, kind, processes)
            working = asyncio.create_task(worker.run())
            pool = RemotePool(broker, kind, outbound.LIMITS)
            assert await pool.run(kind(plain.url, {"A": "b"}, b"\x00\xff", exempt(plain))) == PostResult(200, None)
            with pytest.raises(RefusedAddressError, match="https"):
                await pool.run(kind(plain.url, {}, b""))
            worker.stop()
            await working
            await pool.close()
        await broker.close()
        await theirs.close()

    asyncio.run(run())
    assert [call.body for call in plain.calls] == [b"\x00\xff"] * 2


def test_nothing_of_a_job_gets_into_a_log(caplog: pytest.LogCaptureFixture) -> None:
    from saq import Job as QueuedJob

    assert "secret" not in f"{SECRET_JOB} {SECRET_JOB!r} {HookJob(*vars_of(SECRET_JOB))}"
    queued = QueuedJob("work", key="key", kwargs={"wanted": JOB_KINDS[PostJob].write(SECRET_JOB)})
    assert "secret" in str(queued)
    logging.getLogger("saq").error("Error processing job %s", queued)
    assert "secret" not in caplog.text and "Error processing job" in caplog.text


def vars_of(job: PostJob) -> tuple[Any, ...]:
    return job.url, job.headers, job.body, job.rules
