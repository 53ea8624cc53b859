"""Find puzzles in a game: candidate positions are chosen cheaply, then proven.

The proof is the prover's, which is independent of the engine. Wins in one and two are searched among all first moves,
wins in three and four among the first moves that threaten to win; then the engine looks for other moves that may win
as well, and if there is one, the position makes no puzzle. So every puzzle has all of its solutions, and few of them:
up to four, or more if they all lay a piece on the same three spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Final

from punct.analysis import Prover, Undecided, defences, last_piece_wins, wins_at_once
from punct.engine import Engine, Limits
from punct.engine.variations import moves_to_win
from punct.kernel import Position
from punct.kernel.packed import Move as PackedMove
from punct.move import Move
from punct.puzzles.games import PlayedGame
from punct.puzzles.puzzle import MAX_TURNS, WEAKEST, Goal, Puzzle, Theme, name_of
from punct.puzzles.themes import landing_of, themes_of

_MAX_SOLUTIONS: Final = 4
_MAX_ALIKE: Final = 8
"""The most first moves of a puzzle if they all lay a piece on the same three spaces, or save the centre."""
_BUDGETS: Final = {2: 100_000, 3: 250_000, 4: 700_000}
"""By the number of the solver's moves: how many moves the prover tries before a position is skipped."""
_HASH_MB: Final = 16
_SHORT_SEARCH: Final = Limits(nodes=150)
_LONG_SEARCH: Final = Limits(nodes=800)
_OTHER_MOVES: Final = 12
"""How many of the engine's best moves are examined besides those that threaten."""
_HOPELESS: Final = 0.15
"""A winning chance below which a game is not worth holding."""
_PROMISING: Final = 0.8
"""A winning chance from which on there may be a win that neither a short search nor the game shows."""
_MAX_DISTANCE: Final = 5
"""How far the solver may be from a connection in such a position."""
_GUESSES: Final = 1
"""How many such positions of a game are tried: they take longest, and mostly there is nothing."""


def kind_of(puzzle: Puzzle) -> str:
    """Return the kind of a puzzle: ``win-1`` to ``win-4``, ``defence`` or ``centre``."""
    if puzzle.goal is Goal.WIN:
        return f"win-{puzzle.turns}"
    return "defence" if Theme.DEFENCE in puzzle.themes else "centre"


def puzzles_in(game: PlayedGame) -> list[Puzzle]:
    """Return the puzzles of a game, one of each kind at most; without ratings yet.

    The game is searched from its end: where a player wins soon, there may have been a longer win a move before.
    """
    finder = Finder()
    for position in reversed(list(game.positions())):
        finder.examine(position)
    return finder.puzzles


