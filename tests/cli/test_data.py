"""Answers for programs: ``--json``, and many positions through one process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import WON_GAME, run
from tests.subprocesses import running_program

from punct import Position
from punct.perft import perft

LATE = "basic b wEh1n wEh4n wEh7n bEm9n"
POSITIONS = ["standard w", "basic b wEd5ne", LATE, "basic"]


def data(*words: str | Path, code: int = 0, stdin: str = "") -> Any:
    """Return the one line of JSON a command prints."""
    result = run(*words, "--json", stdin=stdin)
    assert result.exit_code == code, result.output
    (line,) = result.stdout.splitlines()
    return json.loads(line)


def lines(*words: str, stdin: list[str], code: int = 0) -> list[str]:
    """Return the lines a stream is answered with."""
    result = run(*words, stdin="".join(f"{line}\n" for line in stdin))
    assert result.exit_code == code, result.output
    return result.stdout.splitlines()


def test_explain() -> None:
    assert data("explain", "Ed5ne") == {"turn": "Ed5ne", "legal": True}
    told = data("explain", "standard", "b", "wEd5ne", "Td5n", code=1)
    assert (told["turn"], told["legal"], told["reason"], told["section"]) == ("Td5n", False, "SPACE_TAKEN", "E1.3")
    assert told["words"][1] == "wEd5ne is on d5 and e6."


def test_explain_a_stream() -> None:
    asked = ["standard b wEd5ne Td5n", "Ed5ne", "basic Th9n", "", "nonsense", "standard b wEd5ne Td5n"]
    told = lines("explain", "-", stdin=asked, code=2)
    assert len(told) == 5
    assert told[0].startswith("Td5n is not legal. A new piece starts at board level")
    assert told[1] == "Ed5ne is legal."
    assert told[3].startswith("error: 'nonsense'")
    assert told[4] == told[0]
    as_data = [json.loads(line) for line in lines("explain", "-", "--json", stdin=asked, code=2)]
    assert [line.get("legal") for line in as_data] == [False, True, False, None, False]
    assert "nonsense" in as_data[3]["error"]
    assert lines("explain", "-", "Ed5ne", stdin=["standard w", "standard b wEd5ne"], code=1)[0] == "Ed5ne is legal."


def test_legal() -> None:
    expected = [
        [str(move) for move in Position(text if " " in text else f"{text} w").legal_moves] for text in POSITIONS
    ]
    assert [line.split() for line in lines("legal", "-", stdin=POSITIONS)] == expected
    assert [json.loads(line) for line in lines("legal", "-", "--json", stdin=POSITIONS)] == expected
    assert lines("legal", "-", "--count", stdin=POSITIONS) == [str(len(moves)) for moves in expected]
    assert data("legal", LATE) == expected[2]
    over = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"
    assert lines("legal", "-", stdin=[over, over]) == ["", ""]


def test_perft() -> None:
    expected = perft(Position(LATE), 1)
    assert data("perft", LATE, "-d", "1") == {"position": LATE, "depth": 1, "count": expected}
    divided = data("perft", LATE, "-d", "1", "--divide")
    assert divided["count"] == len(divided["divide"]) == expected
    assert lines("perft", "-", "-d", "1", stdin=[LATE, "basic"]) == [str(expected), "4986"]


def test_show() -> None:
    told = data("show", "standard b wEd5ne")
    assert told["position"] == "standard b wEd5ne"
    assert (told["rules"], told["turn"], told["result"], told["ending"]) == ("standard", "black", "*", None)
    assert told["pieces"] == [
        {"text": "wEd5ne", "colour": "white", "kind": "E", "heading": "ne", "level": 1, "spaces": ["d5", "e6", "f7"]}
    ]
    assert told["sets"]["white"]["E"] == 3
    assert [json.loads(line)["turn"] for line in lines("show", "-", "--json", stdin=POSITIONS)] == [
        "white", "black", "black", "white"
    ]  # fmt: skip
    assert run("show", "-", "-o", "x.svg").exit_code == 2


def test_check(record: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.punct"
    broken.write_text("1. nonsense *")
    result = run("check", record, broken, tmp_path / "none", "--json")
    assert result.exit_code == 2
    good, bad, none = (json.loads(line) for line in result.stdout.splitlines())
    assert good == {"file": str(record), "valid": True, "games": 1, "turns": len(WON_GAME)}
    assert bad["valid"] is False and "line 1" in bad["error"]
    assert none["error"] == "cannot be read: No such file or directory"


def test_analyse(record: Path) -> None:
    told = data("analyse", record, "--nodes", "30")
    assert [turn["turn"] for turn in told["turns"]] == list(WON_GAME)
    assert told["turns"][-1]["chance"] == 1.0
    assert all(turn["best"] for turn in told["turns"])


def test_each_line_is_answered_at_once() -> None:
    """So that a program can ask, read, and ask again."""
    command = [sys.executable, "-c", "from punct.cli import main; main()", "legal", "-", "-c"]
    with running_program(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None and process.stdout is not None
        for _ in range(3):
            process.stdin.write("basic w\n")
            assert process.stdout.readline() == "4986\n"
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("command", ["legal", "explain", "perft", "show"])
def test_a_mark_before_the_text_is_no_part_of_it(command: str) -> None:
    """Editors and shells put a byte order mark there."""
    words = [command, "-", *{"explain": ["Ed5ne"], "perft": ["-d", "1"]}.get(command, [])]
    plain, marked = (run(*words, stdin=mark + b"standard w\nbasic w\n") for mark in (b"", b"\xef\xbb\xbf"))
    assert (marked.exit_code, marked.output) == (plain.exit_code, plain.output)
    assert run("legal", "-", stdin=b"standard w\n\xef\xbb\xbfbasic w\n").exit_code == 2  # in the middle it is one
