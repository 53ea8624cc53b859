"""Receives what players of the benches are told: webhooks and a push service, which check and decrypt messages."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable
from datetime import datetime
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple

from tests.push_service import Pushed, PushService


class Received(NamedTuple):
    """A message that arrived."""

    player: str
    """The name of the player whose webhook or browser it is."""
    kind: str
    subject: str
    """The game that it is about, as a rule."""
    id: str
    """The same if it was sent again."""
    at: datetime
    """When it arrived, by the clock of the players."""
    written: datetime
    """When the server put it into words."""
    moment: float
    """By the monotonic clock of this machine."""


class Receiver(PushService):
    """Takes messages for players: at ``/hook/NAME`` as signed JSON, at ``/push/NAME`` encrypted for a browser."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Use a clock; a context manager: it receives in its block."""
        super().__init__(now)
        self._lock = threading.Lock()
        self._messages: list[Received] = []
        self._secrets: dict[str, str | None] = {}

    @property
    def authority(self) -> str:
        """The host and port, as an operator exempts them."""
        return f"127.0.0.1:{self.port}"

    @property
    def messages(self) -> list[Received]:
        """All that has arrived until now, in order."""
        with self._lock:
            return list(self._messages)

    def hook_url(self, name: str) -> str:
        """Return the address of a player's webhook."""
        return f"{self.address}/hook/{name}"

    def expect_signatures(self, name: str, secret: str | None) -> None:
        """Check what arrives at a webhook with its secret from now on; None if only its owner could know it."""
        self._secrets[name] = secret

    def take(self, request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str]]:
        """Take a message of either kind."""
        if not request.path.startswith("/hook/"):
            return super().take(request)
        name, body = request.path.removeprefix("/hook/"), request.rfile.read(int(request.headers["Content-Length"]))
        fields = dict(each.split("=", 1) for each in request.headers["Punct-Signature"].split(","))
        signed = f"{fields['t']}.".encode() + body
        secret = self._secrets.get(name, "")
        expected = hmac.new((secret or "").encode(), signed, hashlib.sha256).hexdigest()
        if secret is not None and not hmac.compare_digest(fields["v1"], expected):
            self.errors.append(f"a webhook of {name} with a wrong signature")
            return 403, {}
        content: Any = json.loads(body)
        self._note(name, content, content["id"])
        return 204, {}

    def keep(self, message: Pushed) -> None:
        """Note a push message. It has no id: whatever is sent again was written at the same time."""
        content = message.content
        self._note(message.browser.name, content, f"{message.topic} {content['kind']} {content['at']}")

    def _note(self, name: str, content: Any, message_id: str) -> None:
        written = datetime.fromisoformat(content["at"])
        message = Received(name, content["kind"], content["subject"], message_id, self.now(), written, time.monotonic())
        with self._lock:
            self._messages.append(message)
