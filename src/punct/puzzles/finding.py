"""Finding puzzles in a game: what a position may be good for is decided cheaply, then proven.

The proof is the prover's, which knows nothing of the engine's choices. Wins in one and two are looked for among all
first turns. In three and four they are looked for among the first turns that threaten to win; the engine is asked then
whether another turn wins as well, and if one may, the position makes no puzzle. So every puzzle has all of its
solutions, few enough to be a point: up to four, or any that lay a piece on the same three spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Final

from punct.analysis import Prover, Undecided, defences, last_piece_wins, wins_at_once
from punct.engine import Engine, Limits
from punct.engine.variations import turns_of
from punct.kernel import Position
from punct.kernel.packed import Move as PackedMove
from punct.move import Move
from punct.puzzles.games import PlayedGame
from punct.puzzles.puzzle import LONGEST, WEAKEST, Goal, Puzzle, Theme, name_of
from punct.puzzles.themes import landing_of, themes_of

_FEW: Final = 4
_ALIKE: Final = 8
"""So many first turns may solve a puzzle if they all lay a piece on the same three spaces, or save the centre."""
_BUDGETS: Final = {2: 100_000, 3: 250_000, 4: 700_000}
"""By the solver's turns: how many turns the prover tries before a position is left alone."""
_HASH_MB: Final = 16
_GLANCE: Final = Limits(nodes=150)
_LOOK: Final = Limits(nodes=800)
_OTHERS: Final = 12
"""So many other first turns, the engine's best, are looked at besides those that threaten."""
_HOPELESS: Final = 0.15
"""A chance below which a game is not worth holding."""
_PROMISING: Final = 0.8
"""A chance from which on there may be a win that neither a glance nor the game shows."""
_NEAR: Final = 5
"""How far the solver may be from a connection then."""
_GUESSES: Final = 1
"""So many such positions of a game are tried: it takes longest, and most often there is nothing."""


def kind_of(puzzle: Puzzle) -> str:
    """Return of what kind a puzzle is: ``win-1`` to ``win-4``, ``defence`` or ``centre``."""
    if puzzle.goal is Goal.WIN:
        return f"win-{puzzle.turns}"
    return "defence" if Theme.DEFENCE in puzzle.themes else "centre"


def puzzles_in(game: PlayedGame) -> list[Puzzle]:
    """Return the puzzles of a game, one of each kind at most; without ratings yet.

    The game is searched from its end: where a player wins soon, there may have been a longer win a turn before.
    """
    finder = Finder()
    for position in reversed(list(game.positions())):
        finder.look(position)
    return finder.puzzles


