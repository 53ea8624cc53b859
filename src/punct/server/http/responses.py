"""Responses: JSON, and 304 for what the client has already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from punct.server.http import encoding

JSON: Final = "application/json"


def json_response(content: encoding.Json, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response of JSON."""
    return Response(encoding.encode(content), status, headers, JSON)


def not_modified(request: Request, headers: Mapping[str, str]) -> Response | None:
    """Return the response to a client that has what the ``ETag`` names already; None to others."""
    if headers["ETag"] not in request.headers.get("if-none-match", ""):
        return None
    return Response(status_code=304, headers=headers)
