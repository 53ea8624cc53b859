"""Reading pictures back: an SVG's elements and a PNG's pixels, with nothing but the standard library."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from statistics import median
from xml.etree import ElementTree as Tree

SVG = "{http://www.w3.org/2000/svg}"


def read(text: str) -> Tree.Element:
    """Return the root of an SVG that must be well-formed XML."""
    root = Tree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return root


def having(root: Tree.Element, attribute: str) -> list[Tree.Element]:
    """Return the elements with this attribute, in the order they are drawn."""
    return [element for element in root.iter() if attribute in element.attrib]


def values(root: Tree.Element, attribute: str) -> list[str]:
    """Return that attribute's values, in the order they are drawn."""
    return [element.attrib[attribute] for element in having(root, attribute)]


def strokes(element: Tree.Element) -> list[str]:
    """Return the path data within an element."""
    return [path.attrib["d"] for path in element.iter(f"{SVG}path")]


@dataclass(frozen=True)
class Image:
    """A decoded PNG of 8-bit RGBA."""

    width: int
    height: int
    rows: tuple[bytes, ...]

    def at(self, x: float, y: float) -> tuple[int, int, int]:
        """Return the middle colour of a patch of three by three pixels, which no fleck of stone decides."""
        pixels = [
            self.rows[round(y) + dy][4 * (round(x) + dx) : 4 * (round(x) + dx) + 3]
            for dx in range(-1, 2)
            for dy in range(-1, 2)
        ]
        red, green, blue = (round(median(pixel[channel] for pixel in pixels)) for channel in range(3))
        return red, green, blue


def decode(png: bytes) -> Image:
    """Decode what the renderer writes."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, header = 8, b"", b""
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        header = body if kind == b"IHDR" else header
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour = struct.unpack_from(">IIBB", header)
    assert (depth, colour) == (8, 6), "8-bit RGBA"
    raw, stride = zlib.decompress(data), 4 * width
    rows: list[bytes] = []
    above = bytearray(stride)
    for start in range(0, len(raw), stride + 1):
        above = _unfilter(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), above)
        rows.append(bytes(above))
    return Image(width, height, tuple(rows))


def _unfilter(method: int, row: bytearray, above: bytearray) -> bytearray:
    """Undo one row's filter: none, left, up, average or Paeth's."""
    if method == 2:
        return bytearray(map(_byte_sum, row, above))
    for index in range(len(row) if method else 0):
        left, corner = (row[index - 4], above[index - 4]) if index >= 4 else (0, 0)
        if method == 1:
            guess = left
        elif method == 3:
            guess = (left + above[index]) // 2
        else:
            guess = _nearest(left, above[index], corner)
        row[index] = (row[index] + guess) & 255
    return row


def _byte_sum(one: int, other: int) -> int:
    return (one + other) & 255


def _nearest(left: int, up: int, corner: int) -> int:
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner
