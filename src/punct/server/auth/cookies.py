"""The session cookie: a random secret, signed."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from punct.server.auth.sessions import SESSION_DURATION

COOKIE_NAME: Final = "punct_session"
_HOST_PREFIX: Final = "__Host-"
"""Before the cookie's name over HTTPS: browsers accept such a cookie only over HTTPS, and from this very host. So
neither a neighbouring site nor an eavesdropper can replace it."""
_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""A secret and its signature, in the one canonical base64 form: the two spare bits of the last letter are zero."""
_ATTRIBUTES: Final = "Path=/; HttpOnly; SameSite=Lax"


class Cookies:
    """Writes and reads session cookies. A forged cookie is recognised by its signature, without asking the store."""

    def __init__(self, key: str) -> None:
        """Sign with a key."""
        from itsdangerous import BadSignature, Signer  # a server at home does without

        self._bad_signature = BadSignature
        derived = Signer(key, salt="punct.session", key_derivation="hmac", digest_method=hashlib.sha256).derive_key()
        self._signer = Signer(derived, key_derivation="none", digest_method=hashlib.sha256)  # derives the key only once

    def read(self, headers: Headers, *, secure: bool) -> str | None:
        """Return the secret in a request's cookie; None without a cookie, or if this server has not signed it."""
        value = cookie_parser(headers.get("cookie", "")).get(_name(secure), "")
        if not _PATTERN.fullmatch(value):
            return None
        try:
            return self._signer.unsign(value).decode()
        except (self._bad_signature, UnicodeError):
            return None

    def set_header(self, secret: str, *, secure: bool) -> str:
        """Return the ``Set-Cookie`` header that gives a browser a secret; ``secure``: to be sent over HTTPS only."""
        value = self._signer.sign(secret).decode()
        return _header(value, int(SESSION_DURATION.total_seconds()), secure)

    def delete_header(self, *, secure: bool) -> str:
        """Return the ``Set-Cookie`` header that has a browser delete its cookie."""
        return _header("", 0, secure)


def _name(secure: bool) -> str:
    return _HOST_PREFIX + COOKIE_NAME if secure else COOKIE_NAME


def _header(value: str, max_age: int, secure: bool) -> str:
    return f"{_name(secure)}={value}; Max-Age={max_age}; {_ATTRIBUTES}{'; Secure' if secure else ''}"
