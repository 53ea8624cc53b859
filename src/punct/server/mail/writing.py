"""Writes mails as MIME: plain text and simple HTML, with the headers that mail clients look for.

The HTML is our own: no pictures, nothing loaded from anywhere, nothing that tells whether it was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from html import escape
from typing import Final

from punct.server.mail.model import Letter, Link, MailConfiguration, Row

MAX_SUBJECT: Final = 150
_NO_LINK: Final = re.compile(r"([.:@])(?=[\w/])")
_WORD_JOINER: Final = "\u2060"


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a mail is besides its content."""

    recipient: str
    language: str
    message_id: str
    """The part before ``@``: the same whenever this mail is sent again, so that mail clients show it once."""
    date: datetime
    topic: str
    """What sort of mail it is, for the statistics of large mail providers (``Feedback-ID``)."""
    unsubscribe_url: str | None = None
    """None for mails about the account itself."""
    thread: str | None = None
    """Mails with the same thread are shown together."""


class _VerbatimHeader(UnstructuredHeader):
    """A header of ASCII without blanks: the library would make encoded words of a long one, which no program reads."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"  # type: ignore[attr-defined]  # of BaseHeader, as below


_HEADERS: Final = HeaderRegistry()
for _name in ("list-unsubscribe", "references"):
    _HEADERS.map_to_type(_name, _VerbatimHeader)  # type: ignore[arg-type]  # the registry mixes it with BaseHeader
_POLICY: Final = SMTP.clone(header_factory=_HEADERS)


def plain(words: str) -> str:
    """Return words that others have chosen on one line, so that no mail client makes a link of them."""
    return _NO_LINK.sub(rf"\1{_WORD_JOINER}", " ".join(words.split()))


def write_mail(configuration: MailConfiguration, envelope: Envelope, letter: Letter) -> str:
    """Return a mail as it goes over the wire, in ASCII."""
    domain = configuration.sender_address.rpartition("@")[2]
    message = EmailMessage(policy=_POLICY)
    message["From"] = Address(configuration.sender_name, addr_spec=configuration.sender_address)
    message["To"] = Address(addr_spec=envelope.recipient)
    message["Subject"] = " ".join(letter.subject.split())[:MAX_SUBJECT]
    message["Date"] = envelope.date
    message["Message-ID"] = f"<{envelope.message_id}@{domain}>"
    for name, value in _headers(envelope, domain).items():
        message[name] = value
    message.set_content(_as_text(letter), cte="quoted-printable")
    message.add_alternative(_as_html(letter, envelope.language), subtype="html", cte="quoted-printable")
    message["Content-Language"] = envelope.language  # not before: headers of content move to the first part
    return message.as_bytes().decode("ascii")


def _headers(envelope: Envelope, domain: str) -> Mapping[str, str]:
    headers = {
        "Auto-Submitted": "auto-generated",  # RFC 3834: nobody's holiday notice answers it
        "X-Auto-Response-Suppress": "All",  # the same for Exchange
        "Feedback-ID": f"{envelope.topic}:punct:{domain}",
    }
    if envelope.thread is not None:
        headers["References"] = f"<{envelope.thread}@{domain}>"
    if envelope.unsubscribe_url is not None:
        headers |= {
            "List-Unsubscribe": f"<{envelope.unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",  # RFC 8058
            "Precedence": "bulk",
        }
    return headers


def _as_text(letter: Letter) -> str:
    parts = list(letter.paragraphs)
    parts += [f"{row.title}\n{row.detail}\n{row.url}" for row in letter.rows]
    if letter.button is not None:
        parts.append(f"{letter.button.text}:\n{letter.button.url}")
    parts += letter.notes
    if letter.links:
        parts.append("-- \n" + "\n".join(f"{link.text}: {link.url}" for link in letter.links))
    return "\n\n".join(parts) + "\n"


def _as_html(letter: Letter, language: str) -> str:
    parts = [f"<p>{escape(paragraph)}</p>" for paragraph in letter.paragraphs]
    if letter.rows:
        parts.append(f"<ul>{''.join(_row(row) for row in letter.rows)}</ul>")
    if letter.button is not None:
        parts.append(f'<p><a class="button" href="{escape(letter.button.url)}">{escape(letter.button.text)}</a></p>')
    parts += [f'<p class="soft">{escape(note)}</p>' for note in letter.notes]
    if letter.links:
        parts.append(f'<p class="soft links">{" · ".join(_link(link) for link in letter.links)}</p>')
    return _PAGE.format(language=language, title=escape(letter.subject), style=_STYLE, content="\n".join(parts))


def _row(row: Row) -> str:
    detail = f'<br><span class="soft">{escape(row.detail)}</span>' if row.detail else ""
    return f'<li><a href="{escape(row.url)}">{escape(row.title)}</a>{detail}</li>'


def _link(link: Link) -> str:
    return f'<a href="{escape(link.url)}">{escape(link.text)}</a>'


_PAGE: Final = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div class="mail">
<h1>{title}</h1>
{content}
</div>
</body>
</html>
"""
_STYLE: Final = """
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; background: #f4f1ea; color: #24211c; font: 16px/1.5 system-ui, sans-serif; }
.mail { max-width: 520px; margin: 0 auto; padding: 24px; border-radius: 12px; background: #ffffff; }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
ul { margin: 0 0 16px; padding: 0; list-style: none; }
li { padding: 10px 0; border-top: 1px solid #ddd6c8; }
a { color: #0d6b63; }
.button { display: inline-block; padding: 12px 20px; border-radius: 8px; background: #0d6b63; color: #ffffff;
  font-weight: 600; text-decoration: none; }
.soft { color: #5d574c; font-size: 14px; }
.links { margin: 24px 0 0; padding-top: 16px; border-top: 1px solid #ddd6c8; }
@media (prefers-color-scheme: dark) {
  body { background: #191714; color: #eee8dd; }
  .mail { background: #24211d; }
  li, .links { border-color: #464038; }
  a { color: #63c6b8; }
  .button { background: #63c6b8; color: #24211d; }
  .soft { color: #b8b0a2; }
}
"""
