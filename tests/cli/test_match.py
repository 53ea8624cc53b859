"""``punct match`` as a shell runs it: what is printed, what is kept, and that no player outlives it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.running import run, shell
from tests.polling import wait_until
from tests.subprocesses import running_program

from punct import records

ROOT = Path(__file__).parents[2]
RANDOM = f"{sys.executable} {ROOT / 'bench' / 'ladder'} random"
FAULTY = f"{sys.executable} {ROOT / 'tests' / 'match' / 'faulty.py'}"
SHORT = ("--pairs", "1", "--max-plies", "10")


@pytest.mark.skipif(os.name == "nt", reason="no signals there")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopping_a_match_ends_its_players(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    sign, kept = tmp_path / "pid", tmp_path / "match.jsonl"
    command = [sys.executable, "-c", "from punct.cli import main; main()", "match", RANDOM, f"{FAULTY} hang {sign}"]
    with running_program([*command, "-f", str(kept)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: sign.exists() and sign.read_text())
        process.send_signal(sent)
        out, errors = process.communicate()
    assert process.returncode == code
    assert errors.decode() == f"Stopped; the same command resumes it from {kept}.\n"
    assert b"0 of 100 games" in out
    assert len(kept.read_text().splitlines()) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(int(sign.read_text()), 0)


def test_the_standing_as_data(tmp_path: Path) -> None:
    found = shell("match", f"{RANDOM} @ name=one", f"{FAULTY} crash @ name=two", *SHORT, "--json")
    data = json.loads(found.stdout)
    assert found.returncode == 0
    assert data["players"] == ["one", "two"]
    assert (data["games"], data["of"], data["points"], data["won"], data["lost"]) == (2, 2, 2.0, 2, 0)
    assert data["faults"] == [{}, {"crash": 2}]
    assert "and then it broke" in data["last_fault"][1].replace("\ufffd ", "")
    assert data["elo"]["high"] is None
    assert data["seconds_per_turn"][0] <= data["longest_turn"][0]


def test_the_standing_for_people() -> None:
    out = shell("match", RANDOM, f"{FAULTY} crash", *SHORT).stdout
    assert "s/move" in out and "longest" in out
    assert "crashed 2" in out
    assert "Last fault: " in out and "its last error output: " in out
    out = shell("match", RANDOM, RANDOM, *SHORT).stdout
    assert "too early to say" in out


def test_records_are_not_overwritten(tmp_path: Path) -> None:
    kept = tmp_path / "games.punct"
    kept.write_text("1. Ed5ne *\n")
    words = ("match", RANDOM, RANDOM, *SHORT, "--records", kept)
    found = run(*words)
    assert found.exit_code == 2
    assert "give --force to replace it" in found.output
    assert kept.read_text() == "1. Ed5ne *\n"
    assert run(*words, "--force").exit_code == 0
    assert len(records.load(kept)) == 2


def test_players_options_are_checked() -> None:
    found = run("match", f"{RANDOM} @ Sneed=1", RANDOM, *SHORT)
    assert found.exit_code == 2
    assert "there is no option 'Sneed'; there are Seed" in found.output
    found = run("match", "3 @ Level=9", RANDOM, *SHORT)
    assert "Level is a number from 1 to 8, not '9'" in found.output
