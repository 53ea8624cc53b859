"""Serves boards that stand in other sites' pages, and describes them by oEmbed (https://oembed.com)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from punct.server.auth.routing import ApiRoute
from punct.server.http.proxies import source_of
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.http.static_files import StaticFolder, static_response
from punct.server.page.embeds import EMBED_HEADERS, find_board, oembed, page_of_board, path_in
from punct.server.page.files import BUILT_PAGE
from punct.server.page.head import address_of
from punct.server.page.previews import PREVIEW_SECONDS, Preview, Previews

_PAGE: Literal["embed.html"] = "embed.html"
_MAX_SIZE = 10_000
Size = Annotated[int | None, Query(ge=1, le=_MAX_SIZE)]


def embed_router(folder: Path = BUILT_PAGE) -> APIRouter:
    """Return the routes; they come before those of the page."""
    router = APIRouter(route_class=ApiRoute)
    files = StaticFolder(folder)

    @router.api_route("/embed/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def embedded_board(path: str, request: Request) -> Response:
        page = await run_in_threadpool(files.find, _PAGE)
        if page is None:
            raise _nothing()
        preview = await _find(request, f"/{path}")
        async with asyncio.timeout(PREVIEW_SECONDS):
            board = await find_board(services_of(request), preview)
        response = static_response(request, page_of_board(page, board), is_named_by_content=False)
        response.headers.update(EMBED_HEADERS)
        return response

    @router.get("/oembed", include_in_schema=False)
    async def describe_board(
        request: Request,
        url: Annotated[str, Query(max_length=500)],
        format: Annotated[str, Query(max_length=20)] = "json",
        maxwidth: Size = None,
        maxheight: Size = None,
    ) -> Response:
        if format != "json":
            raise HTTPException(501, "Boards are described as JSON.")
        server = address_of(request)
        path = None if server is None else path_in(url, server)
        if server is None or path is None:
            raise _nothing()
        preview = await _find(request, path)
        return json_response(dict(oembed(preview, server, maxwidth, maxheight)), 200, {"Cache-Control": "no-cache"})

    return router


async def _find(request: Request, path: str) -> Preview:
    """Return the preview of a page whose board may be embedded."""
    preview = await services_of(request).get(Previews).find(path, source_of(request.scope).address)
    if preview is None or not preview.is_embeddable:
        raise _nothing()
    return preview


def _nothing() -> HTTPException:
    return HTTPException(404, "There is nothing here.")
