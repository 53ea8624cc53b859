"""PettingZoo: two agents, ``white_0`` and ``black_0``, that move alternately.

There is no parallel environment: in a game of strictly alternating moves one of two simultaneous actions would always
be ignored.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from punct.contract import Start
from punct.env.episode import MAX_PLIES, Episode
from punct.env.rendering import METADATA, mode_of, render
from punct.env.spaces import action_space, mask_of, mask_space, plane_space
from punct.errors import PunctError
from punct.kernel.batch import ACTIONS, EpisodeResult
from punct.piece import Colour

AGENTS: Final = ("white_0", "black_0")
"""By colour, numbered as PettingZoo has it."""
Observation: TypeAlias = dict[str, NDArray[Any]]


def aec_env(start: Start = "standard w", *, max_plies: int | None = MAX_PLIES, render_mode: str | None = None) -> Any:
    """Return the environment wrapped as PettingZoo's own board games: an illegal action loses, and order is enforced.

    >>> game = aec_env(start="basic")
    >>> game.reset(seed=1)
    >>> for agent in game.agent_iter():
    ...     observation, reward, termination, truncation, info = game.last()
    ...     if termination or truncation:
    ...         game.step(None)
    ...     else:
    ...         game.step(game.action_space(agent).sample(observation["action_mask"]))
    >>> game.agents
    []
    """
    env = raw_env(start, max_plies=max_plies, render_mode=render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def raw_env(
    start: Start = "standard w", *, max_plies: int | None = MAX_PLIES, render_mode: str | None = None
) -> PunctAECEnv:
    """Return the environment without wrappers: an invalid or illegal action raises PunctError."""
    return PunctAECEnv(start, max_plies=max_plies, render_mode=render_mode)


class PunctAECEnv(AECEnv):
    """A game between two agents.

    An observation has the planes as that agent sees them and the ``action_mask``, which is empty while the other is to
    move, and once the game is over. Rewards come at the end: 1 for the winner, -1 for the loser, 0 for both in a draw
    or when it is cut off.
    """

    metadata: Final = {**METADATA, "name": "punct_v0", "is_parallelizable": False}

    def __init__(self, start: Start, *, max_plies: int | None, render_mode: str | None) -> None:
        super().__init__()
        self._start, self._max_plies = start, max_plies
        self._episode = Episode(start, max_plies=max_plies)
        self.render_mode = mode_of(render_mode)
        self.possible_agents = [*AGENTS]
        self.agents: list[str] = []

    @property
    def episode(self) -> Episode:
        """The current game."""
        return self._episode

    @cache  # noqa: B019  # PettingZoo wants the same space each time, and there are two
    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space."""
        _colour_of(agent)
        return spaces.Dict({"observation": plane_space(), "action_mask": mask_space()})

    @cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space."""
        _colour_of(agent)
        return action_space()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; ``options`` may name its ``start``, and others are ignored, as PettingZoo requires.

        The game has no chance events: the seed is for ``episode.sample``.
        """
        start = (options or {}).get("start", self._start)
        self._episode = Episode(start, max_plies=self._max_plies, seed=seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[self._episode.turn]
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation."""
        colour = _colour_of(agent)
        is_to_move = agent in self.agents and agent == self.agent_selection and colour == self._episode.turn
        if is_to_move and (self.terminations[agent] or self.truncations[agent]):
            is_to_move = False  # after an illegal action the wrapper ends a game that could go on
        mask = mask_of(self._episode) if is_to_move else np.zeros(ACTIONS, np.int8)
        return {"observation": self._episode.planes(colour), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None once the game is over for it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise PunctError(f"it is {agent}'s turn: None is played only once the game is over")
        result = EpisodeResult(self._episode.step(action))
        self._cumulative_rewards[agent] = 0.0
        for side in self.agents:
            self.rewards[side] = result.reward(_colour_of(side))
            self.truncations[side] = result is EpisodeResult.TRUNCATED
            self.terminations[side] = result not in (EpisodeResult.OPEN, EpisodeResult.TRUNCATED)
        self.agent_selection = AGENTS[self._episode.turn]
        self._accumulate_rewards()
        self._show()

    def render(self) -> Any:
        """Return a picture or a text of the board, as ``render_mode`` says; ``human`` has been shown already."""
        return None if self.render_mode == "human" else render(self._episode, self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources to free."""

    def _show(self) -> None:
        if self.render_mode == "human":
            render(self._episode, "human")


def _colour_of(agent: object) -> Colour:
    if agent not in AGENTS:
        raise PunctError(f"the agents are {' and '.join(AGENTS)}, not {agent!r}")
    return Colour(AGENTS.index(agent))
