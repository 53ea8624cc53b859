"""Compression: what many clients get is compressed once, for responses and for live messages.

A game after a move is some 20 kB, and all its players and spectators get it. The same deflate blocks serve as the body
of a gzip response and as the payload of a WebSocket frame.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

MIN_COMPRESSED_BYTES: Final = 1000
"""What is smaller fits into one packet anyway."""
_LEVEL: Final = 1
"""Twice as fast as the usual 6, for a tenth more bytes."""
_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x04\xff"
_LAST_BLOCK: Final = b"\x03\x00"
_MAX_STORED_BYTES: Final = 0xFFFF


def deflate(content: bytes) -> bytes:
    """Return content as deflate blocks that end at a byte boundary: other blocks may come before and after them."""
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(content) + compressor.flush(zlib.Z_SYNC_FLUSH)


def stored_block(content: bytes) -> bytes:
    """Return a short content as a deflate block that is not compressed."""
    length = len(content)
    assert length <= _MAX_STORED_BYTES
    return b"\x00%b%b%b" % (length.to_bytes(2, "little"), (length ^ 0xFFFF).to_bytes(2, "little"), content)


def gzip_of_blocks(content: bytes, blocks: bytes) -> bytes:
    """Return the gzip file of content whose deflate blocks there are already."""
    check, length = zlib.crc32(content), len(content) & 0xFFFFFFFF
    footer = check.to_bytes(4, "little") + length.to_bytes(4, "little")
    return b"%b%b%b%b" % (_GZIP_HEADER, blocks, _LAST_BLOCK, footer)


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
