"""OpenSpiel's ``python_punct``: importing this registers it, and its algorithms play the game.

>>> game = openspiel_game(start="basic")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> state.current_player()
1

White is player 0. OpenSpiel has no truncation: after ``max_plies`` moves the game is a draw.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from punct.contract import Start
from punct.env.episode import MAX_PLIES, Episode
from punct.errors import PunctError
from punct.kernel.arrays import checked_plies
from punct.kernel.batch import ACTIONS, PLANES
from punct.kernel.position import Position
from punct.move import Move
from punct.piece import Colour

NAME: Final = "python_punct"
_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="PÜNCT",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"start": "standard w", "max_plies": MAX_PLIES},
)


def openspiel_game(start: Start = "standard w", *, max_plies: int = MAX_PLIES) -> Any:
    """Return the game, to be played from a position or by the rules alone, as ``pyspiel.load_game`` does.

    Raises PunctError for invalid arguments.
    """
    text = Episode(start, max_plies=max_plies).start_text
    return pyspiel.load_game(NAME, {"start": text, "max_plies": checked_plies(max_plies)})


class PunctGame(pyspiel.Game):
    """The game: where it begins, and after how many moves it is a draw."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = {"start": "standard w", "max_plies": MAX_PLIES, **(params or {})}
        self._first_episode = Episode(str(parameters["start"]), max_plies=parameters["max_plies"])
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=checked_plies(parameters["max_plies"]),
        )
        super().__init__(_TYPE, info, parameters)

    def new_initial_state(self, state: Any = None) -> PunctState:
        """Return the initial state."""
        if state is not None:
            raise PunctError("a game begins with its parameter start, such as python_punct(start=basic)")
        return PunctState(self, self._first_episode.copy())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlaneObserver(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class PunctState(pyspiel.State):
    """A state of the game."""

    def __init__(self, game: PunctGame, episode: Episode) -> None:
        super().__init__(game)
        self._episode = episode

    @property
    def episode(self) -> Episode:
        """The game, for what OpenSpiel's interface lacks."""
        return self._episode

    def current_player(self) -> int:
        """Return who is to move: 0 White, 1 Black."""
        return int(pyspiel.PlayerId.TERMINAL) if self._episode.over else int(self._episode.turn)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions in order."""
        actions: list[int] = np.sort(self._episode.legal_actions()).tolist()
        return actions

    def _apply_action(self, action: int) -> None:
        self._episode.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the move's text; for actions that mean nothing here, their number."""
        move: Move | None = self._episode.move(action)
        return str(action) if move is None else str(move)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._episode.over

    def returns(self) -> list[float]:
        """Return each player's return."""
        standing = self._episode.standing
        return [standing.reward(colour) for colour in Colour]

    def __str__(self) -> str:
        return str(self.position)

    @property
    def position(self) -> Position:
        """The position with the moves that led there, as a copy."""
        return self._episode.position


class PlaneObserver:
    """Observes a state as planes, from each player's side, or as the position's text."""

    def __init__(self, params: Any) -> None:
        if params:
            raise PunctError(f"the observer has no parameters, not {params}")
        self.tensor = np.zeros(PLANES * 17 * 17, np.float32)
        self.dict = {"observation": self.tensor.reshape(PLANES, 17, 17)}
        self._planes: NDArray[np.uint8] = np.zeros((PLANES, 17, 17), np.uint8)

    def set_from(self, state: PunctState, player: int) -> None:
        """Observe a state from a player's side."""
        self.dict["observation"][:] = state.episode.planes(Colour(player), self._planes)

    def string_from(self, state: PunctState, player: int) -> str:
        """Return the position's text, the same for both players."""
        return str(state)


pyspiel.register_game(_TYPE, PunctGame)
