"""The data model of mail: its configuration, players' addresses, and what a mail consists of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.utils import parseaddr
from typing import Final, Literal

from punct.server.db.outbox import NoticeKind
from punct.server.mail.addresses import clean_address
from punct.server.mail.errors import InvalidAddressError
from punct.server.workers.mail import SMTP_URL, SmtpServer, SmtpUrlError

MAIL_FROM: Final = "PUNCT_MAIL_FROM"
"""The variable with the address that mails come from."""
AT_ONCE: Final[frozenset[NoticeKind]] = frozenset({"time", "seat", "challenge", "wanted", "appointment", "reminder"})
"""What cannot wait for a day: time that runs out, a clock that runs without the player knowing, and what somebody else
waits for. Everything else is in the digest."""
Subscription = NoticeKind | Literal["digest"]
"""What a link unsubscribes from."""
LetterKind = Literal["verify", "reset", "changed", "removed"]
"""Mails about the account itself: they cannot be switched off."""


class MailConfigurationError(Exception):
    """The operator's settings for mail are wrong. The message is for the operator."""


@dataclass(frozen=True, slots=True)
class MailConfiguration:
    """How this server sends mail."""

    smtp_url: str = field(repr=False)
    sender: str
    """The address that mails come from, perhaps with a name: ``PÜNCT <punct@example.org>``."""
    public_url: str
    """Where players reach the server, as ``https://punct.example.org``: links begin with it."""

    @property
    def sender_address(self) -> str:
        """The address alone."""
        return parseaddr(self.sender)[1]

    @property
    def sender_name(self) -> str:
        """The name alone."""
        return parseaddr(self.sender)[0] or "PÜNCT"

    @property
    def has_password(self) -> bool:
        """Whether the mail server asks for a password, and so may be used from any machine."""
        return SmtpServer.parse(self.smtp_url).password is not None

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str], names: Collection[str], *, online: bool
    ) -> MailConfiguration | None:
        """Return the configuration; None if no mail server is named, or at home. Raises MailConfigurationError."""
        smtp_url, sender = environment.get(SMTP_URL, ""), environment.get(MAIL_FROM, "")
        if not smtp_url or not online:
            return None
        try:
            SmtpServer.parse(smtp_url)
        except SmtpUrlError as error:
            raise MailConfigurationError(f"{SMTP_URL} is wrong: {error}") from None
        name, address = parseaddr(sender)
        try:
            if address != clean_address(address) or not sender.isprintable():
                raise InvalidAddressError("It is not written as mail servers write it.")
            Address(name, addr_spec=address)
        except (InvalidAddressError, ValueError):
            raise MailConfigurationError(
                f"{MAIL_FROM} must be the address that mails come from, as PÜNCT <punct@example.org>"
            ) from None
        if not names:
            raise MailConfigurationError("links in mails need the name that people reach the server by: give --name")
        return cls(smtp_url, sender, f"https://{next(iter(names))}")


@dataclass(frozen=True, slots=True)
class StoredAddress:
    """A player's mail address."""

    address: str
    verified: datetime | None
    """None until its link was opened."""


@dataclass(frozen=True, slots=True)
class News:
    """What a digest tells besides the games that wait."""

    title: str
    body: str
    path: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a mail that leads somewhere."""

    title: str
    detail: str
    url: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link with its words."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says."""

    subject: str
    paragraphs: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    button: Link | None = None
    notes: tuple[str, ...] = ()
    """Below it, in small letters."""
    links: tuple[Link, ...] = ()
    """Below those."""
