"""A bot: wins if it can, and otherwise plays what looks best at first sight."""

from punct import Game, Move, kernel, ugi
from punct.engine import Limits


def choose(game: Game, limits: Limits) -> Move:
    """Return the turn to play."""
    position = kernel.Position(game.position)
    wins = position.winning_moves()
    return wins[0] if wins else position.score_moves(1)[0][0]


if __name__ == "__main__":
    ugi.serve(choose, name="first sight")