class Finder:
    """Looks at the positions of one game, from the last to the first."""

    def __init__(self) -> None:
        """Begin a game. A prover that knew others might get further with the same budget: results would differ."""
        self._prover = Prover()
        self._found: dict[str, Puzzle] = {}
        self._wins = [0, 0]
        """Within how many turns the side to move wins in the position before last, and in the last; 0: not known."""
        self._guesses = _GUESSES

    @property
    def puzzles(self) -> list[Puzzle]:
        """What was found, but nothing that is shown by the main line of something longer."""
        shown = {text for puzzle in self._found.values() for text in _positions_of(puzzle)[1:]}
        return [puzzle for puzzle in self._found.values() if puzzle.position not in shown]

    def look(self, position: Position) -> None:
        """Note what this position is good for: nothing of a kind that the game has shown already."""
        win = 0
        if position.outcome() is None:
            with suppress(Undecided):
                win = self._look(position, self._wins[0])
        self._wins = [self._wins[1], win]

    def _look(self, position: Position, next_win: int) -> int:
        """Return within how many turns the side to move wins, 0 if that is not known; ``next_win``: at its next one."""
        winning = wins_at_once(position)
        if winning:
            if self._wants("win-1") and is_pointed(position, winning):
                self._note(_won_at_once(position, winning))
            return 1
        self._hold(position)
        turns, firsts = self._shortest_win(position, next_win)
        if turns and self._wants(f"win-{turns}") and is_pointed(position, firsts):
            self._prove(position, turns, firsts)
        return turns

    def _wants(self, kind: str) -> bool:
        return kind not in self._found

    def _note(self, puzzle: Puzzle) -> None:
        self._found.setdefault(kind_of(puzzle), puzzle)

    # ------------------------------------------------------------------ wins in two, three and four

    def _shortest_win(self, position: Position, next_win: int) -> tuple[int, list[Move]]:
        """Return within how many turns the side to move wins, and how, as far as it is worth looking."""
        firsts = self._prover.wins_in(position, 2, _ALIKE + 1, budget=_BUDGETS[2])
        if firsts:
            return 2, firsts
        for turns in range(3, self._longest(position, next_win) + 1):
            firsts = self._prover.wins_in(position, turns, _FEW + 1, budget=_BUDGETS[turns])
            if firsts:
                return turns, firsts
        return 0, []

    def _longest(self, position: Position, next_win: int) -> int:
        """Return how long a win is worth looking for: as the game shows, or as the engine says at a glance."""
        if next_win > 1:
            return min(LONGEST, next_win + 1)
        if min(position.distance(position.turn)) > _NEAR:
            return 0
        seen = _engine().analyse(position, _GLANCE, 1)[0]
        if seen.proven > 0:
            return min(LONGEST, turns_of(seen.proven))
        if seen.proven == 0 and seen.score >= _PROMISING and self._guesses and self._wants("win-3"):
            self._guesses -= 1
            return 3
        return 0

    def _prove(self, position: Position, turns: int, firsts: Sequence[Move]) -> None:
        """Note a win, unless another turn may win as well."""
        if turns > 2 and self._another_wins(position, turns, firsts):
            return
        line = self._prover.line(position, turns, budget=_BUDGETS[turns])
        if len(line) == 2 * turns - 1:
            self._note(_puzzle(position, Goal.WIN, line, firsts))

    def _another_wins(self, position: Position, turns: int, firsts: Sequence[Move]) -> bool:
        """Tell whether a turn that does not threaten wins as soon: the engine names those that might."""
        for other in _engine().analyse(position, _LOOK, _OTHERS):
            if other.move not in firsts:
                board = position.copy()
                board.push(other.move)
                if board.outcome() is None and self._prover.answer(board, turns - 1, budget=_BUDGETS[turns]).lost:
                    return True
        return False

    # ------------------------------------------------------------------ only defences

    def _hold(self, position: Position) -> None:
        """Note a position in which few turns keep the opponent from winning at once, and in which that is worth it."""
        threatened = bool(position.winning_moves(~position.turn))
        raced = last_piece_wins(position, ~position.turn)
        if not (threatened or raced) or not self._wants("defence" if threatened else "centre"):
            return
        safe = defences(position, _ALIKE + 1)
        if not safe or len(safe) > _ALIKE or (threatened and not is_pointed(position, safe)):
            return
        best = next((found for found in _engine().analyse(position, _LOOK, _OTHERS) if found.move in safe), None)
        if best is None or best.proven > 0 or (best.score < _HOPELESS and not raced):
            return  # won, or lost anyway
        board = position.copy()
        board.push(best.move)
        if board.outcome() is None and self._prover.wins_in(board, 2, 1, budget=_BUDGETS[2]):
            return
        self._note(_puzzle(position, Goal.HOLD, [best.move], safe))


# ---------------------------------------------------------------------- within


def is_pointed(position: Position, firsts: Sequence[Move]) -> bool:
    """Tell whether these turns are few enough to be looked for: or all of them lay a piece on the same spaces."""
    if len(firsts) <= _FEW:
        return True
    return len(firsts) <= _ALIKE and len({landing_of(PackedMove.pack(move, position)) for move in firsts}) == 1


def _positions_of(puzzle: Puzzle) -> list[str]:
    """Return the positions of a puzzle's main line."""
    board = Position(puzzle.position)
    found = [str(board)]
    for turn in puzzle.solution[:-1]:
        board.push(turn)
        found.append(str(board))
    return found


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
