"""Servers that send mail, on both databases, to a real SMTP server; a test sends what is due, when it wants."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.testclient import TestClient
from tests.server.online_client import PASSWORD, PROOF, Browser
from tests.server.two_player_games import ManualClock
from tests.smtp_server import SmtpServer, link_in, run_smtp

from punct.server.app import create_app
from punct.server.mail import sending
from punct.server.mail.model import MailConfiguration
from punct.server.notifications.service import Notifications
from punct.server.timekeeping.heartbeat import Heartbeat

PUBLIC_URL = "https://punct.example.org"


class MailServer:
    """A server of the game whose notifications a test sends by hand."""

    def __init__(self, client: TestClient, clock: ManualClock, smtp: SmtpServer) -> None:
        self.client, self.clock, self.smtp = client, clock, smtp
        self.notifications: Notifications = client.app.state.services.get(Notifications)  # type: ignore[attr-defined]
        self._count = 0

    def work(self) -> None:
        """Send what is due."""
        assert self.client.portal is not None
        self.client.portal.call(self.notifications.work)

    def account(self, name: str, login: str | None = None) -> Browser:
        """Return the browser of a new account."""
        browser = Browser(self.client)
        made = browser.post("/account", {"login": login or name.lower(), "password": PASSWORD, "name": name})
        assert made.status_code == 201, made.text
        return browser

    def enter_address(self, browser: Browser, address: str) -> str:
        """Enter an address; return the secret of the link that arrives there."""
        entered = browser.send("PUT", "/account/mail", {"address": address, **PROOF})
        assert entered.status_code == 200, entered.text
        self.work()
        (mail,) = (mail for mail in self.smtp.mails if mail["To"] == address)
        self.smtp.mails.remove(mail)
        return link_in(mail, "/verify-mail#")

    def verified_account(self, name: str, address: str | None = None) -> Browser:
        """Return the browser of a new account with a verified address."""
        browser = self.account(name)
        secret = self.enter_address(browser, address or f"{name.lower()}@example.org")
        assert browser.post("/mail/verify", {"secret": secret}).status_code == 204
        return browser


@pytest.fixture
def smtp() -> Iterator[SmtpServer]:
    with run_smtp() as smtp:
        yield smtp


@pytest.fixture
def clock() -> ManualClock:
    clock = ManualClock()
    clock.time = datetime(2026, 11, 16, 9, tzinfo=UTC)  # a Monday morning, far from the evening's mails
    return clock


@pytest.fixture
def server(
    store_url: Any, smtp: SmtpServer, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MailServer]:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    monkeypatch.setattr(sending, "OUTAGE_SECONDS", 0.0)
    monkeypatch.setenv("PUNCT_SMTP_URL", smtp.url)
    with TestClient(create_app(store_url, workers=1, online=True, now=clock, mail=configuration(smtp))) as client:
        yield MailServer(client, clock, smtp)


def configuration(smtp: SmtpServer) -> MailConfiguration:
    """Return the configuration of a server that sends to an SMTP server of the tests."""
    return MailConfiguration(smtp.url, "PÜNCT <punct@example.org>", PUBLIC_URL)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a key and a certificate for localhost, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    start = datetime(2026, 1, 1, tzinfo=UTC)
    built = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=36500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + built.public_bytes(serialization.Encoding.PEM))
    return file
