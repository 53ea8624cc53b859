"""The OpenAPI document, with the messages of live connections, which FastAPI alone would leave out.

``python -m punct.server.openapi`` writes it to standard output, for generating the client's types.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import threading
from typing import Any, Final

import orjson
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from punct.server.auth.routing import ApiRoute
from punct.server.games.live_schemas import LiveMessage
from punct.server.http.compression import compressed_response
from punct.server.http.responses import JSON
from punct.server.live.schemas import LiveSaid
from punct.server.lobby.schemas import LobbyMessage

router = APIRouter(prefix="/api/v1", route_class=ApiRoute)

_REFERENCE = "#/components/schemas/{model}"


TAGS: Final[list[dict[str, str]]] = [
    {"name": "games", "description": "Begin games, play them, replay them."},
    {"name": "challenges", "description": "Online: games that wait for a second player."},
    {"name": "appointments", "description": "Online: live games that two players arrange for a date."},
    {"name": "positions", "description": "Any position, whether or not a game came to it."},
    {"name": "records", "description": "Games as files."},
    {"name": "pictures", "description": "Positions as SVG and PNG."},
    {"name": "analysis", "description": "What was played in a position; analyses to share; reviews of games."},
    {"name": "puzzles", "description": "Online: tries of account holders, and ratings of puzzles."},
    {"name": "people", "description": "Players of an online server."},
    {"name": "account", "description": "Accounts: login, passkeys, tokens for programs."},
    {"name": "notifications", "description": "Online: what players are told while they are away."},
    {"name": "board", "description": "What never changes while the server runs."},
]
"""Groups of operations, which generated clients turn into modules or classes."""
_document_lock = threading.Lock()


def operation_id(route: APIRoute) -> str:
    """Return an operation's id, in camel case as OpenAPI itself writes names: ``playTurn`` for ``play_turn``.

    Generated clients name their methods by it: renaming a route's function breaks them.
    """
    first, *rest = route.name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, created once. That takes a good part of a second: not for the event loop."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            tags=app.openapi_tags,
        )
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        live_types: dict[str, Any] = {"LiveMessage": LiveMessage, "LiveSaid": LiveSaid, "LobbyMessage": LobbyMessage}
        for name, message_type in live_types.items():
            adapter: TypeAdapter[Any] = TypeAdapter(message_type)
            schema = adapter.json_schema(ref_template=_REFERENCE, mode="serialization")
            for part, definition in schema.pop("$defs", {}).items():
                schemas.setdefault(part, definition)
            schemas.setdefault(name, schema)
        # Our handler answers malformed requests in the one error shape, so FastAPI's own models are not used.
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        app.openapi_schema = document
    return app.openapi_schema


def encoded_document(app: FastAPI) -> tuple[bytes, bytes]:
    """Return the document as JSON, plain and compressed. Blocks; concurrent callers wait for the first one."""
    with _document_lock:
        encoded: tuple[bytes, bytes] | None = getattr(app.state, "description", None)
        if encoded is None:
            text = orjson.dumps(app.openapi())
            encoded = app.state.description = text, gzip.compress(text, mtime=0)
        return encoded


@router.get("/openapi.json", include_in_schema=False)
async def get_description(request: Request) -> Response:
    """Return the OpenAPI document."""
    return compressed_response(request, *await asyncio.to_thread(encoded_document, request.app), JSON)


def main() -> None:
    """Write the document to standard output."""
    from punct.server.app import create_app

    json.dump(create_app().openapi(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
