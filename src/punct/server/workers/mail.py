"""Jobs that send a mail over SMTP: a mail server may take its time, or never answer.

The mail server and its password are in the environment (``PUNCT_SMTP_URL``) of every process that sends, and in no job.
What a mail says, and to whom, is encrypted with a key made of that variable: it may hold the link that resets a
password, and jobs go through Redis. So access to Redis lets nobody read mails, or send any.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import ipaddress
import os
import smtplib
import ssl
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from punct.server.workers.process import ReportProgress, WorkerLimits

SMTP_URL: Final = "PUNCT_SMTP_URL"
"""The variable with the mail server's address."""
LIMITS: Final = WorkerLimits(seconds=40.0, memory_mb=512)
PROCESSES: Final = 1
"""That send at a time: a mail takes some tenths of a second, and only a process itself knows what it has sent."""
MAX_REMEMBERED: Final = 1000
"""Jobs whose mails were sent: the queue may give a job out again that it believes to be lost."""
TIMEOUT_SECONDS: Final = 15.0
"""For each answer of the mail server."""
MAX_JOB_SECONDS: Final = 600
"""A job that is older is not done: nobody can send a mail again that was sent long ago."""
_MAX_IDLE_SECONDS: Final = 20.0
"""How long a connection to the mail server is kept for the next mail."""
_SEPARATOR: Final = "\0"

Outcome = Literal["sent", "later", "no_mailbox", "refused", "unreachable"]
"""``later``: the mail server wants to be asked again. ``no_mailbox``: it does not deliver to this address, ``refused``:
it does not want this mail. ``unreachable``: it does not answer, or lets nobody in."""


class SmtpUrlError(ValueError):
    """The address of the mail server is malformed. The message is for the operator and has no password in it."""


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """The mail server that the operator has named."""

    host: str
    port: int
    is_tls: bool
    """Whether it speaks TLS from the first byte; else after STARTTLS."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, url: str) -> SmtpServer:
        """Return the server of a URL such as ``smtps://USER:PASSWORD@HOST:PORT``; raises SmtpUrlError."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise SmtpUrlError("its host or port is malformed") from None
        if parts.scheme not in ("smtp", "smtps"):
            raise SmtpUrlError("it must begin with smtps:// or smtp://")
        if not host or parts.path not in ("", "/") or parts.query or parts.fragment:
            raise SmtpUrlError("it must be smtps://USER:PASSWORD@HOST:PORT; write / ? # : @ in a password as %2F …")
        if bool(parts.username) != bool(parts.password):
            raise SmtpUrlError("it must have both a user and a password, or neither")
        is_tls = parts.scheme == "smtps"
        default_port = 465 if is_tls else 25 if _is_this_machine(host) else 587
        user, password = (None if part is None else unquote(part) for part in (parts.username, parts.password))
        if not f"{user}{password}".isascii():
            raise SmtpUrlError("its user and password may have only ASCII characters")
        return cls(host, port or default_port, is_tls, user or None, password or None)

    @property
    def needs_encryption(self) -> bool:
        """Whether a mail is sent only over TLS: always, except to a mail server on this machine."""
        return not _is_this_machine(self.host)


@dataclass(frozen=True, slots=True)
class MailResult:
    """What became of a mail."""

    outcome: Outcome
    reason: str = ""
    """For the log, without the address."""


@dataclass(frozen=True, slots=True)
class MailJob:
    """Sends one mail."""

    sealed: str
    """Sender, recipient and content, encrypted: see ``seal``."""

    def run(self, report: ReportProgress, cancel: threading.Event) -> MailResult:
        """Return what the mail server has answered."""
        from cryptography.fernet import InvalidToken

        digest = hashlib.sha256(self.sealed.encode()).digest()
        if digest in _sent:
            return MailResult("sent")
        url = os.environ.get(SMTP_URL)
        if not url:
            return MailResult("unreachable", f"{SMTP_URL} is not set where mails are sent")
        try:
            sender, recipient, content = _open(self.sealed, url)
        except InvalidToken:
            return MailResult("unreachable", f"{SMTP_URL} is another one where mails are sent, or this one is too old")
        result = _connection.send(SmtpServer.parse(url), sender, recipient, content)
        if result.outcome == "sent":
            _sent.append(digest)
        return result


def seal(url: str, sender: str, recipient: str, content: str) -> MailJob:
    """Return the job that sends a mail, encrypted for those who know the mail server's URL."""
    from cryptography.fernet import Fernet

    text = _SEPARATOR.join((sender, recipient, content))
    return MailJob(Fernet(_key(url)).encrypt(text.encode()).decode())


