"""Static files: read and compressed once, and sent so that browsers keep them; and what is sent if they are missing."""

from __future__ import annotations

import gzip
import html
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from punct.server.http.compression import compressed_response
from punct.server.http.responses import not_modified
from punct.server.http.security import STYLE_ONLY_CSP

_COMPRESSIBLE: Final = ("text/", "application/javascript", "application/json", "application/manifest+json")
_COMPRESSED_TOO: Final = (".svg", ".wasm", ".bin")  # the last is the network that the page's kernel plays by
_TYPES: Final = {  # the same on every system, whatever its own tables say
    ".bin": "application/octet-stream",
    ".conf": "text/plain",
    ".css": "text/css",
    ".inv": "application/octet-stream",
    ".js": "text/javascript",
    ".py": "text/x-python",
    ".service": "text/plain",
    ".svg": "image/svg+xml",
    ".timer": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".yaml": "text/plain",
}
_FOREVER: Final = "public, max-age=31536000, immutable"
_ADVICE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>PÜNCT</title>
<style>body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }}</style>
<h1>{}</h1>
{}
</html>
"""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file, as it is sent."""

    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str


class StaticFolder:
    """The files in a folder, read once, and again when they change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[tuple[Path, int, int], StaticFile] = {}

    def find(self, name: str) -> StaticFile | None:
        """Return the file of a name below the folder; None if there is none."""
        try:
            path = (self._folder / name).resolve()
        except (OSError, ValueError):  # a name no file can have
            return None
        return self.read(path) if path.is_relative_to(self._folder) else None

    def read(self, path: Path) -> StaticFile | None:
        """Return a file, wherever it is; None if there is none."""
        try:
            if not path.is_file():
                return None
            stat = path.stat()
            key = (path, stat.st_mtime_ns, stat.st_size)
            if key not in self._files:
                self._files[key] = _load(path)
            return self._files[key]
        except OSError:  # a file that is being replaced just now
            return None


def _load(path: Path) -> StaticFile:
    content = path.read_bytes()
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    compressed = None
    if media_type.startswith(_COMPRESSIBLE) or path.suffix in _COMPRESSED_TOO:
        compressed = gzip.compress(content, 9, mtime=0)
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    return StaticFile(content, compressed, media_type, f'"{blake2b(content, digest_size=12).hexdigest()}"')


def static_response(request: Request, file: StaticFile, *, is_named_by_content: bool, status: int = 200) -> Response:
    """Return the response with a file: kept for good if its name changes with its content, else asked for again."""
    headers: Mapping[str, str] = {
        "ETag": file.etag,
        "Cache-Control": _FOREVER if is_named_by_content else "no-cache",
        "Vary": "Accept-Encoding",
    }
    unchanged = not_modified(request, headers) if status == 200 else None
    return unchanged or compressed_response(request, file.content, file.compressed, file.media_type, status, headers)


def advice_response(heading: str, *paragraphs: str) -> Response:
    """Return a page that stands in for files that were not built: code in backquotes, addresses in angle brackets."""
    content = _ADVICE.format(html.escape(heading), "\n".join(f"<p>{_mark_up(text)}</p>" for text in paragraphs))
    return Response(content, 200, {"Cache-Control": "no-store", **STYLE_ONLY_CSP}, "text/html")


def _mark_up(text: str) -> str:
    linked = re.sub("&lt;([^ &]+)&gt;", r'<a href="\1">\1</a>', html.escape(text))
    return re.sub("`([^`]+)`", r"<code>\1</code>", linked)


def is_in_clone(folder: Path) -> bool:
    """Tell whether a folder of built files lies in a clone of the project: src/punct/server/FEATURE/built."""
    return len(folder.parents) > 4 and all(
        (folder.parents[4] / name).is_file() for name in ("Makefile", "web/package.json")
    )
