"""Limits of records, checked while they are parsed."""

from __future__ import annotations

from typing import Final

from punct.errors import InvalidRecordError

MAX_DEPTH: Final = 5000
"""Of nested variations. SGF nests once for every branch, so a long game analysed at each move goes deep."""


def check_count(count: int, max_games: int | None, line: int) -> None:
    """Raise InvalidRecordError for a game beyond the limit."""
    if max_games is not None and count >= max_games:
        raise InvalidRecordError(
            f"line {line}: another game begins here, but at most {max_games} may stand in this record",
            line=line,
            game_index=count,
        ).about("too_many_games", max_games)


def check_depth(depth: int, line: int) -> None:
    """Raise InvalidRecordError for a variation nested too deeply."""
    if depth > MAX_DEPTH:
        raise InvalidRecordError(f"line {line}: variations are nested more than {MAX_DEPTH} deep", line=line)
