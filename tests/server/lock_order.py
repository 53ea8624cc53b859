"""Records locks taken out of order: see ``punct.server.db.locks`` for the order."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, Final

import pytest

from punct.server.db.database import Connection
from punct.server.db.sql import Statement
from punct.server.db.writer import Writer

_STRENGTHS: Final = ("KEY SHARE", "SHARE", "NO KEY UPDATE", "UPDATE")
"""Of PostgreSQL's row locks, the weakest first."""
_LOCKING: Final = re.compile(rf"\bFOR ({'|'.join(_STRENGTHS)})\b")
_WRITING: Final = re.compile(r"(INSERT INTO|UPDATE|DELETE FROM) (\w+)")


class WatchedConnection:
    """A connection for one change, which notes what that locks out of order."""

    def __init__(self, connection: Connection, wrong: list[str]) -> None:
        self._connection, self._wrong = connection, wrong
        self._held: dict[str, int] = {}
        self._has_all = False
        self._rest: str | None = None

    def execute(self, statement: str, values: Mapping[str, Any] = {}, /) -> Any:
        self._note(statement, values)
        return self._connection.execute(statement, values)

    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> object:
        rows = list(values)
        for row in rows:
            self._note(statement, row)
        return self._connection.executemany(statement, rows)

    def _note(self, statement: str, values: Mapping[str, Any]) -> None:
        words = " ".join(statement.postgresql.split() if isinstance(statement, Statement) else statement.split())
        locking, writing = _LOCKING.search(words), _WRITING.match(words)
        if locking and "FROM players" in words:
            self._lock(words, values.get("player"), _STRENGTHS.index(locking[1]))
        elif writing and writing[2] == "players":
            if writing[1] == "INSERT INTO":
                self._held[values["id"]] = len(_STRENGTHS)  # nobody else knows of it
            else:
                needed = "UPDATE" if writing[1] == "DELETE FROM" else "NO KEY UPDATE"
                self._lock(words, values.get("heir", values.get("player")), _STRENGTHS.index(needed))
        elif locking or writing:
            self._rest = words

    def _lock(self, words: str, player: str | None, strength: int) -> None:
        held = None if player is None else self._held.get(player)
        if self._has_all or (held is not None and held >= strength):
            return
        if held is not None:
            self._wrong.append(f"held too weakly before: {words}")
        elif self._rest is not None:
            self._wrong.append(f"a player after something else: {words}, after {self._rest}")
        elif player is None:
            self._has_all = "ORDER BY players.id" in words
            if not self._has_all or self._held:
                self._wrong.append(f"players in no order: {words}")
        elif self._held and player <= max(self._held):
            self._wrong.append(f"players in no order: {words}")
        if player is not None:
            self._held[player] = strength


@contextlib.contextmanager
def watch_lock_order() -> Iterator[list[str]]:
    """Have every change watched; yield what is wrong with the order of its locks."""
    wrong: list[str] = []
    submit = Writer.submit

    def submit_watched(writer: Writer, change: Callable[[Connection], Any]) -> Future[Any]:
        return submit(writer, lambda connection: change(WatchedConnection(connection, wrong)))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Writer, "submit", submit_watched)
        yield wrong
