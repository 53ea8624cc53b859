"""Boards in other sites' pages: a light page of its own for each, and oEmbed, by which sites find it.

Nobody is logged in there and nothing can be changed: such a page shows what anybody sees who has the link. It alone may
stand in frames of other sites.
"""

from __future__ import annotations

import asyncio
import gzip
import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import orjson

from punct.server.analyses.service import Analyses
from punct.server.games.records import RecordReader
from punct.server.games.service import Games
from punct.server.http.registry import Services
from punct.server.http.security import FRAME_ANYWHERE, SECURITY_HEADERS
from punct.server.http.static_files import StaticFile
from punct.server.page.previews import Preview
from punct.server.positions.setup import canonical_position

WIDTH, HEIGHT = 480, 560
"""Of a frame that shows a board, if a site does not say."""
MIN_WIDTH, MIN_HEIGHT = 200, 260
_BAR_HEIGHT: Final = HEIGHT - WIDTH
"""Of what stands below a board."""
MAX_FRAMES: Final = 400
"""The positions of an analysis that are shown."""
_PLACE: Final = b'<script type="application/json" id="board"></script>'
EMBED_HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            FRAME_ANYWHERE,
        )
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",  # for sites that take in only what allows it
}
assert EMBED_HEADERS.keys() <= SECURITY_HEADERS.keys()


@dataclass(frozen=True, slots=True)
class EmbeddedBoard:
    """What an embedded board shows: its title, the address of the full page, and the pictures to step through."""

    preview: Preview
    pictures: tuple[str, ...]
    """Paths and queries, without the theme."""
    moves: tuple[str, ...]
    """The moves between them."""


async def find_board(services: Services, preview: Preview) -> EmbeddedBoard:
    """Return the board of a page; raises what the services raise."""
    _, kind, page_id = preview.path.split("/")
    if kind == "game":
        game = await services.get(Games).get(page_id)
        moves = tuple(move.text for move in game.moves)
        path = f"/api/v1/games/{quote(page_id)}/picture.svg"
        return EmbeddedBoard(preview, tuple(f"{path}?ply={ply}" for ply in range(len(moves) + 1)), moves)
    if kind == "analysis":
        stored = await services.get(Analyses).get(page_id)
        (record,) = await services.get(RecordReader).read_games(stored.tree, "text", max_games=1)
        moves = tuple(record.moves.split()[: MAX_FRAMES - 1])
        positions = await asyncio.to_thread(lambda: tuple(_positions(record.start, moves)))
        return EmbeddedBoard(preview, tuple(map(_picture, positions)), moves)
    return EmbeddedBoard(preview, (preview.picture.removesuffix("&card=true").replace(".png?", ".svg?", 1),), ())


def _positions(start: str, moves: tuple[str, ...]) -> Iterator[str]:
    position = canonical_position(start)
    yield str(position)
    for move in moves:
        position.push(move)
        yield str(position)


def _picture(position: str) -> str:
    return f"/api/v1/picture.svg?{urlencode({'position': position})}"


def page_of_board(page: StaticFile, board: EmbeddedBoard) -> StaticFile:
    """Return the page that shows a board, with what it shows as data."""
    shown = {
        "title": board.preview.title,
        "page": board.preview.path,
        "pictures": board.pictures,
        "moves": board.moves,
    }
    data = orjson.dumps(shown).replace(b"<", b"\\u003c")  # else a name could end the script
    content = page.content.replace(_PLACE, _PLACE.replace(b"></", b">" + data + b"</"), 1)
    etag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    return StaticFile(content, gzip.compress(content, 6, mtime=0), page.media_type, etag)


def path_in(url: str, server: str) -> str | None:
    """Return the path of an address of this server; None for any other."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    same = parts.scheme in ("http", "https") and parts.netloc.lower() == urlsplit(server).netloc.lower()
    return parts.path if same else None


def oembed(preview: Preview, server: str, max_width: int | None, max_height: int | None) -> Mapping[str, Any]:
    """Return the oEmbed description of a board: a frame no larger than a site allows."""
    width = min(max(max_width or WIDTH, MIN_WIDTH), WIDTH)
    height = width + _BAR_HEIGHT
    if max_height is not None and height > max_height:
        height = max(max_height, MIN_HEIGHT)
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "PÜNCT",
        "provider_url": f"{server}/",
        "title": preview.title,
        "html": frame_code(f"{server}/embed{preview.path}", preview.title, width, height),
        "width": width,
        "height": height,
        "thumbnail_url": server + preview.picture,
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
        "cache_age": 3600,
    }


def frame_code(address: str, title: str, width: int, height: int) -> str:
    """Return the code by which a page shows a board."""
    return (
        f'<iframe src="{html.escape(address)}" title="{html.escape(title)}" width="{width}" height="{height}" '
        'loading="lazy" style="border:0;max-width:100%"></iframe>'
    )
