"""Routes of public files: their list, and each of them to download."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Annotated, Any, BinaryIO, Final

from fastapi import APIRouter, Path, Request, Response
from starlette.responses import StreamingResponse

from punct.server.auth.routing import ApiRoute, limited
from punct.server.dumps import presenter, schemas
from punct.server.dumps.service import Dumps
from punct.server.errors import NotOfferedError
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import DUMPS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response, not_modified

router = APIRouter(prefix="/api/v1", tags=["records"], route_class=ApiRoute)

Month = Annotated[str, Path(pattern="^20[0-9]{2}-(?:0[1-9]|1[0-2])$", examples=["2026-10"])]
_CHUNK_BYTES: Final = 1 << 18
_RANGE: Final = re.compile(r"bytes=([0-9]{1,15})-([0-9]{0,15})", re.ASCII)
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "JSON lines, compressed",
        "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}},
    },
    206: {"description": "A part of the file, as asked for by `Range`"},
    416: {"description": "The file is not that long"},
}


@router.get("/dumps", response_model=schemas.PublicFiles)
async def list_dumps(request: Request) -> Response:
    """List the public files of games by month, if this server offers any: finished rated games that all may watch."""
    try:
        dumps = services_of(request).get(Dumps)
    except NotOfferedError:
        return json_response(presenter.no_files())
    return json_response(presenter.public_files(await dumps.files(), dumps.licence))


@router.get(
    "/dumps/punct-{month}.jsonl.gz",
    response_class=Response,
    responses={**_FILE, **error_responses(404, 409, 422, 429)},
)
@limited(DUMPS)
async def get_dump(month: Month, request: Request) -> Response:
    """Download the public file of a month: a game in each line, as in a download of your own games."""
    found, file = await services_of(request).get(Dumps).open(month)
    headers = {
        "ETag": f'"{found.sha256}"',
        "Accept-Ranges": "bytes",
        "Cache-Control": "no-cache",
        "Content-Disposition": f'attachment; filename="punct-{month}.jsonl.gz"',
        "Content-Encoding": "identity",  # it is compressed: it is not to be compressed once more
    }
    status, first, last = 200, 0, found.bytes - 1
    try:
        if (unchanged := not_modified(request, headers)) is not None:
            file.close()
            return unchanged
        wanted = _RANGE.fullmatch(request.headers.get("range", ""))
        if wanted is not None and request.headers.get("if-range", headers["ETag"]) == headers["ETag"]:
            status, first, last = 206, int(wanted[1]), min(last, int(wanted[2] or last))
            if first > last:
                file.close()
                return Response(status_code=416, headers={"Content-Range": f"bytes */{found.bytes}"})
            headers["Content-Range"] = f"bytes {first}-{last}/{found.bytes}"
        file.seek(first)
    except BaseException:
        file.close()
        raise
    headers["Content-Length"] = str(last - first + 1)
    return StreamingResponse(_chunks(file, last - first + 1), status, headers, "application/gzip")


async def _chunks(file: BinaryIO, rest: int) -> AsyncIterator[bytes]:
    with file:
        while rest:
            chunk = await asyncio.to_thread(file.read, min(rest, _CHUNK_BYTES))
            if not chunk:
                return
            rest -= len(chunk)
            yield chunk
