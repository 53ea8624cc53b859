"""A cache bounded by how much memory its entries take, not by how many there are: one may be a thousand times another.

Sizes are estimates. An entry that was used last is dropped last; one larger than the whole cache is not kept at all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SizedCache(Generic[Key, Value]):
    """Entries by key, as many as fit. For one thread at a time."""

    def __init__(self, max_bytes: int, measure: Callable[[Value], int]) -> None:
        """Keep entries that together take no more than so many bytes, as ``measure`` estimates them when they come."""
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
        """Return an entry, to be dropped last from now on; None if there is none."""
        if key in self._entries:
            self._entries.move_to_end(key)
        return self.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Keep an entry, in place of an older one; drop those that were not used for longest."""
        self.pop(key)
        size = self._measure(value)
        self._entries[key] = value, size
        self._bytes += size
        while self._bytes > self.max_bytes:
            _, (_, dropped) = self._entries.popitem(last=False)
            self._bytes -= dropped

    def pop(self, key: Key) -> Value | None:
        """Drop an entry and return it; None if there is none."""
        entry = self._entries.pop(key, None)
        if entry is None:
            return None
        self._bytes -= entry[1]
        return entry[0]

    def clear(self) -> None:
        """Drop everything."""
        self._entries.clear()
        self._bytes = 0

    def values(self) -> Iterator[Value]:
        """Go through the entries, the longest unused first. Nothing may be kept or dropped meanwhile."""
        return (value for value, _ in self._entries.values())

    def __contains__(self, key: object) -> bool:
        """Tell whether there is an entry."""
        return key in self._entries

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self._entries)
