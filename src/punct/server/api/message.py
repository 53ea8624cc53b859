"""What live connections are sent: made, compressed and framed once, however many there are.

A game after a turn is some 20 kB, and each of its players gets it, and everybody who watches. So connections agree with
the browser (RFC 7692) that each message is compressed for itself: then the same bytes serve all of them.
"""

from __future__ import annotations

import zlib
from typing import Final

WORTH_COMPRESSING: Final = 1000
"""Bytes; what is smaller fits into one packet anyhow."""
_LEVEL: Final = 1
"""Twice as fast as the usual 6, for a tenth more bytes."""
_GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x04\xff"
_LAST_BLOCK: Final = b"\x03\x00"
_LONGEST_STORED: Final = 0xFFFF
_TEXT, _COMPRESSED_TEXT = 0x81, 0xC1


def deflated(content: bytes) -> bytes:
    """Return content compressed, as blocks that others may stand before and after: they end with a whole byte."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH)


def stored(content: bytes) -> bytes:
    """Return a short content as such a block, not compressed at all."""
    length = len(content)
    assert length <= _LONGEST_STORED
    return b"\x00%b%b%b" % (length.to_bytes(2, "little"), (length ^ 0xFFFF).to_bytes(2, "little"), content)


def gzipped(content: bytes, blocks: bytes) -> bytes:
    """Return what whoever takes gzip gets of a content that was compressed already."""
    check, length = zlib.crc32(content), len(content) & 0xFFFFFFFF
    return b"%b%b%b%b%b" % (_GZIP_HEAD, blocks, _LAST_BLOCK, check.to_bytes(4, "little"), length.to_bytes(4, "little"))


class Message(str):
    """A text for live connections, with the frames that carry it once somebody has needed them."""

    __slots__ = ("_compressed", "_plain")

    _plain: bytes
    _compressed: bytes

    def frame(self, *, compressed: bool) -> bytes:
        """Return the frame: compressed for connections that take that, if it is worth it."""
        if compressed and len(self) >= WORTH_COMPRESSING:
            try:
                return self._compressed
            except AttributeError:
                # The last block is an empty one, which goes without its length: the other side adds it.
                self._compressed = _framed(_COMPRESSED_TEXT, self.blocks() + b"\x00")
                return self._compressed
        try:
            return self._plain
        except AttributeError:
            self._plain = _framed(_TEXT, self.encode())
            return self._plain

    def blocks(self) -> bytes:
        """Return the text compressed."""
        return deflated(self.encode())


def _framed(kind: int, content: bytes) -> bytes:
    length = len(content)
    if length < 126:
        return b"%c%c%b" % (kind, length, content)
    if length <= 0xFFFF:
        return b"%c\x7e%b%b" % (kind, length.to_bytes(2, "big"), content)
    return b"%c\x7f%b%b" % (kind, length.to_bytes(8, "big"), content)
