"""A match on disk: the file it goes on from, one line of JSON a game, and the records of its games for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from punct import records
from punct.errors import PunctError
from punct.game import Game
from punct.match.errors import MatchError
from punct.match.standing import Finished

_FORMAT: Final = 1
_FIRST_GAME: Final = 2
"""The line of it; what is played stands in the one before."""


class MatchFile:
    """The file one match goes on from: what is played, then each finished game.

    A line torn by a sudden end is dropped; anything else that does not fit is refused.
    """

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        """Open or begin the file; raises MatchError if it is of another match, or no match file at all."""
        self.path = path
        self._identity = {"match": _FORMAT, **identity}
        self.finished: list[Finished] = []
        try:
            text = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise MatchError(f"{path} cannot be read: {error.strerror}") from None
        whole = text[: text.rfind(b"\n") + 1]
        if whole:
            self._read(whole)
        elif text and not json.dumps(self._identity).encode().startswith(text[:40]):
            raise MatchError(f"{path} is not a match file; it is left as it is")
        try:
            if not whole:
                path.write_text(json.dumps(self._identity) + "\n", encoding="utf-8")
            elif len(whole) < len(text):
                path.write_bytes(whole)
        except OSError as error:
            raise MatchError(f"{path} cannot be written: {error.strerror}") from None

    def append(self, game: Finished) -> None:
        """Write down a finished game at once."""
        self.finished.append(game)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(game.as_json()) + "\n")
        except OSError as error:
            raise MatchError(f"{self.path} cannot be written: {error.strerror}") from None

    def games(self, names: tuple[str, str]) -> list[Game]:
        """Return the finished games for their record; raises MatchError, which names the line of one that is none."""
        games = []
        for number, game in enumerate(self.finished, _FIRST_GAME):
            try:
                games.append(game.as_game(names))
            except PunctError as error:
                raise MatchError(f"{self.path}, line {number}: {error}") from None
        return games

    def _read(self, whole: bytes) -> None:
        lines: dict[tuple[int, int], int] = {}
        for number, line in enumerate(whole.split(b"\n")[:-1], 1):
            try:
                data = json.loads(line)
            except (ValueError, RecursionError):
                raise MatchError(f"{self.path}, line {number}: this is not JSON, so no line of a match file") from None
            if not isinstance(data, dict):
                raise MatchError(f"{self.path}, line {number}: this is not a line of a match file")
            if number < _FIRST_GAME:
                self._compare(data)
                continue
            try:
                game = Finished.from_json(data)
            except MatchError as error:
                raise MatchError(f"{self.path}, line {number}: {error}") from None
            earlier = lines.setdefault((game.pair, game.white), number)
            if earlier != number:
                raise MatchError(
                    f"{self.path}, line {number}: the game of pair {game.pair} with white {game.white} stands in line "
                    f"{earlier} already; remove one of the two"
                )
            self.finished.append(game)

    def _compare(self, data: dict[str, Any]) -> None:
        if data.get("match") != _FORMAT:
            raise MatchError(f"{self.path}, line 1: this is not a match file, or not one of format {_FORMAT}")
        for key, value in self._identity.items():
            if data.get(key) != value:
                raise MatchError(
                    f"{self.path} is of another match: its {key} is {data.get(key)!r}, not {value!r}; "
                    "name another file, or play with the same settings"
                )


class MatchRecords:
    """The games of a match as text records, each written as soon as it is over."""

    def __init__(
        self, path: Path, games: list[Game], *, awaits: Callable[[str], bool] | None = None, replace: bool = False
    ) -> None:
        """Write the games that are over already.

        A file that holds just these, or the first of them, is the same match's and is written anew. So is one that has
        one game more, if the match ``awaits`` the game that begins with this text: it ended before its line in the
        match file was whole, and is played again. Any other is refused with a MatchError, unless it may be replaced.
        """
        self._path = path
        self._is_empty = not games
        text = records.dumps(games)
        try:
            if path.is_file() and not replace and not _continues(text.encode(), path.read_bytes(), awaits):
                raise MatchError(f"{path} exists already and holds other games; give --force to replace it")
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise MatchError(f"{path} cannot be written: {error.strerror}") from None

    def append(self, game: Game) -> None:
        """Write down one more game."""
        between = "" if self._is_empty else "\n"  # as many games written at once have it
        self._is_empty = False
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(between + records.dumps(game))
        except OSError as error:
            raise MatchError(f"{self._path} cannot be written: {error.strerror}") from None


def _continues(text: bytes, found: bytes, awaits: Callable[[str], bool] | None) -> bool:
    """Tell whether records that were found are those of a match, torn or one game ahead of what the match knows."""
    if text.startswith(found):
        return True
    more = found.removeprefix(text) if found.startswith(text) else b""
    return awaits is not None and bool(more) and awaits(more.decode("utf-8", "replace").removeprefix("\n"))
