"""Reading games one after the other, whatever they are stored in, and going on after one that makes no sense."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.game import Game
from punct.records.limits import check_count
from punct.records.source import NoTextError, Scroll, Source, is_path, unrolled

T = TypeVar("T")
Format = Literal["text", "sgf"]
FORMATS: Final[dict[str, Format]] = {".punct": "text", ".txt": "text", ".sgf": "sgf"}
"""By a file's suffix: how games are stored in it."""

OnError: TypeAlias = Literal["raise", "skip"] | Callable[[InvalidRecordError], object]
"""What to do about a game that cannot be read."""


class Header(NamedTuple):
    """What a record says about a game before its turns."""

    game_index: int
    """Which game of the record it is, counted from 0."""
    line: int
    """The line it begins in, counted from 1."""
    offset: int
    """How many characters of the record stand before it."""
    tags: dict[str, str]
    """The tags, with those that follow from the game (``Rules``, ``Position``, ``Result`` …) as far as it has them."""


class _Draft(Protocol):
    """A game's text, taken apart but not played."""

    end: int

    def play(self) -> Game: ...
    def header(self) -> dict[str, str]: ...
    def next_game(self) -> int: ...


class _Reader(NamedTuple):
    take: Callable[[Scroll], _Draft | None]
    skip: Callable[[Scroll], int]


def _reader(format: Format) -> _Reader:
    """Return how a format is read. Only what is read is loaded: a command about one text does not wait for SGF."""
    if format == "sgf":
        from punct.records.sgf.reader import skip_sgf, take_sgf

        return _Reader(take_sgf, skip_sgf)
    from punct.records.text.reader import skip_text, take_text

    return _Reader(take_text, skip_text)


def iter_games(source: Source, format: Format | None = None, *, on_error: OnError = "raise") -> Iterator[Game]:
    """Read the games of a path, an open file or a text one after the other, holding only one of them.

    A text is told from a path by its line breaks. The format is that of a path's suffix, or else told from the content.
    Each game is left at the end of its main line. A game that cannot be read is an InvalidRecordError with its ``line``
    and ``game_index``: it is raised, passed over with ``on_error="skip"``, or given to the callable that ``on_error``
    is; then reading goes on with the next game. What is no text at all is an error in any case.
    """
    with unrolled(source) as scroll:
        yield from read_games(scroll, format or _promised(source), on_error)


def read_tags(source: Source, format: Format | None = None, *, on_error: OnError = "raise") -> Iterator[Header]:
    """Read what a record says about its games, without playing any of them; otherwise as ``iter_games``."""
    with unrolled(source) as scroll:
        yield from _read(scroll, format or _promised(source), on_error, None, _header)


def read_games(
    scroll: Scroll, format: Format | None, on_error: OnError = "raise", most_games: int | None = None
) -> Iterator[Game]:
    """Read the games of a text; raises InvalidRecordError in any case if there are more than ``most_games``."""
    return _read(scroll, format, on_error, most_games, _played)


def format_of(path: str | os.PathLike[str]) -> Format | None:
    """Return the format that a file's suffix promises, or None."""
    return FORMATS.get(Path(path).suffix.lower())


def known(format: str) -> Format:
    """Return the format of this name; raises PunctError if there is none."""
    for name in FORMATS.values():
        if format == name:
            return name
    raise PunctError(f"{shorten(format)} is not a format of records: text or sgf")


def _promised(source: Source) -> Format | None:
    return format_of(source) if is_path(source) else None  # type: ignore[arg-type]


def _read(
    scroll: Scroll,
    format: Format | None,
    on_error: OnError,
    most_games: int | None,
    make: Callable[[int, Scroll, _Draft], T],
) -> Iterator[T]:
    if on_error not in ("raise", "skip") and not callable(on_error):
        raise PunctError(f"on_error is 'raise', 'skip' or a function, not {shorten(on_error)}")
    if format is None:
        from punct.records.sgf.syntax import is_undecided, looks_like_sgf

        while is_undecided(scroll.text) and scroll.more():
            pass
        format = "sgf" if looks_like_sgf(scroll.text) else "text"
    take, skip = _reader(known(format))
    index = 0
    while True:
        draft = None
        try:
            draft = take(scroll)
            if draft is None:
                return
        except NoTextError:
            raise
        except InvalidRecordError as error:
            check_count(index, most_games, scroll.line)
            _report(error, index, on_error)
            scroll.go_to(skip(scroll))
        else:
            check_count(index, most_games, scroll.line)
            end = draft.end
            scroll.look(end)
            try:
                made = make(index, scroll, draft)
            except InvalidRecordError as error:
                _report(error, index, on_error)
                end = draft.next_game()
            else:
                yield made
                del made
            scroll.go_to(end)
        index += 1


def _played(index: int, scroll: Scroll, draft: _Draft) -> Game:
    return draft.play()


def _header(index: int, scroll: Scroll, draft: _Draft) -> Header:
    return Header(index, scroll.line, scroll.offset, draft.header())


def _report(error: InvalidRecordError, index: int, on_error: OnError) -> None:
    told = error.in_game(index)
    if on_error == "raise":
        raise told from None
    if callable(on_error):
        on_error(told)
