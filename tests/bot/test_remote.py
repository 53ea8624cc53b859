"""A bot tells its token to the server it was given, and to nobody else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from punct.bot.remote import Remote, RemoteError


@contextmanager
def answering(status: int, location: str | None = None) -> Iterator[tuple[str, list[str | None]]]:
    """Run a server that answers everything alike; yields its address, and the tokens it was told."""
    told: list[str | None] = []

    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            told.append(self.headers.get("Authorization"))
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            if location is not None:
                self.send_header("Location", location)
            self.send_header("Content-Length", "2")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"{}")

        do_POST = do_GET  # noqa: N815  # as its base class finds it

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", told
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("how", ["GET", "POST", "listen"])
def test_a_redirect_is_told_and_not_followed(status: int, how: str) -> None:
    with answering(200) as (elsewhere, stolen):
        scheme = "ws" if how == "listen" else "http"
        with answering(status, f"{scheme}://{elsewhere}/api/v1/me") as (address, told):
            remote = Remote(f"http://{address}", "punct_secret")

            async def ask() -> None:
                if how == "listen":
                    async for _ in remote.listen("/lobby/live"):
                        raise AssertionError("nobody speaks there")
                else:
                    await remote.call(how, "/me", {} if how == "POST" else None)

            with pytest.raises(RemoteError, match=elsewhere) as refusal:
                asyncio.run(asyncio.wait_for(ask(), 60))
            assert refusal.value.status == status
        assert told == ["Bearer punct_secret"] and stolen == []
