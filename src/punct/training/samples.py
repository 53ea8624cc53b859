"""Samples: positions of self-play games with the search's verdict and the game's result, in Parquet.

A file holds the games of one shard. It is written under a temporary name and then renamed, so no reader ever sees half
of one. A truncated, damaged or foreign file is refused with an error that names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from punct.paths import PathLike, read_path
from punct.training.errors import TrainingError, import_optional

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT: Final = 1
MAX_MOVES: Final = 32
"""Moves that are stored of a position."""
_PREFIX: Final = "punct."
"""Before our own names in a file's metadata, where other programs have theirs too."""
_COLUMNS: Final = ("position", "score", "result", "moves", "visits", "proven", "ply", "game")


class Sample(NamedTuple):
    """A searched position; score and result are those of the side to move."""

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
class SampleMetadata:
    """What the samples of a file have in common."""

    network: str
    """The name of the network that played, see ``name_of``."""
    nodes: int
    """For each move."""
    seed: int


def schema() -> pa.Schema:
    """Return the columns of a file and their types."""
    pa = import_optional("pyarrow")
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


def write_samples(path: PathLike, samples: Iterable[Sample], metadata: SampleMetadata) -> None:
    """Write a file of samples atomically."""
    pa, parquet = import_optional("pyarrow"), import_optional("pyarrow.parquet")
    entries = {"format": FORMAT, **asdict(metadata)}
    columns = schema().with_metadata({f"{_PREFIX}{name}": str(value) for name, value in entries.items()})
    rows = [list(column) for column in zip(*samples, strict=True)] or [[] for _ in _COLUMNS]
    arrays = [pa.array(row, field.type) for row, field in zip(rows, columns, strict=True)]
    table = pa.Table.from_arrays(arrays, schema=columns)
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    write_atomically(read_path(path), sink.getvalue().to_pybytes())


def read_samples(path: PathLike) -> pa.Table:
    """Read a file of samples; TrainingError, which names it, if it is invalid."""
    pa, parquet = import_optional("pyarrow"), import_optional("pyarrow.parquet")
    path = read_path(path)
    try:
        table = parquet.read_table(pa.BufferReader(path.read_bytes()))
    except OSError as error:  # Arrow raises it for a damaged file too
        problem = error.strerror or "it is torn or damaged"
        raise TrainingError(f"{path} cannot be read: {problem}") from None
    except pa.ArrowException:
        raise TrainingError(f"{path} is not a file of samples: it is no Parquet, or is torn or damaged") from None
    read_metadata(table, path)
    if not table.schema.equals(schema()):
        raise TrainingError(f"{path} is not a file of samples: its columns are others")
    _check(table, path)
    return table


def read_metadata(table: pa.Table, path: Path) -> SampleMetadata:
    """Return the metadata of a file; TrainingError if it has none, or another format."""
    entries = {name.decode(): value.decode() for name, value in (table.schema.metadata or {}).items()}
    form = entries.get(f"{_PREFIX}format")
    if form is None:
        raise TrainingError(f"{path} is not a file of samples: it has no metadata")
    if form != str(FORMAT):
        raise TrainingError(f"{path} is a file of samples of format {form}; this version reads format {FORMAT}")
    try:
        return SampleMetadata(
            entries[f"{_PREFIX}network"], int(entries[f"{_PREFIX}nodes"]), int(entries[f"{_PREFIX}seed"])
        )
    except (KeyError, ValueError):
        raise TrainingError(f"{path} is not a file of samples: its metadata makes no sense") from None


def _check(table: pa.Table, path: Path) -> None:
    """Check that values are in range: a network would learn from any numbers."""
    compute: Any = import_optional("pyarrow.compute")
    for name in ("score", "result"):
        span = compute.min_max(table[name]).as_py()
        if table.num_rows and not (span["min"] >= 0.0 and span["max"] <= 1.0 and _all_finite(compute, table[name])):
            raise TrainingError(f"{path} is damaged: a {name} in it is not between 0 and 1")
    lengths = [compute.list_value_length(table[name]) for name in ("moves", "visits")]
    if not lengths[0].equals(lengths[1]):
        raise TrainingError(f"{path} is damaged: it does not have as many visits as moves")
    if any(table[name].null_count for name in _COLUMNS):
        raise TrainingError(f"{path} is damaged: there are gaps in it")


def _all_finite(compute: Any, column: Any) -> bool:
    return bool(compute.all(compute.is_finite(column)).as_py())


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, synced before it gets its name; TrainingError if that fails."""
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
            raise TrainingError(f"{path} cannot be written: {error.strerror}") from None
        raise


def result_for(winner: int | None, colour: int) -> float:
    """Return the result of a game for a colour: 1, 0.5 or 0.

    >>> result_for(None, 0), result_for(1, 1), result_for(1, 0)
    (0.5, 1.0, 0.0)
    """
    return 0.5 if winner is None else float(winner == colour)
