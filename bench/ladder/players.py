"""The frozen ladder: four baseline players that speak UGI, to measure engines against.

    python bench/ladder random     any legal move
    python bench/ladder greedy     one ply: as near to a connection as can be, the opponent as far
    python bench/ladder guard      the same, but takes a win in one and never allows one it can stop
    python bench/ladder twoply     guard, with the opponent's best reply to its ten best moves

They never change, so that a rating against them keeps its meaning. Each takes ``--seed N``. They use the kernel's rules
and distance maps, with their own costs; they do not depend on the order in which the kernel lists moves. A test
compares them with recorded games.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from punct import kernel
from punct._kernel import distances, move_text, wins
from punct.errors import PunctError
from punct.geometry import SPACES
from punct.piece import Kind, footprint

Numbers = npt.NDArray[np.int64]

_NUMBER: Final = {space: number for number, space in enumerate(SPACES)}
_COSTS: Final = (2, 3, 6, 1, 63)
"""Of an empty space, one of the closed centre, an opponent's dot, each level above the board; and the highest."""
_ADDED: Final = 0xFF
"""The origin of an added piece (bits 13 to 20 of a packed move)."""
_SHORTLIST: Final = 40
_BEAM: Final = 10
_LATE: Final = 3
"""With so few pieces left to a player, the central hexagon begins to count."""


def _placements() -> Numbers:
    """By the kernel's number of a placement: its three spaces; the first space where it would not fit."""
    rows = []
    for kind in Kind:
        for heading in kind.headings:
            for space in SPACES:
                dots = footprint(kind, space, heading) or (space, space, space)
                rows.append([_NUMBER[dot] for dot in dots])
    return np.array(rows)


_DOTS: Final = _placements()


class Distances:
    """A player's distance maps for all pairs of sides."""

    def __init__(self, position: kernel.Position, colour: int) -> None:
        maps = [distances(position.track, colour, pair, _COSTS) for pair in range(3)]
        self.first = np.array([first for first, _, _ in maps])
        self.second = np.array([second for _, second, _ in maps])
        self.shortest = np.array([shortest for _, _, shortest in maps])

    def total(self) -> float:
        """Return one number: the distance of the nearest pair of sides, and a little of the next."""
        nearest = np.sort(self.shortest)
        return float(nearest[0] + 0.25 * nearest[1])


def worth(position: kernel.Position, colour: int) -> float:
    """Return what a position is worth to a player, from the distances and, late, from the central hexagon."""
    outcome = position.outcome()
    if outcome is not None:
        return 0.0 if outcome.winner is None else 1000.0 if outcome.winner == colour else -1000.0
    value = Distances(position, 1 - colour).total() - Distances(position, colour).total()
    words = str(position).split()[2:]
    left = min(18 - sum(word[0] == letter for word in words) for letter in "wb")
    if left <= _LATE and str(position.rules) == "standard":
        counts = position.centre_count()
        value += (counts[colour] - counts[1 - colour]) * (1 + _LATE - left)
    return value


def in_order(position: kernel.Position, moves: list[int]) -> list[int]:
    """Return moves in the ladder's own order: adds by placement, then moves by the piece's number and placement."""
    sources = {move >> 13 for move in moves}
    pieces = {source: -1 if source == _ADDED else position.track.top(source) for source in sources}
    return sorted(moves, key=lambda move: (pieces[move >> 13], move & 0x1FFF))


def legal_moves(position: kernel.Position) -> list[int]:
    """Return all legal moves, in order."""
    return in_order(position, position.track.numbers())


def shortlist(position: kernel.Position) -> list[int]:
    """Return the best moves by distance, without playing them: those that shorten one's own, or block the other's."""
    moves = np.array(legal_moves(position))
    if len(moves) <= 2 * _SHORTLIST:
        return [int(move) for move in moves]
    dots = _DOTS[moves & 0x1FFF]
    own, other = Distances(position, position.turn), Distances(position, 1 - position.turn)
    gain = (own.first[:, dots].min(axis=2) + own.second[:, dots].min(axis=2)).min(axis=0)
    nearest = int(other.shortest.argmin())
    block = (other.first[nearest] + other.second[nearest])[dots].min(axis=1)
    best = np.concatenate([np.argsort(gain, kind="stable")[:_SHORTLIST], np.argsort(block, kind="stable")[:_SHORTLIST]])
    return [int(move) for move in moves[np.unique(best)]]