def _open(sealed: str, url: str) -> tuple[str, str, str]:
    from cryptography.fernet import Fernet

    text = Fernet(_key(url)).decrypt(sealed.encode(), ttl=MAX_JOB_SECONDS).decode()
    sender, recipient, content = text.split(_SEPARATOR, 2)
    return sender, recipient, content


def _key(url: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(b"punct mail " + url.encode()).digest())


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _RefusedError(Exception):
    """The mail server has answered a command with an error."""

    def __init__(self, step: str, code: int, reply: bytes) -> None:
        super().__init__(step)
        self.step, self.code = step, code
        self.enhanced_code = reply.split(maxsplit=1)[0].decode("ascii", "replace") if reply.split() else ""

    def result(self) -> MailResult:
        """Return what this means for the mail."""
        reason = f"{self.step} was answered with {self.code} {self.enhanced_code[:12]}".strip()
        if self.code < 500 or self.step == "MAIL":  # the sender's address is the operator's fault: the mail waits
            return MailResult("later", reason)
        # 5.7 is a refusal for reasons of policy, which says nothing about the mailbox (RFC 3463).
        if self.step == "RCPT" and not self.enhanced_code.startswith("5.7"):
            return MailResult("no_mailbox", reason)
        return MailResult("refused", reason)


class _Connection:
    """The connection of this process, kept for a while: logging in takes longer than sending a mail."""

    def __init__(self) -> None:
        self._server: SmtpServer | None = None
        self._smtp: smtplib.SMTP | None = None
        self._used = 0.0

    def send(self, server: SmtpServer, sender: str, recipient: str, content: str) -> MailResult:
        """Send a mail."""
        try:
            smtp = self._open(server, sender.rpartition("@")[2])
            _send(smtp, sender, recipient, content)
        except _RefusedError as error:
            if error.code == 421:  # the server closes the connection
                self._close()
            return error.result()
        except smtplib.SMTPResponseException as error:  # while connecting or logging in
            self._close()
            return MailResult("unreachable", f"the mail server answers {error.smtp_code}: {type(error).__name__}")
        except (OSError, smtplib.SMTPException) as error:
            self._close()
            return MailResult("unreachable", f"{type(error).__name__}: {error}")
        self._used = time.monotonic()
        return MailResult("sent")

    def _open(self, server: SmtpServer, own_name: str) -> smtplib.SMTP:
        """Return a connection that is ready for a mail: the last one, if it still answers."""
        if self._smtp is not None:
            if self._server == server and time.monotonic() - self._used < _MAX_IDLE_SECONDS:
                with contextlib.suppress(OSError, smtplib.SMTPException):
                    if self._smtp.rset()[0] == 250:
                        return self._smtp
            self._close()
        self._server, self._smtp = server, _connect(server, own_name)
        return self._smtp

    def _close(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()


_connection: Final = _Connection()
_sent: Final[deque[bytes]] = deque(maxlen=MAX_REMEMBERED)


def _connect(server: SmtpServer, own_name: str) -> smtplib.SMTP:
    """Return a connection to the mail server, encrypted and logged in."""
    context = ssl.create_default_context()
    if server.is_tls:
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, local_hostname=own_name, timeout=TIMEOUT_SECONDS, context=context
        )
    else:
        smtp = smtplib.SMTP(server.host, server.port, local_hostname=own_name, timeout=TIMEOUT_SECONDS)
    try:
        smtp.ehlo_or_helo_if_needed()
        if not server.is_tls and (server.needs_encryption or smtp.has_extn("starttls")):
            smtp.starttls(context=context)
            smtp.ehlo_or_helo_if_needed()
        if server.user is not None and server.password is not None:
            smtp.login(server.user, server.password)
    except BaseException:
        smtp.close()
        raise
    return smtp


def _send(smtp: smtplib.SMTP, sender: str, recipient: str, content: str) -> None:
    """Send a mail over a connection; raises _RefusedError."""
    code, reply = smtp.mail(sender)
    if code != 250:
        raise _RefusedError("MAIL", code, reply)
    code, reply = smtp.rcpt(recipient)
    if code not in (250, 251):
        raise _RefusedError("RCPT", code, reply)
    try:
        code, reply = smtp.data(content.encode("ascii"))
    except smtplib.SMTPDataError as error:  # DATA itself was refused
        reply = error.smtp_error if isinstance(error.smtp_error, bytes) else error.smtp_error.encode()
        raise _RefusedError("DATA", error.smtp_code, reply) from None
    if code != 250:
        raise _RefusedError("DATA", code, reply)
