"""The engine: legal moves, deterministic results, stopping, and clear errors."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.last_moves import NOTHING_ELSE, TEMPTING
from tests.engine.test_fallback import COUNT

from punct import Game, Position, PunctError, Rules, WrongTypeError, kernel
from punct.analysis import defences
from punct.engine import LEVELS, AsyncEngine, Engine, EngineError, GameOverError, Limits
from punct.engine.levels import choose_move, level_of
from punct.engine.network import OWN_NETWORK_PATH
from punct.engine.variations import SearchResult, Variation, describe_score
from punct.engine.weights import default_weights, save_weights
from punct.move import Move

OVER = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"
WIN_IN_ONE = "basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n"


class Seen:
    """What a search tells its watcher, for a test on the event loop."""

    def __init__(self) -> None:
        self._loop, self._found = asyncio.get_running_loop(), asyncio.Queue[SearchResult]()

    def watch(self, found: SearchResult) -> None:
        """Called in the thread of the search."""
        self._loop.call_soon_threadsafe(self._found.put_nowait, found)

    async def next(self) -> SearchResult:
        """Wait for the next report."""
        return await self._found.get()


def random_text(seed: int, turns: int, rules: str = "standard") -> str:
    position = kernel.Position(f"{rules} w")
    position.play_random(seed, turns, raised=20, bridge=30, moved=15)
    return str(position)


# ---------------------------------------------------------------------- answers


def test_it_plays_a_legal_move_with_score_and_variation() -> None:
    result = Engine(limits=Limits(nodes=300)).play("standard w")
    assert result.move in Position().legal_moves
    assert 0.0 <= result.score <= 1.0
    assert result.pv[0] is result.move
    assert result.nodes == 300
    assert result.depth >= 1
    position = Position()
    for move in result.pv:
        position.push(move)


def test_positions_games_and_texts_are_equivalent() -> None:
    engine = Engine(limits=Limits(nodes=60))
    game = Game()
    position = Position()
    for move in ("Ed5ne", "Tl5s"):
        game.push(move)
        position.push(move)
    before = str(position)
    moves = {engine.play(form).move for form in (game, position, before)}
    assert len(moves) == 1
    assert str(position) == str(game.position) == before


def test_kernel_positions_and_rules_are_accepted() -> None:
    engine = Engine(limits=Limits(nodes=60))
    text = "standard w wEd5ne bTl5s"
    assert engine.play(kernel.Position(text)).move is engine.play(text).move
    assert engine.play(Rules.BASIC).move in Position("basic").legal_moves


def test_wrong_types_are_errors_that_name_the_right_ones() -> None:
    engine = Engine(limits=Limits(nodes=10))
    wrong: Any
    for wrong in (None, 5, object()):
        with pytest.raises(WrongTypeError, match="a position is set up from its text"):
            engine.play(wrong)
    for wrong in (100, "1s", {"nodes": 5}):
        for ask in (engine.play, engine.analyse):
            with pytest.raises(WrongTypeError, match=r"limits are given as Limits\(.*, not "):
                ask("standard w", wrong)
        with pytest.raises(WrongTypeError, match="limits are given as Limits"):
            Engine(limits=wrong)


def test_a_win_at_once_is_played_and_proven() -> None:
    result = Engine(limits=Limits(nodes=50)).play(WIN_IN_ONE)
    position = Position(WIN_IN_ONE)
    position.push(result.move)
    assert position.result() == "1-0"
    assert (result.proven, result.score, result.words) == (1, 1.0, "wins in 1")


def test_analysis_lists_different_moves_best_first() -> None:
    variations = Engine().analyse("standard w", Limits(nodes=600), 3)
    assert len(variations) == 3
    assert len({variation.move for variation in variations}) == 3
    assert variations[0].visits == max(variation.visits for variation in variations)
    assert all(variation.pv[0] is variation.move for variation in variations)


def test_a_depth_is_reached() -> None:
    result = Engine().play("standard w", Limits(depth=5))
    assert result.depth >= 5
    capped = Engine().play("standard w", Limits(nodes=100, depth=900))
    assert capped.nodes <= 100


# ---------------------------------------------------------------------- determinism


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.integers(0, 40), st.integers(0, 1000), st.sampled_from([1, 3, 5, 6, 8]))
def test_fixed_nodes_give_fixed_moves(game: int, turns: int, seed: int, level: int) -> None:
    text = random_text(game, turns)
    if Position(text).outcome() is None:
        first = Engine(level, seed=seed).play(text, Limits(nodes=150))
        engine = Engine(level, seed=seed)
        engine.play("standard w", Limits(nodes=40))  # what was searched before does not matter
        again = engine.play(text, Limits(nodes=150))
        assert (again.move, again.score, again.pv, again.nodes, again.variations) == (
            first.move,
            first.score,
            first.pv,
            first.nodes,
            first.variations,
        )


def test_threads_agree_on_what_is_legal() -> None:
    text = random_text(5, 24)
    result = Engine(threads=3).play(text, Limits(nodes=600))
    assert result.move in Position(text).legal_moves
    assert result.nodes >= 600


def test_watch_is_called_with_results() -> None:
    engine, seen = Engine(), list[SearchResult]()

    def watch(found: SearchResult) -> None:
        seen.append(found)
        if len(seen) == 3:
            engine.stop()

    played = engine.play("standard w wEd5n bTl5n", Limits(movetime=86_400.0), watch=watch)
    assert len(seen) == 3
    for found in seen:
        assert 0 <= found.nodes <= played.nodes and 0 <= found.seconds <= played.seconds
        assert found.best is found.variations[0]
        assert found.best.pv[0] is found.best.move
        assert found.best.move in Position("standard w wEd5n bTl5n").legal_moves


def test_a_search_inside_the_watch_callback_of_the_same_engine_is_an_error() -> None:
    engine, other, messages = Engine(), Engine(), list[str]()
    calls = [
        lambda: engine.play("standard w", Limits(nodes=10)),
        lambda: engine.analyse("standard w", Limits(nodes=10)),
        lambda: engine.ponder("standard w", cancel=threading.Event()),
        engine.reserve,
    ]

    def watch(progress: SearchResult) -> None:
        if not messages:
            for call in calls:
                with pytest.raises(EngineError, match="this engine is searching") as caught:
                    call()
                messages.append(str(caught.value))
            assert other.play("standard w", Limits(nodes=10)).nodes == 10
            engine.stop()

    engine.play("standard w", Limits(movetime=86_400.0), watch=watch)
    assert len(messages) == len(calls)
    assert engine.play("standard w", Limits(nodes=10)).nodes == 10


def test_a_call_from_another_thread_waits_for_the_search() -> None:
    """Also one that begins while the search calls watch, which may wait for anything but that call."""
    engine, order = Engine(hash_mb=1), []

    def ask() -> None:
        engine.play("standard w", Limits(nodes=1))
        order.append("second")

    second = threading.Thread(target=ask)

    def watch(progress: SearchResult) -> None:
        if not second.is_alive():
            second.start()
            order.append("first")
            engine.stop()

    engine.play("standard w", Limits(movetime=86_400.0), watch=watch)
    second.join()
    assert order == ["first", "second"]


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_an_engine_says_why_it_cannot_be_pickled(take: Callable[[Engine], object]) -> None:
    with pytest.raises(WrongTypeError, match=r"create one in each process, here by Engine\(3, seed=7"):
        take(Engine(3, seed=7, hash_mb=1))


def test_an_engine_tells_what_it_is() -> None:
    engine = Engine(3, seed=7, hash_mb=1, limits=Limits(nodes=5))
    assert "level 3" in repr(engine) and "nodes=5" in repr(engine) and "seed 7" in repr(engine)
    assert repr(engine).endswith(": idle>")
    told: list[str] = []
    strong = Engine(hash_mb=1)

    def watch(progress: SearchResult) -> None:
        told.append(repr(strong))
        strong.stop()

    strong.play("standard w", Limits(movetime=86_400.0), watch=watch)
    assert told[0].endswith(": searching>")


FORKED = """
import os, sys, threading
from punct.engine import Engine, EngineError, Limits

