"""What came of a step in many games at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Steps(NamedTuple):
    """What came of a step, by row."""

    rewards: NDArray[np.float32]
    """Of whoever moved: 1 won, -1 lost, else 0."""
    terminated: NDArray[np.bool_]
    """Whether the game is over."""
    truncated: NDArray[np.bool_]
    """Whether it was cut off."""
    results: NDArray[np.int8]
    """How it stands, as ``Batch.results`` tells it; of a game that begins anew in the same step, how it ended."""
