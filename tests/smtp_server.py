"""A real SMTP server on loopback, which reads what arrives, and says and does what a test wants."""

from __future__ import annotations

import asyncio
import re
import ssl
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from tests.polling import wait_until

USER, PASSWORD = "punct", "p@ss/word"


class SmtpServer:
    """The mails that have arrived, and the answers to the next ones."""

    def __init__(self) -> None:
        self.port = 0
        self.mails: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.senders: list[str] = []
        self.logins: list[str] = []
        self.connections = 0
        self.mail_answers: list[str] = []
        """What MAIL is answered with, in turn, before mails are accepted again."""
        self.recipient_answers: list[str] = []
        self.data_answers: list[str] = []
        self.is_silent = False
        """Whether it accepts mails and never answers."""

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def wait_for(self, count: int) -> list[EmailMessage]:
        """Wait for a number of mails, and return all."""
        wait_until(lambda: len(self.mails) >= count)
        assert len(self.mails) == count, [str(mail["Subject"]) for mail in self.mails]
        return self.mails

    def take(self, count: int = 1) -> list[EmailMessage]:
        """Wait for some mails, and forget them."""
        mails = [*self.wait_for(count)]
        self.mails.clear()
        return mails

    # ------------------------------------------------------------------ aiosmtpd's hooks

    async def handle_MAIL(  # noqa: N802  # the library's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.mail_answers:
            return self.mail_answers.pop(0)
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.is_silent:
            await asyncio.sleep(3600)
        if self.recipient_answers:
            return self.recipient_answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.data_answers:
            return self.data_answers.pop(0)
        assert isinstance(envelope.content, bytes) and envelope.content.isascii()
        self.senders.append(envelope.mail_from or "")
        self.recipients += envelope.rcpt_tos
        mail = message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage) and not mail.defects
        self.mails.append(mail)
        return "250 OK"

    def authenticate(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append(data.login.decode())
        is_right = (data.login.decode(), data.password.decode()) == (USER, PASSWORD)
        return AuthResult(success=is_right, handled=False)


@contextmanager
def run_smtp(tls: ssl.SSLContext | None = None, *, starttls: bool = False) -> Iterator[SmtpServer]:
    """Run a server in a thread of its own, with TLS from the first byte or after STARTTLS if a context is given."""
    server = SmtpServer()
    loop, ready, end = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    protocols: list[SMTP] = []

    def protocol() -> SMTP:
        server.connections += 1
        with warnings.catch_warnings(action="ignore"):  # of logins without TLS: it does not know of TLS from the start
            protocols.append(SMTP(
                server,
                loop=loop,
                hostname="mail.example.org",
                enable_SMTPUTF8=False,
                tls_context=tls if starttls else None,
                require_starttls=starttls,
                authenticator=server.authenticate if tls is not None else None,
                auth_required=tls is not None,
                auth_require_tls=starttls,
            ))  # fmt: skip
        return protocols[-1]

    async def serve() -> None:
        listener = await loop.create_server(protocol, "127.0.0.1", 0, ssl=None if starttls else tls)
        server.port = listener.sockets[0].getsockname()[1]
        ready.set()
        await end.wait()
        listener.close()
        connections = asyncio.all_tasks() - {asyncio.current_task()}
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        for each in protocols:  # a client that hung up leaves its socket open here, and no TLS waits for its farewell
            for transport in (each.transport, each._original_transport):
                if isinstance(transport, asyncio.Transport):
                    transport.abort()
        for _ in range(3):  # until the loop has closed them
            await asyncio.sleep(0)

    def run() -> None:
        loop.run_until_complete(serve())
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()


def text_of(mail: EmailMessage) -> str:
    """Return a mail's plain text."""
    return _part(mail, "plain")


def html_of(mail: EmailMessage) -> str:
    """Return a mail's HTML."""
    return _part(mail, "html")


def link_in(mail: EmailMessage, path: str) -> str:
    """Return what follows a path in the one link in a mail that begins with it, which both parts have."""
    pattern = re.compile(rf"https://[^/\s\"]+{re.escape(path)}([^\s\"<]*)")
    (in_text,), (in_html,) = set(pattern.findall(text_of(mail))), set(pattern.findall(html_of(mail)))
    assert in_text == in_html
    return str(in_text)


def _part(mail: EmailMessage, kind: str) -> str:
    assert mail.get_content_type() == "multipart/alternative"
    (part,) = (part for part in mail.iter_parts() if part.get_content_subtype() == kind)
    assert isinstance(part, EmailMessage)
    return str(part.get_content()).replace("\r\n", "\n")
