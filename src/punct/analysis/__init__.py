"""Analysis of games and positions: reviews move by move, curves, and proofs of short wins by exhaustive search."""

from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct.analysis.proof import Answer, Prover, Undecided, defences, last_piece_wins, wins_at_once
    from punct.analysis.review import Analysis, Remark, analyse_game, annotate
    from punct.analysis.scale import Judgement
else:  # the scale does not load the engine
    __getattr__, __dir__ = loading(
        __name__,
        globals(),
        {
            "proof": "Answer Prover Undecided defences last_piece_wins wins_at_once",
            "review": "Analysis Remark analyse_game annotate",
            "scale": "Judgement",
        },
    )

__all__ = [
    "Analysis",
    "Answer",
    "Judgement",
    "Prover",
    "Remark",
    "Undecided",
    "analyse_game",
    "annotate",
    "defences",
    "last_piece_wins",
    "wins_at_once",
]
