"""Messages of live connections: compressed and framed once, for all connections that get them.

A game after a move is some 20 kB, and all its players and spectators get it. So connections agree with the browser
(RFC 7692) that each message is compressed by itself: then the same bytes serve all of them.
"""

from __future__ import annotations

import zlib
from typing import Final

MIN_COMPRESSED_BYTES: Final = 1000
"""What is smaller fits into one packet anyway."""
_LEVEL: Final = 1
"""Twice as fast as the usual 6, for a tenth more bytes."""
_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x04\xff"
_LAST_BLOCK: Final = b"\x03\x00"
_MAX_STORED_BYTES: Final = 0xFFFF
_TEXT_FRAME, _COMPRESSED_TEXT_FRAME = 0x81, 0xC1


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


class Message(str):
    """The text of a live message, and its WebSocket frames once they were needed."""

    __slots__ = ("_compressed_frame", "_plain_frame")

    _plain_frame: bytes
    _compressed_frame: bytes

    def frame(self, *, compressed: bool) -> bytes:
        """Return the frame; ``compressed`` for connections that agreed to it, if the text is long enough."""
        if compressed and len(self) >= MIN_COMPRESSED_BYTES:
            try:
                return self._compressed_frame
            except AttributeError:
                # By RFC 7692 the last block is an empty one without its length, which the receiver appends.
                self._compressed_frame = _frame(_COMPRESSED_TEXT_FRAME, self.blocks() + b"\x00")
                return self._compressed_frame
        try:
            return self._plain_frame
        except AttributeError:
            self._plain_frame = _frame(_TEXT_FRAME, self.encode())
            return self._plain_frame

    def blocks(self) -> bytes:
        """Return the text as deflate blocks."""
        return deflate(self.encode())


def _frame(kind: int, content: bytes) -> bytes:
    length = len(content)
    if length < 126:
        return b"%c%c%b" % (kind, length, content)
    if length <= 0xFFFF:
        return b"%c\x7e%b%b" % (kind, length.to_bytes(2, "big"), content)
    return b"%c\x7f%b%b" % (kind, length.to_bytes(8, "big"), content)
