"""Make the tactics file: positions with a win or a defence to be tactics, each proved by trying every move.

    python bench/tactics/make_tactics.py tests/engine/tactics.jsonl --seconds 1200
    python bench/tactics/make_tactics.py tests/engine/tactics.jsonl --first 100      # adds what is missing

Games of the ladder's players, and games with many jumps and bridges, are searched for positions of six kinds:

    win-1     a win at once, by at most four different moves
    win-2     no win at once, but a move after which every reply allows one
    win-3     no win in two, but a move whose every defence still loses in two
    defence   the opponent threatens to win, and at most four moves stop it
    centre    few pieces left: the count in the central hexagon decides, as a win or as the only way to hold
    bridge    a win at once by bridging or by uncovering, and by no other move

Every solution is listed, except for win-3, where one is: proving that there are no others would take hours. A position
is one line of JSON: kind, position, the moves that solve it, and in how many moves they win (0: they hold).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from punct import Colour, Move, Rules, _kernel, kernel
from punct.analysis import Prover, defences, last_piece_wins, wins_at_once
from punct.match.openings import opening
from punct.piece import SET_SIZE

sys.path.insert(0, str(Path(__file__).parents[2]))
from bench.ladder import players as ladder

QUOTAS: Final = {"win-1": 12, "win-2": 18, "win-3": 8, "defence": 16, "centre": 10, "bridge": 8}
_FEW: Final = 4
_FEW_WINS_IN_TWO: Final = 8
_LATE: Final = 3
_MAX_PLIES: Final = 90
_TRIES: Final = 2
"""How many positions of a game are searched for wins in three, which takes seconds each."""


class Tactic(NamedTuple):
    """A position to be solved."""

    kind: str
    position: str
    best: list[str]
    turns: int

    def as_json(self) -> str:
        """Return it as a line of the file."""
        return json.dumps({"kind": self.kind, "position": self.position, "best": self.best, "turns": self.turns})


def start_of(seed: int) -> kernel.Position:
    """Return the position after an opening; three of four are the standard game's."""
    rules = "basic" if seed % 4 == 3 else "standard"
    position = kernel.Position(f"{rules} w")
    for text in opening(seed, f"{rules} w"):
        position.push(text)
    return position


def ladder_games(seed: int) -> Iterator[kernel.Position]:
    """Yield the positions of a game between two of the ladder's players, with a random move now and then."""
    rng = random.Random(f"tactics {seed}")
    position = start_of(seed)
    style = rng.choice((ladder.play_greedy, ladder.play_guard, ladder.play_guard))
    while position.outcome() is None and len(position.moves) < _MAX_PLIES:
        yield position
        loose = rng.random() < 0.15
        position.push(kernel.Move(rng.choice(ladder.shortlist(position)) if loose else style(position, rng)))


def late_games(seed: int) -> Iterator[kernel.Position]:
    """Yield the late positions of a careful game."""
    rng = random.Random(f"late {seed}")
    position = start_of(4 * seed)
    while position.outcome() is None and len(position.moves) < _MAX_PLIES:
        if is_late(position):
            yield position
        position.push(kernel.Move(ladder.play_guard(position, rng)))


def stacked_games(seed: int) -> Iterator[kernel.Position]:
    """Yield positions full of stacks: sensible moves mixed with jumps and bridges."""
    rng = random.Random(f"stacked {seed}")
    position = start_of(seed)
    while position.outcome() is None and len(position.moves) < _MAX_PLIES:
        yield position
        if rng.random() < 0.5:
            position.play_random(rng.getrandbits(32), 1, raised=70, bridge=70, moved=20)
        else:
            position.push(kernel.Move(rng.choice(ladder.shortlist(position))))


class Source(NamedTuple):
    """A source of positions, the kinds it is searched for, and how many of its games are played per round."""

    games: Callable[[int], Iterator[kernel.Position]]
    kinds: frozenset[str]
    share: int


SOURCES: Final = (
    Source(ladder_games, frozenset({"win-1", "win-2", "win-3", "defence"}), 1),
    Source(late_games, frozenset({"centre"}), 2),
    Source(stacked_games, frozenset({"bridge"}), 12),
)


def is_late(position: kernel.Position) -> bool:
    """Tell whether the count of the centre may soon decide."""
    return position.rules is Rules.STANDARD and any(SET_SIZE - position.on_board(colour) <= _LATE for colour in Colour)


