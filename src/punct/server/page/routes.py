"""Serves the built page at every path outside the API."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from punct.server.auth.routing import ApiRoute
from punct.server.http.compression import compressed_response
from punct.server.http.responses import not_modified
from punct.server.http.security import STYLE_ONLY_CSP
from punct.server.page.files import BUILT_PAGE, PageFiles, missing_page_html

_FOREVER: Final = "public, max-age=31536000, immutable"


def page_router(folder: Path = BUILT_PAGE) -> APIRouter:
    """Return the route that serves everything outside the API; it must come last."""
    router = APIRouter(route_class=ApiRoute)
    files = PageFiles(folder)

    @router.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def client(path: str, request: Request) -> Response:
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404, "There is nothing here.")
        result = await run_in_threadpool(files.find, path)
        if result is None:
            if path == "":
                page = await run_in_threadpool(missing_page_html, folder)
                return Response(
                    page, 200, media_type="text/html", headers={"Cache-Control": "no-store", **STYLE_ONLY_CSP}
                )
            raise HTTPException(404, "There is nothing here.")
        file, is_named_by_content = result
        headers = {
            "ETag": file.etag,
            "Cache-Control": _FOREVER if is_named_by_content else "no-cache",
            "Vary": "Accept-Encoding",
        }
        return not_modified(request, headers) or compressed_response(
            request, file.content, file.compressed, file.media_type, headers=headers
        )

    return router
