"""Game records: the text record and SGF as Boardspace has it, read and written.

>>> from punct import Game, records
>>> game = Game(tags={"White": "Anna"})
>>> game.push("Ed5ne")
Move.parse('Ed5ne')
>>> text = records.dumps([game])
>>> records.loads(text) == [game]
True
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final, Literal

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.game import Game
from punct.records.sgf.reader import read_boardspace
from punct.records.sgf.syntax import looks_like_sgf
from punct.records.sgf.writer import write_boardspace
from punct.records.text.reader import read_text
from punct.records.text.writer import write_text

__all__ = ["FORMATS", "Format", "dump", "dumps", "format_of", "load", "loads"]

Format = Literal["text", "sgf"]
FORMATS: Final[dict[str, Format]] = {".punct": "text", ".txt": "text", ".sgf": "sgf"}
"""By a file's suffix: how games are stored in it."""

_READERS: Final = {"text": read_text, "sgf": read_boardspace}
_WRITERS: Final = {"text": write_text, "sgf": write_boardspace}


def format_of(path: str | os.PathLike[str]) -> Format | None:
    """Return the format that a file's suffix promises, or None."""
    return FORMATS.get(Path(path).suffix.lower())


def loads(text: str | bytes, format: Format | None = None, *, most_games: int | None = None) -> list[Game]:
    """Read every game of a text; without a format it is told from the text. Bytes are UTF-8 or else Latin-1.

    Each game is left at the end of its main line. Raises InvalidRecordError, which says where and what is wrong; also
    when there are more than ``most_games``, which is noticed before any of them is played.
    """
    if isinstance(text, bytes):
        text = _decode(text)
    text = text.removeprefix("\ufeff")
    if format is None:
        format = "sgf" if looks_like_sgf(text) else "text"
    return _READERS[_known(format)](text, most_games)


def load(source: str | os.PathLike[str] | IO[str] | IO[bytes], format: Format | None = None) -> list[Game]:
    """Read every game of a file, given by its path or open. The suffix tells the format, or else the content."""
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        return loads(path.read_bytes(), format or format_of(path))
    return loads(source.read(), format)


def dumps(games: Game | Iterable[Game], format: Format = "text") -> str:
    """Write games, or one, as a text."""
    return _WRITERS[_known(format)]([games] if isinstance(games, Game) else games)


def dump(games: Game | Iterable[Game], path: str | os.PathLike[str], format: Format | None = None) -> None:
    """Write games, or one, to a file in UTF-8, in the format of its suffix (text if it has none we know).

    The file appears whole or not at all.
    """
    path = Path(path)
    content = dumps(games, format or format_of(path) or "text").encode()
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or terminal cannot be replaced by a file
        return
    path = path.resolve()  # through a link, what it points to
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _known(format: str) -> Format:
    for known in FORMATS.values():
        if format == known:
            return known
    raise PunctError(f"{shorten(format)} is not a format of records: text or sgf")


def _decode(content: bytes) -> str:
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(0)) + 1
        raise InvalidRecordError(f"line {line}: a zero byte; this is no text")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")
