"""Passkeys: made and used by a device that is written out here, and nothing that only looks like it."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

import cbor2
import httpx2 as httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from .helpers import ORIGIN, Browser, refused
from .test_accounts import account, log_in

New = Callable[[], Browser]
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


def ask(browser: Browser, path: str) -> tuple[Any, str]:
    """Return the options, and the cookie that keeps what was asked."""
    answer = browser.post(f"{path}/options")
    assert answer.status_code == 200, answer.text
    cookies = SimpleCookie("; ".join(answer.headers.get_list("set-cookie")))
    return answer.json(), cookies["punct_passkey"].value


def send(browser: Browser, path: str, body: object, asked: str) -> httpx.Response:
    own = f"punct_session={browser.cookie}; " if browser.cookie else ""
    return browser.post(path, body, cookie=f"{own}punct_passkey={asked}")


def test_a_passkey_is_made_and_opens_the_account(browser: New) -> None:
    anna, _ = account(browser, name="Anna")
    device = Device()
    options, asked = ask(anna, "/passkeys")
    assert options["rp"] == {"id": "testserver", "name": "PÜNCT"} and options["user"]["displayName"] == "Anna"
    made = send(anna, "/passkeys", device.make(options), asked)
    assert made.status_code == 201, made.text
    assert anna.get("/passkeys").json()["passkeys"] == [made.json()]
    again, _ = ask(anna, "/passkeys")
    assert [known["id"] for known in again["excludeCredentials"]] == [made.json()["id"]]

    phone = browser()
    phone.post("/me", {"name": "Guest"})
    options, asked = ask(phone, "/session/passkey")
    proof = device.prove(options)
    assert send(phone, "/session/passkey", proof, asked).json()["player"] == anna.me()
    assert phone.me() == anna.me()
    # The same proof again, as somebody might who had listened.
    assert refused(send(browser(), "/session/passkey", proof, asked)) == (401, "bad_passkey")

    assert refused(phone.delete("/passkeys/nobodys")) == (401, "bad_passkey")
    assert phone.delete(f"/passkeys/{made.json()['id']}").status_code == 204
    options, asked = ask(browser(), "/session/passkey")
    assert refused(send(browser(), "/session/passkey", device.prove(options), asked)) == (401, "bad_passkey")


def test_what_only_looks_like_proof_opens_nothing(browser: New) -> None:
    anna, login = account(browser)
    device, other = Device(2), Device(3)
    options, asked = ask(anna, "/passkeys")
    assert refused(send(anna, "/passkeys", device.make(options, origin="https://elsewhere.example"), asked)) == (
        401,
        "bad_passkey",
    )
    assert refused(send(anna, "/passkeys", device.make(options, site="elsewhere.example"), asked)) == (
        401,
        "bad_passkey",
    )
    ben, _ = account(browser)
    assert refused(send(ben, "/passkeys", device.make(options), asked)) == (401, "bad_passkey")  # asked of Anna
    assert send(anna, "/passkeys", device.make(options), asked).status_code == 201

    eve = browser()
    options, asked = ask(eve, "/session/passkey")
    forged = other.prove(options) | {"id": device._answer()["id"], "rawId": device._answer()["id"]}
    older, older_asked = ask(eve, "/session/passkey")
    attempts: list[tuple[Any, str]] = [
        (forged, asked),
        (other.prove(options), asked),
        (device.prove(options, origin="https://elsewhere.example"), asked),
        (device.prove(options, site="elsewhere.example"), asked),
        (device.prove(options, flags=0b001), asked),  # nobody's finger was asked
        (device.prove(older), asked),
        (device.prove(options), older_asked),
        # Not the last character, some of whose bits mean nothing.
        (device.prove(options), asked[:-5] + ("A" if asked[-5] != "A" else "B") + asked[-4:]),
        (device.prove(options), ""),
        (device.make({**options, "rp": {"id": "testserver"}}), asked),
        ({**device.prove(options), "response": {}}, asked),
        ({**device.prove(options), "response": {"clientDataJSON": 7}}, asked),
    ]
    for body, cookie in attempts:
        assert refused(send(eve, "/session/passkey", body, cookie)) == (401, "bad_passkey")
    assert eve.me() is None
    device.uses = 0  # a copy of the device, which has not counted on
    used, used_asked = ask(eve, "/session/passkey")
    device.uses = 40
    assert send(eve, "/session/passkey", device.prove(used), used_asked).status_code == 200
    device.uses = 3
    options, asked = ask(eve, "/session/passkey")
    assert refused(send(browser(), "/session/passkey", device.prove(options), asked)) == (401, "bad_passkey")
    assert log_in(browser(), login) == (200, None)  # the password still does


def test_passkeys_are_for_account_holders(browser: New) -> None:
    guest = browser()
    assert refused(guest.post("/passkeys/options")) == (401, "stranger")
    guest.post("/me")
    assert refused(guest.post("/passkeys/options")) == (403, "no_account")


def test_a_server_without_the_library_says_so(browser: New, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = account(browser)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert refused(anna.post("/passkeys/options")) == (409, "not_offered")
    assert refused(browser().post("/session/passkey/options")) == (409, "not_offered")


def test_ids_are_as_browsers_write_them() -> None:
    assert base64url_to_bytes(Device()._answer()["id"]) == Device().id
