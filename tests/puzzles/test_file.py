"""Files of puzzles: written and read alike, small, and refused in a sentence where they are not whole."""

from __future__ import annotations

import gzip
import json
import math
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punct.puzzles import PuzzleError, read_puzzles, shipped, write_puzzles
from punct.puzzles.collection import SHIPPED
from punct.puzzles.file import load_puzzles

CONTENT: Final = SHIPPED.read_bytes()
MOST_BYTES: Final = 150_000
ANYTHING: Final = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**400), 10**400) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)


def packed(content: bytes) -> bytes:
    """Pack without the time of day: it would be part of a test's name, and another one for each worker."""
    return gzip.compress(content, mtime=0)


def made(changes: dict[str, Any], body: bytes | None = None) -> bytes:
    """Return the shipped file with another head, or another body."""
    head, _, own = gzip.decompress(CONTENT).partition(b"\n")
    return packed(json.dumps({**json.loads(head), **changes}).encode() + b"\n" + (own if body is None else body))


def test_what_is_written_is_read() -> None:
    puzzles = shipped()
    assert read_puzzles(write_puzzles(reversed(puzzles))) == puzzles
    assert gzip.decompress(write_puzzles(puzzles)) == gzip.decompress(CONTENT)
    assert read_puzzles(write_puzzles([])) == ()


@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_is_named_by_text_or_path(kind: type[Any], tmp_path: Path) -> None:
    assert load_puzzles(kind(SHIPPED)) == shipped()
    with pytest.raises(PuzzleError, match="missing cannot be read: No such file"):
        load_puzzles(kind(tmp_path / "missing"))


def test_the_shipped_file_is_small() -> None:
    assert len(CONTENT) <= MOST_BYTES


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a file of puzzles"),
        (b"<!doctype html>", "not a file of puzzles"),
        (CONTENT[: len(CONTENT) // 2], "not all of one"),
        (CONTENT[:-1], "not all of one"),
        (packed(b"{}\n"), "not a file of puzzles"),
        (packed(b"null\n"), "not a file of puzzles"),
        (packed(b"\xff\n"), "not a file of puzzles"),
        (made({"puzzles": 2}), "of format 2"),
        (made({"count": 1}), "damaged"),
        (made({"count": "many"}), "damaged"),
        (made({"count": -1}), "damaged"),
        (made({"count": math.inf}), "damaged"),
        (made({"count": 10**400}), "damaged"),
        (made({"count": float(len(shipped()))}), "damaged"),
        (made({"turns": None}), "damaged"),
        (packed(b"[" * 200_000 + b"\n"), "not a file of puzzles"),
        (made({"spaces": ["a2"]}), "damaged"),
        (made({}, gzip.decompress(CONTENT).partition(b"\n")[2][:-1]), "damaged"),
        (made({}, gzip.decompress(CONTENT).partition(b"\n")[2][:-1] + b"\xc8"), "damaged"),
    ],
)
def test_anything_else_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        read_puzzles(content)


@given(st.dictionaries(st.sampled_from(["puzzles", "count", "pieces", "turns", "kinds"]), ANYTHING, min_size=1))
def test_any_head_is_read_or_refused_in_words(changes: dict[str, Any]) -> None:
    with suppress(PuzzleError):
        read_puzzles(made(changes))


def test_every_damaged_byte_is_noticed_or_harmless() -> None:
    for at in range(0, len(CONTENT), len(CONTENT) // 60):
        damaged = bytearray(CONTENT)
        damaged[at] ^= 0x55
        with suppress(PuzzleError):
            assert read_puzzles(bytes(damaged)) == shipped()  # only the head of gzip has bytes that do not matter


def test_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "torn.puzzles").write_bytes(CONTENT[:100])
    with pytest.raises(PuzzleError, match=r"torn\.puzzles: this is not a file of puzzles"):
        load_puzzles(tmp_path / "torn.puzzles")
    with pytest.raises(PuzzleError, match=r"none\.puzzles cannot be read: No such file"):
        load_puzzles(tmp_path / "none.puzzles")


def test_what_no_file_holds_is_not_written() -> None:
    with pytest.raises(PuzzleError, match="has a rating or a number of moves that no file holds"):
        write_puzzles([replace(shipped()[0], rating=605)])
