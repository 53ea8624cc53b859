"""The tags in a page's head by which other sites show a link to it: Open Graph, and Twitter's cards."""

from __future__ import annotations

import gzip
import html
import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request

from punct.server.http.static_files import StaticFile
from punct.server.page.previews import Preview
from punct.server.pictures.routes import CARD_HEIGHT, CARD_WIDTH

_SITE_NAME: Final = "PÜNCT"
_END_OF_HEAD: Final = b"</head>"
_HOST: Final = re.compile(r"[A-Za-z0-9._-]+(?::[0-9]+)?|\[[0-9A-Fa-f:.]+\](?::[0-9]+)?")
_COMPRESSION_LEVEL: Final = 6


def address_of(request: Request) -> str | None:
    """Return the address of this server as a client reaches it; None if the request does not say."""
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if _HOST.fullmatch(host) else None


def page_with_preview(page: StaticFile, preview: Preview, server: str) -> StaticFile:
    """Return the page with the tags of a preview in its head."""
    head, end, rest = page.content.partition(_END_OF_HEAD)
    if not end:
        return page
    content = head + "".join(f"{tag}\n" for tag in _tags(preview, server)).encode() + end + rest
    etag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    return StaticFile(content, gzip.compress(content, _COMPRESSION_LEVEL, mtime=0), page.media_type, etag)


def _tags(preview: Preview, server: str) -> Iterator[str]:
    url, picture = server + preview.path, server + preview.picture
    yield f'<link rel="canonical" href="{html.escape(url)}">'
    if preview.is_embeddable:
        about = f"{server}/oembed?{urlencode({'url': url, 'format': 'json'})}"
        yield f'<link rel="alternate" type="application/json+oembed" href="{html.escape(about)}">'
    properties = {
        "og:type": "website",
        "og:site_name": _SITE_NAME,
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": url,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(CARD_WIDTH),
        "og:image:height": str(CARD_HEIGHT),
        "og:image:alt": preview.picture_text,
    }
    for name, content in properties.items():
        yield f'<meta property="{name}" content="{html.escape(content)}">'
    yield '<meta name="twitter:card" content="summary_large_image">'
