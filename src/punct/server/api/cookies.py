"""The cookie by which a browser is known: a secret that only it has, signed."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from punct.server.people.players import SESSION

COOKIE: Final = "punct_session"
_HOSTS: Final = "__Host-"
"""Before the name of a cookie that came encrypted: browsers take such a one only encrypted, and from this very host. So
neither a neighbouring site nor whoever listens can put another in its place."""
_FORM: Final = re.compile(r"[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""A secret and its signature, which can be written in one way only: the last letter's two spare bits are nothing."""


class Cookies:
    """Writes cookies and reads them. What is forged is worth no question to the store."""

    def __init__(self, key: str) -> None:
        """Sign with a key."""
        from itsdangerous import BadSignature, Signer  # of no use at home

        self._forged = BadSignature
        derived = Signer(key, salt="punct.session", key_derivation="hmac", digest_method=hashlib.sha256).derive_key()
        self._signer = Signer(derived, key_derivation="none", digest_method=hashlib.sha256)  # derived once for all

    def read(self, headers: Headers, *, secure: bool) -> str | None:
        """Return the secret a browser sends, ``secure``: encrypted; None if none, or one that was not made here."""
        written = cookie_parser(headers.get("cookie", "")).get(_name(secure), "")
        if not _FORM.fullmatch(written):
            return None
        try:
            return self._signer.unsign(written).decode()
        except (self._forged, UnicodeError):
            return None

    def written(self, secret: str, *, secure: bool) -> str:
        """Return the header that gives a browser a secret to keep; ``secure``: to be sent encrypted only."""
        value = self._signer.sign(secret).decode()
        age = int(SESSION.total_seconds())
        return f"{_name(secure)}={value}; Max-Age={age}; {_ATTRIBUTES}{_SECURE if secure else ''}"

    def dropped(self, *, secure: bool) -> str:
        """Return the header that has a browser forget it."""
        return f"{_name(secure)}=; Max-Age=0; {_ATTRIBUTES}{_SECURE if secure else ''}"


def _name(secure: bool) -> str:
    return _HOSTS + COOKIE if secure else COOKIE


_ATTRIBUTES: Final = "Path=/; HttpOnly; SameSite=Lax"
_SECURE: Final = "; Secure"
