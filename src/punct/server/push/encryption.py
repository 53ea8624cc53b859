"""Encrypts messages for a browser (RFC 8291), and signs requests to its push service (RFC 8292, VAPID)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from punct.server.push.errors import BadSubscriptionError
from punct.server.push.model import Subscription

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

MAX_CONTENT_BYTES: Final = 3993
"""Push services take 4096 bytes: these, and what encryption adds."""
_SIGNATURE_LIFETIME: Final = timedelta(hours=12)
"""A push service accepts at most a day."""
_SIGNATURE_REUSE: Final = timedelta(hours=6)
_MAX_SIGNATURES: Final = 100
_PUBLIC_KEY_BYTES: Final = 65
_AUTH_BYTES: Final = 16
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the group of points of P-256: private keys are less."""


class ServerKey:
    """The key pair by which push services and browsers know the server."""

    def __init__(self, secret: str, contact: str) -> None:
        """Derive the pair from a secret. ``contact`` is where operators of push services reach that of the server."""
        self._secret, self._contact = secret, contact
        self._private_key: EllipticCurvePrivateKey | None = None
        self._signatures: dict[str, tuple[datetime, str]] = {}

    @property
    def public_key(self) -> str:
        """The public key, in base64url, as browsers take it to subscribe. The first call takes a moment."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        public_key = self._pair().public_key()
        return to_base64url(public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def authorization(self, endpoint: str, now: datetime) -> str:
        """Return the ``Authorization`` header for a subscription's address. For a thread: it signs."""
        parts = urlsplit(endpoint)
        audience = f"{parts.scheme}://{parts.netloc}"
        signed, signature = self._signatures.get(audience, (None, ""))
        if signed is None or not signed <= now < signed + _SIGNATURE_REUSE:
            signature = self._sign(audience, now)
            if len(self._signatures) >= _MAX_SIGNATURES:
                self._signatures.clear()
            self._signatures[audience] = (now, signature)
        return f"vapid t={signature}, k={self.public_key}"

    def _sign(self, audience: str, now: datetime) -> str:
        """Return the JSON Web Token for a push service, signed with ES256."""
        from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.hashes import SHA256

        expires = int((now + _SIGNATURE_LIFETIME).timestamp())
        head: dict[str, object] = {"typ": "JWT", "alg": "ES256"}
        claims: dict[str, object] = {"aud": audience, "exp": expires, "sub": self._contact}
        content = ".".join(_json(part) for part in (head, claims))
        r, s = decode_dss_signature(self._pair().sign(content.encode(), ECDSA(SHA256())))
        return f"{content}.{to_base64url(r.to_bytes(32) + s.to_bytes(32))}"

    def _pair(self) -> EllipticCurvePrivateKey:
        if self._private_key is None:
            from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

            number = int.from_bytes(hashlib.sha512(self._secret.encode()).digest())
            self._private_key = derive_private_key(number % (_ORDER - 1) + 1, SECP256R1())
        return self._private_key


def encrypt(content: bytes, subscription: Subscription) -> bytes:
    """Return a message that only the subscription's browser can read. For a thread: it takes part of a millisecond."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    if len(content) > MAX_CONTENT_BYTES:
        raise ValueError(f"{len(content)} bytes are too many for a push message")
    body: bytes = http_ece.encrypt(
        content,
        private_key=generate_private_key(SECP256R1()),
        dh=from_base64url(subscription.p256dh),
        auth_secret=from_base64url(subscription.auth),
        version="aes128gcm",
    )
    return body


def check_keys(subscription: Subscription) -> None:
    """Raise BadSubscriptionError if nothing can be encrypted with a subscription's keys."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    try:
        public_key, auth = from_base64url(subscription.p256dh), from_base64url(subscription.auth)
        if len(public_key) != _PUBLIC_KEY_BYTES or len(auth) != _AUTH_BYTES:
            raise ValueError
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), public_key)
    except ValueError:
        raise BadSubscriptionError("These are not the keys of a push subscription.") from None


def to_base64url(content: bytes) -> str:
    """Return bytes as URLs and web tokens have them."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Return the bytes of such a text; raises ValueError."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _json(content: dict[str, object]) -> str:
    return to_base64url(json.dumps(content, separators=(",", ":")).encode())
