"""The result in a record, checked against its moves."""

from __future__ import annotations

from typing import Final

from punct.errors import PunctError
from punct.game import Game
from punct.outcome import Ending, Outcome
from punct.piece import Colour

_DECLARED: Final = (Ending.RESIGNATION, Ending.AGREEMENT, Ending.TIME)
_WINNERS: Final = {"1-0": Colour.WHITE, "0-1": Colour.BLACK, "1/2-1/2": None}

RESULTS: Final = (*_WINNERS, "*")
"""The results that a record may have."""


def final_outcome(game: Game) -> Outcome | None:
    """Return how the game ended on its main line, wherever its current node is."""
    end = (game.root, *game.main_line())[-1]
    return (
        game.outcome() if end is game.node else end.outcome()
    )  # at the current node the game knows it without a replay


def settle(game: Game, result: str, ending: Ending | None) -> None:
    """End the game, which is at the end of its main line, as the record says; raises PunctError on a contradiction.

    If the moves end the game they decide. Otherwise a result needs a resignation, an agreed draw or a loss on time, and
    the record must say which.
    """
    outcome = game.outcome()
    if outcome is not None:
        if result != outcome.result() or ending not in (None, outcome.reason):
            raise PunctError(f"the record says {_describe(result, ending)}, but by its moves: {outcome}")
        return
    if result == "*":
        if ending is not None:
            raise PunctError(f"the record says {_describe(result, ending)}, but * means that the game goes on")
        return
    winner = _WINNERS[result]
    if ending not in _DECLARED or (winner is None) != (ending is Ending.AGREEMENT):
        raise PunctError(
            f"the record says {_describe(result, ending)}, but by its moves the game goes on; "
            "a result may then come from resignation, time or an agreed draw, and the record must say so"
        )
    if winner is None:
        game.agree_draw()
    elif ending is Ending.RESIGNATION:
        game.resign(winner.other)
    else:
        game.lose_on_time(winner.other)


def _describe(result: str, ending: Ending | None) -> str:
    return f"{result} ({ending})" if ending is not None else result
