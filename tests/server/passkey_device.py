"""A software authenticator: it creates passkeys and signs challenges with them."""

from __future__ import annotations

import hashlib
import json
import struct
from http.cookies import SimpleCookie
from typing import Any

import cbor2
import httpx2 as httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from tests.server.online_client import ORIGIN, Browser
from webauthn.helpers import bytes_to_base64url

USER_VERIFIED, WITH_KEY = 0b101, 0b1000000


class PasskeyDevice:
    """Holds one key, and verifies its user each time."""

    def __init__(self, number: int = 1) -> None:
        self.key = ec.derive_private_key(0xC0FFEE + number, ec.SECP256R1())
        self.id = hashlib.sha256(f"device {number}".encode()).digest()
        self.uses = 0

    def make(self, options: Any, *, origin: str = ORIGIN, site: str | None = None) -> dict[str, Any]:
        """Answer ``navigator.credentials.create``."""
        public = self.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        data = self._data(site or options["rp"]["id"], USER_VERIFIED | WITH_KEY)
        data += bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options, origin)
        return self._credential(clientDataJSON=client, attestationObject=attestation)

    def prove(
        self, options: Any, *, origin: str = ORIGIN, site: str | None = None, flags: int = USER_VERIFIED
    ) -> dict[str, Any]:
        """Answer ``navigator.credentials.get``."""
        self.uses += 1
        data = self._data(site or options["rpId"], flags)
        client = self._client("webauthn.get", options, origin)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._credential(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _data(self, site: str, flags: int) -> bytes:
        return hashlib.sha256(site.encode()).digest() + struct.pack(">BI", flags, self.uses)

    def _client(self, kind: str, options: Any, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": origin}).encode()

    def _credential(self, **response: bytes) -> dict[str, Any]:
        credential_id = bytes_to_base64url(self.id)
        encoded = {part: bytes_to_base64url(value) for part, value in response.items()}
        return {
            "id": credential_id,
            "rawId": credential_id,
            "type": "public-key",
            "response": encoded,
            "clientExtensionResults": {},
        }


def request_options(browser: Browser, path: str, body: object = None) -> tuple[Any, str]:
    """Return the options of a ceremony, and the cookie that holds its challenge."""
    response = browser.post(f"{path}/options", body)
    assert response.status_code == 200, response.text
    cookies = SimpleCookie("; ".join(response.headers.get_list("set-cookie")))
    return response.json(), cookies["punct_passkey"].value


def send_response(
    browser: Browser, path: str, body: object, challenge_cookie: str, method: str = "POST"
) -> httpx.Response:
    own = f"punct_session={browser.cookie}; " if browser.cookie else ""
    return browser.send(method, path, body, cookie=f"{own}punct_passkey={challenge_cookie}")
