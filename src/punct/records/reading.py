"""Read games one after the other from any source, and continue after invalid ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.game import Game
from punct.paths import PathLike, read_path
from punct.records.limits import check_count
from punct.records.source import NoTextError, Source, TextBuffer, is_path, open_source

T = TypeVar("T")
Format = Literal["text", "sgf"]
FORMATS: Final[dict[str, Format]] = {".punct": "text", ".txt": "text", ".sgf": "sgf"}
"""Formats by file suffix."""

OnError: TypeAlias = Literal["raise", "skip"] | Callable[[InvalidRecordError], object]
"""What to do about a game that cannot be read."""


class Header(NamedTuple):
    """A game's tags and its place in the record."""

    game_index: int
    """The game's index in the record, from 0."""
    line: int
    """The line it begins in, from 1."""
    offset: int
    """How many characters of the record precede it."""
    tags: dict[str, str]
    """The tags, with those that follow from the game (``Rules``, ``Position``, ``Result`` …) as far as it has them."""


class _ParsedGame(Protocol):
    """A game's text, parsed but not played."""

    end: int

    def play(self) -> Game: ...
    def header(self) -> dict[str, str]: ...
    def next_game(self) -> int: ...


class _Parser(NamedTuple):
    parse: Callable[[TextBuffer], _ParsedGame | None]
    skip: Callable[[TextBuffer], int]


def _parser(format: Format) -> _Parser:
    """Return the parser of a format, which is loaded when needed: a command about one text does not load SGF."""
    if format == "sgf":
        from punct.records.sgf.reader import parse_sgf, skip_sgf

        return _Parser(parse_sgf, skip_sgf)
    from punct.records.text.reader import parse_text, skip_text

    return _Parser(parse_text, skip_text)


def iter_games(source: Source, format: Format | None = None, *, on_error: OnError = "raise") -> Iterator[Game]:
    """Read the games of a path, an open file or a text one after the other, with only one of them in memory.

    A text is distinguished from a path by its line breaks. The format follows from the suffix, or else the content.
    Each game is left at the end of its main line. A game that cannot be read is an InvalidRecordError with its ``line``
    and ``game_index``: it is raised, skipped with ``on_error="skip"``, or passed to ``on_error`` if that is a
    callable; then reading continues with the next game. What is not a text is always an error.
    """
    with open_source(source) as buffer:
        yield from read_games(buffer, format or _format_by_suffix(source), on_error)


def read_tags(source: Source, format: Format | None = None, *, on_error: OnError = "raise") -> Iterator[Header]:
    """Read the tags of a record's games, without playing them; otherwise as ``iter_games``."""
    with open_source(source) as buffer:
        yield from _read(buffer, format or _format_by_suffix(source), on_error, None, _read_header)


def read_games(
    buffer: TextBuffer, format: Format | None, on_error: OnError = "raise", most_games: int | None = None
) -> Iterator[Game]:
    """Read the games of a text; raises InvalidRecordError in any case if there are more than ``most_games``."""
    return _read(buffer, format, on_error, most_games, _play)


def format_of(path: PathLike) -> Format | None:
    """Return the format of a file's suffix, or None."""
    return FORMATS.get(read_path(path).suffix.lower())


def read_format(format: str) -> Format:
    """Return the format of this name; raises PunctError if there is none."""
    for name in FORMATS.values():
        if format == name:
            return name
    raise PunctError(f"{shorten(format)} is not a format of records: text or sgf")


def _format_by_suffix(source: Source) -> Format | None:
    return format_of(source) if is_path(source) else None  # type: ignore[arg-type]


def _read(
    buffer: TextBuffer,
    format: Format | None,
    on_error: OnError,
    most_games: int | None,
    make: Callable[[int, TextBuffer, _ParsedGame], T],
) -> Iterator[T]:
    if on_error not in ("raise", "skip") and not callable(on_error):
        raise PunctError(f"on_error is 'raise', 'skip' or a function, not {shorten(on_error)}")
    if format is None:
        from punct.records.sgf.syntax import is_undecided, looks_like_sgf

        while is_undecided(buffer.text) and buffer.more():
            pass
        format = "sgf" if looks_like_sgf(buffer.text) else "text"
    parse, skip = _parser(read_format(format))
    index = 0
    while True:
        game = None
        try:
            game = parse(buffer)
            if game is None:
                return
        except NoTextError:
            raise
        except InvalidRecordError as error:
            check_count(index, most_games, buffer.line)
            _report(error, index, on_error)
            buffer.go_to(skip(buffer))
        else:
            check_count(index, most_games, buffer.line)
            end = game.end
            buffer.mark_read(end)
            try:
                result = make(index, buffer, game)
            except InvalidRecordError as error:
                _report(error, index, on_error)
                end = game.next_game()
            else:
                yield result
                del result
            buffer.go_to(end)
        index += 1


def _play(index: int, buffer: TextBuffer, game: _ParsedGame) -> Game:
    return game.play()


def _read_header(index: int, buffer: TextBuffer, game: _ParsedGame) -> Header:
    return Header(index, buffer.line, buffer.offset, game.header())


def _report(error: InvalidRecordError, index: int, on_error: OnError) -> None:
    located = error.in_game(index)
    if on_error == "raise":
        raise located from None
    if callable(on_error):
        on_error(located)
