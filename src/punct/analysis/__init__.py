"""Games and positions looked at: reviews turn by turn, their curve, short wins proved by looking at everything."""

from punct.analysis.proof import Prover, defences, last_piece_wins, wins_at_once
from punct.analysis.review import Analysis, Remark, analyse_game, annotate
from punct.analysis.scale import Judgement

__all__ = [
    "Analysis",
    "Judgement",
    "Prover",
    "Remark",
    "analyse_game",
    "annotate",
    "defences",
    "last_piece_wins",
    "wins_at_once",
]
