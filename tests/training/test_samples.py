"""The replay buffer: what is written is read again, what is damaged or foreign is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punct.training.errors import TrainingError
from punct.training.replay_buffer import ReplayBuffer, Shard
from punct.training.samples import Sample, SampleMetadata, read_metadata, read_samples, schema, write_samples
from punct.training.selfplay import SelfPlayGame

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

METADATA = SampleMetadata("linear", 200, 7)


def sample(game: int, **changed: Any) -> Sample:
    usual = Sample("standard w wEd5ne", 0.625, 1.0, ["Tl10n", "Cb3ne"], [130, 1], 0, 3, game)
    return usual._replace(**changed)


def self_play_game(number: int) -> SelfPlayGame:
    return SelfPlayGame(number, "standard", 5, "1-0", [sample(number), sample(number, moves=[], visits=[], proven=-2)])


def test_samples_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    rows = [sample(1), sample(2, moves=[], visits=[], proven=3, result=0.5)]
    write_samples(path, rows, METADATA)
    table = read_samples(path)
    assert [Sample(**row) for row in table.to_pylist()] == rows
    assert read_metadata(table, path) == METADATA
    assert [file.name for file in tmp_path.iterdir()] == ["some.parquet"]
    write_samples(str(path), [], METADATA)
    assert read_samples(str(path)).num_rows == 0


@pytest.mark.parametrize("kept", [0, 3, 100, -1, -9])
def test_a_torn_file_is_refused_by_name(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "torn.parquet"
    write_samples(path, [sample(1)] * 50, METADATA)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(TrainingError, match=r"torn\.parquet (cannot be read|is not a file of samples)"):
        read_samples(path)


def test_a_file_that_is_not_there_or_no_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="none cannot be read: No such file"):
        read_samples(tmp_path / "none")
    (tmp_path / "poem").write_text("a poem of some length, in several lines\n" * 9)
    with pytest.raises(TrainingError, match="poem is not a file of samples"):
        read_samples(tmp_path / "poem")


def written(path: Path, table: Any, **entries: str) -> Path:
    metadata = {f"punct.{name}": value for name, value in entries.items()}
    parquet.write_table(table.replace_schema_metadata(metadata), path)
    return path


def test_a_foreign_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.parquet"
    good = pa.Table.from_pylist([sample(1)._asdict()], schema())
    ours = {"format": "1", "network": "linear", "nodes": "9", "seed": "0"}
    with pytest.raises(TrainingError, match="has no metadata"):
        read_samples(written(path, good))
    with pytest.raises(TrainingError, match="of format 2; this version reads format 1"):
        read_samples(written(path, good, **{**ours, "format": "2"}))
    with pytest.raises(TrainingError, match="makes no sense"):
        read_samples(written(path, good, **{**ours, "nodes": "many"}))
    with pytest.raises(TrainingError, match="its columns are others"):
        read_samples(written(path, good.drop_columns(["ply"]), **ours))
    assert read_samples(written(path, good, **ours)).num_rows == 1


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"score": 1.5}, "a score in it is not between 0 and 1"),
        ({"score": float("nan")}, "a score in it"),
        ({"result": -1.0}, "a result in it"),
        ({"visits": [1]}, "as many visits as moves"),
    ],
)
def test_numbers_without_sense_are_refused(tmp_path: Path, changed: dict[str, Any], words: str) -> None:
    path = tmp_path / "odd.parquet"
    write_samples(path, [sample(1), sample(1, **changed)], METADATA)
    with pytest.raises(TrainingError, match=f"odd.parquet is damaged.*{words}"):
        read_samples(path)


# ---------------------------------------------------------------------- the replay buffer


def test_the_window_is_the_latest_games(tmp_path: Path) -> None:
    buffer = ReplayBuffer(tmp_path)
    for first in range(0, 40, 8):
        shard = Shard(first, first + 8)
        buffer.add(shard, [self_play_game(number) for number in reversed(range(first, first + 8))], METADATA)
    assert buffer.window(16, 40) == [Shard(24, 32), Shard(32, 40)]
    assert buffer.window(17, 40) == [Shard(16, 24), Shard(24, 32), Shard(32, 40)]
    assert buffer.window(10_000, 24) == [Shard(0, 8), Shard(8, 16), Shard(16, 24)]
    [table] = buffer.tables(buffer.window(1, 40))
    assert table["game"].to_pylist() == [number for number in range(32, 40) for _ in range(2)]
    (tmp_path / Shard(32, 40).name).write_bytes(b"PAR1")
    with pytest.raises(TrainingError, match="games-000000032-000000039"):
        list(buffer.tables(buffer.window(1, 40)))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(1, 9), st.integers(1, 9), st.data())
def test_what_is_missing_is_played_once(end: int, size: int, other: int, data: st.DataObject) -> None:
    """Whatever files are there, of whatever size: together with the missing ones every game is there once."""
    cut = [Shard(at, min(at + other, end)) for at in range(0, end, other)]
    there = data.draw(st.lists(st.sampled_from(cut), unique=True))

    class Known(ReplayBuffer):
        def shards(self) -> list[Shard]:
            return sorted(there)

    first = data.draw(st.integers(0, end - 1))
    missing = Known(Path()).missing(first, end, size)
    assert all(0 < shard.games <= size for shard in missing)
    played = [number for shard in missing for number in range(shard.first, shard.end)]
    known = {number for shard in there for number in range(shard.first, shard.end)}
    assert sorted(played) == [number for number in range(first, end) if number not in known]


def test_who_stops_while_a_file_is_written_leaves_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(file: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_samples(tmp_path / "some.parquet", [sample(1)], METADATA)
    assert list(tmp_path.iterdir()) == []


def test_unknown_files_in_a_store_are_named(tmp_path: Path) -> None:
    buffer = ReplayBuffer(tmp_path)
    (tmp_path / ".games-000000000-000000007.parquet.12.part").write_bytes(b"half")  # of somebody killed: never read
    assert buffer.shards() == []
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(TrainingError, match=r"notes\.txt is not a file of samples"):
        buffer.shards()
    (tmp_path / "notes.txt").unlink()
    for shard in (Shard(0, 8), Shard(4, 12)):
        buffer.add(shard, [], METADATA)
    with pytest.raises(TrainingError, match="hold the same games"):
        buffer.shards()
