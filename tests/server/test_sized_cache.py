"""Caches are bounded by the memory their entries take, whatever their number."""

from __future__ import annotations

import tracemalloc

from tests.server.games.test_long_games import game_of

from punct.server.sized_cache import SizedCache


def test_the_longest_unused_make_room_for_the_new() -> None:
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


def test_what_a_game_takes_is_estimated_by_its_moves_and_comments() -> None:
    for turns in (0, 60, 2000):
        for comment in (None, "x" * 1000):
            game_of(turns, comment)
            tracemalloc.start()
            game = game_of(turns, comment and comment + "y")
            taken, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert game.ply == turns and taken <= game.estimate_bytes() + 1000, (turns, taken, game.estimate_bytes())
            assert game.estimate_bytes() >= turns * len(comment or "")
