"""The webhooks of all players: one small HTTP server, which notes what it is sent and when."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Received(NamedTuple):
    """A message that arrived."""

    player: int
    kind: str
    game: str
    delivery: str
    at: datetime


class Receiver:
    """Receives messages from now on."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Listen on a free port."""
        self.messages: list[Received] = []
        received = self.messages

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                player = int(self.path.rpartition("/")[2])
                received.append(Received(player, content["kind"], content["subject"], content["id"], now()))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
