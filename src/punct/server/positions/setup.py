"""Positions from texts."""

from __future__ import annotations

from collections.abc import Iterable

from punct import kernel


def position_after(start: str, texts: Iterable[str]) -> kernel.Position:
    """Return the position after some moves, which are its history; raises PunctError if one is invalid or illegal."""
    position = canonical_position(start)
    for text in texts:
        position.push(text)
    return position


def canonical_position(start: str) -> kernel.Position:
    """Return a position with its pieces in canonical order, by which they are named."""
    return kernel.Position(str(kernel.Position(start)))
