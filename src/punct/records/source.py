"""Where records come from: a text, a file or a path, of which only the part that is being read is held."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol, TypeAlias, TypeVar

from punct.errors import InvalidRecordError, WrongTypeError

T_co = TypeVar("T_co", str, bytes, covariant=True)


class Readable(Protocol[T_co]):
    """A file that is open for reading, or whatever else can be read like one."""

    def read(self, size: int, /) -> T_co:
        """Return at most so much more; nothing at the end."""


Source: TypeAlias = str | bytes | os.PathLike[str] | Readable[str] | Readable[bytes]
"""Games to read: a path, an open file, or the text itself, which a line break tells from a path."""

_PIECE: Final = 1 << 17
_PATIENCE: Final = 64
"""So often may the text be read again, on average, to find games within others that have no end."""
_BYTE_ORDER_MARK: Final = "\ufeff"
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_LONE_RETURN: Final = re.compile(r"(?<!\n)\r(?!\n)")
"""A line end as old Macintoshes wrote it. Beside a line feed it is half of one."""


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Take bytes that are not UTF-8 for Latin-1, as old archives have it; the rest of the file stays what it is."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


_ELSE_LATIN_1: Final = "punct-else-latin-1"
codecs.register_error(_ELSE_LATIN_1, _as_latin_1)


QUOTED: Final = 60
"""So much of a text that makes no sense may be quoted, so it must be there, however slowly a file comes."""


class NoTextError(InvalidRecordError):
    """Not one bad game, but nothing that could be read on."""


class Incomplete(Exception):  # noqa: N818  # no error: the text goes on
    """The game does not end in the part of the text that is held."""


class Scroll:
    """A text that is unrolled as far as it is read. What lies before ``at``, where the current game begins, may go."""

    def __init__(self, text: str = "", read: Callable[[int], str] | None = None) -> None:
        """Begin with some text; ``read`` gives so many more characters, or none at the end."""
        self.text, self._held = _line_feeds(text, is_whole=read is None)
        self.at = 0
        self.line = 1
        """The line in which ``at`` is."""
        self.reread = 0
        """How many characters were gone back over, after games that made no sense."""
        self._before = 0
        self._furthest = 0
        self._read = read
        if not text:
            self.more()
        if self.text.startswith(_BYTE_ORDER_MARK):
            self.text, self._before = self.text[1:], 1
        self._first = self._before

    @property
    def is_whole(self) -> bool:
        """Whether nothing follows after what is held."""
        return self._read is None

    @property
    def offset(self) -> int:
        """How many characters stand before ``at``."""
        return self._before + self.at

    @property
    def is_at_start(self) -> bool:
        """Whether nothing has been read yet."""
        return self.offset == self._first

    def line_of(self, place: int) -> int:
        """Return the line of a place in the text, at or after ``at``."""
        return self.line + self.text.count("\n", self.at, place)

    def look(self, place: int) -> None:
        """Note that the current game was read to a place in the text."""
        self._furthest = max(self._furthest, place)

    def go_to(self, place: int) -> None:
        """Go on to a place in the text; raises NoTextError if that means to go back over it again and again."""
        self.line = self.line_of(place)
        self.at = place
        self.reread += max(0, self._furthest - place)
        self._furthest = place
        if self.reread > _PATIENCE * (self._before + len(self.text)):
            raise NoTextError(f"line {self.line}: game after game has no end; this is no record", line=self.line)

    def more(self) -> bool:
        """Hold at least as much again, without what lies before ``at``, which becomes 0; False at the end."""
        if self._read is None:
            return False
        piece = self._read(max(_PIECE, len(self.text) - self.at))
        if not piece:
            self._read = None
            if not self._held:
                return False
        # What comes before decides with it whether a return is a line end of its own.
        before = self.text[-1:]
        piece, self._held = _line_feeds(before + self._held + piece, is_whole=self._read is None)
        self.text = self.text[self.at :] + piece[len(before) :]
        self._before += self.at
        self._furthest = max(0, self._furthest - self.at)
        self.at = 0
        return True


def _line_feeds(text: str, *, is_whole: bool) -> tuple[str, str]:
    """Return a text in which a return by itself is a line feed; and a return at its end, while its meaning is open."""
    if "\r" not in text:
        return text, ""
    held = "\r" if text.endswith("\r") and not is_whole else ""
    return _LONE_RETURN.sub("\n", text.removesuffix(held)), held


def is_path(source: Source) -> bool:
    """Tell a path from a text, which has a line break in it, and from a file."""
    return isinstance(source, os.PathLike) or (isinstance(source, str) and not {"\n", "\r"} & set(source))


def _count_lines(content: bytes) -> int:
    """Return how many lines end in a piece of a file, for errors; of one cut within a line end, perhaps one more."""
    return len(_LINE_END.findall(content)) if b"\r" in content else content.count(b"\n")


@contextlib.contextmanager
def unrolled(source: Source) -> Iterator[Scroll]:
    """Open whatever games are read from; a file that was open before stays open."""
    if isinstance(source, bytes):
        yield unrolled_text(source)
    elif is_path(source):
        with Path(source).open("rb") as file:  # type: ignore[arg-type]  # it is one
            yield _of_bytes(file)
    elif isinstance(source, str):
        yield Scroll(source)
    elif hasattr(source, "read"):
        beginning = source.read(_PIECE)
        if isinstance(beginning, str):
            yield Scroll(beginning, source.read)  # type: ignore[arg-type]  # what gives texts goes on doing so
        else:
            yield _of_bytes(source, beginning)  # type: ignore[arg-type]
    else:
        raise WrongTypeError(f"games are read from a path, an open file or a text, not from {type(source).__name__}")


def unrolled_text(text: str | bytes) -> Scroll:
    """Return a text that is held already."""
    return Scroll(text) if isinstance(text, str) else _of_bytes(io.BytesIO(text))


def _of_bytes(file: Readable[bytes], beginning: bytes = b"") -> Scroll:
    decoder = codecs.getincrementaldecoder("utf-8")(_ELSE_LATIN_1)
    lines = 1

    def decoded(content: bytes, *, last: bool = False) -> str:
        nonlocal lines
        zero = content.find(0)
        if zero >= 0:
            line = lines + _count_lines(content[:zero])
            raise NoTextError(f"line {line}: a zero byte; this is no text", line=line)
        lines += _count_lines(content)
        return decoder.decode(content, last)

    def read(size: int) -> str:
        while content := file.read(size):
            text = decoded(content)
            if text:  # or only the first byte of a character has come
                return text
        return decoded(b"", last=True)

    return Scroll(decoded(beginning), read)
