"""Samples: positions out of the engine's own games, with what the search thought and how it ended, in Parquet.

A file holds the games of one batch. It is written whole under another name and then renamed, so nobody ever reads half
of one. What is torn, damaged or foreign is refused with a sentence that names the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from punct.learn.errors import LearnError, needed

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT: Final = 1
MOST_MOVES: Final = 32
"""Moves of a position that a sample tells of."""
_PREFIX: Final = "punct."
"""Before the names of our own words in a file's metadata: others may have theirs there."""
_COLUMNS: Final = ("position", "score", "result", "moves", "visits", "proven", "ply", "game")


class Sample(NamedTuple):
    """A position that was searched in a game; score and result are those of the side to move."""

    position: str
    """In canonical form."""
    score: float
    """The search's winning chance."""
    result: float
    """1 won, ½ drawn, 0 lost."""
    moves: Sequence[str]
    """The moves that were visited, best first; none where the search has proven how the game ends."""
    visits: Sequence[int]
    proven: int
    """0 while open; n: wins in n plies; -n: loses in n plies."""
    ply: int
    game: int


@dataclass(frozen=True, slots=True)
class About:
    """What all samples of a file have in common."""

    network: str
    """What played: the name of a network, see ``name_of``."""
    nodes: int
    """For each turn."""
    seed: int


def schema() -> pa.Schema:
    """Return the columns of a file and their types."""
    pa = needed("pyarrow")
    types = (
        pa.string(),
        pa.float32(),
        pa.float32(),
        pa.list_(pa.string()),
        pa.list_(pa.int32()),
        pa.int16(),
        pa.int16(),
        pa.int64(),
    )
    return pa.schema(pa.field(name, kind, nullable=False) for name, kind in zip(_COLUMNS, types, strict=True))


def write_samples(path: str | os.PathLike[str], samples: Iterable[Sample], about: About) -> None:
    """Write a file of samples, whole or not at all."""
    pa, parquet = needed("pyarrow"), needed("pyarrow.parquet")
    told = {"format": FORMAT, **asdict(about)}
    columns = schema().with_metadata({f"{_PREFIX}{name}": str(value) for name, value in told.items()})
    rows = [list(column) for column in zip(*samples, strict=True)] or [[] for _ in _COLUMNS]
    arrays = [pa.array(row, field.type) for row, field in zip(rows, columns, strict=True)]
    table = pa.Table.from_arrays(arrays, schema=columns)
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    write_whole(Path(path), sink.getvalue().to_pybytes())


def read_samples(path: str | os.PathLike[str]) -> pa.Table:
    """Read a file of samples; LearnError, which names it, for what is none."""
    pa, parquet = needed("pyarrow"), needed("pyarrow.parquet")
    path = Path(path)
    try:
        table = parquet.read_table(pa.BufferReader(path.read_bytes()))
    except OSError as error:  # also what Arrow says of a damaged file
        why = error.strerror or "it is torn or damaged"
        raise LearnError(f"{path} cannot be read: {why}") from None
    except pa.ArrowException:
        raise LearnError(f"{path} is not a file of samples: it is no Parquet, or is torn or damaged") from None
    about_of(table, path)
    if not table.schema.equals(schema()):
        raise LearnError(f"{path} is not a file of samples: its columns are others")
    _check(table, path)
    return table


def about_of(table: pa.Table, path: Path) -> About:
    """Return what a file says of itself; LearnError if it is none of ours, or of another format."""
    told = {name.decode(): value.decode() for name, value in (table.schema.metadata or {}).items()}
    form = told.get(f"{_PREFIX}format")
    if form is None:
        raise LearnError(f"{path} is not a file of samples: it says nothing of itself")
    if form != str(FORMAT):
        raise LearnError(f"{path} is a file of samples of format {form}; this version reads format {FORMAT}")
    try:
        return About(told[f"{_PREFIX}network"], int(told[f"{_PREFIX}nodes"]), int(told[f"{_PREFIX}seed"]))
    except (KeyError, ValueError):
        raise LearnError(f"{path} is not a file of samples: what it says of itself makes no sense") from None


def _check(table: pa.Table, path: Path) -> None:
    """See that numbers are where they should be: a network learns anything it is told."""
    compute: Any = needed("pyarrow.compute")
    for name in ("score", "result"):
        span = compute.min_max(table[name]).as_py()
        if table.num_rows and not (span["min"] >= 0.0 and span["max"] <= 1.0 and _all_finite(compute, table[name])):
            raise LearnError(f"{path} is damaged: a {name} in it is not between 0 and 1")
    lengths = [compute.list_value_length(table[name]) for name in ("moves", "visits")]
    if not lengths[0].equals(lengths[1]):
        raise LearnError(f"{path} is damaged: it does not have as many visits as moves")
    if any(table[name].null_count for name in _COLUMNS):
        raise LearnError(f"{path} is damaged: there are gaps in it")


def _all_finite(compute: Any, column: Any) -> bool:
    return bool(compute.all(compute.is_finite(column)).as_py())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, and on the disk before its name is there; LearnError if the disk refuses."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException as error:  # Ctrl-C too
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise LearnError(f"{path} cannot be written: {error.strerror}") from None
        raise


def result_for(winner: int | None, colour: int) -> float:
    """Return what a game's end is worth to a colour.

    >>> result_for(None, 0), result_for(1, 1), result_for(1, 0)
    (0.5, 1.0, 0.0)
    """
    return 0.5 if winner is None else float(winner == colour)
