"""What a record may hold at most: checked while it is read, before anything is made of it."""

from __future__ import annotations

from typing import Final

from punct.errors import InvalidRecordError

DEEPEST: Final = 5000
"""Variations within variations. SGF nests once for every branching, so a long game studied at each turn goes deep."""


def check_count(count: int, most: int | None, line: int) -> None:
    """Refuse another game after so many."""
    if most is not None and count >= most:
        raise InvalidRecordError(
            f"line {line}: another game begins here, but at most {most} may stand in this record",
            line=line,
            game_index=count,
        ).about("too_many_games", most)


def check_depth(depth: int, line: int) -> None:
    """Refuse a variation within so many others."""
    if depth > DEEPEST:
        raise InvalidRecordError(f"line {line}: variations are nested more than {DEEPEST} deep", line=line)
