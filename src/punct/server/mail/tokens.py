"""Tokens of links that unsubscribe: signed, for one player, one kind of mail and one address.

They never expire, for a mail may lie unread for months; all they can do is stop mails. They are bound to the address,
so that whoever reads an old mailbox has no say over a new one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Final, NamedTuple

_SIGNATURE_BYTES: Final = 16


class UnsubscribeToken(NamedTuple):
    """What a link unsubscribes from, if its signature is right for the player's address."""

    player_id: str
    subscription: str
    signature: bytes


class TokenSigner:
    """Signs and checks tokens with the server's secret key."""

    def __init__(self, key: str) -> None:
        """Derive a key of its own: a signature for something else is none for this."""
        self._key = hmac.digest(key.encode(), b"punct.mail.unsubscribe", "sha256")

    def sign(self, player_id: str, subscription: str, address: str) -> str:
        """Return a token, of characters that a path may have."""
        content = f"{player_id}:{subscription}".encode()
        token = self._signature(player_id, subscription, address) + content
        return base64.urlsafe_b64encode(token).decode().rstrip("=")

    def is_signed(self, token: UnsubscribeToken, address: str) -> bool:
        """Tell whether a token was made by this server, for the address."""
        return hmac.compare_digest(token.signature, self._signature(token.player_id, token.subscription, address))

    def _signature(self, player_id: str, subscription: str, address: str) -> bytes:
        parts = "\n".join((player_id, subscription, address)).encode()
        return hmac.digest(self._key, hashlib.sha256(parts).digest(), "sha256")[:_SIGNATURE_BYTES]


def read_token(token: str) -> UnsubscribeToken | None:
    """Return what a token says, whoever has made it; None if it is none."""
    try:
        content = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        player_id, _, subscription = content[_SIGNATURE_BYTES:].decode("ascii").partition(":")
    except (binascii.Error, ValueError):
        return None
    return UnsubscribeToken(player_id, subscription, content[:_SIGNATURE_BYTES]) if subscription else None
