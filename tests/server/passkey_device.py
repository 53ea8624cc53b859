"""A device that makes passkeys and proves with them who its owner is, written out here."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from tests.server.online_client import ORIGIN
from webauthn.helpers import bytes_to_base64url

VERIFIED, WITH_KEY = 0b101, 0b1000000


class Device:
    """Has a key, asks its owner's finger, and answers."""

    def __init__(self, number: int = 1) -> None:
        self.key = ec.derive_private_key(0xC0FFEE + number, ec.SECP256R1())
        self.id = hashlib.sha256(f"device {number}".encode()).digest()
        self.uses = 0

    def make(self, options: Any, *, origin: str = ORIGIN, site: str | None = None) -> dict[str, Any]:
        """Answer ``navigator.credentials.create``."""
        public = self.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        data = self._data(site or options["rp"]["id"], VERIFIED | WITH_KEY)
        data += bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options, origin)
        return self._answer(clientDataJSON=client, attestationObject=attestation)

    def prove(
        self, options: Any, *, origin: str = ORIGIN, site: str | None = None, flags: int = VERIFIED
    ) -> dict[str, Any]:
        """Answer ``navigator.credentials.get``."""
        self.uses += 1
        data = self._data(site or options["rpId"], flags)
        client = self._client("webauthn.get", options, origin)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _data(self, site: str, flags: int) -> bytes:
        return hashlib.sha256(site.encode()).digest() + struct.pack(">BI", flags, self.uses)

    def _client(self, kind: str, options: Any, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": origin}).encode()

    def _answer(self, **response: bytes) -> dict[str, Any]:
        name = bytes_to_base64url(self.id)
        written = {part: bytes_to_base64url(value) for part, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": written, "clientExtensionResults": {}}
