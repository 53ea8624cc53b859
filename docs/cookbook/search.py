"""Search two moves deep over the engine's candidates, with the engine's static evaluation."""

from punct import Move, kernel

WIDTH = 6


def value(position: kernel.Position, depth: int) -> float:
    """Return the winning chance of the side to move."""
    if depth == 0 or position.outcome():
        return position.evaluate()
    return max(1 - after(position, move, depth) for move, _ in position.score_moves(WIDTH))


def after(position: kernel.Position, move: Move, depth: int) -> float:
    """Return the opponent's winning chance after a move."""
    position.push(move)
    chance = value(position, depth - 1)
    position.pop()
    return chance


position = kernel.Position("basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n")
position.push(min((move for move, _ in position.score_moves(WIDTH)), key=lambda move: after(position, move, 2)))
print(position.outcome())
