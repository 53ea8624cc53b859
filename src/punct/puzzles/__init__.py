"""Puzzles: positions with a win or a defence to find, each proven by examining every move.

>>> from punct import puzzles
>>> puzzle = puzzles.shipped()[0]
>>> puzzle.solution[0] in puzzle.firsts
True
"""

from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct.puzzles.collection import of_the_day, shipped
    from punct.puzzles.file import load_puzzles, read_puzzles, write_puzzles
    from punct.puzzles.puzzle import Goal, Puzzle, PuzzleError, Theme, name_of
else:  # the shipped puzzles do not load the engine
    __getattr__, __dir__ = loading(
        __name__,
        globals(),
        {
            "collection": "of_the_day shipped",
            "file": "load_puzzles read_puzzles write_puzzles",
            "puzzle": "Goal Puzzle PuzzleError Theme name_of",
        },
    )

__all__ = [
    "Goal",
    "Puzzle",
    "PuzzleError",
    "Theme",
    "load_puzzles",
    "name_of",
    "of_the_day",
    "read_puzzles",
    "shipped",
    "write_puzzles",
]