def is_stacked(position: kernel.Position, move: Move) -> bool:
    """Tell whether a move bridges, or wins by uncovering: a chain through a space its piece has left."""
    if _kernel.is_bridge(position.track, position.pack(move)):
        return True
    piece = position.top(move.origin) if move.origin is not None else None
    if piece is None:
        return False
    position.push(move)
    chain = set(position.chain(piece.colour))
    uncovered = [space for space in piece.spaces if position.top(space) != piece]
    position.pop()
    return not chain.isdisjoint(uncovered)


def classify(position: kernel.Position, prover: Prover, missing: set[str]) -> Iterator[Tactic]:
    """Yield the tactics of a position; slow checks are made only for the kinds still missing."""
    text = str(position)
    late = is_late(position)
    winning = wins_at_once(position)
    if winning:
        if len(winning) <= _FEW and not last_piece_wins(position, position.turn):
            stacked = all(is_stacked(position, move) for move in winning)
            yield Tactic("bridge" if stacked else "win-1", text, named(winning), 1)
        return
    threatened = bool(position.winning_moves(position.turn.other))
    raced = last_piece_wins(position, position.turn.other)
    if threatened or raced:
        safe = defences(position, _FEW + 1 if not raced else 40)
        if 0 < len(safe) <= (_FEW if not raced else 39):
            yield Tactic("centre" if raced and late else "defence", text, named(safe), 0)
    if not missing & {"win-2", "win-3", "centre"}:
        return  # bridges are wins at once
    in_two = prover.wins_in(position, 2, 40)
    if in_two and len(in_two) < 40:
        by_count = late and all(ends_by_count(position, move) for move in in_two)
        if by_count:
            yield Tactic("centre", text, named(in_two), 2)
        elif len(in_two) <= _FEW_WINS_IN_TWO:
            yield Tactic("win-2", text, named(in_two), 2)
    elif not in_two and "win-3" in missing and not threatened:
        first = prover.wins_in(position, 3, 1)
        if first:
            yield Tactic("win-3", text, named(first), 3)


def threatening(position: kernel.Position) -> bool:
    """Tell whether the side to move is within two pieces of a connection."""
    return min(_kernel.distances(position.track, position.turn, pair)[2] for pair in range(3)) <= 10


def ends_by_count(position: kernel.Position, move: Move) -> bool:
    """Tell whether this move threatens to win with the last piece."""
    me = position.turn
    position.push(move)
    counted = last_piece_wins(position, me)
    position.pop()
    return counted


def named(moves: list[Move]) -> list[str]:
    return sorted(map(str, moves))


def search(positions: Iterator[kernel.Position], prover: Prover, missing: set[str], end: float) -> Iterator[Tactic]:
    """Yield tactics from one game, at most one of each kind, so that they differ."""
    tries = 0
    if not missing:
        return
    for position in positions:
        if not missing or time.monotonic() > end:
            return
        # Wins in three are searched for only where threats are near.
        tries += threatening(position)
        hard = {"win-3"} if tries == 0 or tries > _TRIES else set()
        for tactic in classify(position, prover, missing - hard):
            if tactic.kind in missing:
                missing.remove(tactic.kind)
                yield tactic


def read(path: Path) -> list[Tactic]:
    """Return the positions of a file made before; they are kept, and only missing ones are searched for."""
    return [Tactic(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=600.0, help="stop after so long, whatever is missing")
    parser.add_argument("--first", type=int, default=0, help="the first game's number")
    arguments = parser.parse_args()
    tactics = read(arguments.file) if arguments.file.exists() else []
    missing = Counter(QUOTAS)
    missing.subtract(tactic.kind for tactic in tactics)
    prover = Prover()
    end = time.monotonic() + arguments.seconds
    seed = arguments.first
    while +missing and time.monotonic() < end:
        for source in SOURCES:
            for number in range(source.share * seed, source.share * (seed + 1)):
                for tactic in search(source.games(number), prover, set(+missing) & source.kinds, end):
                    missing[tactic.kind] -= 1
                    tactics.append(tactic)
        seed += 1
    order = list(QUOTAS)
    tactics.sort(key=lambda tactic: (order.index(tactic.kind), tactic.turns))
    arguments.file.write_text("".join(tactic.as_json() + "\n" for tactic in tactics), encoding="utf-8")
    print(f"{len(tactics)} positions from {seed - arguments.first} games; missing: {dict(+missing)}")


if __name__ == "__main__":
    main()