def child(position):
    try:
        return 10 if engine.play(position, Limits(nodes=20)).nodes else 11
    except EngineError as error:
        return 12 if "create another one in this process" in str(error) else 13

def forked():
    pid = os.fork()
    if not pid:
        os._exit(child("standard w"))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

engine = Engine(hash_mb=1, threads=2)
engine.play("standard w", Limits(nodes=20))
idle, searching = forked(), []

def watch(progress):
    searching.append(forked())
    engine.stop()

engine.play("standard w", Limits(movetime=86_400.0), watch=watch)
thread = threading.Thread(target=engine.play, args=("standard w", Limits(movetime=86_400.0)))
thread.start()
while "searching" not in repr(engine):
    pass
other = forked()
engine.stop()
thread.join()
print(idle, searching[0], other, forked())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_after_a_fork_an_idle_engine_plays_on_and_a_searching_one_refuses() -> None:
    """It never waits for a lock that no thread of the new process holds."""
    result = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True, timeout=250)
    assert result.stdout.split() == ["10", "12", "12", "10"], result


def test_an_error_in_the_watch_callback_leaves_the_engine_free() -> None:
    engine = Engine()

    def watch(progress: SearchResult) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        engine.play("standard w", Limits(movetime=86_400.0), watch=watch)
    assert engine.play("standard w", Limits(nodes=10)).nodes == 10


