"""Making a collection: it goes on from wherever it was stopped, and comes to the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.cli.running import run, shell
from tests.polling import POLL_SECONDS, wait_until
from tests.puzzles.test_file import ANYTHING

from punct import Game, records
from punct.puzzles import Puzzle, PuzzleError, Theme, load_puzzles, shipped
from punct.puzzles.games import self_play_games
from punct.puzzles.journal import Journal
from punct.puzzles.making import SHARES, CollectionMaker, Selection, sort_of
from punct.puzzles.mining import JobResult

NUMBERS: Final = (2, 4, 8)
"""Games of the engine's own that are searched quickly."""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a record of a few games."""
    path = tmp_path / "games.punct"
    played = []
    for number in NUMBERS:
        [game] = self_play_games(0, number)
        played.append(Game(game.start))
        for move in game.moves:
            played[-1].push(move)
    records.dump(played, path)
    return path


def test_a_making_goes_on_where_it_was_torn(tmp_path: Path, games: Path) -> None:
    file = tmp_path / "mine.puzzles"
    words = ("puzzles", "make", file, "--games", games, "--jobs", "1")
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "from 3 games" in result.output
    whole, journal = file.read_bytes(), tmp_path / "mine.puzzles.journal"
    assert load_puzzles(file)

    text = journal.read_bytes()
    journal.write_bytes(text[:-20])  # as if the machine had stopped while it was written
    file.unlink()
    assert run(*words).exit_code == 0
    assert file.read_bytes() == whole
    assert sorted(journal.read_bytes().splitlines()) == sorted(text.splitlines())

    refused = run(*words, "--seed", "1")
    assert refused.exit_code == 2
    assert "of another search, with another seed" in refused.output
    assert journal.read_bytes().splitlines()[0] == text.splitlines()[0]
    assert file.read_bytes() == whole


def test_killed_it_leaves_nobody_behind_and_goes_on(tmp_path: Path) -> None:
    file, journal = tmp_path / "mine.puzzles", tmp_path / "mine.puzzles.journal"
    words = ("puzzles", "make", str(file), "--count", "1000", "--jobs", "1")
    with subprocess.Popen(
        [sys.executable, "-c", "from punct.cli import main; main()", *words], stderr=subprocess.DEVNULL
    ) as making:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
            assert making.poll() is None
            time.sleep(POLL_SECONDS)
        workers = children_of(making.pid)
        making.kill()
    assert workers
    wait_until(lambda: all(is_zombie(worker) for worker in workers))
    assert not file.exists()
    searched = sum(json.loads(line)["games"] for line in journal.read_text().splitlines()[1:])
    result = shell(*words, "--seconds", "0")
    assert result.returncode == 0, result.stderr
    told = re.search(r"from ([\d,]+) games", result.stdout)
    assert told is not None and int(told[1].replace(",", "")) > searched
    load_puzzles(file)  # it is whole


def children_of(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(path.parent.name))
    return found


def is_zombie(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_interrupted_it_writes_what_there_is(tmp_path: Path) -> None:
    file, journal = tmp_path / "mine.puzzles", tmp_path / "mine.puzzles.journal"
    words = ("puzzles", "make", str(file), "--count", "1000", "--jobs", "1")
    with subprocess.Popen(
        [sys.executable, "-c", "from punct.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0,
    ) as making:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
            assert making.poll() is None
            time.sleep(POLL_SECONDS)
        os.killpg(making.pid, signal.SIGINT)  # as a terminal does
        out, errors = making.communicate()
    assert making.returncode == 130
    assert b"puzzles from" in out
    assert b"the same command resumes it" in errors and b"Traceback" not in errors
    assert isinstance(load_puzzles(file), tuple)


def test_a_file_that_was_not_made_here_is_not_replaced(tmp_path: Path, games: Path) -> None:
    file = tmp_path / "mine.puzzles"
    file.write_text("something else")
    result = run("puzzles", "make", file, "--games", games)
    assert result.exit_code == 2
    assert "give --force" in result.output
    assert file.read_text() == "something else"
    assert not (tmp_path / "mine.puzzles.journal").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a poem\n", "line 1: this is not a line of a journal"),
        ("a poem", "is not a journal of puzzles"),
        ('{"making": 2}\n', "with another making"),
        ("[]\n", "line 1"),
        ("[" * 200_000 + "\n", "line 1: this is not a line of a journal"),
    ],
)
def test_what_is_no_journal_is_left_alone(tmp_path: Path, content: str, words: str) -> None:
    journal = tmp_path / "mine.puzzles.journal"
    journal.write_text(content)
    with pytest.raises(PuzzleError, match=words):
        CollectionMaker(tmp_path / "mine.puzzles", 10)
    assert journal.read_text() == content


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(["job", "games", "found"]), ANYTHING, min_size=1))
@example({"job": [1]})
@example({"games": "3"})
def test_any_line_of_a_journal_is_read_or_refused_in_words(tmp_path: Path, changed: dict[str, Any]) -> None:
    path = tmp_path / "journal"
    path.unlink(missing_ok=True)
    Journal(path, {"seed": 0}).append(JobResult(7, list(shipped()[:2])))
    head, line = path.read_text().splitlines()
    path.write_text(f"{head}\n{json.dumps({**json.loads(line), **changed})}\n")
    try:
        (result,) = Journal(path, {"seed": 0}).results
    except PuzzleError as error:
        assert "line 2: this is not a line of a journal" in str(error)
    else:
        assert isinstance(result.number, int) and isinstance(result.games, int)


def test_a_journal_keeps_puzzles_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    Journal(path, {"seed": 0}).append(JobResult(7, list(shipped()[:5])))
    assert Journal(path, {"seed": 0}).results == [JobResult(7, list(shipped()[:5]))]
    lines = path.read_text().splitlines()
    path.write_text("\n".join((lines[0], json.dumps({"job": 8, "games": 1, "found": [{"id": "x"}]}), "")))
    with pytest.raises(PuzzleError, match="line 2"):
        Journal(path, {"seed": 0})


def test_nothing_to_search_is_said(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="nothing to search"):
        CollectionMaker(tmp_path / "mine.puzzles", 10, own=False)
    with pytest.raises(PuzzleError, match="none cannot be read"):
        CollectionMaker(tmp_path / "mine.puzzles", 10, games=[tmp_path / "none"])


# ---------------------------------------------------------------------- what is taken


def numbered(count: int, theme: Theme | None = None) -> list[Puzzle]:
    example = next(puzzle for puzzle in shipped() if sort_of(puzzle) == "win-2")
    return [replace(example, id=f"{number:06}", themes=(theme,) if theme else ()) for number in range(count)]


def test_the_order_in_which_games_are_searched_does_not_matter() -> None:
    found = [JobResult(number, [puzzle]) for number, puzzle in enumerate(numbered(20))]
    straight, turned = Selection(10), Selection(10)
    for result in found:
        straight.add(result)
    for result in reversed(found):
        turned.add(result)
        assert not turned.puzzles or result.number == 0
    assert list(straight.puzzles) == list(turned.puzzles) == [f"{number:06}" for number in range(4)]
    assert not straight.is_full  # a sort has its share, and no more


def test_no_puzzle_is_taken_twice() -> None:
    selection = Selection(100)
    selection.add(JobResult(0, numbered(3) * 2))
    selection.add(JobResult(1, numbered(3)))
    assert len(selection.puzzles) == 3


def test_every_puzzle_has_a_share() -> None:
    assert {sort_of(puzzle) for puzzle in shipped()} <= set(SHARES)
    assert sum(SHARES.values()) > 1
