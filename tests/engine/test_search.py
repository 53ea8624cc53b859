"""The search's parts, each compared with a slow and simple implementation."""

import heapq
import json
import math
import random
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

import pytest

from punct import SPACES, Colour, Position, Rules, Space, kernel
from punct._kernel import Searcher, candidates, default_prior_weights, defences, features, move_features
from punct.geometry import SIDES

TACTICS = Path(__file__).parent / "tactics.jsonl"
STEPS = 16
NEAREST, SECOND = 1, 1 + 2 * STEPS


def positions(seed: int, count: int, plies: range) -> Iterator[kernel.Position]:
    """Yield open positions of games whose moves are drawn from the search's candidates, so that threats occur."""
    rng = random.Random(seed)
    while count:
        position = kernel.Position(rng.choice(["standard w", "standard w", "basic w"]))
        for ply in range(plies.stop):
            if position.outcome():
                break
            if ply >= plies.start and rng.random() < 0.2:
                yield position.copy()
                count -= 1
                if not count:
                    return
            position.push(rng.choice(candidates(str(position), 12))[0])


def cost(position: Position, space: Space, colour: Colour) -> int:
    """Return what a space costs a player on a path from side to side."""
    top = position.top(space)
    if top is None:
        return 2 if space.in_centre and position.rules is Rules.STANDARD else 1
    return 0 if top.colour is colour else min(2 + top.level, 5)


def distances(position: Position, colour: Colour) -> list[int]:
    """Return the distance of each pair of sides, nearest first, by Dijkstra's algorithm."""
    shortest = []
    for near, far in SIDES:
        best = {s: cost(position, s, colour) for s in SPACES if near >> s.bit & 1}
        queue = [(d, s) for s, d in best.items()]
        heapq.heapify(queue)
        while queue:
            distance, space = heapq.heappop(queue)
            if distance > best[space]:
                continue
            for neighbour in space.neighbours:
                further = distance + cost(position, neighbour, colour)
                if further < best.get(neighbour, 10**6):
                    best[neighbour] = further
                    heapq.heappush(queue, (further, neighbour))
        shortest.append(min(best[s] for s in SPACES if far >> s.bit & 1))
    return sorted(shortest)


def test_distances_in_the_features_are_those_of_the_shortest_paths() -> None:
    for fast in positions(1, 40, range(40)):
        text = str(fast)
        x = features(text)
        position = Position(text)
        for side, colour in enumerate((position.turn, position.turn.other)):
            nearest, second, third = distances(position, colour)
            for start, distance in ((NEAREST, nearest), (SECOND, second)):
                table = x[start + side * STEPS : start + (side + 1) * STEPS]
                assert table == [float(step == min(distance, STEPS - 1)) for step in range(STEPS)], text
            assert x[1 + 4 * STEPS + side] == pytest.approx(third / 10), text


def test_a_prior_follows_from_the_moves_features() -> None:
    prior = default_prior_weights()
    for position in positions(2, 25, range(45)):
        text = str(position)
        ranked = candidates(text, 10**6)
        assert {move for move, _ in ranked} == set(map(str, position.legal_moves))
        assert sum(share for _, share in ranked) == pytest.approx(1, abs=1e-3)
        some = ranked[:150]
        scores = [
            sum(a * b for a, b in zip(x, prior, strict=True)) for x in move_features(text, [move for move, _ in some])
        ]
        for (move, share), score in zip(some, scores, strict=True):
            assert math.log(share / some[0][1]) == pytest.approx(score - scores[0], abs=5e-3), (text, move)


def test_the_best_few_are_the_first_of_all() -> None:
    """Where only some are wanted, most landings are skipped, but none of the best."""
    for position in positions(12, 40, range(50)):
        text = str(position)
        everything = candidates(text, 10**6)
        for count in (1, 24, 96):
            few = candidates(text, count)
            assert [move for move, _ in few] == [move for move, _ in everything[:count]], text
            assert sum(share for _, share in few) == pytest.approx(1, abs=1e-3)


def test_a_move_that_is_no_defence_loses_at_once() -> None:
    threatened = 0
    for position in positions(3, 400, range(14, 60)):
        holding = defences(str(position))
        if holding is None:
            continue
        threatened += 1
        failing = set(map(str, position.legal_moves)) - set(holding)
        for move in random.Random(threatened).sample(sorted(failing), min(25, len(failing))):
            position.push(move)
            outcome = position.outcome()
            lost = outcome.winner is position.turn if outcome else wins_now(position)
            won = outcome is not None and outcome.winner is position.turn.other
            position.pop()
            assert lost or won, (str(position), move)
    assert threatened >= 20


def wins_now(position: kernel.Position) -> bool:
    """Tell whether some move wins at once for the side to move, by connection or by the count with the last piece."""
    for move in list(position.legal_moves):
        position.push(move)
        outcome = position.outcome()
        position.pop()
        if outcome is not None and outcome.winner is position.turn:
            return True
    return False


def test_an_opponent_without_a_threat_needs_no_defence() -> None:
    assert defences("standard w") is None


def test_the_leader_with_one_piece_left_just_adds_it() -> None:
    # White shows three dots in the centre, Black has nothing there.
    position = Position("standard w wMi9n bTp12n")
    rng = random.Random(5)
    while position.on_board(Colour.WHITE) < 17:
        move = rng.choice([move for move in position.legal_moves if move.is_add])
        added = Position(f"standard w {str(position)[len('standard w') :]} w{move}")
        position = position if added.outcome() else added
    assert position.on_board(Colour.WHITE) == 17
    report = Searcher(8).search(str(position), nodes=200)
    assert report["proven"] == 1
    position.push(report["move"])
    assert position.result() == "1-0"


@pytest.mark.parametrize("text", ["standard w", "basic w", "standard b wTb9ne"])
def test_the_same_nodes_and_seed_give_the_same_answer(text: str) -> None:
    first, second = (Searcher(8).search(text, nodes=300, variations=5, seed=7) for _ in range(2))
    for answer in (first, second):
        del answer["seconds"]
    assert first == second


def test_an_only_move_is_searched_for_its_score() -> None:
    """It is played sooner than another, but not without an evaluation."""
    seen = 0
    for line in TACTICS.read_text(encoding="utf-8").splitlines():
        text, kind = itemgetter("position", "kind")(json.loads(line))
        if kind != "defence":
            continue
        report = Searcher(8).search(text, nodes=4000, variations=100)
        best, *others = report["variations"]
        others_lose = all(other["proven"] < 0 for other in others)
        if best["proven"] or not others_lose or len(report["variations"]) < len(defences(text) or ()):
            continue
        seen += 1
        assert 250 <= best["visits"] <= report["nodes"] < 4000
        assert 0 < report["score"] == best["score"] < 1
        assert len(best["pv"]) > 2
    assert seen >= 3


def test_a_search_with_a_target_does_not_use_all_its_time() -> None:
    """An hour may be taken, a fiftieth of a second is meant: it ends long before the time limit of this test."""
    assert Searcher(8).search("standard w", seconds=3600.0, target=0.02)["nodes"] > 0
