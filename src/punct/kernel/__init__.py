"""The rules at machine speed: a fast twin of ``punct.Position``, packed moves, batches of positions on NumPy arrays.

>>> from punct import kernel
>>> position = kernel.Position("standard w")
>>> position.push("Ed5ne")
Move.parse('Ed5ne')
>>> str(position)
'standard b wEd5ne'
>>> position.perft(1)
4788
"""

from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct.kernel.arrays import streams
    from punct.kernel.batch import ACTION_BYTES, ACTIONS, LEAVE, PLANES, AutoReset, Batch, EpisodeResult
    from punct.kernel.packed import Move
    from punct.kernel.playout import RandomGames, random_games
    from punct.kernel.position import Position
    from punct.kernel.steps import Steps
    from punct.kernel.study import Distances, Group
else:
    __getattr__, __dir__ = loading(
        __name__,
        globals(),
        {
            "arrays": "streams",
            "batch": "ACTIONS ACTION_BYTES AutoReset Batch LEAVE PLANES EpisodeResult",
            "packed": "Move",
            "playout": "RandomGames random_games",
            "position": "Position",
            "steps": "Steps",
            "study": "Distances Group",
        },
    )

__all__ = [
    "ACTIONS",
    "ACTION_BYTES",
    "LEAVE",
    "PLANES",
    "AutoReset",
    "Batch",
    "Distances",
    "EpisodeResult",
    "Group",
    "Move",
    "Position",
    "RandomGames",
    "Steps",
    "random_games",
    "streams",
]
