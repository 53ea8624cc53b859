"""Responses: JSON, compressed content, and 304 for what the client has already."""

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


def compressed_response(
    request: Request,
    content: bytes,
    compressed: bytes | None,
    media_type: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a response of content that may have been compressed before: to clients that accept gzip, in that form."""
    all_headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if compressed is not None and accepts_gzip(request):
        content = compressed
        all_headers["Content-Encoding"] = "gzip"
    return Response(content, status, all_headers, media_type)


def accepts_gzip(request: Request) -> bool:
    """Tell whether a client accepts gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


def not_modified(request: Request, headers: Mapping[str, str]) -> Response | None:
    """Return the response to a client that has what the ``ETag`` names already; None to others."""
    if headers["ETag"] not in request.headers.get("if-none-match", ""):
        return None
    return Response(status_code=304, headers=headers)
