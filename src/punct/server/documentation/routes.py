"""Serves the documentation's site at ``/docs``, as ``tools/build_docs.py`` has built it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from punct.server.auth.routing import ApiRoute
from punct.server.http.static_files import StaticFolder, advice_response, is_in_clone, static_response

BUILT_SITE: Final = Path(__file__).parent / "built"
"""The folder into which the site is built; not in git."""
ON_THE_WEB: Final = "https://github.com/punct-game/punct/tree/main/docs"
_NAMED_BY_CONTENT: Final = re.compile(r"_static/[0-9a-f]{12}\.(?:js|css)")
"""Scripts and styles that the build has moved out of the pages."""


def documentation_router(folder: Path = BUILT_SITE) -> APIRouter:
    """Return the routes of the site."""
    router = APIRouter(route_class=ApiRoute)
    files = StaticFolder(folder)

    @router.api_route("/docs", methods=["GET", "HEAD"], include_in_schema=False)
    async def documentation() -> Response:
        return RedirectResponse("/docs/", 308)  # its links are relative to this folder

    @router.api_route("/docs/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def documentation_file(path: str, request: Request) -> Response:
        name = f"{path}index.html" if path == "" or path.endswith("/") else path
        if (file := await run_in_threadpool(files.find, name)) is not None:
            return static_response(request, file, is_named_by_content=_NAMED_BY_CONTENT.fullmatch(name) is not None)
        if (missing := await run_in_threadpool(files.find, "404.html")) is not None:
            return static_response(request, missing, is_named_by_content=False, status=404)
        return advice_response("The documentation is not built here", _missing_site_advice(folder))

    return router


def _missing_site_advice(folder: Path) -> str:
    """Return where the documentation is if it was not built: in a clone it can be built, in an installation not."""
    if is_in_clone(folder):
        return f"In the project's folder, `make docs` builds it. You can also read it at <{ON_THE_WEB}>."
    return f"This installation was made without it. You can read it at <{ON_THE_WEB}>."
