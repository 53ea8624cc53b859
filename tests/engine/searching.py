"""Searches by time that end by what they have done: how fast the machine is does not matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from punct._kernel import Searcher


def search_by_time(
    searcher: Searcher, position: str, moves: Sequence[str] = (), *, nodes: int, **options: Any
) -> dict[str, Any]:
    """Search as with a clock, which keeps the tree; stop once it has looked at so many nodes, or soon after."""

    def watch(told: dict[str, Any]) -> None:
        if told["nodes"] >= nodes:
            searcher.stop()

    return searcher.search(position, moves, seconds=86_400.0, on_info=watch, info_every=0.001, **options)
