"""Gymnasium's ``Punct-v0``: one agent against a level, random play, a function, or itself."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias, get_args

import gymnasium
import numpy as np
from numpy.typing import NDArray

from punct.contract import Start
from punct.env.episode import MAX_PLIES, Episode, is_integer, random_of
from punct.env.opponents import SEEDS, OpponentLike, ends_first, opponent_of
from punct.env.rendering import METADATA, mode_of, render
from punct.env.spaces import SIDES, action_space, mask_of, plane_space, side_of
from punct.errors import PunctError, WrongTypeError, expect
from punct.kernel.batch import EpisodeResult
from punct.piece import Colour

Illegal: TypeAlias = Literal["lose", "raise"]
"""What an illegal action does: it loses the game, or raises PunctError."""


class PunctEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """An agent plays one side, and every step is answered by the opponent.

    >>> agent = PunctEnv(opponent=1, side="white")
    >>> planes, info = agent.reset(seed=1)
    >>> planes, reward, terminated, truncated, info = agent.step(agent.action_space.sample(info["action_mask"]))
    >>> reward, terminated, truncated, info["plies"]
    (0.0, False, False, 2)

    ``opponent`` is a level from 1 to 8, ``random``, a function from a ``kernel.Position`` to a move, or ``self``: then
    each step is one move of the side to move, and its reward is that player's. ``side`` is ``white`` or ``black``, or
    None for a random one in every game. ``start`` is where games begin: a position, or the rules alone.

    The observation is the planes as the agent sees them; ``info`` has the ``action_mask``, the agent's ``side`` and how
    many ``plies`` were played; after the end of a game nothing is legal. The reward is 1 for a win, -1 for a loss, else
    0. An illegal action loses the game, and ``info["illegal"]`` says why it is not allowed; with ``illegal="raise"`` it
    raises PunctError, as anything but a whole number always does. Levels below 8 are limited by nodes, so that the same
    seed gives the same game; level 8 takes a second a move.
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]  # not declared so in Gymnasium

    def __init__(
        self,
        opponent: OpponentLike = "random",
        *,
        start: Start = "standard w",
        side: str | None = None,
        max_plies: int | None = MAX_PLIES,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        """Set up an environment; raises PunctError for invalid arguments."""
        if illegal not in get_args(Illegal):
            raise PunctError(f"an illegal action can 'lose' the game or 'raise' an error, not {illegal!r}")
        self.action_space = action_space()
        self.observation_space = plane_space()
        self.render_mode = mode_of(render_mode)
        self._opponent = opponent_of(opponent)
        if side is not None and self._opponent is None:
            raise PunctError("an agent that plays against itself has both sides: name none")
        self._side = None if side is None else side_of(side)
        self._illegal = illegal
        self._start, self._max_plies = start, max_plies
        self._episode = Episode(start, max_plies=max_plies)
        self._colour = Colour.WHITE
        self._is_lost = False
        """Whether an illegal action has ended the game."""

    def __repr__(self) -> str:
        return f"<PunctEnv: {self._episode!r}>"

    @property
    def episode(self) -> Episode:
        """The current game."""
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a new game; ``options`` may name its ``start`` and the agent's ``side``."""
        random_of(seed)  # refuses what is no seed, in our own words
        super().reset(seed=seed)
        others = dict(expect({} if options is None else options, dict, "options are a dictionary, or None"))
        start, side = others.pop("start", self._start), others.pop("side", None)
        if others:
            raise PunctError(f"a new game has the options start and side, not {', '.join(map(str, others))}")
        random_side, episode_seed, opponent_seed = Colour(int(self.np_random.integers(2))), self._seed(), self._seed()
        self._episode = Episode(start, max_plies=self._max_plies, seed=episode_seed)
        self._is_lost = False
        self._colour = side_of(side) if side is not None else random_side if self._side is None else self._side
        if self._opponent is not None:
            self._opponent.begin(opponent_seed)
            if self._episode.turn is not self._colour and self._reply():
                raise PunctError(f"{ends_first(self._episode.standing)} from {self._episode.start_text}")
        self._show()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's reply; return observation, reward, terminated, truncated and info."""
        if self._is_lost or self._episode.over:
            raise PunctError("the game is over: begin a new one with reset()")
        if not is_integer(action):
            raise WrongTypeError(self._episode.why_refused(action))
        mover = self._episode.turn
        try:
            result = self._episode.step(action)
        except PunctError as error:
            if self._illegal == "raise":
                raise
            self._is_lost = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": str(error)}
        if not result and self._opponent is not None:
            result = self._reply()
        self._show()
        reward = EpisodeResult(result).reward(mover)
        truncated = result == EpisodeResult.TRUNCATED
        return self._observation(), reward, bool(result) and not truncated, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return by action whether it is legal; maskable algorithms expect this name."""
        return mask_of(self._episode, is_lost=self._is_lost).view(np.bool_)

    def render(self) -> Any:
        """Return a picture or a text of the board, as ``render_mode`` says; ``human`` has been shown already."""
        return None if self.render_mode == "human" else render(self._episode, self.render_mode)

    def _reply(self) -> int:
        assert self._opponent is not None
        return self._episode.step(self._opponent.choose(self._episode))

    def _seed(self) -> int:
        return int(self.np_random.integers(SEEDS))

    def _show(self) -> None:
        if self.render_mode == "human":
            render(self._episode, "human")

    def _observation(self) -> NDArray[np.uint8]:
        return self._episode.planes(None if self._opponent is None else self._colour)

    def _info(self) -> dict[str, Any]:
        side = self._episode.turn if self._opponent is None else self._colour
        return {
            "action_mask": mask_of(self._episode, is_lost=self._is_lost),
            "side": SIDES[side],
            "plies": self._episode.plies,
        }
