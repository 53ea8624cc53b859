"""Measure random play through the environments, beside OpenSpiel's Havannah in the same run.

Run with ``make bench``, or ``python -m bench.env``. A step is one turn, the choice of a random legal one included. Time
is the processor's, so threads add up; each figure is the best of a few rounds, and those beside each other are taken by
turns. Only the last line is by the clock: whether two threads pay. Needs the extras ``env`` and ``openspiel``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from punct import kernel
from punct.env import Episode, VectorEnv

ROUNDS = 3
SECONDS = 0.7
GAMES = 1024
WARM_UP, BURSTS, BURST = 300, 200, 10
Play = Callable[[], Iterator[int]]
"""Yields after every few steps how many they were."""


def rates(plays: dict[str, Play]) -> dict[str, float]:
    """Return steps a second of processor time, the best round of each, all of them by turns."""
    best = dict.fromkeys(plays, 0.0)
    for _ in range(ROUNDS):
        for name, play in plays.items():
            steps, start, going = 0, time.process_time(), play()
            while (elapsed := time.process_time() - start) < SECONDS:
                steps += next(going)
            best[name] = max(best[name], steps / elapsed)
    return best


# ---------------------------------------------------------------------- one by one


def openspiel(game: Any) -> Play:
    def play() -> Iterator[int]:
        rng = random.Random(1)
        while True:
            state, steps = game.new_initial_state(), 0
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
            yield steps

    return play


def drawn() -> Iterator[int]:
    episode = Episode(seed=1)
    while True:
        while not episode.step(episode.sample()):
            pass
        yield episode.plies
        episode.reset()


def listed() -> Iterator[int]:
    episode, rng = Episode(), random.Random(1)
    while True:
        while not episode.step(rng.choice(episode.legal_actions())):
            pass
        yield episode.plies
        episode.reset()


def position() -> Iterator[int]:
    rng = random.Random(1)
    while True:
        board = kernel.Position()
        while board.legal_moves:
            board.push(board.legal_moves.choice(rng))
        yield len(board.moves)


def gymnasium_env(by_mask: bool) -> Play:
    from punct.env import PunctEnv

    def play() -> Iterator[int]:
        env = PunctEnv("self")
        while True:
            _, info = env.reset(seed=1)
            over = False
            while not over:
                action = env.action_space.sample(info["action_mask"]) if by_mask else env.episode.sample()
                _, _, terminated, truncated, info = env.step(action)
                over = terminated or truncated
            yield env.episode.plies

    return play


def pettingzoo_env() -> Iterator[int]:
    from punct.env import aec_env

    env = aec_env()
    while True:
        env.reset(seed=1)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
        yield env.unwrapped.episode.plies


# ---------------------------------------------------------------------- many at once


def many(threads: int = 1, look: Callable[[VectorEnv], Callable[[], object]] | None = None) -> Play:
    def play() -> Iterator[int]:
        games = VectorEnv(GAMES, seed=1, threads=threads)
        actions = games.sample()
        steps = games.step(actions)
        also = look(games) if look else None
        while True:
            games.step(games.sample(out=actions), out=steps)
            if also:
                also()
            yield GAMES

    return play


def wall_rates() -> dict[int, float]:
    """Return steps a second by the clock on one and on two threads, by turns: the best of many short bursts of each.

    A burst is short enough to find both cores idle now and then.
    """
    best = dict.fromkeys((1, 2), 0.0)
    plays = {threads: many(threads)() for threads in best}
    for play in plays.values():
        for _ in range(WARM_UP):  # the first moves of a game are the cheapest
            next(play)
    for _ in range(BURSTS):
        for threads, play in plays.items():
            next(play)  # wakes the threads
            start = time.perf_counter()
            steps = sum(next(play) for _ in range(BURST))
            best[threads] = max(best[threads], steps / (time.perf_counter() - start))
    return best


def with_planes(games: VectorEnv) -> Callable[[], object]:
    planes = games.planes()
    return lambda: games.planes(planes)


def with_bits(games: VectorEnv) -> Callable[[], object]:
    bits = games.legal_bits()
    return lambda: games.legal_bits(bits)


def with_mask(games: VectorEnv) -> Callable[[], object]:
    mask = games.legal_mask()
    return lambda: games.legal_mask(mask)


def with_lists(games: VectorEnv) -> Callable[[], object]:
    room = np.empty(GAMES * 6000, np.int32), np.empty(GAMES + 1, np.int64)
    return lambda: games.legal_actions(room)


def main() -> None:
    plays: dict[str, Play] = {
        "one by one, drawn: Episode": drawn,
        "  from the list of all": listed,
        "  kernel.Position": position,
    }
    havannah = None
    if find_spec("pyspiel"):
        import pyspiel

        from punct.env import openspiel_game

        havannah = "OpenSpiel's havannah"
        plays = {havannah: openspiel(pyspiel.load_game("havannah"))} | plays
        plays["  OpenSpiel's python_punct"] = openspiel(openspiel_game())
    if find_spec("gymnasium") and find_spec("pettingzoo"):
        plays["  Gymnasium, drawn by the episode"] = gymnasium_env(by_mask=False)
        plays["  Gymnasium, drawn from the mask"] = gymnasium_env(by_mask=True)
        plays["  PettingZoo, drawn from the mask"] = pettingzoo_env
    plays[f"{GAMES:,} at once, drawn: VectorEnv"] = many()
    plays["  on two threads"] = many(threads=2)
    for name, look in (("planes", with_planes), ("bits", with_bits), ("mask", with_mask), ("lists", with_lists)):
        plays[f"  with {name}"] = many(look=look)
    found = rates(plays)
    print(f"{'steps a second of processor time':<40}{'':>12}  {'against havannah' if havannah else ''}")
    for name, rate in found.items():
        print(f"{name:<40}{rate:>12,.0f}" + (f"{rate / found[havannah]:>10.2f}x" if havannah else ""))
    one, two = wall_rates().values()
    print(f"by the clock, VectorEnv on one thread {one:,.0f}, on two {two:,.0f}: {two / one:.2f}x")


if __name__ == "__main__":
    main()
