"""Game records: read and write the text record and Boardspace's SGF.

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
from collections.abc import Iterable, Iterator

from punct.errors import WrongTypeError, expect_integer
from punct.game import Game
from punct.paths import PathLike, read_path
from punct.records.reading import (
    FORMATS,
    Format,
    Header,
    OnError,
    format_of,
    iter_games,
    read_format,
    read_games,
    read_tags,
)
from punct.records.source import Readable, Source, buffer_text

__all__ = [
    "FORMATS",
    "Format",
    "Header",
    "OnError",
    "Source",
    "dump",
    "dumps",
    "format_of",
    "iter_games",
    "load",
    "loads",
    "read_tags",
]


def loads(text: str | bytes, format: Format | None = None, *, most_games: int | None = None) -> list[Game]:
    """Read every game of a text; the format is detected if none is given. Bytes are UTF-8, or else Latin-1.

    Each game is left at the end of its main line. Raises InvalidRecordError, which says where and what is wrong; also
    if there are more than ``most_games``; WrongTypeError for anything but a text or bytes.
    """
    if not isinstance(text, (str, bytes)):
        raise WrongTypeError(f"games are read from a text or bytes, not from {type(text).__name__}; load reads files")
    if most_games is not None:
        expect_integer(most_games, "most_games is a whole number, or None for any number")
    return list(read_games(buffer_text(text), format, "raise", most_games))


def load(source: PathLike | Readable[str] | Readable[bytes], format: Format | None = None) -> list[Game]:
    """Read every game of a file, given by its path or open. The format follows from the suffix, or else the content."""
    return list(iter_games(read_path(source) if isinstance(source, str) else source, format))


def dumps(games: Game | Iterable[Game], format: Format = "text") -> str:
    """Write games, or one, as a text."""
    checked = _games(games)
    if read_format(format) == "sgf":
        from punct.records.sgf.writer import write_boardspace  # loaded for SGF alone

        return write_boardspace(checked)
    from punct.records.text.writer import write_text

    return write_text(checked)


def _games(games: Game | Iterable[Game]) -> Iterator[Game]:
    """Yield the games to write; raises WrongTypeError for anything else, such as a position."""
    values = [games] if isinstance(games, Game) else games
    for game in values if isinstance(values, Iterable) else [values]:
        if not isinstance(game, Game):
            raise WrongTypeError(f"a record is written of a Game, or of several, not of {type(game).__name__}")
        yield game


def dump(games: Game | Iterable[Game], path: PathLike, format: Format | None = None) -> None:
    """Write games, or one, to a file in UTF-8, in the format of its suffix (text if that is unknown).

    The file is written atomically.
    """
    path = read_path(path, "path to write games to")
    content = dumps(games, format or format_of(path) or "text").encode()
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or terminal cannot be replaced by a file
        return
    path = path.resolve()  # a link's target
    temporary = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
