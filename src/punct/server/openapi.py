"""The API's description, with the messages of the live connection, which OpenAPI alone would leave out.

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
    {"name": "games", "description": "Begin games, play them, look back in them."},
    {"name": "challenges", "description": "Online: games that want a second player."},
    {"name": "positions", "description": "Any position, whether or not a game came to it."},
    {"name": "records", "description": "Games as files."},
    {"name": "pictures", "description": "Positions as SVG and PNG."},
    {"name": "analysis", "description": "What was played in a position; analyses to share; reviews of games."},
    {"name": "puzzles", "description": "Online: puzzles that account holders have tried, and how hard they are."},
    {"name": "people", "description": "Who is who on a server that is online."},
    {"name": "account", "description": "To be known again: logging in, tokens for programs."},
    {"name": "board", "description": "What never changes while the server runs."},
]
"""The operations in groups, which generated clients make modules or classes of."""
_once = threading.Lock()


def operation_id(route: APIRoute) -> str:
    """Return what generated clients call an operation: ``play_turn`` is ``playTurn``, as OpenAPI itself writes names.

    Renaming one of these functions renames a method in the programs of others.
    """
    first, *rest = route.name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, worked out once. That takes a good part of a second: not for the event loop."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            tags=app.openapi_tags,
        )
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        said: dict[str, Any] = {"LiveMessage": LiveMessage, "LiveSaid": LiveSaid, "LobbyMessage": LobbyMessage}
        for name, kinds in said.items():
            adapter: TypeAdapter[Any] = TypeAdapter(kinds)
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
    """Return the document as it is sent, and compressed; whoever asks while it is written waits for it. For threads."""
    with _once:
        known: tuple[bytes, bytes] | None = getattr(app.state, "description", None)
        if known is None:
            text = orjson.dumps(app.openapi())
            known = app.state.description = text, gzip.compress(text, mtime=0)
        return known


@router.get("/openapi.json", include_in_schema=False)
async def get_description(request: Request) -> Response:
    """Return the API's description."""
    return compressed_response(request, *await asyncio.to_thread(encoded_document, request.app), JSON)


def main() -> None:
    """Write the document."""
    from punct.server.app import create_app

    json.dump(create_app().openapi(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
