"""Output arrays of callers: checked for shape and dtype, with helpful errors."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

from punct import _kernel
from punct.errors import PunctError, WrongTypeError
from punct.kernel.arguments import whole_number
from punct.legal import below

if TYPE_CHECKING:  # imported where arrays are made: reading records does not need it
    import numpy as np
    from numpy.typing import NDArray

    Chance = Random | np.random.Generator | NDArray[np.uint64] | None
    """A source of random numbers; an array holds a stream for each row, whose state advances."""

MAX_THREADS: Final = 256
MAX_ROWS: Final = 2**31 - 1
MAX_PLIES: Final = 2**31 - 1


def output_array(what: str, shape: tuple[int, ...], dtype: str, out: NDArray[Any] | None) -> NDArray[Any]:
    """Return the caller's output array, or a new one; raises PunctError if its shape or dtype is wrong.

    >>> output_array("planes", (2, 3), "uint8", None).shape
    (2, 3)
    """
    import numpy as np

    if out is None:
        return np.empty(shape, dtype)
    if _checked_array(what, dtype, out).shape != shape:
        raise PunctError(f"{what}: they are written into an array of shape {shape}, not {out.shape}")
    return out


def flat_output_array(what: str, dtype: str, out: NDArray[Any]) -> NDArray[Any]:
    """Return the caller's one-dimensional output array, of any length; raises PunctError if its dtype is wrong."""
    if _checked_array(what, dtype, out).ndim != 1:
        raise PunctError(f"{what}: they are written into an array of one dimension, not of {out.ndim}")
    return out


def _checked_array(what: str, dtype: str, out: object) -> NDArray[Any]:
    """Return the array; raises PunctError unless it has this dtype, is contiguous and writable."""
    import numpy as np

    if not isinstance(out, np.ndarray):
        raise WrongTypeError(f"{what}: they are written into a NumPy array, not {type(out).__name__}")
    if out.dtype != np.dtype(dtype):
        raise PunctError(f"{what}: they are written into an array of {dtype}, not of {out.dtype}")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise PunctError(f"{what}: the array they are written into must lie in one piece (C order) and be writable")
    return out


def checked_threads(threads: int) -> int:
    """Return a number of threads; raises PunctError if it is out of range."""
    return whole_number("threads", threads, 1, MAX_THREADS)


def checked_plies(max_plies: int | None) -> int:
    """Return after how many plies a game is truncated, 0 for never; raises PunctError if it is out of range."""
    return 0 if max_plies is None else whole_number("max_plies", max_plies, 1, MAX_PLIES)


def streams(count: int, rng: Random | np.random.Generator | None = None) -> NDArray[np.uint64]:
    """Return a random stream for each of ``count`` rows; the same ones from the same state of ``rng``.

    ``Batch.sample`` draws from them row by row, so that what a row draws depends on no other.
    """
    import numpy as np

    array = np.empty(whole_number("count", count, 0, MAX_ROWS), np.uint64)
    _kernel.streams(below(1 << 62, rng), array)
    return array


def row_streams(count: int, rng: Chance) -> NDArray[np.uint64]:
    """Return the caller's streams, or new ones from a source of random numbers."""
    import numpy as np

    if isinstance(rng, np.ndarray):
        return output_array("streams", (count,), "uint64", rng)
    return streams(count, rng)
