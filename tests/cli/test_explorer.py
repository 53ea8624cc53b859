"""``punct explorer``: archives taken in, once each."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.running import run
from tests.polling import POLL_SECONDS
from tests.subprocesses import running_program

from punct import Game, records
from punct.server.openings.book import read_book

SGF = Path(__file__).parents[1] / "vectors" / "sgf"


def game(number: int, **tags: str) -> Game:
    """Return a game that somebody gave up."""
    made = Game(tags={"White": f"Anna {number}", "Black": "Ben", **tags})
    for turn in ("Ed5ne", "Tl10n", "Eg3n"):
        made.push(turn)
    made.resign(made.position.turn)
    return made


def test_an_archive_is_taken_in_once_in_whatever_form(tmp_path: Path) -> None:
    text, sgf, data = tmp_path / "games.punct", tmp_path / "games.sgf", tmp_path / "data"
    games = [game(number, Date="2026-01-02") for number in range(5)]
    records.dump(games, text)
    records.dump(games, sgf)
    told = run("explorer", "import", text, "--data", data)
    assert (told.exit_code, told.stdout) == (0, "5 new games\n")
    told = run("explorer", "import", text, sgf, "--data", data)
    assert (told.exit_code, told.stdout) == (0, "0 new games, 10 known already\n")
    told = run("explorer", "status", "--data", data)
    assert "archives\t5 games\t3 moves in positions" in told.stdout and "book\t" in told.stdout
    told = run("explorer", "forget", "--yes", "--data", data)
    assert told.stdout == "5 games are deleted\n"
    assert run("explorer", "import", sgf, "--data", data).stdout == "5 new games\n"


def test_games_of_boardspace_are_known_again(tmp_path: Path) -> None:
    """Each is there twice, as the site keeps it and as its players save it."""
    files = sorted(SGF.glob("*.sgf"))
    told = run("explorer", "import", *files, "--data", tmp_path)
    assert told.exit_code == 0, told.output
    new, known = (int(words.split()[0]) for words in told.stdout.split(",")[:2])
    assert new + known == len(files) and known >= len(files) / 2


def test_bad_games_are_named_and_passed_over(tmp_path: Path) -> None:
    bad, absent = tmp_path / "bad.punct", tmp_path / "absent.sgf"
    sound = records.dumps([game(1)])
    bad.write_text(f'{sound}\n[White "X"]\n\nEd5ne Ed5ne 1-0\n\n{records.dumps([game(2)])}\n[White "Y"]\n\nEd5ne *\n')
    told = run("explorer", "import", bad, "--data", tmp_path)
    assert (told.exit_code, told.stdout) == (1, "2 new games, 1 not over\n")
    (line,) = told.stderr.splitlines()
    assert line.startswith(f"punct: {bad}: game 2, line ") and "Ed5ne" in line
    told = run("explorer", "import", absent, bad, "--data", tmp_path)
    assert (told.exit_code, told.stdout) == (2, "0 new games, 2 known already, 1 not over\n")
    assert f"{absent}: cannot be read" in told.stderr
    binary = tmp_path / "picture.punct"
    binary.write_bytes(b"\x89PNG\0\0\0")
    assert run("explorer", "import", binary, "--data", tmp_path).exit_code == 1


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    told = run("explorer", "status", "--data", file)
    assert told.exit_code == 2 and "cannot write to the data folder" in told.stderr


def test_stopped_in_the_middle_nothing_is_half_counted(tmp_path: Path) -> None:
    """What was stored before is whole, and beginning again counts the rest, each game once."""
    text, data = tmp_path / "games.punct", tmp_path / "data"
    records.dump([game(number) for number in range(50)], text)
    code = "from punct.cli import main; main()"
    command = [sys.executable, "-c", code, "explorer", "import", str(text), "-", "--data", str(data)]
    with running_program(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(records.dumps([game(99)]).encode())
        process.stdin.flush()
        while not (data / "punct.sqlite3").exists() or (data / "punct.sqlite3").stat().st_size < 4096:
            assert process.poll() is None
            time.sleep(POLL_SECONDS)
        os.kill(process.pid, signal.SIGINT)
        out, errors = process.communicate()
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    told = run("explorer", "import", text, "--data", data)
    assert told.exit_code == 0
    assert "50 games\t" in run("explorer", "status", "--data", data).stdout, out


def test_a_book_is_made_and_made_alike_again(tmp_path: Path) -> None:
    one, two = tmp_path / "one.xz", tmp_path / "two.xz"
    options = ("--games", "4", "--level", "4", "--nodes", "2", "--seed", "7")
    for file in (one, two):
        assert run("explorer", "book", file, *options).stdout == f"4 games in {file}\n"
    assert one.read_bytes() == two.read_bytes()
    games = read_book(one.read_bytes())
    assert [found.start for found in games] == ["standard w"] * 3 + ["basic w"]
    again = run("explorer", "book", one, *options)
    assert again.exit_code == 2 and "exists already" in again.stderr
