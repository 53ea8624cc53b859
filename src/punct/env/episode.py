"""One game in numbers: the core of every environment, and by itself the fastest way to play one from Python."""

from __future__ import annotations

from operator import index
from random import Random
from typing import TYPE_CHECKING, Final, SupportsIndex

from punct import _kernel
from punct.contract import Start
from punct.errors import IllegalMoveError, PunctError, WrongTypeError, shorten
from punct.kernel.arrays import checked_plies, output_array, streams
from punct.kernel.batch import ACTION_BYTES, ACTIONS, PLANES, EpisodeResult, move_of, why_refused
from punct.kernel.position import Position, as_kernel
from punct.move import Move, MoveLike
from punct.piece import Colour, read_player
from punct.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PLIES: Final = 1000
"""The default number of plies after which environments truncate a game. Random games take 70."""

_COLOURS: Final = (Colour.WHITE, Colour.BLACK)


class Episode:
    """A game played by action numbers.

    >>> episode = Episode("basic", seed=1)
    >>> while not episode.step(episode.sample()):
    ...     pass
    >>> episode.standing.name
    'DRAWN'

    It is a draw when a position stands for the third time, and cut off after ``max_plies`` moves (None: never).
    ``sample`` depends on the seed alone, so the same seed gives the same game.
    """

    __slots__ = ("_game", "_max_plies")

    def __init__(
        self, start: Start = "standard w", *, max_plies: int | None = MAX_PLIES, seed: int | None = None
    ) -> None:
        """Begin with a position, a text of one, or the rules alone; raises PunctError if the game is over there."""
        track = as_kernel(start).track
        if track.over():
            raise PunctError(f"the game is over in {track.text()}: there is nothing to play")
        self._max_plies = max_plies
        self._game = _kernel.Episode(track, True, checked_plies(max_plies), _stream(seed))

    def __repr__(self) -> str:
        return f"<Episode after {self.plies} moves, {self.standing.name.lower()}: {str(self.position)!r}>"

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game; with a seed, ``sample`` starts again too."""
        self._game.reset()
        if seed is not None:
            self._game.stream = _stream(seed)

    def copy(self) -> Episode:
        """Return an independent copy, with the same random state."""
        copy = object.__new__(Episode)
        copy._game, copy._max_plies = self._game.copy(), self._max_plies
        return copy

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Episode:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restored, (self.start_text, self._game.played(), self._max_plies, self._game.stream)

    # ------------------------------------------------------------------ playing

    def step(self, action: SupportsIndex) -> int:
        """Play an action and return the game's result so far: a number of ``EpisodeResult``, 0 while it goes on.

        Raises PunctError, with nothing played, if the action is not legal.
        """
        try:
            result = -1 if isinstance(action, bool) else self._game.step(index(action))
        except TypeError:  # not a whole number, or too large
            result = -1
        if result < 0:
            raise PunctError(self.why_refused(action))
        return result

    def sample(self) -> int:
        """Return a legal action, each as likely as the others; ``kernel.LEAVE`` when the game is over."""
        return self._game.sample()

    def is_legal(self, action: int) -> bool:
        """Return whether an action may be played."""
        return not self.over and (move := self.move(action)) is not None and self.position.is_legal(move)

    def why_refused(self, action: SupportsIndex) -> str:
        """Return why an action cannot be played, in a sentence."""
        if not is_integer(action):
            return f"actions are whole numbers below {ACTIONS}, not {shorten(action)}"
        if self.standing is EpisodeResult.TRUNCATED:
            return f"the game is over: it was cut off after {self.plies} moves (position: {self.position})"
        return why_refused(self.position, index(action))

    # ------------------------------------------------------------------ observations

    def legal_actions(self) -> NDArray[np.int32]:
        """Return the legal actions: those that add a piece, in order, then those that move one, piece by piece."""
        return self._game.legal_actions()

    def legal_mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return by action whether it is legal; all false when the game is over."""
        mask: NDArray[np.bool_] = output_array("legal_mask", (ACTIONS,), "bool", out)
        self._game.legal(mask)
        return mask

    def legal_bits(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the legal mask as bits, the lowest of a byte first."""
        bits: NDArray[np.uint8] = output_array("legal_bits", (ACTION_BYTES,), "uint8", out)
        self._game.legal_bits(bits)
        return bits

    def planes(self, colour: Colour | None = None, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the planes as a player (None: the side to move) would see them if it were to move."""
        planes: NDArray[np.uint8] = output_array("planes", (PLANES, 17, 17), "uint8", out)
        self._game.planes(self._game.turn if colour is None else read_player(colour), planes)
        return planes

    # ------------------------------------------------------------------ state

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return _COLOURS[self._game.turn]

    @property
    def plies(self) -> int:
        """How many moves were played."""
        return self._game.plies

    @property
    def max_plies(self) -> int | None:
        """After how many moves it is cut off; None for never."""
        return self._max_plies

    @property
    def repetitions(self) -> int:
        """How often the position has stood, this time included."""
        return self._game.repetitions

    @property
    def standing(self) -> EpisodeResult:
        """The game's result so far."""
        return EpisodeResult(self._game.result)

    @property
    def over(self) -> bool:
        """Whether the game is over or cut off."""
        return self._game.result != 0

    @property
    def position(self) -> Position:
        """The position with the moves that led there, as a copy."""
        return Position.of(self._game.track())

    @property
    def start_text(self) -> str:
        """The text of the position it began with."""
        return self._game.start().text()

    def move(self, action: int) -> Move | None:
        """Return the move of an action here, legal or not; None if it means nothing."""
        if not is_integer(action):
            raise WrongTypeError(f"actions are whole numbers below {ACTIONS}, not {shorten(action)}")
        number = index(action)
        return move_of(self._game.track(), number) if 0 <= number < ACTIONS else None

    def action(self, move: MoveLike) -> int:
        """Return the action of a legal move; raises IllegalMoveError if it is not legal here."""
        position = self.position
        packed = position.pack(move)
        if self.over:
            raise IllegalMoveError(packed.unpacked, Reason.GAME_OVER, str(position))
        return packed.action


def is_integer(action: object) -> bool:
    """Return whether something can be used as an integer; not booleans, nor 3.0."""
    try:
        index(action)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        return False
    return not isinstance(action, bool)


def random_of(seed: int | None) -> Random:
    """Return a generator with a seed; raises PunctError if that is invalid: Python takes -5 for the same as 5."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise WrongTypeError(f"a seed is a whole number or None, not {type(seed).__name__}")
    if seed is not None and seed < 0:
        raise PunctError(f"a seed is a whole number from 0 on, or None, not {shorten(seed)}")
    return Random(seed)


def _stream(seed: int | None) -> int:
    """Return the random stream of a seed."""
    return int(streams(1, random_of(seed))[0])


def _restored(start: str, numbers: list[int], max_plies: int | None, stream: int) -> Episode:
    """Rebuild a pickled game."""
    episode = Episode(start, max_plies=max_plies)
    for number in numbers:
        episode._game.step(_kernel.action_of(number))
    episode._game.stream = stream
    return episode
