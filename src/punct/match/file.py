"""A match on disk: the file it goes on from, one line of JSON a game, and the records of its games for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from punct import records
from punct.errors import PunctError
from punct.game import Game
from punct.match.errors import MatchError
from punct.match.standing import Finished

_FORMAT: Final = 1


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

    def _read(self, whole: bytes) -> None:
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                data = json.loads(line)
                if number == 1:
                    self._compare(data)
                else:
                    self.finished.append(Finished.from_json(data))
            except PunctError:
                raise
            except (ValueError, KeyError, TypeError, IndexError, AttributeError):
                raise MatchError(f"{self.path}, line {number}: this is not a line of a match file") from None

    def _compare(self, data: dict[str, Any]) -> None:
        if data["match"] != _FORMAT:
            raise ValueError("another format")
        for key, value in self._identity.items():
            if data.get(key) != value:
                raise MatchError(
                    f"{self.path} is of another match: its {key} is {data.get(key)!r}, not {value!r}; "
                    "name another file, or play with the same settings"
                )


class MatchRecords:
    """The games of a match as text records, each written as soon as it is over."""

    def __init__(self, path: Path, games: list[Game], *, replace: bool = False) -> None:
        """Write the games that are over already.

        A file that holds just these, or the first of them, is the same match's and is written anew; any other is
        refused with a MatchError, unless it may be replaced.
        """
        self._path = path
        self._is_empty = not games
        text = records.dumps(games)
        try:
            if path.is_file() and not replace and not text.encode().startswith(path.read_bytes()):
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
