"""The built page's files, read and compressed once."""

from __future__ import annotations

import gzip
import html
import mimetypes
import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

BUILT_PAGE: Final = Path(__file__).parent / "built"
"""The folder into which the page is built; not in git."""
_COMPRESSIBLE: Final = ("text/", "application/javascript", "application/json", "application/manifest+json")
_COMPRESSED_TOO: Final = (".svg", ".wasm", ".bin")  # the last is the network that the page's kernel plays by
_TYPES: Final = {  # the same on every system, whatever its own tables say
    ".bin": "application/octet-stream",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_NETWORK: Final = re.compile(r"assets/network-[0-9a-f]{12}\.bin")
"""The network that the page's kernel plays by (``web/kernel.ts``)."""
_NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>PÜNCT</title>
<style>body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }}</style>
<h1>The server runs; the board is missing</h1>
<p>{}</p>
<p>The API works meanwhile: its description is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
</html>
"""


def missing_page_advice(folder: Path = BUILT_PAGE) -> str | None:
    """Return advice about a page that is missing; None if it is there.

    In a clone the page can be built; in an installation it cannot.
    """
    if (folder / "index.html").is_file():
        return None
    if _is_in_clone(folder):
        return (
            "The page for the browser is not built yet. In the project's folder, `make play` builds it and starts the "
            "server; `make page` builds it alone."
        )
    return (
        "The page for the browser is missing from this installation: it was made from sources in which the page had "
        "not been built. Install a wheel that has it; or, in a clone of the project, run `make page` and then "
        "`pip install --force-reinstall --no-deps .`."
    )


def missing_page_html(folder: Path = BUILT_PAGE) -> str:
    """Return the HTML that stands in for a missing page."""
    advice = html.escape(missing_page_advice(folder) or "The page is there by now: load it again.")
    return _NOT_BUILT.format(re.sub("`([^`]+)`", r"<code>\1</code>", advice))


def _is_in_clone(folder: Path) -> bool:
    """Return whether the page's folder lies in a clone of the project: src/punct/server/page/built."""
    return len(folder.parents) > 4 and all(
        (folder.parents[4] / name).is_file() for name in ("Makefile", "web/package.json")
    )


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page, as it is sent."""

    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str


class PageFiles:
    """The files in the page's folder, read once, and again when they change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[tuple[Path, int, int], PageFile] = {}

    def find(self, path: str) -> tuple[PageFile, bool] | None:
        """Return a file, and whether its name has a hash of its content; ``index.html`` for a route of the page."""
        if _NETWORK.fullmatch(path) and (network := _configured_network()) is not None:
            file = self._read_file(network)
            return None if file is None else (file, False)
        file = self._read(path) if path else None
        if file is not None:
            return file, path.startswith("assets/")
        if "." in path.rpartition("/")[2]:
            return None
        page = self._read("index.html")
        return None if page is None else (page, False)

    def _read(self, name: str) -> PageFile | None:
        try:
            path = (self._folder / name).resolve()
        except (OSError, ValueError):  # a name no file can have
            return None
        return self._read_file(path) if path.is_relative_to(self._folder) else None

    def _read_file(self, path: Path) -> PageFile | None:
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


def _configured_network() -> Path | None:
    """Return the network that this server's engines play by instead of their own, if so: the page plays by it too."""
    from punct.engine.network import configured_network_path  # loads the search, which the server itself does not need

    return configured_network_path()


def _load(path: Path) -> PageFile:
    content = path.read_bytes()
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    compressed = None
    if media_type.startswith(_COMPRESSIBLE) or path.suffix in _COMPRESSED_TOO:
        compressed = gzip.compress(content, 9, mtime=0)
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    return PageFile(content, compressed, media_type, f'"{blake2b(content, digest_size=12).hexdigest()}"')
