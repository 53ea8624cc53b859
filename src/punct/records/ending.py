"""What a record says about the end of a game, held against what its turns show."""

from __future__ import annotations

from typing import Final

from punct.errors import PunctError
from punct.game import Game
from punct.outcome import Ending, Outcome
from punct.piece import Colour

_DECLARED: Final = (Ending.RESIGNATION, Ending.AGREEMENT, Ending.TIME)
_WINNERS: Final = {"1-0": Colour.WHITE, "0-1": Colour.BLACK, "1/2-1/2": None}

RESULTS: Final = (*_WINNERS, "*")
"""How a result may be written."""


def final_outcome(game: Game) -> Outcome | None:
    """Return how the game ended on its main line, wherever its current node is."""
    end = (game.root, *game.main_line())[-1]
    return game.outcome() if end is game.node else end.outcome()  # where the game stands, it knows without replaying


def settle(game: Game, result: str, ending: Ending | None) -> None:
    """End the game, which is at the end of its main line, as the record says; raises PunctError if it cannot be so.

    The turns decide whenever they end the game. Otherwise a result needs somebody to have resigned, agreed to a draw
    or run out of time, and the record must say which.
    """
    outcome = game.outcome()
    if outcome is not None:
        if result != outcome.result() or ending not in (None, outcome.reason):
            raise PunctError(f"the record says {_said(result, ending)}, but by its turns: {outcome}")
        return
    if result == "*":
        if ending is not None:
            raise PunctError(f"the record says {_said(result, ending)}, but * means that the game goes on")
        return
    winner = _WINNERS[result]
    if ending not in _DECLARED or (winner is None) != (ending is Ending.AGREEMENT):
        raise PunctError(
            f"the record says {_said(result, ending)}, but by its turns the game goes on; "
            "a result may then come from resignation, time or an agreed draw, and the record must say so"
        )
    if winner is None:
        game.agree_draw()
    elif ending is Ending.RESIGNATION:
        game.resign(winner.other)
    else:
        game.lose_on_time(winner.other)


def _said(result: str, ending: Ending | None) -> str:
    return f"{result} ({ending})" if ending is not None else result
