"""PettingZoo: two agents, ``white_0`` and ``black_0``, that move alternately.

There is no parallel environment: in a game of strictly alternating moves one of two simultaneous actions would always
be ignored.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from punct.contract import Start
from punct.env.episode import MAX_PLIES, Episode, is_integer
from punct.env.rendering import METADATA, mode_of, render
from punct.env.spaces import action_space, mask_of, mask_space, plane_space
from punct.errors import PunctError, WrongTypeError, shorten
from punct.kernel.batch import ACTIONS, EpisodeResult
from punct.piece import Colour

AGENTS: Final = ("white_0", "black_0")
"""By colour, numbered as PettingZoo has it."""
_COLOUR_OF: Final = dict(zip(AGENTS, Colour, strict=True))
Observation: TypeAlias = dict[str, NDArray[Any]]
Illegal: TypeAlias = Literal["lose", "raise"]
"""What an illegal action does: it loses the game, or raises PunctError."""
_FROM_RESET_ON: Final = ("rewards", "terminations", "truncations", "infos", "agent_selection", "_cumulative_rewards")


class NotResetError(PunctError, AttributeError):
    """The environment has no game yet: ``reset`` begins one."""


def aec_env(start: Start = "standard w", *, max_plies: int | None = MAX_PLIES, render_mode: str | None = None) -> Any:
    """Return the environment as PettingZoo's own board games are: an illegal action loses.

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

    It needs none of PettingZoo's wrappers, which look up every attribute three times over: it checks by itself that an
    action is one of the action space, that it is legal, and that ``reset`` came first.
    """
    return PunctAECEnv(start, max_plies=max_plies, render_mode=render_mode, illegal="lose")


def raw_env(
    start: Start = "standard w", *, max_plies: int | None = MAX_PLIES, render_mode: str | None = None
) -> PunctAECEnv:
    """Return the same environment, but an illegal action raises PunctError, which says why."""
    return PunctAECEnv(start, max_plies=max_plies, render_mode=render_mode, illegal="raise")


class PunctAECEnv(AECEnv):
    """A game between two agents.

    An observation has the planes as that agent sees them and the ``action_mask``, which is empty while the other is to
    move, and once the game is over. Every observation has arrays of its own: keep them, or write into them. Rewards
    come at the end: 1 for the winner, -1 for the loser, 0 for both in a draw or when it is cut off.
    """

    metadata: Final = {**METADATA, "name": "punct_v0", "is_parallelizable": False}

    def __init__(
        self, start: Start, *, max_plies: int | None, render_mode: str | None, illegal: Illegal = "raise"
    ) -> None:
        super().__init__()
        if illegal not in get_args(Illegal):
            raise PunctError(f"an illegal action can 'lose' the game or 'raise' an error, not {illegal!r}")
        self._start, self._max_plies, self._illegal = start, max_plies, illegal
        self._episode = Episode(start, max_plies=max_plies)
        self.render_mode = mode_of(render_mode)
        self.possible_agents = [*AGENTS]
        self.agents: list[str] = []
        self._observation_spaces = {
            agent: spaces.Dict({"observation": plane_space(), "action_mask": mask_space()}) for agent in AGENTS
        }
        self._action_spaces = {agent: action_space() for agent in AGENTS}

    def __getattr__(self, name: str) -> Any:
        if name in _FROM_RESET_ON:
            raise NotResetError("there is no game yet: begin one with reset()")
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<PunctAECEnv, an illegal action {self._illegal}s: {self._episode!r}>"

    @property
    def episode(self) -> Episode:
        """The current game."""
        return self._episode

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space, the same each time."""
        return self._observation_spaces[AGENTS[_colour_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space, the same each time."""
        return self._action_spaces[AGENTS[_colour_of(agent)]]

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
        """Return an agent's observation, in arrays that nothing changes later."""
        colour = _colour_of(agent)
        is_to_move = agent == self.agent_selection and colour is self._episode.turn and agent in self.agents
        if is_to_move and (self.terminations[agent] or self.truncations[agent]):
            is_to_move = False  # an illegal action ends a game that could go on
        mask = mask_of(self._episode) if is_to_move else np.zeros(ACTIONS, np.int8)
        return {"observation": self._episode.planes(colour), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None once the game is over for it.

        Raises PunctError for an action that is not in the action space, and without a game to play in.
        """
        agent = self.agent_selection
        if not self.agents:
            raise PunctError("the game is over for both agents: begin a new one with reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            result = self._episode.step(action)  # type: ignore[arg-type]  # None is refused
        except PunctError as error:
            self._refuse(agent, action, error)
            return
        self.agent_selection = AGENTS[self._episode.turn]
        if result:  # while a game goes on, nothing else changes
            self._end(EpisodeResult(result))
        if self.render_mode is not None:
            self._show()

    def _end(self, result: EpisodeResult) -> None:
        """Reward and stop both agents."""
        is_cut_off = result is EpisodeResult.TRUNCATED
        for agent, colour in _COLOUR_OF.items():
            self.rewards[agent] = result.reward(colour)
            self.truncations[agent] = is_cut_off
            self.terminations[agent] = not is_cut_off
        self._accumulate_rewards()

    def _refuse(self, agent: str, action: object, error: PunctError) -> None:
        """Raise the error, or let the agent lose the game, as PettingZoo's ``TerminateIllegalWrapper`` does."""
        if action is None:
            raise PunctError(f"it is {agent}'s turn: None is played only once the game is over") from None
        if not is_integer(action):
            raise WrongTypeError(str(error)) from None
        if self._illegal == "raise" or not 0 <= int(action) < ACTIONS:  # type: ignore[call-overload]
            raise error
        EnvLogger.warn_on_illegal_move()
        self.rewards[agent] = -1.0
        self.infos[agent]["illegal"] = str(error)
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """Return a picture or a text of the board, as ``render_mode`` says; ``human`` has been shown already."""
        return None if self.render_mode == "human" else render(self._episode, self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources to free."""

    def _show(self) -> None:
        if self.render_mode == "human":
            render(self._episode, "human")


def _colour_of(agent: object) -> Colour:
    colour = _COLOUR_OF.get(agent) if isinstance(agent, str) else None
    if colour is None:
        raise PunctError(f"the agents are {' and '.join(AGENTS)}, not {shorten(agent)}")
    return colour
