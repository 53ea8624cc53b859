"""Sources of records: a text, a file or a path, of which only the current game is in memory."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
from collections.abc import Callable, Iterator
from typing import Final, Protocol, TypeAlias, TypeVar

from punct.errors import InvalidRecordError, WrongTypeError
from punct.paths import PathLike, read_path

T_co = TypeVar("T_co", str, bytes, covariant=True)


class Readable(Protocol[T_co]):
    """A file open for reading, or anything that can be read like one."""

    def read(self, size: int, /) -> T_co:
        """Return at most ``size`` more characters or bytes; none at the end."""


Source: TypeAlias = PathLike | bytes | Readable[str] | Readable[bytes]
"""Games to read: a path, an open file, or the text itself, which has a line break in it."""

_CHUNK_SIZE: Final = 1 << 17
_MAX_REREADS: Final = 64
"""How often the text may be read again, on average, to find games within unterminated ones."""
_BYTE_ORDER_MARK: Final = "\ufeff"
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_LONE_RETURN: Final = re.compile(r"(?<!\n)\r(?!\n)")
"""A line end of old Macintoshes; next to a line feed it is part of one."""


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8 as Latin-1, which old archives use; the rest of the file stays UTF-8."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


_ELSE_LATIN_1: Final = "punct-else-latin-1"
codecs.register_error(_ELSE_LATIN_1, _as_latin_1)


QUOTE_LENGTH: Final = 60
"""How much of an invalid text an error may quote, so that much must be read before it is raised."""


class NoTextError(InvalidRecordError):
    """Not one invalid game: the source is not a text, or hopeless."""


class Incomplete(Exception):  # noqa: N818  # no error: the text goes on
    """The game does not end in the part of the text that is in memory."""


class TextBuffer:
    """A text read in chunks. What precedes ``at``, where the current game begins, may be dropped."""

    def __init__(self, text: str = "", read: Callable[[int], str] | None = None) -> None:
        """Start with some text; ``read`` returns a given number of further characters, or none at the end."""
        self.text, self._pending_return = _line_feeds(text, is_whole=read is None)
        self.at = 0
        self.line = 1
        """The line in which ``at`` is."""
        self.reread = 0
        """How many characters were read again, after invalid games."""
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
        """Whether the whole rest of the text is in memory."""
        return self._read is None

    @property
    def offset(self) -> int:
        """How many characters precede ``at``."""
        return self._before + self.at

    @property
    def is_at_start(self) -> bool:
        """Whether nothing has been read yet."""
        return self.offset == self._first

    def line_of(self, place: int) -> int:
        """Return the line of a place in the text, at or after ``at``."""
        return self.line + self.text.count("\n", self.at, place)

    def mark_read(self, place: int) -> None:
        """Record that the current game was read up to a place in the text."""
        self._furthest = max(self._furthest, place)

    def go_to(self, place: int) -> None:
        """Move ``at`` to a place in the text; raises NoTextError if the text was read again too often."""
        self.line = self.line_of(place)
        self.at = place
        self.reread += max(0, self._furthest - place)
        self._furthest = place
        if self.reread > _MAX_REREADS * (self._before + len(self.text)):
            raise NoTextError(f"line {self.line}: game after game has no end; this is no record", line=self.line)

    def more(self) -> bool:
        """Read at least as much again and drop what precedes ``at``, which becomes 0; False at the end."""
        if self._read is None:
            return False
        chunk = self._read(max(_CHUNK_SIZE, len(self.text) - self.at))
        if not chunk:
            self._read = None
            if not self._pending_return:
                return False
        # The character before decides whether a return is a line end of its own.
        before = self.text[-1:]
        chunk, self._pending_return = _line_feeds(before + self._pending_return + chunk, is_whole=self._read is None)
        self.text = self.text[self.at :] + chunk[len(before) :]
        self._before += self.at
        self._furthest = max(0, self._furthest - self.at)
        self.at = 0
        return True


def _line_feeds(text: str, *, is_whole: bool) -> tuple[str, str]:
    """Return a text with lone returns as line feeds; and a return at its end, whose meaning is still open."""
    if "\r" not in text:
        return text, ""
    pending = "\r" if text.endswith("\r") and not is_whole else ""
    return _LONE_RETURN.sub("\n", text.removesuffix(pending)), pending


def is_path(source: Source) -> bool:
    """Return whether a source is a path: not a file, nor a text, which has a line break in it."""
    return isinstance(source, os.PathLike) or (isinstance(source, str) and not {"\n", "\r"} & set(source))


def _count_lines(content: bytes) -> int:
    """Return how many lines end in a chunk of a file, for errors; one cut within a line end may count one more."""
    return len(_LINE_END.findall(content)) if b"\r" in content else content.count(b"\n")


@contextlib.contextmanager
def open_source(source: Source) -> Iterator[TextBuffer]:
    """Open a source of games; a file that was open before stays open."""
    if isinstance(source, bytes):
        yield buffer_text(source)
    elif is_path(source):
        with read_path(source).open("rb") as file:  # type: ignore[arg-type]  # it is one
            yield _of_bytes(file)
    elif isinstance(source, str):
        yield TextBuffer(source)
    elif hasattr(source, "read"):
        beginning = source.read(_CHUNK_SIZE)
        if isinstance(beginning, str):
            yield TextBuffer(beginning, source.read)  # type: ignore[arg-type]  # it returns texts from then on too
        else:
            yield _of_bytes(source, beginning)  # type: ignore[arg-type]
    else:
        raise WrongTypeError(f"games are read from a path, an open file or a text, not from {type(source).__name__}")


def buffer_text(text: str | bytes) -> TextBuffer:
    """Return a buffer of a text that is in memory."""
    return TextBuffer(text) if isinstance(text, str) else _of_bytes(io.BytesIO(text))


def _of_bytes(file: Readable[bytes], beginning: bytes = b"") -> TextBuffer:
    decoder = codecs.getincrementaldecoder("utf-8")(_ELSE_LATIN_1)
    lines = 1

    def decode(content: bytes, *, last: bool = False) -> str:
        nonlocal lines
        zero = content.find(0)
        if zero >= 0:
            line = lines + _count_lines(content[:zero])
            raise NoTextError(f"line {line}: a zero byte; this is no text", line=line)
        lines += _count_lines(content)
        return decoder.decode(content, last)

    def read(size: int) -> str:
        while content := file.read(size):
            text = decode(content)
            if text:  # or only the first byte of a character has come
                return text
        return decode(b"", last=True)

    return TextBuffer(decode(beginning), read)
