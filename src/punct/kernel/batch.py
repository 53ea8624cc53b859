"""Many positions at once on NumPy arrays, for programs that learn.

The action index
    Every turn has a fixed number below ``ACTIONS``, whatever the position: first the adds (kind, heading, space), then
    the moves (old space, new space on a line with it, heading). ``Batch.move`` and ``Batch.action`` translate.

The streams
    Chance comes from a stream for each row (``streams``), so that what is drawn in a row depends on no other row and on
    no number of threads.

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
from punct.kernel.arrays import flat_room, plies_of, room, streams_of, threads_of
from punct.kernel.packed import UNPACKED
from punct.kernel.position import Position, as_kernel, most_of
from punct.move import Move, MoveLike
from punct.outcome import Rules
from punct.piece import Colour
from punct.symmetry import Symmetry

if TYPE_CHECKING:  # loaded where arrays are made: whoever reads records does not wait for it
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
"""The action that leaves a position alone."""
Anew = Literal["same step", "next step"]
"""When a game that is over begins anew: at once, or in place of the next step, which plays nothing there."""

_WHEN: Final[dict[Anew | None, int]] = {None: 0, "next step": 1, "same step": 2}
_NO_TURN: Final = 0xFFFFFFFF


class Standing(IntEnum):
    """How a row stands, by the numbers in ``Batch.results``."""

    OPEN = 0
    WHITE_WON = 1
    BLACK_WON = 2
    DRAWN = 3
    CUT_OFF = 4

    @property
    def winner(self) -> Colour | None:
        """Who has won; None if nobody has."""
        return {Standing.WHITE_WON: Colour.WHITE, Standing.BLACK_WON: Colour.BLACK}.get(self)

    def reward(self, colour: Colour) -> float:
        """Return what it is worth to a player: 1 won, -1 lost, else 0."""
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

    With ``games`` each row is a game that begins with its position: a position that stands for the third time ends it
    as a draw. After ``max_plies`` turns it is cut off. What fills an array fills ``out`` if one is given, and with
    ``threads`` the rows are divided among so many; what comes out is the same for any number. Other threads of Python
    run meanwhile.
    """

    def __init__(self, positions: Iterable[Start], *, games: bool = False, max_plies: int | None = None) -> None:
        """Copy these positions (their histories stay behind)."""
        if isinstance(positions, str) or not isinstance(positions, Iterable):
            raise WrongTypeError(
                f"a batch is made of several positions, such as a list of them, not {type(positions).__name__}"
            )
        self._games, self._max_plies = bool(games), max_plies
        tracks = [as_kernel(position).track for position in positions]
        self._batch = _kernel.Batch(tracks, self._games, plies_of(max_plies))

    @classmethod
    def start(
        cls, count: int, rules: Rules | str = Rules.STANDARD, *, games: bool = False, max_plies: int | None = None
    ) -> Batch:
        """Return so many starting positions."""
        if count < 0:
            raise PunctError(f"a batch has 0 or more positions, not {count}")
        return cls([Position(read_rules(rules))] * count, games=games, max_plies=max_plies)

    @classmethod
    def _of(cls, batch: _kernel.Batch, like: Batch) -> Batch:
        """Wrap rows that play by the terms of another batch."""
        made = object.__new__(cls)
        made._batch, made._games, made._max_plies = batch, like._games, like._max_plies
        return made

    @property
    def games(self) -> bool:
        """Whether a position that stands for the third time is a draw."""
        return self._games

    @property
    def max_plies(self) -> int | None:
        """After how many turns a game is cut off; None for never."""
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

        Rows are told as in ``take``, so ``batch.reset(batch.results() != 0)`` begins anew where a game is over.
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

    # ------------------------------------------------------------------ what is legal

    def legal_mask(self, out: NDArray[np.bool_] | None = None, *, threads: int = 1) -> NDArray[np.bool_]:
        """Return, by position and action, whether it is legal; all false where the game is over."""
        mask = room("legal_mask", (len(self), ACTIONS), "bool", out)
        self._batch.legal(mask, threads_of(threads))
        return mask

    def legal_bits(self, out: NDArray[np.uint8] | None = None, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return the same in an eighth of the room, a bit for each action, the lowest of each byte first.

        ``np.unpackbits(bits, axis=1, count=ACTIONS, bitorder="little")`` makes a mask of them.
        """
        bits = room("legal_bits", (len(self), ACTION_BYTES), "uint8", out)
        self._batch.legal_bits(bits, threads_of(threads))
        return bits

    def legal_actions(
        self, out: tuple[NDArray[np.int32], NDArray[np.int64]] | None = None, *, threads: int = 1
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return all legal actions in one array, and where each position's begin in it (and, last, where they end).

        Of ``out`` the first array may be longer than needed: the part that was filled is returned.
        """
        if out is None:
            return self._batch.legal_lists(threads_of(threads))
        if not isinstance(out, tuple) or len(out) != 2:
            raise WrongTypeError(f"legal_actions: they are written into two arrays, not {type(out).__name__}")
        actions = flat_room("legal_actions", "int32", out[0])
        starts = room("legal_actions, where each position's begin", (len(self) + 1,), "int64", out[1])
        needed = self._batch.legal_lists_into(actions, starts, threads_of(threads))
        if needed > len(actions):
            raise PunctError(f"there are {needed} legal actions, and room for {len(actions)}; nothing was written")
        return actions[:needed], starts

    # ------------------------------------------------------------------ playing

    def step(self, actions: ArrayLike, *, threads: int = 1) -> NDArray[np.int8]:
        """Play one action in each position (``LEAVE`` for none) and return ``results()``.

        Raises PunctError, and plays nothing anywhere, unless every action is legal. The message says which is not.
        """
        numbers = self._actions(actions)
        self._played(self._batch.step(numbers, threads_of(threads)), numbers)
        return self.results()

    def advance(
        self, actions: ArrayLike, out: Steps | None = None, *, anew: Anew | None = "same step", threads: int = 1
    ) -> Steps:
        """Play one action in each position as ``step`` does, and return what learning programs ask after it.

        Where a game is over it begins anew: at once, or with ``anew="next step"`` in place of the next step, so that
        its last position can be looked at; with None not before ``reset`` is called.

        >>> batch = Batch.start(2, games=True, max_plies=200)
        >>> steps = batch.advance(batch.sample())
        >>> steps.rewards, steps.terminated
        (array([0., 0.], dtype=float32), array([False, False]))
        """
        from punct.kernel.steps import Steps

        when = _WHEN[anew_of(anew)]
        numbers, count = self._actions(actions), (len(self),)
        given = (None,) * 4 if out is None else out
        if not isinstance(given, tuple) or len(given) != len(Steps._fields):
            raise WrongTypeError(f"what came of a step is written into {len(Steps._fields)} arrays, as Steps has them")
        steps = Steps(
            room("rewards", count, "float32", given[0]),
            room("terminated", count, "bool", given[1]),
            room("truncated", count, "bool", given[2]),
            room("results", count, "int8", given[3]),
        )
        self._played(self._batch.advance(numbers, *steps, when, threads_of(threads)), numbers)
        return steps

    def sample(
        self, rng: Chance = None, out: NDArray[np.int64] | None = None, *, threads: int = 1
    ) -> NDArray[np.int64]:
        """Return a legal action for each position, each as likely as the others; ``LEAVE`` where the game is over.

        ``rng`` may be an array with a stream for each row (``streams``), which goes on by what is drawn.

        >>> batch = Batch.start(2)
        >>> import numpy as np
        >>> batch.step(batch.sample(np.random.default_rng(7)))
        array([0, 0], dtype=int8)
        """
        actions = room("sample", (len(self),), "int64", out)
        self._batch.sample(streams_of(len(self), rng), actions, threads_of(threads))
        return actions

    # ------------------------------------------------------------------ looking at them

    def transformed(self, symmetry: Symmetry | int) -> Batch:
        """Return the positions as one of the board's symmetries (or its number) shows them.

        What stood before is not turned with them: how often a position stands is counted anew.
        """
        return Batch._of(self._batch.transformed(Symmetry.of(symmetry).number), self)

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

    def planes(
        self, out: NDArray[np.uint8] | None = None, *, colours: NDArray[np.int8] | None = None, threads: int = 1
    ) -> NDArray[np.uint8]:
        """Return the observation planes: an array of (positions, PLANES, 17, 17).

        ``colours`` says by position whose view it is (0 White, 1 Black), as if it were that player's turn; without it
        whoever is to move looks.
        """
        planes = room("planes", (len(self), PLANES, 17, 17), "uint8", out)
        own = None if colours is None else room("colours", (len(self),), "int8", colours)
        self._batch.planes(planes, own, threads_of(threads))
        return planes

    def results(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return, by position: 0 open, 1 White has won, 2 Black has won, 3 drawn, 4 cut off."""
        results = room("results", (len(self),), "int8", out)
        self._batch.results(results)
        return results

    def turns(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return, by position, who is to move: 0 White, 1 Black."""
        turns = room("turns", (len(self),), "int8", out)
        self._batch.turns(turns)
        return turns

    def plies(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Return, by position, how many turns were played since it began."""
        plies = room("plies", (len(self),), "int32", out)
        self._batch.plies(plies)
        return plies

    def repetitions(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Return, by position, how often it has stood since it began, this time included."""
        times = room("repetitions", (len(self),), "int32", out)
        self._batch.repetitions(times)
        return times

    def hashes(self, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
        """Return the positions' 64-bit hashes."""
        hashes = room("hashes", (len(self),), "uint64", out)
        self._batch.hashes(hashes)
        return hashes

    def action(self, index: int, move: MoveLike) -> int:
        """Return the action of a legal turn; raises IllegalMoveError if it is not legal in that position."""
        return self[index].pack(move).action

    def move(self, index: int, action: int) -> Move | None:
        """Return the turn an action means in that position, legal or not; None if it means nothing there."""
        return move_of(self._batch.track(self._index(index)), action)

    # ------------------------------------------------------------------ what is asked for

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

    def _rows(self, rows: ArrayLike) -> NDArray[np.int64]:
        """Return the numbers of the rows that are meant."""
        import numpy as np

        chosen = np.asarray(rows)
        if chosen.dtype == np.bool_ and chosen.shape == (len(self),):
            return np.flatnonzero(chosen)
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise WrongTypeError(
                f"rows are told by their numbers, or by a true or false for each of the {len(self)} positions"
            )
        return np.array([self._index(int(row)) for row in chosen], np.int64)

    def _actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        """Return actions as the kernel takes them; raises PunctError if they are not one whole number for each row."""
        import numpy as np

        numbers = np.asarray(actions)
        if numbers.ndim != 1 or len(numbers) != len(self):
            raise PunctError(f"{len(self)} positions need as many actions in one row, not an array of {numbers.shape}")
        if len(self) and numbers.dtype.kind not in "iu":
            raise PunctError(f"actions are whole numbers, not {numbers.dtype}")
        if len(self) and numbers.dtype.kind == "u" and numbers.max() > np.iinfo(np.int64).max:
            raise PunctError(f"actions are below {ACTIONS}")
        return np.ascontiguousarray(numbers, dtype=np.int64)

    def _played(self, refused: int, actions: NDArray[np.int64]) -> None:
        """Raise PunctError if the kernel has refused a row."""
        if refused >= 0:
            raise PunctError(f"position {refused}: {why_refused(self[refused], int(actions[refused]))}")


def anew_of(anew: Anew | None) -> Anew | None:
    """Return when games begin anew; raises PunctError if that is no such time."""
    if anew not in _WHEN:
        raise PunctError(f"games begin anew in the 'same step', the 'next step' or not (None), not {anew!r}")
    return anew


def move_of(track: _kernel.Track, action: int) -> Move | None:
    """Return the turn an action means in a position, legal or not; None if it means nothing there."""
    if not 0 <= action < ACTIONS:
        return None
    number = _kernel.move_of_action(track, action)
    return None if number == _NO_TURN else UNPACKED[number]


def why_refused(position: Position, action: int) -> str:
    """Return a sentence that says why an action was not played in a position."""
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
    for row, (text, (seen, plies)) in enumerate(zip(texts, trails, strict=True)):
        batch._batch.resume(row, Position(text).track, seen, plies)
    return batch
