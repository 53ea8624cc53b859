"""Games and positions looked at: reviews turn by turn, their curve, short wins proven by looking at everything."""

from punct.analysis.review import Analysis, Judgement, Remark, analyse_game, annotate

__all__ = ["Analysis", "Judgement", "Remark", "analyse_game", "annotate"]