@pytest.mark.parametrize("kind", [str, Path])
def test_files_are_named_by_text_or_path(kind: Callable[[Path], Any], tmp_path: Path) -> None:
    weights = tmp_path / "some.weights"
    save_weights(kind(weights), default_weights(), "the usual ones")
    for engine in (Engine(network=kind(OWN_NETWORK_PATH)), Engine(weights=kind(weights))):
        assert engine.play("standard w", Limits(nodes=10)).nodes == 10
    missing = kind(tmp_path / "missing")
    for option in ("network", "weights"):
        with pytest.raises(EngineError, match="missing cannot be read: No such file"):
            Engine(**{option: missing})


# ---------------------------------------------------------------------- stopping


def test_stop_ends_a_search_that_would_last_a_day() -> None:
    engine = Engine()
    begun = threading.Event()

    def watch(progress: SearchResult) -> None:
        begun.set()

    def stop() -> None:
        begun.wait()
        engine.stop()

    helper = threading.Thread(target=stop)
    helper.start()
    result = engine.play("standard w", Limits(movetime=86_400.0), watch=watch)
    helper.join()
    assert result.move in Position().legal_moves


def test_a_search_cancelled_before_it_began_makes_one_visit() -> None:
    cancel = threading.Event()
    cancel.set()
    result = Engine().play("standard w", Limits(movetime=86_400.0), cancel=cancel)
    assert result.nodes == 1
    assert result.move in Position().legal_moves


def test_stopping_an_idle_engine_does_not_affect_its_next_search() -> None:
    engine = Engine()
    engine.stop()
    assert engine.play("standard w", Limits(nodes=200)).nodes == 200


def test_stop_leaves_the_callers_event_alone() -> None:
    """It ends one search, not later ones with the same event: neither between searches nor during one."""
    engine, cancel = Engine(), threading.Event()
    assert engine.play("standard w", Limits(nodes=200), cancel=cancel).nodes == 200
    engine.stop()
    assert not cancel.is_set()
    assert engine.play("standard w", Limits(nodes=200), cancel=cancel).nodes == 200
    assert engine.play("standard w", Limits(nodes=10**9), watch=lambda _: engine.stop(), cancel=cancel).nodes < 10**9
    assert not cancel.is_set()
    assert engine.play("standard w", Limits(nodes=200), cancel=cancel).nodes == 200


def test_a_stopped_search_ends_soon() -> None:
    """Counted in nodes, after stop is called from the callback."""
    engine, at_stop = Engine(), 0

    def watch(progress: SearchResult) -> None:
        nonlocal at_stop
        if not at_stop:
            at_stop = progress.nodes
            engine.stop()

    result = engine.play("standard w", Limits(nodes=10**9), watch=watch)
    assert at_stop <= result.nodes <= at_stop + 64


