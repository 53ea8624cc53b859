"""Whether a puzzle is right, found out from its position alone: by the rules and the prover, not by who made it."""

from __future__ import annotations

from collections.abc import Iterator

from punct.analysis import Prover, defences, last_piece_wins
from punct.errors import PunctError
from punct.kernel import Position
from punct.move import Move
from punct.puzzles.puzzle import LONGEST, STRONGEST, WEAKEST, Goal, Puzzle, name_of
from punct.puzzles.themes import themes_of


def faults_of(puzzle: Puzzle) -> list[str]:
    """Return what is wrong with a puzzle, in words; nothing if all is proven.

    All first turns that solve it are there and no others, no shorter win exists, the main line is legal, is won however
    the opponent plays, holds out as long as possible and ends as told, and the themes are what happens in it.
    """
    found: list[str] = []
    try:
        found.extend(_faults(puzzle))
    except PunctError as error:
        found.append(str(error))
    return found


def checked(puzzle: Puzzle) -> tuple[str, list[str]]:
    """Return a puzzle's name and what is wrong with it."""
    return puzzle.id, faults_of(puzzle)


def _faults(puzzle: Puzzle) -> Iterator[str]:
    position = Position(puzzle.position)
    if str(position) != puzzle.position:
        yield "its position is not in canonical form"
    if position.outcome() is not None:
        yield "its position is the end of a game"
        return
    if puzzle.id != name_of(position, puzzle.goal):
        yield "its name is not made from its position and goal"
    if not WEAKEST <= puzzle.rating <= STRONGEST:
        yield f"its rating {puzzle.rating} is out of range"
    if not 1 <= puzzle.turns <= LONGEST or len(puzzle.solution) != 2 * puzzle.turns - 1:
        yield f"its solution has {len(puzzle.solution)} turns"
        return
    firsts = {position.parse(turn) for turn in puzzle.firsts}
    if len(firsts) != len(puzzle.firsts):
        yield "a first turn is named twice"
    yield from (_hold_faults if puzzle.goal is Goal.HOLD else _win_faults)(puzzle, position, firsts)
    if themes_of(position, puzzle.goal, puzzle.solution) != puzzle.themes:
        yield "its themes are not what happens in it"


def _hold_faults(puzzle: Puzzle, position: Position, firsts: set[Move]) -> Iterator[str]:
    if not position.winning_moves(~position.turn) and not last_piece_wins(position, ~position.turn):
        yield "nothing threatens"
    if puzzle.turns != 1:
        yield "to hold takes one turn"
    yield from _compare(firsts, set(defences(position)))


def _win_faults(puzzle: Puzzle, position: Position, firsts: set[Move]) -> Iterator[str]:
    prover = Prover()
    if puzzle.turns > 1 and prover.wins_in(position, puzzle.turns - 1, 1):
        yield f"it is won in fewer than {puzzle.turns} turns"
    yield from _compare(firsts, set(prover.wins_in(position, puzzle.turns)))
    board, me = position.copy(), position.turn
    for ply, turn in enumerate(puzzle.solution):
        left = puzzle.turns - (ply + 1) // 2
        board.push(turn)
        outcome = board.outcome()
        if outcome is not None:
            break
        if ply % 2 == 0 and not prover.answer(board, left - 1).lost:
            yield f"{turn} does not win"
        if ply % 2 == 1 and left > 1 and prover.wins_in(board, left - 1, 1):
            yield f"{turn} is not the longest resistance"
    if outcome is None or outcome.winner is not me or len(board.moves) != len(puzzle.solution):
        yield "its main line does not end with the win"


def _compare(told: set[Move], proven: set[Move]) -> Iterator[str]:
    if wrong := told - proven:
        yield f"{' and '.join(sorted(map(str, wrong)))} does not solve it"
    if missing := proven - told:
        yield f"{' and '.join(sorted(map(str, missing)))} solves it as well"
