"""Play as a bot: win if possible, otherwise play the move with the best static score."""

from punct import Game, Move, analysis, kernel, ugi
from punct.engine import Limits


def choose(game: Game, limits: Limits) -> Move:
    """Return the move to play."""
    wins = analysis.wins_at_once(game.position)  # by a chain, or by the count with the last piece
    return wins[0] if wins else kernel.Position(game.position).score_moves(1)[0][0]


if __name__ == "__main__":
    ugi.serve(choose, name="first sight")
