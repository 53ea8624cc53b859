"""Errors of puzzles."""

from __future__ import annotations

from collections.abc import Sequence

from punct.server.errors import RequestError


class UnknownPuzzleError(RequestError, status=422, code="unknown_puzzle"):
    """Tries name puzzles that this server does not have."""

    def __init__(self, puzzles: Sequence[str]) -> None:
        several = f"and {len(puzzles) - 1} more are not" if len(puzzles) > 1 else "is not"
        super().__init__(f"{puzzles[0]} {several} among the puzzles of this server; nothing was kept.", puzzles=puzzles)
