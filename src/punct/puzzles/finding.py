"""Finding puzzles in a game: what a position may be good for is decided cheaply, then proven.

The proof is the prover's, which knows nothing of the engine's choices. Wins in one and two are looked for among all
first turns. In three and four they are looked for among the first turns that threaten to win; the engine is asked then
whether another turn wins as well, and if one may, the position makes no puzzle. So every puzzle has all of its
solutions, few enough to be a point: up to four, or any that lay a piece on the same three spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from punct.analysis import Prover, Undecided, defences, last_piece_wins, wins_at_once
from punct.engine import Engine, Limits, Variation
from punct.engine.variations import turns_of
from punct.kernel import Position
from punct.kernel.packed import Move as PackedMove
from punct.move import Move
from punct.puzzles.games import PlayedGame
from punct.puzzles.puzzle import LONGEST, WEAKEST, Goal, Puzzle, Theme, name_of
from punct.puzzles.themes import landing_of, themes_of

_FEW: Final = 4
_ALIKE: Final = 8
"""So many first turns may solve a puzzle if they all lay a piece on the same three spaces."""
_BUDGETS: Final = {2: 300_000, 3: 1_000_000, 4: 2_000_000}
"""By the solver's turns: how many turns the prover tries before a position is left alone."""
_HASH_MB: Final = 16
_GLANCE: Final = Limits(nodes=150)
_LOOK: Final = Limits(nodes=800)
_OTHERS: Final = 12
"""So many other first turns, the engine's best, are looked at besides those that threaten."""
_HOPELESS: Final = 0.15
"""A chance below which a game is not worth holding."""
_PROMISING: Final = 0.6
"""A chance from which on there may be a win that a glance does not see."""


def kind_of(puzzle: Puzzle) -> str:
    """Return of what kind a puzzle is: ``win-1`` to ``win-4``, ``defence`` or ``centre``."""
    if puzzle.goal is Goal.WIN:
        return f"win-{puzzle.turns}"
    return "defence" if Theme.DEFENCE in puzzle.themes else "centre"


def puzzles_in(game: PlayedGame) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, one of each kind at most; without ratings yet."""
    finder = Finder()
    for position in game.positions():
        yield from finder.look(position)


class Finder:
    """Looks at the positions of one game, one after the other."""

    def __init__(self) -> None:
        """Begin a game. A prover that knew others might get further with the same budget: results would differ."""
        self.prover = Prover()
        self._kinds: set[str] = set()
        self._shown: set[str] = set()
        """Positions of the main lines found: there is nothing left to be found in them."""

    def look(self, position: Position) -> list[Puzzle]:
        """Return what this position is good for: nothing of a kind that the game has shown already."""
        if position.outcome() is not None or str(position) in self._shown:
            return []
        found = []
        for puzzle in self._candidates(position):
            self._kinds.add(kind_of(puzzle))
            self._note(position, puzzle)
            found.append(puzzle)
        return found

    def _wants(self, kind: str) -> bool:
        return kind not in self._kinds

    def _note(self, position: Position, puzzle: Puzzle) -> None:
        board = position.copy()
        for turn in puzzle.solution[:-1]:
            board.push(turn)
            self._shown.add(str(board))

    def _candidates(self, position: Position) -> Iterator[Puzzle]:
        winning = wins_at_once(position)
        if winning:
            if self._wants("win-1") and is_pointed(position, winning):
                yield _won_at_once(position, winning)
            return
        seen = _engine().analyse(position, _GLANCE, 1)[0]
        try:
            if seen.proven >= 0 and (puzzle := self._held(position)) is not None:
                yield puzzle
            if (puzzle := self._won(position, seen)) is not None:
                yield puzzle
        except Undecided:
            return

    # ------------------------------------------------------------------ wins in two, three and four

    def _won(self, position: Position, seen: Variation) -> Puzzle | None:
        """Return the shortest win of a position as a puzzle, where a glance says that there may be one."""
        if seen.proven < 0 or (seen.proven == 0 and seen.score < _PROMISING):
            return None
        longest = min(LONGEST, turns_of(seen.proven)) if seen.proven else 3
        for turns in range(2, longest + 1):
            firsts = self.prover.wins_in(position, turns, _ALIKE + 1, budget=_BUDGETS[turns])
            if firsts:
                wanted = self._wants(f"win-{turns}") and is_pointed(position, firsts)
                return self._proven(position, turns, firsts) if wanted else None
        return None

    def _proven(self, position: Position, turns: int, firsts: Sequence[Move]) -> Puzzle | None:
        if turns > 2 and self._another_wins(position, turns, firsts):
            return None
        line = self.prover.line(position, turns, budget=_BUDGETS[turns])
        if len(line) != 2 * turns - 1:
            return None
        return _puzzle(position, Goal.WIN, line, firsts)

    def _another_wins(self, position: Position, turns: int, firsts: Sequence[Move]) -> bool:
        """Tell whether a turn that does not threaten wins as soon: the engine names those that might."""
        board = position.copy()
        for other in _engine().analyse(position, _LOOK, _OTHERS):
            if other.move not in firsts:
                board.push(other.move)
                over = board.outcome() is not None
                lost = not over and self.prover.answer(board, turns - 1, budget=_BUDGETS[turns]).lost
                board.pop()
                if lost:
                    return True
        return False

    # ------------------------------------------------------------------ only defences

    def _held(self, position: Position) -> Puzzle | None:
        """Return a position as a puzzle in which few turns keep the opponent from winning at once."""
        threatened = bool(position.winning_moves(~position.turn))
        raced = last_piece_wins(position, ~position.turn)
        if not (threatened or raced) or not self._wants("defence" if threatened else "centre"):
            return None
        safe = defences(position, _ALIKE + 1)
        if not safe or not is_pointed(position, safe):
            return None
        best = next((v for v in _engine().analyse(position, _LOOK, _OTHERS) if v.move in safe), None)
        if best is None or best.proven or best.score < _HOPELESS:
            return None  # won or lost anyway
        board = position.copy()
        board.push(best.move)
        if board.outcome() is None and self.prover.wins_in(board, 2, 1, budget=_BUDGETS[2]):
            return None
        return _puzzle(position, Goal.HOLD, [best.move], safe)


# ---------------------------------------------------------------------- within


def is_pointed(position: Position, firsts: Sequence[Move]) -> bool:
    """Tell whether these turns are few enough to be looked for: or all of them lay a piece on the same spaces."""
    if len(firsts) <= _FEW:
        return True
    return len(firsts) <= _ALIKE and len({landing_of(PackedMove.pack(move, position)) for move in firsts}) == 1


def _won_at_once(position: Position, winning: Sequence[Move]) -> Puzzle:
    """Return a win at once, shown by its plainest turn: so what it is about is about every turn that wins."""
    plainest = min(winning, key=lambda move: (len(themes_of(position, Goal.WIN, [str(move)])), str(move)))
    return _puzzle(position, Goal.WIN, [plainest], winning)


def _puzzle(position: Position, goal: Goal, line: Sequence[Move], firsts: Sequence[Move]) -> Puzzle:
    solution = tuple(map(str, line))
    also = tuple(sorted(str(move) for move in firsts if move is not line[0]))
    turns = (len(line) + 1) // 2
    themes = themes_of(position, goal, solution)
    return Puzzle(name_of(position, goal), str(position), goal, turns, solution, also, themes, WEAKEST)


@cache
def _engine() -> Engine:
    return Engine(hash_mb=_HASH_MB)
