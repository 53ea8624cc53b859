"""Actions and observations in Gymnasium's terms, which PettingZoo shares."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from punct.env.episode import Episode
from punct.errors import PunctError
from punct.kernel.batch import ACTIONS, PLANES
from punct.piece import SET_SIZE, Colour

SIDES = ("white", "black")
"""By colour: a player's name in Gymnasium."""


_TRIES: Final = (128, 1024)
"""How many drawn actions are looked up in a mask at once, before all of it is scanned; 25 would do on average."""
_DRAWN_AT_ONCE: Final = 1 << 13


class ActionSpace(spaces.Discrete):
    """All actions there are; most of them are not legal at any one time.

    ``sample`` with a mask draws from all actions until one is legal, which is as fair as choosing from a list of the
    legal ones, and takes a tenth of the time: Gymnasium's own method scans all 52,809 entries five times.
    """

    def __init__(self) -> None:
        """Create the space, without a seed."""
        super().__init__(ACTIONS)
        self._drawn = np.empty(0, np.int64)
        """Random actions, drawn in advance; those before ``_place`` are used up."""
        self._place = 0

    def seed(self, seed: int | None = None) -> int | list[int] | dict[str, int]:
        """Seed the space; what was drawn in advance is dropped."""
        self._drawn = self._drawn[:0]
        return super().seed(seed)

    def sample(self, mask: NDArray[np.int8] | None = None, probability: NDArray[Any] | None = None) -> Any:
        """Return a random action, one that the mask allows if there is a mask; 0 if it allows none."""
        if probability is None and isinstance(mask, np.ndarray) and mask.dtype == np.int8 and mask.shape == (ACTIONS,):
            for count in _TRIES:
                if self._place + count > len(self._drawn):
                    self._drawn = self.np_random.integers(ACTIONS, size=_DRAWN_AT_ONCE)
                    self._place = 0
                tries = self._drawn[self._place : self._place + count]
                allowed = mask[tries]
                first = int(allowed.argmax())
                if allowed[first] == 1:
                    self._place += first + 1
                    return tries[first]
                self._place += count
        return super().sample(mask, probability)


def action_space() -> ActionSpace:
    """Return all actions there are; most of them are not legal at any one time."""
    return ActionSpace()


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
