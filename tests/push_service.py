"""A push service on loopback (RFC 8030): it checks VAPID (RFC 8292) and decrypts what arrives (RFC 8291)."""

from __future__ import annotations

import base64
import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import http_ece
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Pushed:
    """A message that arrived, as the browser reads it."""

    browser: PushBrowser
    content: Any
    topic: str
    urgency: str
    lifetime: int
    contact: str


@dataclass(eq=False)
class PushBrowser:
    """A browser that has subscribed."""

    address: str
    """Of its push service."""
    name: str
    private_key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))
    is_gone: bool = False

    @property
    def subscription(self) -> dict[str, Any]:
        """What the page sends to the game's server."""
        public_key = self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _base64url(public_key), "auth": _base64url(self.auth)}
        return {"endpoint": f"{self.address}/push/{self.name}", "keys": keys}

    def decrypt(self, body: bytes) -> Any:
        """Return the JSON of a message."""
        return json.loads(
            http_ece.decrypt(body, private_key=self.private_key, auth_secret=self.auth, version="aes128gcm")
        )


class PushService:
    """Takes messages for browsers, and refuses whatever a real one would refuse."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Begin without browsers; ``now`` is the time by which signatures expire."""
        self.now = now
        self.server_key: str | None = None
        """The key that the browsers have subscribed with, once a test has set it."""
        self.browsers: dict[str, PushBrowser] = {}
        self.pushed: list[Pushed] = []
        self.requests = 0
        self.errors: list[str] = []
        """What was wrong with requests."""
        self.response: tuple[int, dict[str, str]] | None = None
        """What is answered instead of taking a message."""
        self.hangs = threading.Event()
        """Set: no answer comes until it is cleared."""
        self.holds = threading.Event()
        """Set: messages are taken, but that is not said until it is cleared."""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                status, headers = service.take(self)
                self.send_response(status)
                for name, value in {"Content-Length": "0", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = False  # closing waits for them, and so for their connections
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.hangs.clear()
        self.holds.clear()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def browser(self, name: str) -> PushBrowser:
        """Return a new browser that has subscribed."""
        browser = self.browsers[name] = PushBrowser(self.address, name)
        return browser

    def read(self) -> list[tuple[str, str]]:
        """Return which browser was told what, since the last call."""
        assert not self.errors, self.errors
        pushed, self.pushed = self.pushed, []
        return [(each.browser.name, each.content["kind"]) for each in pushed]

    def take(self, request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str]]:
        """Take a request; return the status and the headers of the response."""
        self.requests += 1
        body = request.rfile.read(int(request.headers["Content-Length"]))
        end = time.monotonic() + PATIENCE_SECONDS
        if self.hangs.is_set():
            while self.hangs.is_set() and time.monotonic() < end:
                time.sleep(0.01)
            return 503, {}
        if self.response is not None:
            return self.response
        browser = self.browsers.get(request.path.removeprefix("/push/"))
        if browser is None or browser.is_gone:
            return 410, {}
        try:
            contact = self._check_authorization(request.headers["Authorization"])
            headers = request.headers
            assert headers["Content-Encoding"] == "aes128gcm", "encoding"
            assert len(body) <= 4096, "length"
            topic = headers["Topic"]
            assert len(topic) <= 32 and set(topic) <= _BASE64URL, "topic"
            assert headers["Urgency"] in ("very-low", "low", "normal", "high"), "urgency"
            message = Pushed(browser, browser.decrypt(body), topic, headers["Urgency"], int(headers["TTL"]), contact)
        except (AssertionError, InvalidSignature, ValueError, KeyError, TypeError) as error:
            self.errors.append(f"{type(error).__name__} {error}")
            return 403, {}
        self.keep(message)
        while self.holds.is_set() and time.monotonic() < end:
            time.sleep(0.01)
        return 201, {"Location": f"{self.address}/message/{self.requests}"}

    def keep(self, message: Pushed) -> None:
        """Keep a message that was decrypted."""
        self.pushed.append(message)

    def _check_authorization(self, header: str) -> str:
        """Check the signature of the sender, as RFC 8292 has it; return whom to write to."""
        scheme, _, rest = header.partition(" ")
        assert scheme == "vapid", "scheme"
        fields = dict(each.strip().split("=", 1) for each in rest.split(","))
        key = fields["k"]
        assert self.server_key is None or key == self.server_key, "another server's key"
        header_part, claims_part, signature_part = fields["t"].split(".")
        assert json.loads(_bytes(header_part))["alg"] == "ES256", "algorithm"
        signature = _bytes(signature_part)
        assert len(signature) == 64, "signature"
        r, s = int.from_bytes(signature[:32]), int.from_bytes(signature[32:])
        public_key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _bytes(key))
        public_key.verify(encode_dss_signature(r, s), f"{header_part}.{claims_part}".encode(), ECDSA(SHA256()))
        claims = json.loads(_bytes(claims_part))
        assert claims["aud"] == self.address, "audience"
        assert 0 < claims["exp"] - self.now().timestamp() <= 24 * 3600, "expiry"
        assert claims["sub"].startswith(("https://", "mailto:")), "contact"
        return str(claims["sub"])


_BASE64URL = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def _base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
