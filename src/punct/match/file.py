"""A match on disk: the file it is resumed from, one line of JSON per game, and the records of its games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from punct import records
from punct.errors import PunctError
from punct.game import Game
from punct.match.errors import MatchError
from punct.match.game import FinishedGame

_FORMAT: Final = 1
_FIRST_GAME: Final = 2
"""Its line; the first line says what is played."""


class MatchFile:
    """The file a match is resumed from: what is played, then each finished game.

    A line cut off by a crash is removed; anything else that is invalid is refused.
    """

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        """Open or create the file; raises MatchError if it is of another match, or not a match file."""
        self.path = path
        self._identity = {"match": _FORMAT, **identity}
        self.finished: list[FinishedGame] = []
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

    def append(self, game: FinishedGame) -> None:
        """Write a finished game at once."""
        self.finished.append(game)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(game.as_json()) + "\n")
        except OSError as error:
            raise MatchError(f"{self.path} cannot be written: {error.strerror}") from None

    def games(self, names: tuple[str, str]) -> list[Game]:
        """Return the finished games for their record; raises MatchError, which names the line of an invalid one."""
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
                game = FinishedGame.from_json(data)
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
    """The games of a match as text records, each written as soon as it is finished."""

    def __init__(
        self, path: Path, games: list[Game], *, is_expected: Callable[[str], bool] | None = None, replace: bool = False
    ) -> None:
        """Write the games that are finished already.

        A file that holds just these, or the first of them, belongs to the same match and is written again. So is one
        with one game more, if ``is_expected`` of that game's text: the match was killed between the record and the
        line in the match file, and plays this game again. Any other is refused with a MatchError, unless ``replace``.
        """
        self._path = path
        self._is_empty = not games
        text = records.dumps(games)
        try:
            if path.is_file() and not replace and not _continues(text.encode(), path.read_bytes(), is_expected):
                raise MatchError(f"{path} exists already and holds other games; give --force to replace it")
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise MatchError(f"{path} cannot be written: {error.strerror}") from None

    def append(self, game: Game) -> None:
        """Write one more game."""
        separator = "" if self._is_empty else "\n"  # as between games written at once
        self._is_empty = False
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(separator + records.dumps(game))
        except OSError as error:
            raise MatchError(f"{self._path} cannot be written: {error.strerror}") from None


def _continues(text: bytes, existing: bytes, is_expected: Callable[[str], bool] | None) -> bool:
    """Return whether existing records are those of a match, cut off or one game ahead of the match file."""
    if text.startswith(existing):
        return True
    rest = existing.removeprefix(text) if existing.startswith(text) else b""
    return is_expected is not None and bool(rest) and is_expected(rest.decode("utf-8", "replace").removeprefix("\n"))
