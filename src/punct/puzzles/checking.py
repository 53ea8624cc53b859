"""Check a puzzle from its position alone, by the rules and the prover, independently of how it was made."""

from __future__ import annotations

from collections.abc import Iterator

from punct.analysis import Prover, defences, last_piece_wins
from punct.errors import PunctError
from punct.kernel import Position
from punct.move import Move
from punct.puzzles.puzzle import MAX_TURNS, STRONGEST, WEAKEST, Goal, Puzzle, name_of
from punct.puzzles.themes import themes_of


def faults_of(puzzle: Puzzle) -> list[str]:
    """Return what is wrong with a puzzle, in words; nothing if all is proven.

    It has all first moves that solve it and no others, no shorter win exists, the main line is legal, wins against
    every reply, resists as long as possible and reaches the goal, and the themes occur in it.
    """
    faults: list[str] = []
    try:
        faults.extend(_faults(puzzle))
    except PunctError as error:
        faults.append(str(error))
    return faults


def check(puzzle: Puzzle) -> tuple[str, list[str]]:
    """Return a puzzle's name and its faults."""
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
    if not 1 <= puzzle.turns <= MAX_TURNS or len(puzzle.solution) != 2 * puzzle.turns - 1:
        yield f"its solution has {len(puzzle.solution)} moves"
        return
    firsts = {position.parse(move) for move in puzzle.firsts}
    if len(firsts) != len(puzzle.firsts):
        yield "a first move is named twice"
    yield from (_hold_faults if puzzle.goal is Goal.HOLD else _win_faults)(puzzle, position, firsts)
    if themes_of(position, puzzle.goal, puzzle.solution) != puzzle.themes:
        yield "its themes are not what happens in it"


def _hold_faults(puzzle: Puzzle, position: Position, firsts: set[Move]) -> Iterator[str]:
    if not position.winning_moves(~position.turn) and not last_piece_wins(position, ~position.turn):
        yield "nothing threatens"
    if puzzle.turns != 1:
        yield "to hold takes one move"
    yield from _compare(firsts, set(defences(position)))


def _win_faults(puzzle: Puzzle, position: Position, firsts: set[Move]) -> Iterator[str]:
    prover = Prover()
    if puzzle.turns > 1 and prover.wins_in(position, puzzle.turns - 1, 1):
        yield f"it is won in fewer than {puzzle.turns} moves"
    yield from _compare(firsts, set(prover.wins_in(position, puzzle.turns)))
    board, me = position.copy(), position.turn
    for ply, move in enumerate(puzzle.solution):
        moves_left = puzzle.turns - (ply + 1) // 2
        board.push(move)
        outcome = board.outcome()
        if outcome is not None:
            break
        if ply % 2 == 0 and not prover.answer(board, moves_left - 1).lost:
            yield f"{move} does not win"
        if ply % 2 == 1 and moves_left > 1 and prover.wins_in(board, moves_left - 1, 1):
            yield f"{move} is not the longest resistance"
    if outcome is None or outcome.winner is not me or len(board.moves) != len(puzzle.solution):
        yield "its main line does not end with the win"


def _compare(listed: set[Move], proven: set[Move]) -> Iterator[str]:
    if wrong := listed - proven:
        yield f"{' and '.join(sorted(map(str, wrong)))} does not solve it"
    if missing := proven - listed:
        yield f"{' and '.join(sorted(map(str, missing)))} solves it as well"
