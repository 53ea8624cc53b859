"""The search's driver: memory, threads and history, and what happens where the machine gives less than was asked."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import Any

import pytest
from tests.engine.last_moves import UNVISITED
from tests.engine.test_forced import LOST_IN_FOUR
from tests.engine.test_search import positions

from punct import Game, kernel
from punct._kernel import Network, Searcher, candidates, defences
from punct.engine import Engine, EngineError, Limits
from punct.engine.network import own_network
from punct.engine.weights import default_weights

_ROTATE = 13
"""The weight of rotating a piece where it lies, among those of the prior (kernel/search/candidates.hpp)."""
MIDDLE = "standard w wMb5ne wEd3ne wEe8ne wLh3sw bMh4nw bCh11se wRj12n bTm10s bMq12s wEf5sw wMj12sw bRq11nw"


def in_little_memory(megabytes: int, code: str) -> str:
    """Run some code in a process that may not have more than so much memory beyond what it has by then."""
    text = f"""
        import resource
        from pathlib import Path
        from punct.engine import Engine, EngineError, Limits
        Engine(hash_mb=1).play({MIDDLE!r}, Limits(nodes=20))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + {megabytes} * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    """
    script = textwrap.dedent(text) + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


limits_memory = pytest.mark.skipif(
    sys.platform != "linux" or "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="memory is limited with Linux's own means, and AddressSanitizer needs more than all of it",
)


@limits_memory
def test_memory_is_halved_until_it_can_be_had() -> None:
    said = in_little_memory(
        200,
        f"""
        engine = Engine(hash_mb=1024)
        print(engine.reserve(), engine.reserve(), engine.hash_mb)
        print(engine.play({MIDDLE!r}, Limits(nodes=300)).move)
        """,
    )
    plenty = Engine(hash_mb=128).play(MIDDLE, Limits(nodes=300))
    assert said.split() == ["128", "128", "1024", str(plenty.move)]


@limits_memory
def test_a_search_without_reserved_memory_takes_what_it_can_have() -> None:
    said = in_little_memory(200, f"print(Engine(hash_mb=65536).play({MIDDLE!r}, Limits(movetime=0.05)).move)")
    assert said.strip()


@limits_memory
def test_a_thread_that_cannot_start_is_an_error_and_no_crash() -> None:
    said = in_little_memory(
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
    assert said.splitlines() == ["not all of 256 threads could be started: set fewer", "20"]


def test_memory_is_taken_as_asked_for() -> None:
    engine = Engine(hash_mb=24)
    assert engine.reserve() == 24
    assert engine.play(MIDDLE, Limits(nodes=50)).nodes == 50
    assert engine.reserve() == 24


def test_as_many_threads_as_there_may_be() -> None:
    """256 threads at once: no counter wraps, and the answer is a legal move."""
    played = Engine(threads=256, hash_mb=16).play(MIDDLE, Limits(nodes=3000))
    assert 3000 <= played.nodes < 3000 + 256
    assert sum(variation.visits for variation in played.variations) <= played.nodes


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
    """Back and forth twice: the move by which a position stands for the third time is a draw, not looked beyond."""
    start, there_and_back = "basic w wEd5ne bTl5s", ["d5-d5s", "l5-l5n", "d5-d5ne", "l5-l5s"]
    *moves, last = there_and_back * 2
    weights = default_weights()
    weights.prior[_ROTATE] = 20.0  # or it would never look at such moves
    found = {}
    for name, begin, played in (("history", start, moves), ("none", "basic b wEd5ne bTl5n", [])):
        searcher = Searcher(4)
        searcher.set_weights(*weights)
        variations = searcher.search(begin, played, nodes=400, variations=100)["variations"]
        [found[name]] = [variation for variation in variations if variation["move"] == last]
    assert (found["history"]["score"], found["history"]["pv"]) == (0.5, [last])
    assert found["none"]["score"] != 0.5 and len(found["none"]["pv"]) > 1


def test_no_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="nodes or of seconds"):
        Searcher(1).search("standard w")
    with pytest.raises(EngineError, match="threads"):
        Engine(threads=257)


def kept_and_new(found: dict[str, Any]) -> tuple[int, int]:
    """Return the visits of all candidates, and those this search has made."""
    return sum(variation["visits"] for variation in found["variations"]), found["nodes"]


def test_a_search_by_time_goes_on_with_the_last_tree() -> None:
    searcher = Searcher(32)
    first = searcher.search(MIDDLE, seconds=30.0, target=0.5)
    pv = first["variations"][0]["pv"]
    assert len(pv) >= 2
    for turns in (pv[:1], pv[:2]):
        visits, nodes = kept_and_new(searcher.search(MIDDLE, turns, seconds=0.01, variations=300))
        assert visits > nodes
    # Not where the game went another way, nor with other weights or another seed.
    position = kernel.Position(MIDDLE)
    position.push(pv[0])
    unlikely, _ = candidates(str(position), 10**6)[-1]
    other = searcher.search(MIDDLE, [pv[0], unlikely], seconds=0.01, variations=300)
    assert kept_and_new(other)[0] <= other["nodes"]
    searcher.search(MIDDLE, seconds=0.2)
    visits, nodes = kept_and_new(searcher.search(MIDDLE, seed=5, seconds=0.01, variations=300))
    assert visits <= nodes


def test_a_search_by_nodes_knows_nothing_of_the_last_one() -> None:
    searcher = Searcher(32)
    pv = searcher.search(MIDDLE, seconds=0.3)["variations"][0]["pv"]
    after, fresh = (one.search(MIDDLE, pv[:1], nodes=300, variations=9) for one in (searcher, Searcher(32)))
    assert after["variations"] == fresh["variations"]


def test_a_proof_is_right_after_the_tree_is_kept() -> None:
    """From turn to turn the end comes nearer by one ply, whoever plays."""
    searcher, turns = Searcher(16), list[str]()
    position = kernel.Position(LOST_IN_FOUR)
    for plies in (-4, 3, -2, 1):
        found = searcher.search(LOST_IN_FOUR, turns, seconds=20.0)
        assert found["proven"] == plies
        turns.append(found["move"])
        position.push(found["move"])
    assert position.outcome() is not None


@pytest.mark.parametrize("threads", [1, 4])
def test_a_node_that_is_visited_much_gets_more_candidates_than_it_began_with(threads: int) -> None:
    """The best reply to a turn that was looked at closely may be none of the 24 that come first at first sight."""
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
def test_what_was_visited_least_makes_room(threads: int) -> None:
    """A megabyte is full after some 1,000 nodes were opened; the search goes on, if not quite as deep."""
    small, large = (
        Searcher(megabytes).search(MIDDLE, nodes=20000, threads=threads, variations=5) for megabytes in (1, 64)
    )
    assert small["nodes"] >= 20000
    assert small["depth"] > large["depth"] / 2  # threads make both a little uneven
    assert abs(small["score"] - large["score"]) < 0.05
    position = kernel.Position(MIDDLE)
    for variation in small["variations"]:
        played = position.copy()
        for turn in variation["pv"]:
            played.push(turn)


def found_by(network: Network | None, text: str, nodes: int, seed: int, **more: Any) -> dict[str, Any]:
    searcher = Searcher(16)
    searcher.set_network(network)
    return searcher.search(text, nodes=nodes, seed=seed, **more)


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(("text", "nodes", "seed"), UNVISITED)
def test_what_is_played_was_visited(text: str, nodes: int, seed: int, plain: bool) -> None:
    told = found_by(None if plain else own_network(), text, nodes, seed)
    best = told["variations"][0]
    assert best["visits"] or best["proven"]
    assert told["nodes"] <= nodes * 5 / 4 + 1  # what goes on at the end is work for a quarter more at most


def test_what_is_played_was_visited_in_games_full_of_threats() -> None:
    for number, position in enumerate(positions(11, 150, range(12, 50))):
        nodes = (2, 16, 64, 70, 150, 450)[number % 6]
        told = found_by(own_network(), str(position), nodes, number)
        best = told["variations"][0]
        assert best["visits"] or best["proven"], (str(position), nodes, number)
