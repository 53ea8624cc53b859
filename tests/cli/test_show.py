"""``punct show``: drawings and pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from tests.cli.running import WON_GAME, run

from punct import Position, picture
from punct.picture.terminal import draw


def test_show_draws_the_position_and_says_how_it_stands() -> None:
    result = run("show", "standard b wEd5ne")
    assert result.exit_code == 0
    assert draw(Position("standard b wEd5ne")) in result.stdout
    assert "Black to move, standard game" in result.stdout


def test_show_without_a_position_is_the_start() -> None:
    assert run("show").stdout == run("show", "standard", "w").stdout


def test_show_reads_standard_input() -> None:
    assert run("show", "-", stdin=" basic b wEd5ne\n").stdout == run("show", "basic b wEd5ne").stdout


def test_show_in_ascii_is_ascii() -> None:
    assert run("show", "standard b wEd5ne", "--ascii").stdout.isascii()


def test_show_names() -> None:
    assert " i9 " in run("show", "--names").stdout


def test_show_marks_the_chain_of_a_won_game(record: Path) -> None:
    result = run("show", "--file", record)
    assert "White wins (connection)" in result.stdout
    assert result.stdout.count("›") == 17


def test_show_marks_the_last_turn_of_a_record(record: Path) -> None:
    assert run("show", "--file", record, "--ply", "2").stdout.count("›") == 3


def test_show_marks_what_it_is_told(record: Path) -> None:
    assert run("show", "standard b wEd5ne", "--last", "Ed5ne", "--highlight", "a5").stdout.count("›") == 4


def test_svg_is_the_librarys_picture(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    result = run("show", "standard b wEd5ne", "--output", path)
    assert (result.exit_code, result.output) == (0, "")
    assert path.read_text(encoding="utf-8") == picture.svg(Position("standard b wEd5ne"))
    assert [other.name for other in tmp_path.iterdir()] == ["board.svg"]


def test_svg_options_reach_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    options = ["--theme", "dark", "--size", "300", "--last", "Ed5ne", "--highlight", "a5", "--arrow", "d5-h9"]
    assert run("show", "standard b wEd5ne", "-o", path, *options, "--no-coordinates", "--flipped").exit_code == 0
    expected = picture.svg(
        Position("standard b wEd5ne"),
        theme="dark",
        size=300,
        last_move="Ed5ne",
        highlights=["a5"],
        arrows=[("d5", "h9")],
        coordinates=False,
        flipped=True,
    )
    assert path.read_text(encoding="utf-8") == expected
    assert ElementTree.fromstring(expected).tag.endswith("svg")


def test_png_is_a_png(tmp_path: Path, record: Path) -> None:
    path = tmp_path / "board.png"
    assert run("show", "--file", record, "-o", path, "--size", "120").exit_code == 0
    assert path.read_bytes().startswith(b"\x89PNG\r\n")


def test_a_picture_is_not_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    path.write_text("precious")
    result = run("show", "-o", path)
    assert result.exit_code == 2
    assert "give --force" in result.stderr
    assert path.read_text() == "precious"
    assert run("show", "-o", path, "--force").exit_code == 0
    assert path.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "board.gif"], "ends in .svg or .png"),
        (["-o", "no-such-directory/board.svg"], "no-such-directory/board.svg: No such file or directory"),
        (["--highlight", "a1"], "a1 is not one of the board's 211 spaces"),
        (["--arrow", "d5h9"], "'d5h9' is not an arrow"),
        (["--last", "Ed5ne"], "there is no PÜNCT on d5"),
        (["--size", "5"], "--size"),
        (["--theme", "pink"], "--theme"),
    ],
)
def test_bad_options_are_told(words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("show", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_game_as_a_picture_that_moves(record: Path, tmp_path: Path) -> None:
    from PIL import Image

    for name, options, frames in (
        ("whole.gif", ("-f", record), len(WON_GAME) + 1),
        ("part.webp", ("-f", record, "--from", "3", "--to", "5", "--theme", "dark"), 3),
        ("turns.gif", ("basic", "w", "--turns", "Ed5ne Tl10n", "--delay", "0.5", "--end-delay", "1"), 3),
    ):
        told = run("show", "--animate", *options, "-o", tmp_path / name, "--size", "64")
        assert (told.exit_code, told.output) == (0, ""), told.output
        with Image.open(tmp_path / name) as image:
            assert getattr(image, "n_frames", 1) == frames


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--animate", "--turns", "Ed5ne"), "say which with --output"),
        (("--animate", "--turns", "Ed5ne", "-o", "x.png"), "ends in .gif or .webp"),
        (("--animate", "-o", "x.gif"), "--file, or moves with --turns"),
        (("--animate", "--turns", "Ed5ne Ed5ne", "-o", "x.gif"), "Ed5ne"),
        (("--animate", "--turns", "Ed5ne", "--to", "2", "-o", "x.gif"), "plies 0 to 2"),
        (("--animate", "--turns", "Ed5ne", "--delay", "0", "-o", "x.gif"), "a delay is"),
        (("--turns", "Ed5ne"), "are for --animate"),
    ],
)
def test_what_cannot_move_is_refused(words: tuple[str, ...], complaint: str) -> None:
    told = run("show", *words)
    assert told.exit_code == 2 and complaint in " ".join(told.output.split())
    assert not Path("x.gif").exists()
