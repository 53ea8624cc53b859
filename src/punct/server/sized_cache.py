"""An LRU cache bounded by the memory of its entries, not by their number: one may be a thousand times another.

Sizes are estimates. An entry larger than the whole cache is not cached at all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SizedCache(Generic[Key, Value]):
    """Entries by key, as many as fit. Not thread-safe."""

    def __init__(self, max_bytes: int, measure: Callable[[Value], int]) -> None:
        """Cache entries of at most ``max_bytes`` in total; ``measure`` estimates an entry's size when it is put."""
        self.max_bytes = max_bytes
        self._measure = measure
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._bytes = 0

    @property
    def size(self) -> int:
        """The estimated bytes of all entries."""
        return self._bytes

    def get(self, key: Key) -> Value | None:
        """Return an entry, without counting that as a use; None if there is none."""
        entry = self._entries.get(key)
        return None if entry is None else entry[0]

    def use(self, key: Key) -> Value | None:
        """Return an entry, and mark it as most recently used; None if there is none."""
        if key in self._entries:
            self._entries.move_to_end(key)
        return self.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Cache an entry, in place of an older one; evict the least recently used."""
        self.pop(key)
        size = self._measure(value)
        self._entries[key] = value, size
        self._bytes += size
        while self._bytes > self.max_bytes:
            _, (_, evicted) = self._entries.popitem(last=False)
            self._bytes -= evicted

    def pop(self, key: Key) -> Value | None:
        """Remove an entry and return it; None if there is none."""
        entry = self._entries.pop(key, None)
        if entry is None:
            return None
        self._bytes -= entry[1]
        return entry[0]

    def clear(self) -> None:
        """Remove all entries."""
        self._entries.clear()
        self._bytes = 0

    def values(self) -> Iterator[Value]:
        """Iterate over the entries, least recently used first. The cache must not change meanwhile."""
        return (value for value, _ in self._entries.values())

    def __contains__(self, key: object) -> bool:
        """Tell whether there is an entry."""
        return key in self._entries

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self._entries)
