"""Serves the built page at every path outside the API, with what a link to that path shows elsewhere."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from punct.errors import PunctError
from punct.server.auth.routing import ApiRoute
from punct.server.db.errors import StoreError
from punct.server.errors import BrokenGameError, RequestError
from punct.server.http.proxies import source_of
from punct.server.http.registry import services_of
from punct.server.http.static_files import StaticFile, advice_response, static_response
from punct.server.page.files import BUILT_PAGE, PageFiles, missing_page_advice
from punct.server.page.head import address_of, page_with_preview
from punct.server.page.previews import Preview, Previews
from punct.server.workers.pool import JobError


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
                advice = await run_in_threadpool(missing_page_advice, folder)
                return advice_response(
                    "The server runs; the board is missing",
                    advice or "The page is there by now: load it again.",
                    "The API works meanwhile: its description is at </api/v1/openapi.json>.",
                )
            raise HTTPException(404, "There is nothing here.")
        file, is_named_by_content = result
        if file.media_type.startswith("text/html"):
            file = await _with_preview(file, request)
        return static_response(request, file, is_named_by_content=is_named_by_content)

    return router


async def _with_preview(page: StaticFile, request: Request) -> StaticFile:
    """Return the page with the preview of what the request is for, if there is one."""
    server = address_of(request)
    preview = None if server is None else await find_preview(request, request.url.path)
    return page if preview is None or server is None else page_with_preview(page, preview, server)


async def find_preview(request: Request, path: str) -> Preview | None:
    """Return the preview of a page; None if there is nothing at that path, or it cannot be read now.

    The page itself says what is wrong: it opens even if the database does not respond.
    """
    try:
        return await services_of(request).get(Previews).find(path, source_of(request.scope).address)
    except (RequestError, PunctError, StoreError, BrokenGameError, JobError, TimeoutError):
        return None
