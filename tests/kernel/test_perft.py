"""The kernel counts what the library counted: the shared perft files, with and without hashing."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from punct import PunctError, kernel

FOLDER = Path(__file__).resolve().parents[1] / "perft"


def entries() -> Iterator[tuple[str, int, int]]:
    for path in sorted(FOLDER.glob("*.perft*")):
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for line in content.decode().splitlines():
            if line.strip() and not line.startswith("#"):
                position, depth, count = line.rsplit(";", 2)
                yield position, int(depth), int(count)


ENTRIES = list(entries())


def test_there_are_files_for_both_games() -> None:
    assert {position.split()[0] for position, _, _ in ENTRIES} == {"basic", "standard"}


@pytest.mark.parametrize(("position", "depth", "count"), ENTRIES)
def test_perft(position: str, depth: int, count: int) -> None:
    fast = kernel.Position(position)
    assert fast.perft(depth) == count
    assert fast.perft(depth, hashed=True) == count
    assert str(fast) == position


def test_depth_zero_is_one() -> None:
    assert kernel.Position().perft(0) == 1


def test_a_decided_position_has_no_continuations() -> None:
    position = kernel.Position("standard b wEh1n wEh4n wEh7n wEh10n wCh14n wTi16ne")
    assert position.result() == "1-0"
    assert position.perft(1) == position.perft(2) == 0


@pytest.mark.parametrize("depth", [-1, 65, 10**9])
def test_a_depth_out_of_range_is_an_error(depth: int) -> None:
    with pytest.raises(PunctError, match="depth"):
        kernel.Position().perft(depth)
