"""Many positions at once on NumPy arrays, for programs that learn.

The action index
    Every move has a fixed number below ``ACTIONS``, whatever the position: first the adds (kind, heading, space), then
    the moves (old space, new space on a line with it, heading). ``Batch.move`` and ``Batch.action`` translate.

The streams
    Random numbers come from a stream for each row (``streams``), so that what is drawn in a row depends neither on
    other rows nor on the number of threads.

The planes
    ``Batch.planes`` describes each position as ``PLANES`` planes of 17 columns by 17 rows (column a and row 1 first),
    as the side to move sees it; *own* is the side to move:

    ======  ===============================================================================================
    planes  meaning
    ======  ===============================================================================================
    0       the board: 1 on its 211 spaces
    1       the central hexagon
    2       the level of the dot that shows, 0 where empty
    3–4     own and the other's dots showing
    5–6     own and the other's dots of free pieces
    7–18    own dots showing by kind T C E M L R, then the other's
    19–30   own PÜNCTs showing by heading, clockwise from north, then the other's
    31–32   own and the other's dots right beneath the showing ones
    33–44   own pieces left in the set by kind, then the other's, the same number all over
    45      1 all over in the standard game
    46      1 all over when White is to move
    ======  ===============================================================================================
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Literal, SupportsIndex

from punct import _kernel
from punct.contract import Start, read_rules
from punct.errors import PunctError, WrongTypeError
from punct.kernel.arguments import integer, whole_number
from punct.kernel.arrays import (
    MAX_ROWS,
    checked_plies,
    checked_threads,
    flat_output_array,
    output_array,
    row_streams,
)
from punct.kernel.packed import UNPACKED
from punct.kernel.position import Position, as_kernel, checked_count
from punct.move import Move, MoveLike
from punct.outcome import Rules
from punct.piece import Colour
from punct.symmetry import Symmetry

if TYPE_CHECKING:  # imported where arrays are made: reading records does not need it
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from punct.kernel.arrays import Chance
    from punct.kernel.steps import Steps

ACTIONS: Final = _kernel.ACTIONS
"""How many numbers the fixed action index has."""
ACTION_BYTES: Final = _kernel.ACTION_BYTES
"""How many bytes hold a bit for each of them."""
PLANES: Final = _kernel.PLANES
"""How many planes describe a position."""

LEAVE: Final = -1
"""The action that leaves a position as it is."""
AutoReset = Literal["same step", "next step"]
"""When a game that is over is reset: at once, or in place of the next step, which plays nothing there."""

_AUTO_RESET_CODES: Final[dict[AutoReset | None, int]] = {None: 0, "next step": 1, "same step": 2}
_NO_MOVE: Final = 0xFFFFFFFF


class EpisodeResult(IntEnum):
    """The result of a row's game so far, by the numbers in ``Batch.results``."""

    OPEN = 0
    WHITE_WON = 1
    BLACK_WON = 2
    DRAWN = 3
    TRUNCATED = 4

    @property
    def winner(self) -> Colour | None:
        """The winner; None if there is none."""
        return {EpisodeResult.WHITE_WON: Colour.WHITE, EpisodeResult.BLACK_WON: Colour.BLACK}.get(self)

    def reward(self, colour: Colour) -> float:
        """Return a player's reward: 1 won, -1 lost, else 0."""
        return 0.0 if self.winner is None else 1.0 if self.winner is colour else -1.0


