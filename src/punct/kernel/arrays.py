"""Arrays that callers give to be filled: of the right shape and sort, or refused with a sentence."""

from __future__ import annotations

import operator
from random import Random
from typing import TYPE_CHECKING, Any, Final

from punct import _kernel
from punct.errors import PunctError, WrongTypeError
from punct.legal import below

if TYPE_CHECKING:  # loaded where arrays are made: whoever reads records does not wait for it
    import numpy as np
    from numpy.typing import NDArray

    Chance = Random | np.random.Generator | NDArray[np.uint64] | None
    """Where chance comes from: also an array with a stream for each row, which goes on by what is drawn."""

MOST_THREADS: Final = 256
MOST_PLIES: Final = 2**31 - 1


def room(what: str, shape: tuple[int, ...], sort: str, out: NDArray[Any] | None) -> NDArray[Any]:
    """Return the array that was given to be filled, or a new one; raises PunctError if it is not of this sort.

    >>> room("planes", (2, 3), "uint8", None).shape
    (2, 3)
    """
    import numpy as np

    if out is None:
        return np.empty(shape, sort)
    if _sorted(what, sort, out).shape != shape:
        raise PunctError(f"{what}: they are written into an array of shape {shape}, not {out.shape}")
    return out


def flat_room(what: str, sort: str, out: NDArray[Any]) -> NDArray[Any]:
    """Return an array that was given to be filled as far as it takes; raises PunctError if it is not of this sort."""
    if _sorted(what, sort, out).ndim != 1:
        raise PunctError(f"{what}: they are written into an array of one dimension, not of {out.ndim}")
    return out


def _sorted(what: str, sort: str, out: object) -> NDArray[Any]:
    """Return the array; raises PunctError unless it holds this sort, lies in one piece and may be changed."""
    import numpy as np

    if not isinstance(out, np.ndarray):
        raise WrongTypeError(f"{what}: they are written into a NumPy array, not {type(out).__name__}")
    if out.dtype != np.dtype(sort):
        raise PunctError(f"{what}: they are written into an array of {sort}, not of {out.dtype}")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise PunctError(f"{what}: the array they are written into must lie in one piece (C order) and be writable")
    return out


def threads_of(threads: int) -> int:
    """Return a number of threads; raises PunctError if it is none."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise PunctError(f"the number of threads is from 1 to {MOST_THREADS}, not {threads!r}")
    return threads


def plies_of(max_plies: int | None) -> int:
    """Return after how many plies a game is cut off, 0 for never; raises PunctError if it is no such number."""
    if max_plies is None:
        return 0
    try:
        most = operator.index(max_plies)
    except TypeError:
        most = 0
    if isinstance(max_plies, bool) or not 1 <= most <= MOST_PLIES:
        raise PunctError(f"a game is cut off after 1 to {MOST_PLIES} plies, or never (None), not {max_plies!r}")
    return most


def streams(count: int, rng: Random | np.random.Generator | None = None) -> NDArray[np.uint64]:
    """Return a stream of chance for each of so many rows; the same ones from the same state of ``rng``.

    ``Batch.sample`` draws from them row by row, so that what a row draws depends on no other.
    """
    import numpy as np

    if count < 0:
        raise PunctError(f"streams are counted from 0, not {count}")
    made = np.empty(count, np.uint64)
    _kernel.streams(below(1 << 62, rng), made)
    return made


def streams_of(count: int, rng: Chance) -> NDArray[np.uint64]:
    """Return the streams that were given, or new ones from a source of chance."""
    import numpy as np

    if isinstance(rng, np.ndarray):
        return room("streams", (count,), "uint64", rng)
    return streams(count, rng)
