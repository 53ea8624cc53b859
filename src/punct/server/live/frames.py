"""Messages of live connections: framed once, for all connections that get them.

Connections agree with the browser (RFC 7692) that each message is compressed by itself: then the same bytes serve all
of them.
"""

from __future__ import annotations

from typing import Final

from punct.server.http.compression import MIN_COMPRESSED_BYTES, deflate

_TEXT_FRAME: Final = 0x81
_COMPRESSED_TEXT_FRAME: Final = 0xC1


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
