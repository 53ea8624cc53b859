"""The results of a step in many games at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Steps(NamedTuple):
    """The results of a step, by row."""

    rewards: NDArray[np.float32]
    """Of the player who moved: 1 won, -1 lost, else 0."""
    terminated: NDArray[np.bool_]
    """Whether the game is over."""
    truncated: NDArray[np.bool_]
    """Whether it was cut off by ``max_plies``."""
    results: NDArray[np.int8]
    """The result, as in ``Batch.results``; of a game that is reset in the same step, its final result."""
