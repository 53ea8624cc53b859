"""The search's driver: memory, threads, history, and failures to allocate memory or start threads."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import Any

import pytest
from tests.engine.last_moves import UNVISITED
from tests.engine.searching import search_by_time
from tests.engine.test_forced import LOST_IN_FOUR
from tests.engine.test_search import positions

from punct import Game, kernel
from punct._kernel import Network, Searcher, candidates, defences
from punct.engine import Engine, EngineError, Limits
from punct.engine.network import default_network
from punct.engine.weights import default_weights

_ROTATE = 13
"""The weight of rotating a piece where it lies, among those of the prior (kernel/search/candidates.hpp)."""
MIDDLE = "standard w wMb5ne wEd3ne wEe8ne wLh3sw bMh4nw bCh11se wRj12n bTm10s bMq12s wEf5sw wMj12sw bRq11nw"


def in_little_memory(megabytes: int, code: str) -> str:
    """Run some code in a process that may allocate only so much more memory."""
    text = f"""
        import resource
        from pathlib import Path
        from punct.engine import Engine, EngineError, Limits
        Engine(hash_mb=1).play({MIDDLE!r}, Limits(nodes=20))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + {megabytes} * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    """
    script = textwrap.dedent(text) + textwrap.dedent(code)
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


limits_memory = pytest.mark.skipif(
    sys.platform != "linux" or "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="the limit works on Linux only, and AddressSanitizer needs more",
)


@limits_memory
def test_memory_is_halved_until_it_can_be_allocated() -> None:
    output = in_little_memory(
        200,
        f"""
        engine = Engine(hash_mb=1024)
        print(engine.reserve(), engine.reserve(), engine.hash_mb)
        print(engine.play({MIDDLE!r}, Limits(nodes=300)).move)
        """,
    )
    plenty = Engine(hash_mb=128).play(MIDDLE, Limits(nodes=300))
    assert output.split() == ["128", "128", "1024", str(plenty.move)]


@limits_memory
def test_a_search_without_reserved_memory_allocates_what_it_can() -> None:
    output = in_little_memory(200, f"print(Engine(hash_mb=65536).play({MIDDLE!r}, Limits(movetime=0.05)).move)")
    assert output.strip()


@limits_memory
def test_a_thread_that_cannot_start_is_an_error() -> None:
    output = in_little_memory(
        64,
        f"""
        engine = Engine(hash_mb=1, threads=256)
        try:
            engine.play({MIDDLE!r}, Limits(nodes=2000))
        except EngineError as error:
            print(error)
        engine.threads = 1
        print(engine.play({MIDDLE!r}, Limits(nodes=20)).nodes)
        """,
    )
    assert output.splitlines() == ["not all of 256 threads could be started: set fewer", "20"]


def test_memory_is_reserved_as_requested() -> None:
    engine = Engine(hash_mb=24)
    assert engine.reserve() == 24
    assert engine.play(MIDDLE, Limits(nodes=50)).nodes == 50
    assert engine.reserve() == 24


def test_the_maximum_number_of_threads() -> None:
    """256 threads at once: no counter wraps, and the answer is a legal move."""
    result = Engine(threads=256, hash_mb=16).play(MIDDLE, Limits(nodes=3000))
    assert 3000 <= result.nodes < 3000 + 256
    assert sum(variation.visits for variation in result.variations) <= result.nodes


def test_the_moves_of_the_game_are_replayed() -> None:
    moves = ["Ed5ne", "Tl5s", "Eg3n", "Tm9n", "d5-d5s"]
    game = Game()
    for move in moves:
        game.push(move)
    one, other = Searcher(4), Searcher(4)
    by_moves = one.search("standard w", moves, nodes=200, variations=3)
    by_text = other.search(str(game.position), nodes=200, variations=3)
    assert by_moves["variations"] == by_text["variations"]


def test_a_move_that_is_not_legal_is_named() -> None:
    with pytest.raises(ValueError, match=r"not a legal move: Ed5ne in standard b wEd5ne"):
        Searcher(1).search("standard w", ["Ed5ne", "Ed5ne"], nodes=1)
    with pytest.raises(ValueError, match="nonsense"):
        Searcher(1).search("standard w", ["nonsense"], nodes=1)


def test_the_history_counts_for_repetition() -> None:
    """Back and forth twice: the move by which a position occurs for the third time is a draw and ends the pv."""
    start, there_and_back = "basic w wEd5ne bTl5s", ["d5-d5s", "l5-l5n", "d5-d5ne", "l5-l5s"]
    *moves, last = there_and_back * 2
    weights = default_weights()
    weights.prior[_ROTATE] = 20.0  # else such moves would not be candidates
    variation_of = {}
    for name, begin, moves_played in (("history", start, moves), ("none", "basic b wEd5ne bTl5n", [])):
        searcher = Searcher(4)
        searcher.set_weights(*weights)
        variations = searcher.search(begin, moves_played, nodes=400, variations=100)["variations"]
        [variation_of[name]] = [variation for variation in variations if variation["move"] == last]
    assert (variation_of["history"]["score"], variation_of["history"]["pv"]) == (0.5, [last])
    assert variation_of["none"]["score"] != 0.5 and len(variation_of["none"]["pv"]) > 1


def test_no_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="nodes or of seconds"):
        Searcher(1).search("standard w")
    with pytest.raises(EngineError, match="threads"):
        Engine(threads=257)


def all_and_new_visits(report: dict[str, Any]) -> tuple[int, int]:
    """Return the visits of all candidates, and those this search has made."""
    return sum(variation["visits"] for variation in report["variations"]), report["nodes"]


def test_a_search_by_time_reuses_the_last_tree() -> None:
    searcher = Searcher(32)
    first = search_by_time(searcher, MIDDLE, nodes=5000)
    pv = first["variations"][0]["pv"]
    assert len(pv) >= 2
    for turns in (pv[:1], pv[:2]):
        visits, nodes = all_and_new_visits(search_by_time(searcher, MIDDLE, turns, nodes=1, variations=300))
        assert visits > nodes
    # Not after another move, nor with another seed.
    position = kernel.Position(MIDDLE)
    position.push(pv[0])
    unlikely, _ = candidates(str(position), 10**6)[-1]
    other = search_by_time(searcher, MIDDLE, [pv[0], unlikely], nodes=1, variations=300)
    assert all_and_new_visits(other)[0] <= other["nodes"]
    search_by_time(searcher, MIDDLE, nodes=2000)
    visits, nodes = all_and_new_visits(search_by_time(searcher, MIDDLE, nodes=1, seed=5, variations=300))
    assert visits <= nodes


def test_a_search_by_nodes_does_not_reuse_the_last_tree() -> None:
    searcher = Searcher(32)
    pv = search_by_time(searcher, MIDDLE, nodes=3000)["variations"][0]["pv"]
    after, fresh = (one.search(MIDDLE, pv[:1], nodes=300, variations=9) for one in (searcher, Searcher(32)))
    assert after["variations"] == fresh["variations"]


def test_a_proof_stays_right_when_the_tree_is_reused() -> None:
    """From move to move the end is one ply nearer."""
    searcher, moves = Searcher(16), list[str]()
    position = kernel.Position(LOST_IN_FOUR)
    for plies in (-4, 3, -2, 1):
        report = searcher.search(LOST_IN_FOUR, moves, seconds=20.0)
        assert report["proven"] == plies
        moves.append(report["move"])
        position.push(report["move"])
    assert position.outcome() is not None


@pytest.mark.parametrize("threads", [1, 4])
def test_a_node_with_many_visits_gets_more_candidates(threads: int) -> None:
    """The best reply to a move with many visits may be none of its first 24 candidates."""
    ranks = []
    for position in positions(13, 16, range(8, 30)):
        for best in Searcher(16).search(str(position), nodes=4000, threads=threads, variations=3)["variations"]:
            after = position.copy()
            after.push(best["move"])
            if len(best["pv"]) > 1 and best["visits"] >= 200 and defences(str(after)) is None:
                ranks.append([move for move, _ in candidates(str(after), 10**6)].index(best["pv"][1]))
    assert sum(rank >= 24 for rank in ranks) >= 3, ranks
    assert sum(rank < 24 for rank in ranks) >= 10, ranks


@pytest.mark.parametrize("threads", [1, 4])
def test_nodes_visited_least_are_evicted(threads: int) -> None:
    """A megabyte is full after some 1,000 nodes were expanded; the search continues, if not quite as deep."""
    small, large = (
        Searcher(megabytes).search(MIDDLE, nodes=20000, threads=threads, variations=5) for megabytes in (1, 64)
    )
    assert small["nodes"] >= 20000
    assert small["depth"] > large["depth"] / 2  # threads make both a little uneven
    assert abs(small["score"] - large["score"]) < 0.05
    position = kernel.Position(MIDDLE)
    for variation in small["variations"]:
        after = position.copy()
        for move in variation["pv"]:
            after.push(move)


def search(network: Network | None, text: str, nodes: int, seed: int) -> dict[str, Any]:
    searcher = Searcher(16)
    searcher.set_network(network)
    return searcher.search(text, nodes=nodes, seed=seed)


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(("text", "nodes", "seed"), UNVISITED)
def test_the_best_move_was_visited(text: str, nodes: int, seed: int, plain: bool) -> None:
    report = search(None if plain else default_network(), text, nodes, seed)
    best = report["variations"][0]
    assert best["visits"] or best["proven"]
    assert report["nodes"] <= nodes * 5 / 4 + 1  # the check of the final move takes a quarter more at most


def test_the_best_move_was_visited_in_games_full_of_threats() -> None:
    for number, position in enumerate(positions(11, 150, range(12, 50))):
        nodes = (2, 16, 64, 70, 150, 450)[number % 6]
        report = search(default_network(), str(position), nodes, number)
        best = report["variations"][0]
        assert best["visits"] or best["proven"], (str(position), nodes, number)
