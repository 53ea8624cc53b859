"""The commands that need the engine: play against it, hints, analyse, match, ugi."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.running import WON_GAME, play, run

from punct import records

LADDER = Path(__file__).parents[2] / "bench" / "ladder"
RANDOM = f"{sys.executable} {LADDER} random @ name=dice"


# ---------------------------------------------------------------------- play


def test_the_engine_answers_every_turn(tmp_path: Path) -> None:
    path = tmp_path / "game.punct"
    printed = play("Ed5ne", f"save {path}", "quit", options=("--against", "2", "--no-board", "--seed", "5"))
    assert re.search(r"punct level 2 plays \S+\.", printed)
    (game,) = records.load(path)
    assert len(game.moves) == 2
    assert game.tags["Black"] == "punct level 2"


def test_the_engine_begins_when_it_is_white() -> None:
    printed = play("quit", "", options=("--against", "1", "--colour", "black", "--no-board", "--seed", "1"))
    assert printed.index("punct level 1 plays") < printed.index("Black>")


def test_undo_takes_back_the_answer_and_the_turn() -> None:
    printed = play("Ed5ne", "undo", "position", "quit", options=("--against", "1", "--no-board", "--seed", "1"))
    assert printed.count("Taken back") == 2
    assert "standard w\n" in printed


def test_no_such_level() -> None:
    result = run("play", "--against", "9")
    assert result.exit_code == 2
    assert "levels go from 1 to 8" in result.output


def test_a_hint_is_a_legal_turn() -> None:
    printed = play("hint", "quit")
    found = re.search(r"Try (\S+) \(\d+ %\)", printed)
    assert found
    play(found[1], "quit", "")


def test_no_hint_after_the_end() -> None:
    assert "over already" in play(*WON_GAME, "hint", "quit", "")


# ---------------------------------------------------------------------- analyse


def test_a_game_is_annotated(record: Path, tmp_path: Path) -> None:
    text, sgf, svg, png = (tmp_path / f"notes.{suffix}" for suffix in ("punct", "sgf", "svg", "png"))
    result = run("analyse", record, "--nodes", "30", "-o", text, "-o", sgf, "-p", svg, "-p", png)
    assert result.exit_code == 0, result.output
    assert "Anna:" in result.output and "Ben:" in result.output
    for path in (text, sgf):
        (game,) = records.load(path)
        line = game.main_line()
        assert [str(node.move) for node in line] == list(WON_GAME)
        assert all("%" in node.comment or "wins in" in node.comment for node in line)
        assert "a long edge" in line[-1].comment
    assert ElementTree.fromstring(svg.read_text()).tag.endswith("svg")
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("option, name", [("-o", "notes.doc"), ("-p", "curve.gif")])
def test_files_nobody_can_write_are_refused_before_thinking(
    record: Path, tmp_path: Path, option: str, name: str
) -> None:
    result = run("analyse", record, option, tmp_path / name)
    assert result.exit_code == 2
    assert "ends in" in result.output


def test_existing_files_are_kept(record: Path) -> None:
    before = record.read_bytes()
    result = run("analyse", record, "-o", record, "--nodes", "5")
    assert result.exit_code == 2
    assert "--force" in result.output
    assert record.read_bytes() == before


def test_analyse_refuses_what_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "broken.punct"
    path.write_text("1. Ed5ne Ed5ne *\n")
    assert run("analyse", path).exit_code == 2
    assert run("analyse", tmp_path / "none.punct").exit_code == 2
    assert run("analyse", path, "--nodes", "0").exit_code == 2


# ---------------------------------------------------------------------- match and ugi


def test_a_match_is_played_and_goes_on(tmp_path: Path) -> None:
    words = ("match", "1", RANDOM, "--pairs", "1", "-f", tmp_path / "m.jsonl", "--records", tmp_path / "m.punct")
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "2 of 2 games" in result.output
    assert "level 1" in result.output and "dice" in result.output
    assert len(records.load(tmp_path / "m.punct")) == 2
    again = run(*words)
    assert "2 of 2 games" in again.output


def test_a_rejected_test_is_an_answer_of_no() -> None:
    random = f"{sys.executable} {LADDER} random"
    greedy = f"{sys.executable} {LADDER} greedy"
    result = run("match", random, greedy, "-n", "50", "--sprt", "0,200", "--alpha", "0.3", "--beta", "0.3")
    assert result.exit_code == 1
    assert "rejected" in result.output


@pytest.mark.parametrize(
    "words",
    [
        ("9", "1"),
        ("1", "no-such-program-anywhere"),
        ("1", "2", "--sprt", "5"),
        ("1", "2", "--sprt", "5,0"),
        ("1", "2", "--tc", "soon"),
        ("1", "2", "--pairs", "0"),
    ],
)
def test_senseless_matches_are_refused(words: tuple[str, ...]) -> None:
    result = run("match", *words)
    assert result.exit_code == 2
    assert "punct:" in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_ugi_speaks() -> None:
    result = run("ugi", stdin="ugi\nposition startpos\ngo nodes 5\n")
    assert result.exit_code == 0
    assert "ugiok" in result.output
    assert "bestmove " in result.output
