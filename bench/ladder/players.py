"""The frozen ladder: four plain players that speak UGI, to measure engines against.

    python bench/ladder random     any legal turn
    python bench/ladder greedy     one ply: as near to a connection as can be, the opponent as far
    python bench/ladder guard      the same, but takes a win in one and never allows one it can stop
    python bench/ladder twoply     guard, looking at the opponent's best reply to its ten best turns

They are never improved: a rating against them means the same next year. Each takes ``--seed N``. They know the rules
from the kernel and use its distance maps, at prices of their own that are frozen with them; in which order the kernel
lists turns does not matter to them. A test holds them to games they once played.
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
_PRICES: Final = (2, 3, 6, 1, 63)
"""Of an empty space, one of the closed centre, an opponent's dot, each level above the board; and the dearest."""
_ADDED: Final = 0xFF
"""Where a piece comes from that is added (bits 13 to 20 of a turn's number)."""
_SHORTLIST: Final = 40
_BEAM: Final = 10
_LATE: Final = 3
"""With so few pieces left to somebody, the central hexagon begins to count."""


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


class Ways:
    """How far both players are from joining two sides, and through which spaces."""

    def __init__(self, position: kernel.Position, colour: int) -> None:
        maps = [distances(position.track, colour, pair, _PRICES) for pair in range(3)]
        self.first = np.array([found[0] for found in maps])
        self.second = np.array([found[1] for found in maps])
        self.shortest = np.array([found[2] for found in maps])

    def to_go(self) -> float:
        """Return one number for how far it is: the nearest pair of sides, and a little of the next."""
        nearest = np.sort(self.shortest)
        return float(nearest[0] + 0.25 * nearest[1])


def worth(position: kernel.Position, colour: int) -> float:
    """Return what a position is worth to a player, from the distances and, late, from the central hexagon."""
    outcome = position.outcome()
    if outcome is not None:
        return 0.0 if outcome.winner is None else 1000.0 if outcome.winner == colour else -1000.0
    value = Ways(position, 1 - colour).to_go() - Ways(position, colour).to_go()
    words = str(position).split()[2:]
    left = min(18 - sum(word[0] == letter for word in words) for letter in "wb")
    if left <= _LATE and str(position.rules) == "standard":
        counts = position.centre_count()
        value += (counts[colour] - counts[1 - colour]) * (1 + _LATE - left)
    return value


def in_order(position: kernel.Position, turns: list[int]) -> list[int]:
    """Return turns in the ladder's own order: adds by placement, then moves by the piece's number and placement."""
    sources = {turn >> 13 for turn in turns}
    pieces = {source: -1 if source == _ADDED else position.track.top(source) for source in sources}
    return sorted(turns, key=lambda turn: (pieces[turn >> 13], turn & 0x1FFF))


def legal_turns(position: kernel.Position) -> list[int]:
    """Return all legal turns, in order."""
    return in_order(position, position.track.numbers())


def shortlist(position: kernel.Position) -> list[int]:
    """Return the turns that look best without playing them: those that help oneself, or stand in the way."""
    turns = np.array(legal_turns(position))
    if len(turns) <= 2 * _SHORTLIST:
        return [int(turn) for turn in turns]
    dots = _DOTS[turns & 0x1FFF]
    own, other = Ways(position, position.turn), Ways(position, 1 - position.turn)
    gain = (own.first[:, dots].min(axis=2) + own.second[:, dots].min(axis=2)).min(axis=0)
    nearest = int(other.shortest.argmin())
    block = (other.first[nearest] + other.second[nearest])[dots].min(axis=1)
    best = np.concatenate([np.argsort(gain, kind="stable")[:_SHORTLIST], np.argsort(block, kind="stable")[:_SHORTLIST]])
    return [int(turn) for turn in turns[np.unique(best)]]


def played(position: kernel.Position, turns: list[int]) -> Iterator[int]:
    """Yield each turn while it stands on the board."""
    for turn in turns:
        position.track.push(turn)
        yield turn
        position.track.pop()


def valued(position: kernel.Position, dice: random.Random) -> list[tuple[float, int]]:
    """Return the shortlist with what each turn leads to, best first."""
    me = position.turn
    found = [(worth(position, me) + 0.01 * dice.random(), turn) for turn in played(position, shortlist(position))]
    return sorted(found, reverse=True)


def play_random(position: kernel.Position, dice: random.Random) -> int:
    return dice.choice(legal_turns(position))


def play_greedy(position: kernel.Position, dice: random.Random) -> int:
    return valued(position, dice)[0][1]


def _guarded(position: kernel.Position, dice: random.Random) -> list[tuple[float, int]]:
    """Return the valued turns that do not lose at once; a win alone; all turns if nothing holds."""
    winning = wins(position.track, position.turn)
    if winning:
        return [(1000.0, in_order(position, winning)[0])]
    found = valued(position, dice)
    if not wins(position.track, 1 - position.turn):
        holding = {turn for turn in played(position, [turn for _, turn in found]) if _holds(position)}
    else:
        everything = legal_turns(position)
        dice.shuffle(everything)
        order = [turn for _, turn in found] + everything
        holding = set()
        for turn in played(position, order):
            if _holds(position):
                holding.add(turn)
        known = {turn for _, turn in found}
        found += [(-500.0, turn) for turn in everything if turn in holding and turn not in known]
    return [(value, turn) for value, turn in found if turn in holding] or found


def _holds(position: kernel.Position) -> bool:
    """Tell whether the player who has just moved does not lose with the next turn."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner != position.turn
    return not wins(position.track, position.turn)


def play_guard(position: kernel.Position, dice: random.Random) -> int:
    return _guarded(position, dice)[0][1]


def play_twoply(position: kernel.Position, dice: random.Random) -> int:
    found = _guarded(position, dice)[:_BEAM]
    if len(found) == 1:
        return found[0][1]
    best, choice = -float("inf"), found[0][1]
    for turn in played(position, [turn for _, turn in found]):
        value = worth(position, 1 - position.turn)
        if position.outcome() is None:
            value = -valued(position, dice)[0][0]
        if value > best:
            best, choice = value, turn
    return choice


PLAYERS: Final[dict[str, Callable[[kernel.Position, random.Random], int]]] = {
    "random": play_random,
    "greedy": play_greedy,
    "guard": play_guard,
    "twoply": play_twoply,
}


def set_up(words: list[str], rules: str) -> kernel.Position:
    """Return the position that the words after ``position`` describe."""
    turns = words[words.index("moves") + 1 :] if "moves" in words else []
    start = words[: words.index("moves")] if "moves" in words else words
    position = kernel.Position(" ".join(start[1:]) if start[:1] == ["fen"] else f"{rules} w")
    for turn in turns:
        position.push(turn)
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
                turn = play(position, random.Random(f"{seed} {position}"))
                print(f"bestmove {move_text(turn)}", flush=True)
            case ["quit", *_]:
                return
