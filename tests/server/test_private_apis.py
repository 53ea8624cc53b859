"""Undocumented parts of other packages: each exists in the installed version, and is used in one place.

A failure names the feature of ours that the part carries. After an update, adapt the module that uses it, see that the
tests of the feature pass, and note the new version in it.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import fastapi.routing
import psycopg
import pytest
import saq
import starlette.requests
import starlette.routing
import uvicorn
from sqlalchemy.sql.compiler import SQLCompiler
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.server import ServerProtocol

import punct.server
from punct.server.uvicorn_internals import TESTED_VERSIONS

SOURCE = Path(punct.server.__file__).parent


class Part(NamedTuple):
    """A class of another package, what is used of it, and by which feature of ours."""

    package: str
    owner: type
    names: str
    feature: str


METHODS = [
    Part("uvicorn", HttpToolsProtocol, "connection_made connection_lost", "the limit of open connections"),
    Part("uvicorn", HttpToolsProtocol, "pause_writing resume_writing", "the timeout of clients that do not read"),
    Part("uvicorn", WebSocketsSansIOProtocol, "pause_writing resume_writing", "the same for WebSockets"),
    Part("uvicorn", HttpToolsProtocol, "data_received", "the timeout of requests"),
    Part("uvicorn", HttpToolsProtocol, "on_message_begin on_url on_header", "the limit of a request's head"),
    Part("uvicorn", HttpToolsProtocol, "on_headers_complete on_message_complete", "the limit of pipelined requests"),
    Part("uvicorn", HttpToolsProtocol, "send_400_response", "the JSON error for what is not HTTP"),
    Part("uvicorn", HttpToolsProtocol, "handle_websocket_upgrade", "freeing a connection that becomes a WebSocket"),
    Part("uvicorn", WebSocketsSansIOProtocol, "handle_text", "answering pings without the app"),
    Part("uvicorn", WebSocketsSansIOProtocol, "data_received send_keepalive_ping", "noticing soon who has vanished"),
    Part("uvicorn", WebSocketsSansIOProtocol, "send", "sending many the same compressed frame"),
    Part("uvicorn", uvicorn.Server, "capture_signals", "the exit code 0 after a signal"),
    Part("uvicorn", uvicorn.Server, "startup", "saying when the server accepts connections"),
    Part("uvicorn", _TrustedHosts, "__contains__ get_trusted_client_address", "trusted proxies"),
    Part("starlette", starlette.routing.Route, "handle", "token scopes and rate limits of routes"),
    Part("starlette", starlette.requests.Request, "json", "parsing large bodies in a thread"),
    Part("fastapi", fastapi.routing.APIRoute, "get_route_handler", "parsing large bodies in a thread"),
    Part("psycopg", psycopg.Connection, "wait", "the timeout of an unresponsive PostgreSQL"),
    Part("sqlalchemy", SQLCompiler, "visit_bindparam", "constants inside compiled statements"),
    Part("saq", saq.Worker, "upkeep SIGNALS", "remote workers that stop at once"),
]
HTTP_STATE = Part(
    "uvicorn", HttpToolsProtocol, "cycle pipeline parser transport client loop", "timeouts and limits of connections"
)
WEBSOCKET_STATE = Part(
    "uvicorn",
    WebSocketsSansIOProtocol,
    "conn writable handshake_complete close_sent disconnected transport",
    "pings without the app and shared frames",
)
CONNECTION_STATE = Part("websockets", ServerProtocol, "available_extensions extensions", "shared compressed frames")
DEFLATE_STATE = Part("websockets", PerMessageDeflate, "local_max_window_bits", "shared compressed frames")
SERVER_STATE = Part("uvicorn", uvicorn.Server, "started _captured_signals", "an orderly start and end")
USERS = {
    "uvicorn._types": "uvicorn_internals.py",
    "uvicorn.middleware": "uvicorn_internals.py",
    "uvicorn.protocols": "uvicorn_internals.py",
    "websockets": "uvicorn_internals.py",
    "starlette.requests.cookie_parser": "auth/cookies.py",
}
"""Undocumented modules, and the only file of the server that may import them."""


def check(part: Part, owner: object) -> None:
    tested = TESTED_VERSIONS.get(part.package, "another version")
    for name in part.names.split():
        assert hasattr(owner, name), (
            f"{part.package} {version(part.package)} has no {part.owner.__name__}.{name}, "
            f"which carries {part.feature}; it was tested with {tested}"
        )


@pytest.mark.parametrize("part", METHODS, ids=lambda part: f"{part.owner.__name__}: {part.feature}")
def test_private_methods_we_use_exist(part: Part) -> None:
    check(part, part.owner)


async def no_app(scope: object, receive: object, send: object) -> None:
    """Respond with nothing."""


def test_private_attributes_we_read_exist() -> None:
    """Attributes that objects get when they are created."""

    async def check_all() -> None:
        config = uvicorn.Config(no_app, log_config=None)
        config.load()
        state, loop = ServerState(), asyncio.get_running_loop()
        check(HTTP_STATE, HttpToolsProtocol(config, state, {}, loop))
        websocket = WebSocketsSansIOProtocol(config, state, {}, loop)
        check(WEBSOCKET_STATE, websocket)
        check(CONNECTION_STATE, websocket.conn)
        check(SERVER_STATE, uvicorn.Server(config))

    asyncio.run(check_all())
    windows: Any = {"remote_max_window_bits": 15, "local_max_window_bits": 15}
    check(DEFLATE_STATE, PerMessageDeflate(True, True, **windows))
    assert "response_complete" in RequestResponseCycle.send.__code__.co_names, "uvicorn: when a response is complete"


def imports(file: Path) -> Iterator[str]:
    """Yield every module that a file imports, and every name it imports from one."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_each_private_name_is_used_in_one_place() -> None:
    for file in SOURCE.rglob("*.py"):
        place = file.relative_to(SOURCE).as_posix()
        for name in imports(file):
            for private, user in USERS.items():
                if name == private or name.startswith(f"{private}."):
                    assert place == user, f"{place} imports {name}, which only {user} may"