def test_asyncio_is_not_blocked_and_can_cancel() -> None:
    async def scene() -> Move:
        engine, seen = AsyncEngine(), Seen()
        search = asyncio.create_task(engine.play("standard w", Limits(movetime=86_400.0), watch=seen.watch))
        for _ in range(3):  # the loop hears of a search that goes on
            await seen.next()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        played = await engine.play("standard w", Limits(nodes=50))  # free again
        lines = await engine.analyse("standard w", Limits(nodes=50), 2)
        assert len(lines) == 2
        return played.move

    assert asyncio.run(scene()) in Position().legal_moves


def test_asyncio_stop_returns_the_best_so_far() -> None:
    async def scene() -> Move:
        engine, seen = AsyncEngine(), Seen()
        search = asyncio.create_task(engine.play("standard w", Limits(movetime=86_400.0), watch=seen.watch))
        await seen.next()
        engine.stop()
        return (await search).move

    assert asyncio.run(scene()) in Position().legal_moves


def test_two_threads_wait_for_each_other() -> None:
    engine, moves = Engine(), []

    def think() -> None:
        moves.append(engine.play("standard w", Limits(nodes=200)).move)

    threads = [threading.Thread(target=think) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(moves) == 3
    assert len(set(moves)) == 1


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize("level", [0, 9, -1, 1.5, "3", True])
def test_levels_out_of_range(level: int) -> None:
    with pytest.raises(EngineError, match="from 1 to 8"):
        Engine(level)


@pytest.mark.parametrize(
    "options", [{"threads": 0}, {"threads": 10**6}, {"hash_mb": 0}, {"seed": -1}, {"seed": 2**64}, {"threads": "two"}]
)
def test_options_out_of_range(options: dict[str, int]) -> None:
    with pytest.raises(EngineError, match="out of range"):
        Engine(**options)  # type: ignore[arg-type]


def test_a_game_that_is_over() -> None:
    engine = Engine()
    for call in (engine.play, engine.analyse):
        with pytest.raises(GameOverError, match="White wins"):
            call(OVER)
    game = Game()
    game.push("Ed5ne")
    game.resign(game.position.turn)
    with pytest.raises(GameOverError, match="resignation"):
        engine.play(game)


def test_invalid_positions_and_variations() -> None:
    with pytest.raises(PunctError):
        Engine().play("standard x")
    with pytest.raises(EngineError, match="variations"):
        Engine().analyse("standard w", variations=0)


# ---------------------------------------------------------------------- levels


def test_levels_are_numbered_and_grow() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 9))
    nodes = [level.limits.nodes for level in LEVELS[:-1]]
    assert all(one is not None and other is not None and one < other for one, other in pairwise(nodes))
    assert LEVELS[-1].limits.nodes is None
    assert all(level.limits.movetime is not None and level.limits.movetime <= 1.0 for level in LEVELS)
    for one, other in pairwise(LEVELS):
        for name in ("temperature", "greedy_chance", "greedy_temperature", "miss_threat_chance", "miss_win_chance"):
            assert getattr(one, name) >= getattr(other, name)


@pytest.mark.parametrize("level", range(1, 9))
def test_no_level_ever_plays_an_illegal_move(level: int) -> None:
    """Over positions of random games, early and late, with stacks, of both rule sets."""
    engine = Engine(level, limits=Limits(nodes=6), seed=level)
    for number in range(250):
        position = kernel.Position("basic w" if number % 4 == 3 else "standard w")
        position.play_random(1000 * level + number, number % 67, raised=20, bridge=30, moved=15)
        if position.outcome() is None:
            text = str(position)
            move = engine.play(text).move
            assert position.is_legal(move), (level, text, str(move))


def test_the_lowest_level_misses_wins_and_the_highest_does_not() -> None:
    """Of sixty wins in one, level 1 misses some but not most; levels from 4 on miss none."""
    missed = {1: 0, 4: 0, 8: 0}
    for level in missed:
        for seed in range(60):
            move = Engine(level, seed=seed, limits=Limits(nodes=10), hash_mb=1).play(WIN_IN_ONE).move
            position = Position(WIN_IN_ONE)
            position.push(move)
            missed[level] += position.outcome() is None
    assert 10 <= missed[1] <= 45
    assert missed[4] == missed[8] == 0


def variations_of(*moves: tuple[str, float, int]) -> list[Variation]:
    return [Variation(Move.parse(text), score, 1, proven, ()) for text, score, proven in moves]


