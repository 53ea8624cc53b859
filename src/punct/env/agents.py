"""Gymnasium's ``Punct-v0`` many times at once, on arrays: ``gymnasium.make_vec("Punct-v0", num_envs=256)``."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from punct.contract import Start
from punct.env.episode import MAX_PLIES, random_of
from punct.env.opponents import ends_first
from punct.env.rendering import METADATA
from punct.env.spaces import SIDES, action_space, plane_space, side_of
from punct.errors import PunctError, expect, expect_integer, shorten
from punct.kernel.arrays import checked_threads, streams
from punct.kernel.batch import ACTIONS, LEAVE, Batch, EpisodeResult

Array = NDArray[Any]
_MAX_ENVS: Final = 1 << 20
Opponents = Literal["random", "self"]


class PunctVectorEnv(VectorEnv[Array, Array, Array]):
    """Many agents, each against random play or itself; the kernel makes each step for all of them.

    >>> agents = PunctVectorEnv(8, opponent="random")
    >>> planes, info = agents.reset(seed=1)
    >>> planes.shape, info["action_mask"].shape
    ((8, 47, 17, 17), (8, 52809))

    Options, observations, rewards and ``info`` are those of ``PunctEnv``, whose other opponents think one after the
    other: for them use ``make_vec`` with, for example, ``vectorization_mode="async"``. A finished game is reset instead
    of the next step (``AutoresetMode.NEXT_STEP``). An illegal action loses.
    """

    metadata: ClassVar[dict[str, Any]] = {**METADATA, "autoreset_mode": AutoresetMode.NEXT_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Opponents = "random",
        *,
        start: Start = "standard w",
        side: str | None = None,
        max_plies: int | None = MAX_PLIES,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        """Set up the agents; raises PunctError for invalid arguments."""
        if opponent not in ("random", "self"):
            raise PunctError(f"all at once they play against 'random' or 'self', not {opponent!r}")
        if render_mode is not None:
            raise PunctError("many games at once are not shown")
        if side is not None and opponent == "self":
            raise PunctError("an agent that plays against itself has both sides: name none")
        how_many = f"the number of environments is a whole number from 1 to {_MAX_ENVS}"
        if not 1 <= expect_integer(num_envs, how_many) <= _MAX_ENVS:
            raise PunctError(f"{how_many}, not {shorten(num_envs)}")
        self.num_envs = num_envs
        self.render_mode = None
        self.single_action_space: spaces.Space[Any] = action_space()
        self.single_observation_space: spaces.Space[Any] = plane_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.batch = Batch([start] * num_envs, games=True, max_plies=max_plies)
        self._opponent = opponent
        self._side = None if side is None else side_of(side)
        self._threads = checked_threads(threads)
        self._sides = np.zeros(num_envs, np.int8)
        self._is_over = np.zeros(num_envs, np.bool_)
        self._mask = np.zeros((num_envs, ACTIONS), np.bool_)
        self._streams = np.zeros(num_envs, np.uint64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a new game for every agent."""
        if options is not None and expect(options, dict, "options are a dictionary, or None"):
            raise PunctError(f"new games have no options here, not {', '.join(map(str, options))}")
        random_of(seed)  # refuses what is no seed, in our own words
        super().reset(seed=seed)
        self._streams = streams(self.num_envs, self.np_random)
        self._begin(np.ones(self.num_envs, np.bool_))
        return self._observations(), self._info()

    def step(self, actions: ArrayLike) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Play an action and the opponent's reply for each agent; return what ``PunctEnv.step`` does, by agent."""
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise PunctError(f"{self.num_envs} agents need as many actions in one row, not {array.dtype} {array.shape}")
        is_new = self._is_over.copy()
        if is_new.any():
            self._begin(is_new)
        in_range = (array >= 0) & (array < ACTIONS)
        is_legal = in_range & self._mask[np.arange(self.num_envs), np.where(in_range, array, 0)]
        is_lost = ~(is_legal | is_new)
        steps = self.batch.advance(np.where(is_new | is_lost, LEAVE, array), auto_reset=None, threads=self._threads)
        rewards = np.where(is_lost, -1.0, steps.rewards)
        if self._opponent == "random":
            replies = self.batch.sample(self._streams, threads=self._threads)
            replies[is_lost | is_new] = LEAVE
            steps = self.batch.advance(replies, auto_reset=None, threads=self._threads)
            rewards -= steps.rewards
        terminated = steps.terminated | is_lost
        self._is_over = terminated | steps.truncated
        return self._observations(), rewards, terminated, steps.truncated, self._info()

    def _begin(self, rows: NDArray[np.bool_]) -> None:
        """Begin new games in some rows; the opponent moves first where the agent has the other side."""
        self.batch.reset(rows)
        self._is_over[rows] = False
        if self._opponent == "self":
            return
        sides = self.np_random.integers(2, size=int(rows.sum()), dtype=np.int8)
        self._sides[rows] = sides if self._side is None else self._side
        waits = rows & (self.batch.turns() != self._sides)
        replies = np.where(waits, self.batch.sample(self._streams, threads=self._threads), LEAVE)
        steps = self.batch.advance(replies, auto_reset=None, threads=self._threads)
        over = steps.results[waits & (steps.results != 0)]
        if len(over):
            raise PunctError(f"{ends_first(EpisodeResult(int(over[0])))}: there is nothing to play")

    def _observations(self) -> Array:
        sides = None if self._opponent == "self" else self._sides
        return self.batch.planes(colours=sides, threads=self._threads)

    def _info(self) -> dict[str, Any]:
        self._mask = self.batch.legal_mask(threads=self._threads)
        self._mask[self._is_over] = False  # also where an illegal action has lost a game that could go on
        sides = self.batch.turns() if self._opponent == "self" else self._sides
        info = {"action_mask": self._mask.view(np.int8), "side": np.array(SIDES)[sides], "plies": self.batch.plies()}
        return info | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in info}