class Finder:
    """Examines the positions of one game, from the last to the first."""

    def __init__(self) -> None:
        """Start a game with a new prover: one that has seen other games gets further with the same budget."""
        self._prover = Prover()
        self._puzzles: dict[str, Puzzle] = {}
        self._wins = [0, 0]
        """Within how many moves the side to move wins in the last two positions examined; 0: not known."""
        self._guesses = _GUESSES

    @property
    def puzzles(self) -> list[Puzzle]:
        """The puzzles found, without those whose position is in the main line of a longer one."""
        inner = {text for puzzle in self._puzzles.values() for text in _positions_of(puzzle)[1:]}
        return [puzzle for puzzle in self._puzzles.values() if puzzle.position not in inner]

    def examine(self, position: Position) -> None:
        """Add the puzzle of a position, if its kind is new in this game."""
        win = 0
        if position.outcome() is None:
            with suppress(Undecided):
                win = self._shortest(position, self._wins[0])
        self._wins = [self._wins[1], win]

    def _shortest(self, position: Position, next_win: int) -> int:
        """Return within how many moves the side to move wins, 0: not known; ``next_win``: the same at its next move."""
        winning = wins_at_once(position)
        if winning:
            if self._needs("win-1") and has_few_solutions(position, winning):
                self._add(_won_at_once(position, winning))
            return 1
        self._find_defence(position)
        turns, firsts = self._shortest_win(position, next_win)
        if turns and self._needs(f"win-{turns}") and has_few_solutions(position, firsts):
            self._prove(position, turns, firsts)
        return turns

    def _needs(self, kind: str) -> bool:
        return kind not in self._puzzles

    def _add(self, puzzle: Puzzle) -> None:
        self._puzzles.setdefault(kind_of(puzzle), puzzle)

    # ------------------------------------------------------------------ wins in two, three and four

    def _shortest_win(self, position: Position, next_win: int) -> tuple[int, list[Move]]:
        """Return within how many moves the side to move wins, and the first moves, as far as it is worth searching."""
        firsts = self._prover.wins_in(position, 2, _MAX_ALIKE + 1, budget=_BUDGETS[2])
        if firsts:
            return 2, firsts
        for turns in range(3, self._max_turns(position, next_win) + 1):
            firsts = self._prover.wins_in(position, turns, _MAX_SOLUTIONS + 1, budget=_BUDGETS[turns])
            if firsts:
                return turns, firsts
        return 0, []

    def _max_turns(self, position: Position, next_win: int) -> int:
        """Return how long a win is worth searching, by the game itself or by a short search."""
        if next_win > 1:
            return min(MAX_TURNS, next_win + 1)
        if min(position.distance(position.turn)) > _MAX_DISTANCE:
            return 0
        best = _engine().analyse(position, _SHORT_SEARCH, 1)[0]
        if best.proven > 0:
            return min(MAX_TURNS, moves_to_win(best.proven))
        if best.proven == 0 and best.score >= _PROMISING and self._guesses and self._needs("win-3"):
            self._guesses -= 1
            return 3
        return 0

    def _prove(self, position: Position, turns: int, firsts: Sequence[Move]) -> None:
        """Add a win, unless another move may win as well."""
        if turns > 2 and self._another_wins(position, turns, firsts):
            return
        variation = self._prover.line(position, turns, budget=_BUDGETS[turns])
        if len(variation) == 2 * turns - 1:
            self._add(_puzzle(position, Goal.WIN, variation, firsts))

    def _another_wins(self, position: Position, turns: int, firsts: Sequence[Move]) -> bool:
        """Return whether a move that does not threaten wins as fast, among those that the engine prefers."""
        for other in _engine().analyse(position, _LONG_SEARCH, _OTHER_MOVES):
            if other.move not in firsts:
                board = position.copy()
                board.push(other.move)
                if board.outcome() is None and self._prover.answer(board, turns - 1, budget=_BUDGETS[turns]).lost:
                    return True
        return False

    # ------------------------------------------------------------------ only defences

    def _find_defence(self, position: Position) -> None:
        """Add a position in which few moves stop the opponent's win at once, if the game is worth holding."""
        is_threatened = bool(position.winning_moves(~position.turn))
        loses_count = last_piece_wins(position, ~position.turn)
        if not (is_threatened or loses_count) or not self._needs("defence" if is_threatened else "centre"):
            return
        safe = defences(position, _MAX_ALIKE + 1)
        if not safe or len(safe) > _MAX_ALIKE or (is_threatened and not has_few_solutions(position, safe)):
            return
        variations = _engine().analyse(position, _LONG_SEARCH, _OTHER_MOVES)
        best = next((variation for variation in variations if variation.move in safe), None)
        if best is None or best.proven > 0 or (best.score < _HOPELESS and not loses_count):
            return  # won, or lost anyway
        board = position.copy()
        board.push(best.move)
        if board.outcome() is None and self._prover.wins_in(board, 2, 1, budget=_BUDGETS[2]):
            return
        self._add(_puzzle(position, Goal.HOLD, [best.move], safe))


# ---------------------------------------------------------------------- helpers


def has_few_solutions(position: Position, firsts: Sequence[Move]) -> bool:
    """Return whether these moves are few enough for a puzzle, or all lay a piece on the same spaces."""
    if len(firsts) <= _MAX_SOLUTIONS:
        return True
    return len(firsts) <= _MAX_ALIKE and len({landing_of(PackedMove.pack(move, position)) for move in firsts}) == 1


def _positions_of(puzzle: Puzzle) -> list[str]:
    """Return the positions of a puzzle's main line."""
    board = Position(puzzle.position)
    texts = [str(board)]
    for move in puzzle.solution[:-1]:
        board.push(move)
        texts.append(str(board))
    return texts


def _won_at_once(position: Position, winning: Sequence[Move]) -> Puzzle:
    """Return a win at once, with the plainest move as its solution: so its themes hold for every winning move."""
    plainest = min(winning, key=lambda move: (len(themes_of(position, Goal.WIN, [move])), str(move)))
    return _puzzle(position, Goal.WIN, [plainest], winning)


def _puzzle(position: Position, goal: Goal, variation: Sequence[Move], firsts: Sequence[Move]) -> Puzzle:
    solution = tuple(variation)
    also = tuple(sorted((move for move in firsts if move is not variation[0]), key=str))
    turns = (len(variation) + 1) // 2
    themes = themes_of(position, goal, solution)
    return Puzzle(name_of(position, goal), str(position), goal, turns, solution, also, themes, WEAKEST)


@cache
def _engine() -> Engine:
    return Engine(hash_mb=_HASH_MB)
