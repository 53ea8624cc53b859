"""Many positions at once on NumPy arrays, for programs that learn.

The action index
    Every turn has a fixed number below ``ACTIONS``, whatever the position: first the adds (kind, heading, space), then
    the moves (old space, new space on a line with it, heading). ``Batch.move`` and ``Batch.action`` translate.

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
from random import Random
from typing import TYPE_CHECKING, Final, SupportsIndex

from punct import _kernel
from punct.contract import Start, read_rules
from punct.errors import PunctError, WrongTypeError
from punct.kernel.packed import UNPACKED
from punct.kernel.position import Position, as_kernel, most_of
from punct.legal import below
from punct.move import Move, MoveLike
from punct.outcome import Rules
from punct.symmetry import Symmetry

if TYPE_CHECKING:  # loaded where arrays are made: whoever reads records does not wait for it
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

ACTIONS: Final = _kernel.ACTIONS
"""How many numbers the fixed action index has."""
PLANES: Final = _kernel.PLANES
"""How many planes describe a position."""

LEAVE: Final = -1
"""The action that leaves a position alone."""

_NO_TURN: Final = 0xFFFFFFFF


class Batch:
    """Positions that are played side by side.

    >>> batch = Batch(["standard w", "basic w"])
    >>> batch.legal_mask().shape == (2, ACTIONS)
    True
    >>> batch.step([batch.action(0, "Ed5ne"), LEAVE])
    array([0, 0], dtype=int8)
    >>> str(batch[0])
    'standard b wEd5ne'
    """

    def __init__(self, positions: Iterable[Start]) -> None:
        """Copy these positions (their histories stay behind)."""
        self._batch = _kernel.Batch()
        self._starts: list[_kernel.Track] = []
        if isinstance(positions, str) or not isinstance(positions, Iterable):
            raise WrongTypeError(
                f"a batch is made of several positions, such as a list of them, not {type(positions).__name__}"
            )
        for position in positions:
            self._batch.append(as_kernel(position).track)
            self._starts.append(self._batch.track(len(self) - 1))  # a copy: the position given may be played on

    @classmethod
    def start(cls, count: int, rules: Rules | str = Rules.STANDARD) -> Batch:
        """Return so many starting positions."""
        if count < 0:
            raise PunctError(f"a batch has 0 or more positions, not {count}")
        batch, track = cls([]), Position(read_rules(rules)).track
        for _ in range(count):
            batch._batch.append(track)
        batch._starts = [track] * count
        return batch

    def __len__(self) -> int:
        return len(self._batch)

    def __getitem__(self, index: SupportsIndex) -> Position:
        return Position.of(self._batch.track(self._index(index)))

    def __setitem__(self, index: SupportsIndex, position: Start) -> None:
        row = self._index(index)
        self._batch.set(row, as_kernel(position).track)
        self._starts[row] = self._batch.track(row)

    def take(self, rows: ArrayLike) -> Batch:
        """Return a new batch of these rows, copied: numbers in any order, or a true or false for each row."""
        taken = Batch([])
        for row in self._rows(rows):
            taken._batch.append(self._batch.track(row))
            taken._starts.append(self._starts[row])
        return taken

    def reset(self, rows: ArrayLike | None = None) -> None:
        """Put rows (all, if none are named) back to the positions they began from.

        Rows are told as in ``take``, so ``batch.reset(batch.results() != 0)`` begins anew where a game is over.
        """
        for row in range(len(self)) if rows is None else self._rows(rows):
            self._batch.set(row, self._starts[row])

    def copy(self) -> Batch:
        """Return an independent batch of the same positions."""
        other = object.__new__(Batch)
        other._batch, other._starts = self._batch.copy(), self._starts[:]
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[list[str], list[str]]]:
        return _restored, (
            [self._batch.track(row).text() for row in range(len(self))],
            [s.text() for s in self._starts],
        )

    def __eq__(self, other: object) -> bool:
        """Compare the positions, row by row."""
        if not isinstance(other, Batch):
            return NotImplemented
        return len(self) == len(other) and all(self[row] == other[row] for row in range(len(self)))

    __hash__ = None  # type: ignore[assignment]  # batches change

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return, by position and action, whether it is legal; all false where the game is over."""
        return self._batch.legal()

    def legal_actions(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return all legal actions in one array, and where each position's begin in it (and, last, where they end)."""
        return self._batch.legal_lists()

    def step(self, actions: ArrayLike) -> NDArray[np.int8]:
        """Play one action in each position (``LEAVE`` for none) and return ``results()``.

        Raises PunctError, and plays nothing anywhere, unless every action is legal. The message says which is not.
        """
        import numpy as np

        numbers = np.asarray(actions)
        if numbers.ndim != 1 or len(numbers) != len(self):
            raise PunctError(f"{len(self)} positions need as many actions in one row, not an array of {numbers.shape}")
        if len(self) == 0:
            return self.results()
        if numbers.dtype.kind not in "iu":
            raise PunctError(f"actions are whole numbers, not {numbers.dtype}")
        if numbers.dtype.kind == "u" and numbers.max() > np.iinfo(np.int64).max:
            raise PunctError(f"actions are below {ACTIONS}")
        refused = self._batch.step(np.ascontiguousarray(numbers, dtype=np.int64))
        if refused >= 0:
            raise PunctError(self._why_refused(refused, int(numbers[refused])))
        return self.results()

    def sample(self, rng: Random | np.random.Generator | None = None) -> NDArray[np.int64]:
        """Return a legal action for each position, each as likely as the others; ``LEAVE`` where the game is over.

        >>> batch = Batch.start(2)
        >>> import numpy as np
        >>> batch.step(batch.sample(np.random.default_rng(7)))
        array([0, 0], dtype=int8)
        """
        return self._batch.sample(below(1 << 62, rng))

    def transformed(self, symmetry: Symmetry | int) -> Batch:
        """Return the positions as one of the board's symmetries (or its number) shows them."""
        other = object.__new__(Batch)
        number = Symmetry.of(symmetry).number
        other._batch = self._batch.transformed(number)
        other._starts = [_kernel.transformed(track, number) for track in self._starts]
        return other

    def permutations(self, symmetry: Symmetry | int) -> NDArray[np.int32]:
        """Return, by position and action, the action that means the same once ``transformed``.

        With it a policy is turned along with its position: ``turned[i, permutations[i]] = policy[i]``. Each position
        has its own, since what a heading becomes in a mirror depends on the kind of the piece that moves.
        """
        return self._batch.permutations(Symmetry.of(symmetry).number)

    def distances(self) -> NDArray[np.int8]:
        """Return, by position, colour and pair of sides, what is missing to join it (``Position.distance``)."""
        return self._batch.distances()

    def evaluate(self) -> NDArray[np.float32]:
        """Return, by position, the chance of the side to move without looking ahead (``Position.evaluate``)."""
        return self._batch.evaluate()

    def score_moves(self, most: int = 32) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
        """Return the actions most worth a look, their priors, and where each position's begin (and, last, end).

        At most so many for each position, best first; their priors sum to 1. See ``Position.score_moves``.
        """
        return self._batch.score_moves(most_of(most))

    def planes(self) -> NDArray[np.uint8]:
        """Return the observation planes: an array of (positions, PLANES, 17, 17)."""
        return self._batch.planes()

    def results(self) -> NDArray[np.int8]:
        """Return, by position: 0 open, 1 White has won, 2 Black has won, 3 drawn."""
        return self._batch.results()

    def turns(self) -> NDArray[np.int8]:
        """Return, by position, who is to move: 0 White, 1 Black."""
        return self._batch.turns()

    def hashes(self) -> NDArray[np.uint64]:
        """Return the positions' 64-bit hashes."""
        return self._batch.hashes()

    def action(self, index: int, move: MoveLike) -> int:
        """Return the action of a legal turn; raises IllegalMoveError if it is not legal in that position."""
        return self[index].pack(move).action

    def move(self, index: int, action: int) -> Move | None:
        """Return the turn an action means in that position, legal or not; None if it means nothing there."""
        if not 0 <= action < ACTIONS:
            return None
        number = _kernel.move_of_action(self._batch.track(self._index(index)), action)
        return None if number == _NO_TURN else UNPACKED[number]

    def _index(self, index: SupportsIndex) -> int:
        try:
            wanted = operator.index(index)
        except TypeError:
            raise WrongTypeError(
                f"a batch is asked for one position by its number, such as batch[0], not by {type(index).__name__}; "
                "batch.take(rows) copies several"
            ) from None
        place = wanted + len(self) if wanted < 0 else wanted
        if not 0 <= place < len(self):
            raise IndexError(f"no position {wanted} in a batch of {len(self)}")
        return place

    def _rows(self, rows: ArrayLike) -> list[int]:
        """Return the numbers of the rows that are meant."""
        import numpy as np

        chosen = np.asarray(rows)
        if chosen.dtype == np.bool_ and chosen.shape == (len(self),):
            return [int(row) for row in np.flatnonzero(chosen)]
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise WrongTypeError(
                f"rows are told by their numbers, or by a true or false for each of the {len(self)} positions"
            )
        return [self._index(int(row)) for row in chosen]

    def _why_refused(self, index: int, action: int) -> str:
        position, move = self[index], self.move(index, action)
        if move is None:
            return f"position {index}: {action} is not an action in {position}"
        reason = position.explain(move)
        return f"position {index}: {move}: {reason.sentence if reason else 'not legal'} (position: {position})"


def _restored(texts: list[str], starts: list[str]) -> Batch:
    """Rebuild a pickled batch."""
    batch = Batch(starts)
    for row, text in enumerate(texts):
        batch._batch.set(row, Position(text).track)
    return batch
