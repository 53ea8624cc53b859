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

from importlib import import_module
from typing import TYPE_CHECKING

from punct.kernel.packed import Move
from punct.kernel.playout import RandomGames, random_games
from punct.kernel.position import Position
from punct.kernel.study import Distances, Group

if TYPE_CHECKING:
    from punct.kernel.batch import ACTIONS, LEAVE, PLANES, Batch
else:

    def __getattr__(name: str) -> object:
        """Load what needs NumPy when it is first asked for: reading records does not."""
        if name in ("ACTIONS", "LEAVE", "PLANES", "Batch"):
            return getattr(import_module("punct.kernel.batch"), name)
        raise AttributeError(f"module 'punct.kernel' has no attribute {name!r}")


__all__ = [
    "ACTIONS",
    "LEAVE",
    "PLANES",
    "Batch",
    "Distances",
    "Group",
    "Move",
    "Position",
    "RandomGames",
    "random_games",
]
