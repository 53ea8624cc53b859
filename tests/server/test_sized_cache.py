"""Caches are bounded by the memory their entries take, whatever their number."""

from __future__ import annotations

from punct.server.sized_cache import SizedCache


def test_the_least_recently_used_are_evicted() -> None:
    cache: SizedCache[str, bytes] = SizedCache(100, len)
    for name in "abcd":
        cache.put(name, bytes(25))
    assert cache.size == 100 and cache.use("a") == bytes(25) and cache.get("b") == bytes(25)
    cache.put("e", bytes(30))
    assert [name in cache for name in "abcde"] == [True, False, False, True, True]
    cache.put("a", bytes(5))
    assert cache.size == 60 and len(cache) == 3 and cache.pop("a") == bytes(5) and cache.pop("a") is None
    cache.put("large", bytes(101))  # larger than everything together: kept by nobody
    assert "large" not in cache and cache.size == sum(map(len, cache.values())) <= 100
    cache.clear()
    assert cache.size == len(cache) == 0