class Batch:
    """Positions that are played side by side.

    >>> batch = Batch(["standard w", "basic w"])
    >>> batch.legal_mask().shape == (2, ACTIONS)
    True
    >>> batch.step([batch.action(0, "Ed5ne"), LEAVE])
    array([0, 0], dtype=int8)
    >>> str(batch[0])
    'standard b wEd5ne'

    With ``games`` each row is a game that begins with its position: a position that occurs for the third time ends it
    as a draw. After ``max_plies`` moves it is cut off. Functions that fill an array write into ``out`` if one is given,
    and divide the rows among ``threads``; the result is the same for any number. The GIL is released meanwhile.
    """

    def __init__(self, positions: Iterable[Start], *, games: bool = False, max_plies: int | None = None) -> None:
        """Copy these positions (their histories stay behind)."""
        if isinstance(positions, str) or not isinstance(positions, Iterable):
            raise WrongTypeError(
                f"a batch is made of several positions, such as a list of them, not {type(positions).__name__}"
            )
        self._games, self._max_plies = bool(games), max_plies
        tracks = [as_kernel(position).track for position in positions]
        self._batch = _kernel.Batch(tracks, self._games, checked_plies(max_plies))

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} {'games' if self._games else 'positions'}>"

    @classmethod
    def start(
        cls, count: int, rules: Rules | str = Rules.STANDARD, *, games: bool = False, max_plies: int | None = None
    ) -> Batch:
        """Return ``count`` starting positions."""
        starts = [Position(read_rules(rules))] * whole_number("count", count, 0, MAX_ROWS)
        return cls(starts, games=games, max_plies=max_plies)

    @classmethod
    def _of(cls, batch: _kernel.Batch, like: Batch) -> Batch:
        """Wrap rows that play by the terms of another batch."""
        copy = object.__new__(cls)
        copy._batch, copy._games, copy._max_plies = batch, like._games, like._max_plies
        return copy

    @property
    def games(self) -> bool:
        """Whether a position that occurs for the third time is a draw."""
        return self._games

    @property
    def max_plies(self) -> int | None:
        """After how many moves a game is cut off; None for never."""
        return self._max_plies

    def __len__(self) -> int:
        return len(self._batch)

    def __getitem__(self, index: SupportsIndex) -> Position:
        return Position.of(self._batch.track(self._index(index)))

    def __setitem__(self, index: SupportsIndex, position: Start) -> None:
        self._batch.set(self._index(index), as_kernel(position).track)

    def take(self, rows: ArrayLike) -> Batch:
        """Return a new batch of these rows, copied: numbers in any order, or a true or false for each row."""
        return Batch._of(self._batch.take(self._rows(rows)), self)

    def reset(self, rows: ArrayLike | None = None) -> None:
        """Put rows (all, if none are named) back to the positions they began from.

        Rows are given as in ``take``, so ``batch.reset(batch.results() != 0)`` resets those whose game is over.
        """
        import numpy as np

        self._batch.reset(np.arange(len(self)) if rows is None else self._rows(rows))

    def copy(self) -> Batch:
        """Return an independent batch of the same positions."""
        return Batch._of(self._batch.copy(), self)

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        rows = range(len(self))
        texts = [self._batch.track(row).text() for row in rows]
        starts = [self._batch.start(row).text() for row in rows]
        return _restored, (texts, starts, [self._batch.trail(row) for row in rows], self._games, self._max_plies)

    def __eq__(self, other: object) -> bool:
        """Compare the positions, row by row."""
        if not isinstance(other, Batch):
            return NotImplemented
        return len(self) == len(other) and all(self[row] == other[row] for row in range(len(self)))

    __hash__ = None  # type: ignore[assignment]  # batches change

    # ------------------------------------------------------------------ legal actions

    def legal_mask(self, out: NDArray[np.bool_] | None = None, *, threads: int = 1) -> NDArray[np.bool_]:
        """Return, by position and action, whether it is legal; all false where the game is over."""
        mask = output_array("legal_mask", (len(self), ACTIONS), "bool", out)
        self._batch.legal(mask, checked_threads(threads))
        return mask

    def legal_bits(self, out: NDArray[np.uint8] | None = None, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the same in an eighth of the memory, a bit for each action, the lowest of each byte first.

        ``np.unpackbits(bits, axis=1, count=ACTIONS, bitorder="little")`` makes a mask of them.
        """
        bits = output_array("legal_bits", (len(self), ACTION_BYTES), "uint8", out)
        self._batch.legal_bits(bits, checked_threads(threads))
        return bits

    def legal_actions(
        self, out: tuple[NDArray[np.int32], NDArray[np.int64]] | None = None, *, threads: int = 1
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return all legal actions in one array, and where each position's begin in it (and, last, where they end).

        Of ``out`` the first array may be longer than needed: the part that was filled is returned.
        """
        if out is None:
            return self._batch.legal_lists(checked_threads(threads))
        if not isinstance(out, tuple) or len(out) != 2:
            raise WrongTypeError(f"legal_actions: they are written into two arrays, not {type(out).__name__}")
        actions = flat_output_array("legal_actions", "int32", out[0])
        starts = output_array("legal_actions, where each position's begin", (len(self) + 1,), "int64", out[1])
        needed = self._batch.legal_lists_into(actions, starts, checked_threads(threads))
        if needed > len(actions):
            raise PunctError(f"there are {needed} legal actions, and room for {len(actions)}; nothing was written")
        return actions[:needed], starts

    # ------------------------------------------------------------------ playing

    def step(self, actions: ArrayLike, *, threads: int = 1) -> NDArray[np.int8]:
        """Play one action in each position (``LEAVE`` for none) and return ``results()``.

        Raises PunctError, and plays nothing anywhere, unless every action is legal. The message says which is not.
        """
        numbers = self._actions(actions)
        self._check_played(self._batch.step(numbers, checked_threads(threads)), numbers)
        return self.results()

    def advance(
        self,
        actions: ArrayLike,
        out: Steps | None = None,
        *,
        auto_reset: AutoReset | None = "same step",
        threads: int = 1,
    ) -> Steps:
        """Play one action in each position as ``step`` does, and return what learning programs need.

        A game that is over is reset at once, or with ``auto_reset="next step"`` in place of the next step, so that its
        last position can be read; with None not before ``reset`` is called.

        >>> batch = Batch.start(2, games=True, max_plies=200)
        >>> steps = batch.advance(batch.sample())
        >>> steps.rewards, steps.terminated
        (array([0., 0.], dtype=float32), array([False, False]))
        """
        from punct.kernel.steps import Steps

        code = _AUTO_RESET_CODES[checked_auto_reset(auto_reset)]
        numbers, count = self._actions(actions), (len(self),)
        arrays = (None,) * 4 if out is None else out
        if not isinstance(arrays, tuple) or len(arrays) != len(Steps._fields):
            raise WrongTypeError(
                f"the results of a step are written into {len(Steps._fields)} arrays, as Steps has them"
            )
        steps = Steps(
            output_array("rewards", count, "float32", arrays[0]),
            output_array("terminated", count, "bool", arrays[1]),
            output_array("truncated", count, "bool", arrays[2]),
            output_array("results", count, "int8", arrays[3]),
        )
        self._check_played(self._batch.advance(numbers, *steps, code, checked_threads(threads)), numbers)
        return steps

    def sample(
        self, rng: Chance = None, out: NDArray[np.int64] | None = None, *, threads: int = 1
    ) -> NDArray[np.int64]:
        """Return a legal action for each position, each as likely as the others; ``LEAVE`` where the game is over.

        ``rng`` may be an array with a stream for each row (``streams``), whose state then advances.

        >>> batch = Batch.start(2)
        >>> import numpy as np
        >>> batch.step(batch.sample(np.random.default_rng(7)))
        array([0, 0], dtype=int8)
        """
        actions = output_array("sample", (len(self),), "int64", out)
        self._batch.sample(row_streams(len(self), rng), actions, checked_threads(threads))
        return actions

    # ------------------------------------------------------------------ properties

    def transformed(self, symmetry: Symmetry | int) -> Batch:
        """Return the positions' images under one of the board's symmetries (or its number).

        Earlier positions are not transformed: repetitions are counted afresh.
        """
        return Batch._of(self._batch.transformed(Symmetry.of(symmetry).number), self)

    def permutations(self, symmetry: Symmetry | int) -> NDArray[np.int32]:
        """Return, by position and action, the action that means the same once ``transformed``.

        With it a policy is transformed along with its position: ``image[i, permutations[i]] = policy[i]``. Each
        position has its own, since a heading's mirror image depends on the kind of the piece that moves.
        """
        return self._batch.permutations(Symmetry.of(symmetry).number)

    def distances(self) -> NDArray[np.int8]:
        """Return, by position, colour and pair of sides, the distance to joining it (``Position.distance``)."""
        return self._batch.distances()

    def evaluate(self) -> NDArray[np.float32]:
        """Return, by position, the static evaluation for the side to move (``Position.evaluate``)."""
        return self._batch.evaluate()

    def score_moves(self, most: int = 32) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
        """Return the search's candidates as actions, their priors, and where each position's begin (and, last, end).

        At most ``most`` for each position, best first; their priors sum to 1. See ``Position.score_moves``.
        """
        return self._batch.score_moves(checked_count(most))

    def planes(
        self, out: NDArray[np.uint8] | None = None, *, colours: ArrayLike | None = None, threads: int = 1
    ) -> NDArray[np.uint8]:
        """Return the observation planes: an array of (positions, PLANES, 17, 17).

        ``colours`` says by position whose view it is (0 White, 1 Black), as if it were that player's turn; without it
        that of the side to move.
        """
        planes = output_array("planes", (len(self), PLANES, 17, 17), "uint8", out)
        own = None if colours is None else _checked_colours(colours, len(self))
        self._batch.planes(planes, own, checked_threads(threads))
        return planes

    def results(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return, by position: 0 open, 1 White has won, 2 Black has won, 3 drawn, 4 cut off."""
        results = output_array("results", (len(self),), "int8", out)
        self._batch.results(results)
        return results

    def turns(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return, by position, who is to move: 0 White, 1 Black."""
        turns = output_array("turns", (len(self),), "int8", out)
        self._batch.turns(turns)
        return turns

    def plies(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Return, by position, how many moves were played since it began."""
        plies = output_array("plies", (len(self),), "int32", out)
        self._batch.plies(plies)
        return plies

    def repetitions(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Return, by position, how often it has occurred since it began, this time included."""
        times = output_array("repetitions", (len(self),), "int32", out)
        self._batch.repetitions(times)
        return times

    def hashes(self, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
        """Return the positions' 64-bit hashes."""
        hashes = output_array("hashes", (len(self),), "uint64", out)
        self._batch.hashes(hashes)
        return hashes

    def action(self, index: int, move: MoveLike) -> int:
        """Return the action of a legal move; raises IllegalMoveError if it is not legal in that position."""
        return self[index].pack(move).action

    def move(self, index: int, action: int) -> Move | None:
        """Return the move that an action means in that position, legal or not; None if it means nothing there."""
        return move_of(self._batch.track(self._index(index)), integer("action", action))

    # ------------------------------------------------------------------ arguments

    def _index(self, index: SupportsIndex) -> int:
        try:
            number = operator.index(index)
        except TypeError:
            raise WrongTypeError(
                f"a batch is asked for one position by its number, such as batch[0], not by {type(index).__name__}; "
                "batch.take(rows) copies several"
            ) from None
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(f"no position {number} in a batch of {len(self)}")
        return place

    def _rows(self, rows: ArrayLike) -> NDArray[np.int64]:
        """Return the numbers of the rows."""
        import numpy as np

        chosen = np.asarray(rows)
        if chosen.dtype == np.bool_ and chosen.shape == (len(self),):
            return np.flatnonzero(chosen)
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise WrongTypeError(
                f"rows are given by their numbers, or by a true or false for each of the {len(self)} positions"
            )
        return np.array([self._index(int(row)) for row in chosen], np.int64)

    def _actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        """Return actions as the kernel takes them; raises PunctError unless they are one integer for each row."""
        import numpy as np

        numbers = np.asarray(actions)
        if numbers.ndim != 1 or len(numbers) != len(self):
            raise PunctError(f"{len(self)} positions need as many actions in one row, not an array of {numbers.shape}")
        if len(self) and numbers.dtype.kind not in "iu":
            raise PunctError(f"actions are whole numbers, not {numbers.dtype}")
        if len(self) and numbers.dtype.kind == "u" and numbers.max() > np.iinfo(np.int64).max:
            raise PunctError(f"actions are below {ACTIONS}")
        return np.ascontiguousarray(numbers, dtype=np.int64)

    def _check_played(self, illegal_row: int, actions: NDArray[np.int64]) -> None:
        """Raise PunctError if the action of a row was not legal."""
        if illegal_row >= 0:
            raise PunctError(f"position {illegal_row}: {why_refused(self[illegal_row], int(actions[illegal_row]))}")


def _checked_colours(colours: ArrayLike, count: int) -> NDArray[np.int8]:
    """Return a colour for each position; raises PunctError unless they are as many, each 0 or 1."""
    import numpy as np

    given = np.asarray(colours)
    if given.shape != (count,) or (count and given.dtype.kind not in "iu"):
        raise WrongTypeError(f"colours has a whole number for each of the {count} positions: 0 White, 1 Black")
    if count and not np.isin(given, (0, 1)).all():
        raise PunctError("colours has numbers other than 0 (White) and 1 (Black)")
    return np.ascontiguousarray(given, dtype=np.int8)


def checked_auto_reset(auto_reset: AutoReset | None) -> AutoReset | None:
    """Return when games are reset; raises PunctError if that is not one of the possible values."""
    if auto_reset not in _AUTO_RESET_CODES:
        raise PunctError(f"games are reset in the 'same step', the 'next step' or not (None), not {auto_reset!r}")
    return auto_reset


def move_of(track: _kernel.Track, action: int) -> Move | None:
    """Return the move that an action means in a position, legal or not; None if it means nothing there."""
    if not 0 <= action < ACTIONS:
        return None
    number = _kernel.move_of_action(track, action)
    return None if number == _NO_MOVE else UNPACKED[number]


def why_refused(position: Position, action: int) -> str:
    """Return a sentence that says why an action is not legal in a position."""
    move = move_of(position.track, action)
    if move is None:
        return f"{action} is not an action in {position}"
    reason = position.explain(move)
    return f"{move}: {reason.sentence if reason else 'the game is over'} (position: {position})"


def _restored(
    texts: list[str], starts: list[str], trails: list[tuple[list[int], int]], games: bool, max_plies: int | None
) -> Batch:
    """Rebuild a pickled batch."""
    batch = Batch(starts, games=games, max_plies=max_plies)
    for row, (text, (hashes, plies)) in enumerate(zip(texts, trails, strict=True)):
        batch._batch.resume(row, Position(text).track, hashes, plies)
    return batch