def played(position: kernel.Position, moves: list[int]) -> Iterator[int]:
    """Play each move, yield it, and take it back."""
    for move in moves:
        position.track.push(move)
        yield move
        position.track.pop()


def valued(position: kernel.Position, rng: random.Random) -> list[tuple[float, int]]:
    """Return the shortlist with the value after each move, best first."""
    me = position.turn
    valued_moves = [(worth(position, me) + 0.01 * rng.random(), move) for move in played(position, shortlist(position))]
    return sorted(valued_moves, reverse=True)


def play_random(position: kernel.Position, rng: random.Random) -> int:
    return rng.choice(legal_moves(position))


def play_greedy(position: kernel.Position, rng: random.Random) -> int:
    return valued(position, rng)[0][1]


def _guarded(position: kernel.Position, rng: random.Random) -> list[tuple[float, int]]:
    """Return the valued moves that do not lose at once; only a win if there is one; all moves if none holds."""
    winning = wins(position.track, position.turn)
    if winning:
        return [(1000.0, in_order(position, winning)[0])]
    valued_moves = valued(position, rng)
    if not wins(position.track, 1 - position.turn):
        holding = {move for move in played(position, [move for _, move in valued_moves]) if _holds(position)}
    else:
        everything = legal_moves(position)
        rng.shuffle(everything)
        order = [move for _, move in valued_moves] + everything
        holding = set()
        for move in played(position, order):
            if _holds(position):
                holding.add(move)
        known = {move for _, move in valued_moves}
        valued_moves += [(-500.0, move) for move in everything if move in holding and move not in known]
    return [(value, move) for value, move in valued_moves if move in holding] or valued_moves


def _holds(position: kernel.Position) -> bool:
    """Tell whether the player who has just moved does not lose to the next move."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner != position.turn
    return not wins(position.track, position.turn)


def play_guard(position: kernel.Position, rng: random.Random) -> int:
    return _guarded(position, rng)[0][1]


def play_twoply(position: kernel.Position, rng: random.Random) -> int:
    valued_moves = _guarded(position, rng)[:_BEAM]
    if len(valued_moves) == 1:
        return valued_moves[0][1]
    best, choice = -float("inf"), valued_moves[0][1]
    for move in played(position, [move for _, move in valued_moves]):
        value = worth(position, 1 - position.turn)
        if position.outcome() is None:
            value = -valued(position, rng)[0][0]
        if value > best:
            best, choice = value, move
    return choice


PLAYERS: Final[dict[str, Callable[[kernel.Position, random.Random], int]]] = {
    "random": play_random,
    "greedy": play_greedy,
    "guard": play_guard,
    "twoply": play_twoply,
}


def set_up(words: list[str], rules: str) -> kernel.Position:
    """Return the position that the words after ``position`` describe."""
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    start = words[: words.index("moves")] if "moves" in words else words
    position = kernel.Position(" ".join(start[1:]) if start[:1] == ["fen"] else f"{rules} w")
    for move in moves:
        position.push(move)
    return position


def main() -> None:
    parser = argparse.ArgumentParser(
        "ladder", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("player", choices=PLAYERS)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    play = PLAYERS[arguments.player]
    rules, seed = "standard", arguments.seed
    position = set_up([], rules)
    for line in sys.stdin:
        match line.split():
            case ["ugi", *_]:
                print(f"id name ladder {arguments.player}\noption name Seed type spin default 0\nugiok", flush=True)
            case ["isready", *_]:
                print("readyok", flush=True)
            case ["setoption", "name", "Seed", "value", value]:
                seed = int(value)
            case ["setoption", "name", "Rules", "value", value]:
                rules = value
            case ["position", *words]:
                try:
                    position = set_up(words, rules)
                except PunctError as error:
                    print(f"info string {error}", flush=True)
            case ["go", *_]:
                move = play(position, random.Random(f"{seed} {position}"))
                print(f"bestmove {move_text(move)}", flush=True)
            case ["quit", *_]:
                return
