"""One game in numbers: the core of every environment, and by itself the fastest way to play one from Python."""

from __future__ import annotations

from operator import index
from random import Random
from typing import TYPE_CHECKING, Final, SupportsIndex

from punct import _kernel
from punct.contract import Start
from punct.errors import IllegalMoveError, PunctError, WrongTypeError, shorten
from punct.kernel.arrays import plies_of, room, streams
from punct.kernel.batch import ACTION_BYTES, ACTIONS, PLANES, Standing, move_of, why_refused
from punct.kernel.position import Position, as_kernel
from punct.move import Move, MoveLike
from punct.piece import Colour, read_player
from punct.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PLIES: Final = 1000
"""After how many turns environments cut a game off, unless they are told otherwise. Random games take 70."""

_COLOURS: Final = (Colour.WHITE, Colour.BLACK)


class Episode:
    """A game that is played by the fixed numbers of its actions.

    >>> episode = Episode("basic", seed=1)
    >>> while not episode.step(episode.sample()):
    ...     pass
    >>> episode.standing.name
    'DRAWN'

    It is a draw when a position stands for the third time, and cut off after ``max_plies`` turns (None: never).
    ``sample`` draws from the seed alone, so the same seed has the same game played again.
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
        self._game = _kernel.Episode(track, True, plies_of(max_plies), _stream(seed))

    def reset(self, seed: int | None = None) -> None:
        """Begin anew; with a seed, so does chance."""
        self._game.reset()
        if seed is not None:
            self._game.stream = _stream(seed)

    def copy(self) -> Episode:
        """Return an independent copy, which would draw the same."""
        made = object.__new__(Episode)
        made._game, made._max_plies = self._game.copy(), self._max_plies
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Episode:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restored, (self.start_text, self._game.played(), self._max_plies, self._game.stream)

    # ------------------------------------------------------------------ playing

    def step(self, action: SupportsIndex) -> int:
        """Play an action and return how the game then stands: a number of ``Standing``, 0 while it goes on.

        Raises PunctError, with nothing played, if the action is not legal.
        """
        try:
            standing = -1 if isinstance(action, bool) else self._game.step(index(action))
        except TypeError:  # no whole number, or one far too large
            standing = -1
        if standing < 0:
            raise PunctError(self.why_refused(action))
        return standing

    def sample(self) -> int:
        """Return a legal action, each as likely as the others; ``kernel.LEAVE`` when the game is over."""
        return self._game.sample()

    def is_legal(self, action: int) -> bool:
        """Tell whether an action may be played."""
        return not self.over and (move := self.move(action)) is not None and self.position.is_legal(move)

    def why_refused(self, action: SupportsIndex) -> str:
        """Return a sentence that says why an action cannot be played."""
        if not is_whole(action):
            return f"actions are whole numbers below {ACTIONS}, not {shorten(action)}"
        if self.standing is Standing.CUT_OFF:
            return f"the game is over: it was cut off after {self.plies} turns (position: {self.position})"
        return why_refused(self.position, index(action))

    # ------------------------------------------------------------------ what learning programs look at

    def legal_actions(self) -> NDArray[np.int32]:
        """Return the legal actions: what may be added in order, then the moves piece by piece."""
        return self._game.legal_actions()

    def legal_mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return by action whether it is legal; all false when the game is over."""
        mask: NDArray[np.bool_] = room("legal_mask", (ACTIONS,), "bool", out)
        self._game.legal(mask)
        return mask

    def legal_bits(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the same a bit each, the lowest of a byte first."""
        bits: NDArray[np.uint8] = room("legal_bits", (ACTION_BYTES,), "uint8", out)
        self._game.legal_bits(bits)
        return bits

    def planes(self, colour: Colour | None = None, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the planes that a player (None: the side to move) would see were it that player's turn."""
        planes: NDArray[np.uint8] = room("planes", (PLANES, 17, 17), "uint8", out)
        self._game.planes(self._game.turn if colour is None else read_player(colour), planes)
        return planes

    # ------------------------------------------------------------------ how it stands

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return _COLOURS[self._game.turn]

    @property
    def plies(self) -> int:
        """How many turns were played."""
        return self._game.plies

    @property
    def max_plies(self) -> int | None:
        """After how many turns it is cut off; None for never."""
        return self._max_plies

    @property
    def repetitions(self) -> int:
        """How often the position has stood, this time included."""
        return self._game.repetitions

    @property
    def standing(self) -> Standing:
        """How the game stands."""
        return Standing(self._game.standing)

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self._game.standing != 0

    @property
    def position(self) -> Position:
        """The position with the turns that led there, as a copy."""
        return Position.of(self._game.track())

    @property
    def start_text(self) -> str:
        """The text of the position it began with."""
        return self._game.start().text()

    def move(self, action: int) -> Move | None:
        """Return the turn an action means here, legal or not; None if it means nothing."""
        return move_of(self._game.track(), action)

    def action(self, move: MoveLike) -> int:
        """Return the action of a legal turn; raises IllegalMoveError if it is not legal here."""
        position = self.position
        packed = position.pack(move)
        if self.over:
            raise IllegalMoveError(packed.unpacked, Reason.GAME_OVER, str(position))
        return packed.action


def is_whole(action: object) -> bool:
    """Tell whether something is a whole number as Python counts with them: true and false are none, nor is 3.0."""
    try:
        index(action)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        return False
    return not isinstance(action, bool)


def random_of(seed: int | None) -> Random:
    """Return chance that begins with a seed; raises PunctError for what is none. Python takes -5 for the same as 5."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise WrongTypeError(f"a seed is a whole number or None, not {type(seed).__name__}")
    if seed is not None and seed < 0:
        raise PunctError(f"a seed is a whole number from 0 on, or None, not {shorten(seed)}")
    return Random(seed)


def _stream(seed: int | None) -> int:
    """Return a stream of chance; the same one for the same seed."""
    return int(streams(1, random_of(seed))[0])


def _restored(start: str, played: list[int], max_plies: int | None, stream: int) -> Episode:
    """Rebuild a pickled game."""
    episode = Episode(start, max_plies=max_plies)
    for number in played:
        episode._game.step(_kernel.action_of(number))
    episode._game.stream = stream
    return episode