def test_a_level_that_misses_a_win_plays_a_greedy_move() -> None:
    position = Position(WIN_IN_ONE)
    winning = kernel.Position(WIN_IN_ONE).winning_moves()
    variations = variations_of((str(winning[0]), 1.0, 1))
    moves = [choose_move(level_of(1), seed, position, variations).move for seed in range(200)]
    assert all(move in position.legal_moves for move in moves)
    missed = [move for move in moves if move not in winning]
    assert 70 < len(missed) < 130  # half of them
    assert len(set(missed)) > 20


def test_choice_between_variations() -> None:
    """Level 5 never plays greedily: of two variations it takes the better more often, the more the better it is."""
    position, level = Position(), level_of(5)
    near = variations_of(("Ed5ne", 0.6, 0), ("Tl5s", 0.56, 0))
    picks = [choose_move(level, seed, position, near) for seed in range(300)]
    assert 20 < picks.count(near[1]) < 60  # e^-2 to 1: 12 % of 300
    far = variations_of(("Ed5ne", 0.6, 0), ("Tl5s", 0.2, 0))
    assert all(choose_move(level, seed, position, far) is far[0] for seed in range(50))


def test_how_often_a_level_plays_greedily() -> None:
    """Level 4: a third of its moves, less those after which it sees a loss."""
    position = Position(random_text(3, 16))
    variations = variations_of((str(kernel.Position(str(position)).score_moves(1)[0][0]), 0.5, 0))
    greedy = sum(choose_move(level_of(4), seed, position, variations).visits == 0 for seed in range(600))
    assert 140 < greedy < 260


@pytest.mark.parametrize(("level", "seed", "text"), TEMPTING)
def test_a_level_does_not_end_the_game_against_itself(level: int, seed: int, text: str) -> None:
    """It keeps the last piece as long as there is another move, whatever the seed."""
    position = Position(text)
    assert [move for move in defences(position) if move.kind is None]
    engine = Engine(level, hash_mb=8)
    for engine.seed in (seed, *range(5)):
        assert engine.play(text).move.kind is None
    adding = [Variation(move, 0.9, 9, 0, (move,)) for move in position.legal_moves if move.kind is not None][:3]
    for number in range(1, 6):
        for seed in range(20):
            move = choose_move(level_of(number), seed, position, adding).move
            assert move.kind is None
            if move not in defences(position):  # then it was a greedy move
                assert level_of(number).greedy_chance


def test_a_level_adds_its_last_piece_where_all_else_loses() -> None:
    holding = defences(Position(NOTHING_ELSE))
    assert holding and all(move.kind is not None for move in holding)
    assert all(Engine(5, seed=seed, hash_mb=8).play(NOTHING_ELSE).move.kind is not None for seed in range(5))


def test_a_level_adds_its_last_piece_where_that_wins() -> None:
    position = Position(COUNT)
    for seed in range(20):
        position.push(Engine(5, seed=seed, hash_mb=8).play(position).move)
        assert position.result() == "1-0"
        position.pop()


def test_levels_below_the_last_do_not_depend_on_the_machine() -> None:
    """They are limited by nodes, so more time makes no difference."""
    text = random_text(11, 20)
    usual, patient = Engine(5, seed=4).play(text), Engine(5, seed=4).play(text, Limits(movetime=60.0))
    assert (usual.move, usual.nodes) == (patient.move, patient.nodes)
    assert usual.nodes <= (level_of(5).limits.nodes or 0)


def test_the_documentation_describes_the_levels() -> None:
    page = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
    for level in LEVELS:
        (row,) = re.findall(rf"^\| {level.number} {re.escape(level.words)} \|(.*)$", page, re.MULTILINE)
        percentages = {int(number) for number in re.findall(r"(\d+) %", row)}
        chances = (level.greedy_chance, level.miss_threat_chance, level.miss_win_chance)
        assert percentages == {round(100 * chance) for chance in chances if chance}
        if level.limits.nodes is not None:
            assert f" {level.limits.nodes:,} " in row.replace(" nodes", " ")


def test_scores_in_words() -> None:
    assert describe_score(0.634, 0) == "63 %"
    assert describe_score(1.0, 3) == "wins in 2"
    assert describe_score(0.0, -2) == "loses in 1"
