"""Many games at once in NumPy arrays, all work done in the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from punct.contract import Start
from punct.env.episode import MAX_PLIES, random_of
from punct.errors import PunctError
from punct.kernel.arguments import whole_number
from punct.kernel.arrays import MAX_ROWS, checked_threads, streams
from punct.kernel.batch import AutoReset, Batch, checked_auto_reset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from punct.kernel.steps import Steps


class VectorEnv:
    """Many games side by side; each step plays a move of the side to move in each.

    >>> games = VectorEnv(64, seed=1)
    >>> actions = games.sample()
    >>> steps = games.step(actions)
    >>> for _ in range(200):  # into the same arrays
    ...     steps = games.step(games.sample(out=actions), out=steps)
    >>> games.planes().shape
    (64, 47, 17, 17)

    ``start`` is one position for all or one for each. A position that stands for the third time is a draw, and after
    ``max_plies`` moves a game is cut off. A finished game is reset in the same step, or instead of the next one with
    ``auto_reset="next step"``, or with None by ``reset``. The rows are divided among ``threads``, without Python's
    lock; the results are the same for any number of them. Each row has a random stream of its own, all from the one
    ``seed``.
    """

    def __init__(
        self,
        count: int,
        start: Start | Sequence[Start] = "standard w",
        *,
        max_plies: int | None = MAX_PLIES,
        auto_reset: AutoReset | None = "same step",
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        """Set up ``count`` games; raises PunctError for invalid arguments, or a start that is over."""
        count = whole_number("count", count, 1, MAX_ROWS)
        starts = list(start) if isinstance(start, Sequence) and not isinstance(start, str) else [start] * count
        if len(starts) != count:
            raise PunctError(f"{count} games need as many positions to begin from, not {len(starts)}")
        self._batch = Batch(starts, games=True, max_plies=max_plies)
        over = self._batch.results().nonzero()[0]
        if len(over):
            raise PunctError(f"the game is over in {self._batch[int(over[0])]}: there is nothing to play")
        self._auto_reset = checked_auto_reset(auto_reset)
        self._threads = checked_threads(threads)
        self._streams = streams(count, random_of(seed))

    @property
    def batch(self) -> Batch:
        """The games as a ``kernel.Batch``, which has more methods."""
        return self._batch

    @property
    def streams(self) -> NDArray[np.uint64]:
        """A random stream for each row, used by ``sample``."""
        return self._streams

    @property
    def num_envs(self) -> int:
        """How many games there are."""
        return len(self._batch)

    def __repr__(self) -> str:
        return f"<VectorEnv of {len(self)} games>"

    def __len__(self) -> int:
        return len(self._batch)

    def reset(self, seed: int | None = None, rows: ArrayLike | None = None) -> None:
        """Begin new games in these rows, in all if None; with a seed, all random streams start again too."""
        self._batch.reset(rows)
        if seed is not None:
            self._streams[:] = streams(len(self), random_of(seed))

    def step(self, actions: ArrayLike, out: Steps | None = None) -> Steps:
        """Play an action in each game and return rewards, terminated, truncated and results.

        Rewards are those of the player who moved. ``kernel.LEAVE`` skips a game. Raises PunctError, with nothing played
        in any game, unless all are legal; it says which is not, and why.
        """
        return self._batch.advance(actions, out, auto_reset=self._auto_reset, threads=self._threads)

    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return a legal action for each game, each as likely as the others; ``kernel.LEAVE`` where it is over."""
        return self._batch.sample(self._streams, out, threads=self._threads)

    def legal_mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return by game and action whether it is legal."""
        return self._batch.legal_mask(out, threads=self._threads)

    def legal_bits(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the legal mask as bits, in an eighth of the memory, the lowest of a byte first."""
        return self._batch.legal_bits(out, threads=self._threads)

    def legal_actions(
        self, out: tuple[NDArray[np.int32], NDArray[np.int64]] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return all legal actions in one array, and where each game's begin in it (and, last, end)."""
        return self._batch.legal_actions(out, threads=self._threads)

    def planes(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the observation planes, each game as the side to move sees it."""
        return self._batch.planes(out, threads=self._threads)

    def turns(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return who is to move: 0 White, 1 Black."""
        return self._batch.turns(out)
