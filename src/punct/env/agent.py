"""Gymnasium's ``Punct-v0``: one agent against a level, chance, a function, or itself."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias, get_args

import gymnasium
import numpy as np
from numpy.typing import NDArray

from punct.contract import Start
from punct.env.episode import MAX_PLIES, Episode, is_whole
from punct.env.opponents import SEEDS, OpponentLike, ends_first, opponent_of
from punct.env.rendering import METADATA, mode_of, render
from punct.env.spaces import SIDES, action_space, mask_of, plane_space, side_of
from punct.errors import PunctError, WrongTypeError
from punct.kernel.batch import Standing
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

    ``opponent`` is a level from 1 to 8, ``random``, a function from a ``kernel.Position`` to a turn, or ``self``: then
    each step is one turn of whoever is to move, its reward that player's. ``side`` is ``white`` or ``black``, drawn
    anew for every game if it is None. ``start`` is where games begin: a position, or the rules alone.

    The observation is the planes as the agent sees them; ``info`` has the ``action_mask``, the agent's ``side`` and how
    many ``plies`` were played; in a game that is over nothing is legal. The reward is 1 for a win, -1 for a loss, else
    0. An illegal action loses the game, and ``info["illegal"]`` says why it is not allowed; with ``illegal="raise"`` it
    raises PunctError, as what is no whole number always does. Levels below 8 think in nodes, so that one seed has one
    game; level 8 takes a second a turn.
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]  # there it is not said to be the class's

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
        """Set up an environment; raises PunctError for anything that makes no sense."""
        if illegal not in get_args(Illegal):
            raise PunctError(f"an illegal action can 'lose' the game or 'raise' an error, not {illegal!r}")
        self.action_space = action_space()
        self.observation_space = plane_space()
        self.render_mode = mode_of(render_mode)
        self._opponent = opponent_of(opponent)
        if side is not None and self._opponent is None:
            raise PunctError("who plays against itself has both sides: name none")
        self._side = None if side is None else side_of(side)
        self._illegal = illegal
        self._start, self._max_plies = start, max_plies
        self._episode = Episode(start, max_plies=max_plies)
        self._colour = Colour.WHITE
        self._lost = False
        """Whether an illegal action has ended the game."""

    @property
    def episode(self) -> Episode:
        """The game as it stands."""
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a new game; ``options`` may name its ``start`` and the agent's ``side``."""
        super().reset(seed=seed)
        wanted = dict(options or {})
        start, side = wanted.pop("start", self._start), wanted.pop("side", None)
        if wanted:
            raise PunctError(f"a new game has the options start and side, not {', '.join(map(str, wanted))}")
        drawn, chance, luck = Colour(int(self.np_random.integers(2))), self._seed(), self._seed()
        self._episode = Episode(start, max_plies=self._max_plies, seed=chance)
        self._lost = False
        self._colour = side_of(side) if side is not None else drawn if self._side is None else self._side
        if self._opponent is not None:
            self._opponent.begin(luck)
            if self._episode.turn is not self._colour and self._answer():
                raise PunctError(f"{ends_first(self._episode.standing)} from {self._episode.start_text}")
        self._show()
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Play an action, have it answered, and return observation, reward, terminated, truncated and info."""
        if self._lost or self._episode.over:
            raise PunctError("the game is over: begin a new one with reset()")
        if not is_whole(action):
            raise WrongTypeError(self._episode.why_refused(action))
        mover = self._episode.turn
        try:
            standing = self._episode.step(action)
        except PunctError as error:
            if self._illegal == "raise":
                raise
            self._lost = True
            return self._seen(), -1.0, True, False, {**self._info(), "illegal": str(error)}
        if not standing and self._opponent is not None:
            standing = self._answer()
        self._show()
        reward = Standing(standing).reward(mover)
        truncated = standing == Standing.CUT_OFF
        return self._seen(), reward, bool(standing) and not truncated, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return by action whether it is legal: the name by which maskable algorithms ask."""
        return mask_of(self._episode, lost=self._lost).view(np.bool_)

    def render(self) -> Any:
        """Return a picture or a text of the board, as ``render_mode`` says; ``human`` has been shown already."""
        return None if self.render_mode == "human" else render(self._episode, self.render_mode)

    def _answer(self) -> int:
        assert self._opponent is not None
        return self._episode.step(self._opponent.choose(self._episode))

    def _seed(self) -> int:
        return int(self.np_random.integers(SEEDS))

    def _show(self) -> None:
        if self.render_mode == "human":
            render(self._episode, "human")

    def _seen(self) -> NDArray[np.uint8]:
        return self._episode.planes(None if self._opponent is None else self._colour)

    def _info(self) -> dict[str, Any]:
        side = self._episode.turn if self._opponent is None else self._colour
        return {
            "action_mask": mask_of(self._episode, lost=self._lost),
            "side": SIDES[side],
            "plies": self._episode.plies,
        }
