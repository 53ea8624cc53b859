"""Actions and observations in Gymnasium's terms, which PettingZoo shares."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from punct.env.episode import Episode
from punct.errors import PunctError
from punct.kernel.batch import ACTIONS, PLANES
from punct.piece import SET_SIZE, Colour

SIDES = ("white", "black")
"""By colour: a player's name in Gymnasium."""


def action_space() -> spaces.Discrete:
    """Return all actions there are; most of them are not legal at any one time."""
    return spaces.Discrete(ACTIONS)


def plane_space() -> spaces.Box[np.uint8]:
    """Return the space of the planes. The greatest number in them is a level: no stack is higher than all pieces."""
    return spaces.Box(0, 2 * SET_SIZE, (PLANES, 17, 17), np.uint8)


def mask_space() -> spaces.Box[np.int8]:
    """Return the space of masks."""
    return spaces.Box(0, 1, (ACTIONS,), np.int8)


def mask_of(episode: Episode, *, is_lost: bool = False) -> NDArray[np.int8]:
    """Return by action 1 if it is legal, else 0: as ``Discrete.sample`` takes it.

    All are 0 once the game is over, also if an illegal action has lost it (``is_lost``).
    """
    return np.zeros(ACTIONS, np.int8) if is_lost else episode.legal_mask().view(np.int8)


def side_of(side: object) -> Colour:
    """Return the colour that a side's name means."""
    if side not in SIDES:
        raise PunctError(f"a side is 'white' or 'black', not {side!r}")
    return Colour(SIDES.index(side))
