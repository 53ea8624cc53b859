"""The replay store: what is written is read again, what is damaged or foreign is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punct.learn.errors import LearnError
from punct.learn.samples import About, Sample, about_of, read_samples, schema, write_samples
from punct.learn.selfplay import OwnGame
from punct.learn.store import Batch, Store

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

ABOUT = About("linear", 200, 7)


def sample(game: int, **changed: Any) -> Sample:
    usual = Sample("standard w wEd5ne", 0.625, 1.0, ["Tl10n", "Cb3ne"], [130, 1], 0, 3, game)
    return usual._replace(**changed)


def own_game(number: int) -> OwnGame:
    return OwnGame(number, "standard", 5, "1-0", [sample(number), sample(number, moves=[], visits=[], proven=-2)])


def test_samples_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    rows = [sample(1), sample(2, moves=[], visits=[], proven=3, result=0.5)]
    write_samples(path, rows, ABOUT)
    table = read_samples(path)
    assert [Sample(**row) for row in table.to_pylist()] == rows
    assert about_of(table, path) == ABOUT
    assert [file.name for file in tmp_path.iterdir()] == ["some.parquet"]
    write_samples(str(path), [], ABOUT)
    assert read_samples(str(path)).num_rows == 0


@pytest.mark.parametrize("kept", [0, 3, 100, -1, -9])
def test_a_torn_file_is_refused_by_name(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "torn.parquet"
    write_samples(path, [sample(1)] * 50, ABOUT)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(LearnError, match=r"torn\.parquet (cannot be read|is not a file of samples)"):
        read_samples(path)


def test_a_file_that_is_not_there_or_no_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LearnError, match="none cannot be read: No such file"):
        read_samples(tmp_path / "none")
    (tmp_path / "poem").write_text("a poem of some length, in several lines\n" * 9)
    with pytest.raises(LearnError, match="poem is not a file of samples"):
        read_samples(tmp_path / "poem")


def written(path: Path, table: Any, **told: str) -> Path:
    metadata = {f"punct.{name}": value for name, value in told.items()}
    parquet.write_table(table.replace_schema_metadata(metadata), path)
    return path


def test_a_foreign_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.parquet"
    good = pa.Table.from_pylist([sample(1)._asdict()], schema())
    ours = {"format": "1", "network": "linear", "nodes": "9", "seed": "0"}
    with pytest.raises(LearnError, match="says nothing of itself"):
        read_samples(written(path, good))
    with pytest.raises(LearnError, match="of format 2; this version reads format 1"):
        read_samples(written(path, good, **{**ours, "format": "2"}))
    with pytest.raises(LearnError, match="makes no sense"):
        read_samples(written(path, good, **{**ours, "nodes": "many"}))
    with pytest.raises(LearnError, match="its columns are others"):
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
    write_samples(path, [sample(1), sample(1, **changed)], ABOUT)
    with pytest.raises(LearnError, match=f"odd.parquet is damaged.*{words}"):
        read_samples(path)


# ---------------------------------------------------------------------- the store


def test_the_window_is_the_latest_games(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for first in range(0, 40, 8):
        batch = Batch(first, first + 8)
        store.add(batch, [own_game(number) for number in reversed(range(first, first + 8))], ABOUT)
    assert store.window(16, 40) == [Batch(24, 32), Batch(32, 40)]
    assert store.window(17, 40) == [Batch(16, 24), Batch(24, 32), Batch(32, 40)]
    assert store.window(10_000, 24) == [Batch(0, 8), Batch(8, 16), Batch(16, 24)]
    [table] = store.tables(store.window(1, 40))
    assert table["game"].to_pylist() == [number for number in range(32, 40) for _ in range(2)]
    (tmp_path / Batch(32, 40).name).write_bytes(b"PAR1")
    with pytest.raises(LearnError, match="games-000000032-000000039"):
        list(store.tables(store.window(1, 40)))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(1, 9), st.integers(1, 9), st.data())
def test_what_is_missing_is_played_once(end: int, size: int, other: int, data: st.DataObject) -> None:
    """Whatever files are there, of whatever size: together with the missing ones every game is there once."""
    cut = [Batch(at, min(at + other, end)) for at in range(0, end, other)]
    there = data.draw(st.lists(st.sampled_from(cut), unique=True))

    class Known(Store):
        def batches(self) -> list[Batch]:
            return sorted(there)

    first = data.draw(st.integers(0, end - 1))
    missing = Known(Path()).missing(first, end, size)
    assert all(0 < batch.games <= size for batch in missing)
    played = [number for batch in missing for number in range(batch.first, batch.end)]
    known = {number for batch in there for number in range(batch.first, batch.end)}
    assert sorted(played) == [number for number in range(first, end) if number not in known]


def test_who_stops_while_a_file_is_written_leaves_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(file: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_samples(tmp_path / "some.parquet", [sample(1)], ABOUT)
    assert list(tmp_path.iterdir()) == []


def test_unknown_files_in_a_store_are_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (tmp_path / ".games-000000000-000000007.parquet.12.part").write_bytes(b"half")  # of somebody killed: never read
    assert store.batches() == []
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(LearnError, match=r"notes\.txt is not a file of samples"):
        store.batches()
    (tmp_path / "notes.txt").unlink()
    for batch in (Batch(0, 8), Batch(4, 12)):
        store.add(batch, [], ABOUT)
    with pytest.raises(LearnError, match="hold the same games"):
        store.batches()
