"""The drawing of a position in a terminal."""

from __future__ import annotations

import pytest
from rich.console import Console

from punct import Colour, Position, Space
from punct.geometry import SPACES
from punct.picture.terminal import changed_spaces, describe_set, draw, legend, paint, status


def place(space: Space) -> tuple[int, int]:
    """Where a space's dot is drawn: on the second letter of its name in the drawing of names."""
    for number, line in enumerate(draw(Position(), names=True).split("\n")):
        at = f"{line} ".find(f" {space.name} ")
        if at >= 0:
            return at + 2, number
    raise AssertionError(f"{space} is not drawn")


def cell(drawing: str, name: str) -> str:
    """The three characters of a space."""
    x, y = place(Space(name))
    return drawing.split("\n")[y].ljust(80)[x - 1 : x + 2]


def test_fits_a_small_terminal() -> None:
    lines = draw(Position()).split("\n")
    assert len(lines) <= 33
    assert max(map(len, lines)) <= 80
    assert len(legend()) <= 80
    assert len(legend(ascii_only=True)) <= 80


def test_every_space_is_drawn_once() -> None:
    plain = draw(Position())
    assert plain.count("·") == len(SPACES) - 19
    assert plain.count("+") == 19


def test_names_are_the_spaces_own() -> None:
    words = draw(Position(), names=True).split()
    assert sorted(word for word in words if word in {space.name for space in SPACES}) == sorted(
        space.name for space in SPACES
    )


def test_dots_of_both_colours_differ_without_colour() -> None:
    drawing = draw(Position("standard w wEd5ne bTl10n"))
    assert cell(drawing, "d5")[1] == "◇"
    assert cell(drawing, "e6")[1] == cell(drawing, "f7")[1] == "○"
    assert cell(drawing, "l10")[1] == "◆"
    assert cell(drawing, "l11")[1] == cell(drawing, "m11")[1] == "●"
    assert cell(drawing, "d6")[1] == "·"
    assert cell(drawing, "i9")[1] == "+"


def test_ascii_is_ascii() -> None:
    drawing = draw(Position("standard w wEd5ne bTl10n wTb2n"), ascii_only=True, marked=[Space("d5")])
    assert drawing.isascii()
    assert legend(ascii_only=True).isascii()
    assert cell(drawing, "d5") == ">W-"
    assert cell(drawing, "e6")[1] == "w"
    assert cell(drawing, "l10")[1] == "B"
    assert cell(drawing, "l11")[1] == "b"


def test_levels_and_bridges_are_written() -> None:
    position = Position("standard w wTb5n wEd5n wEb5ne")
    assert [position.height(Space(name)) for name in ("b5", "c6", "d7")] == [2, 2, 2]
    drawing = draw(position)
    assert cell(drawing, "b5")[1:] == "◇2"
    assert cell(drawing, "c6")[1:] == "○2"
    assert "∩" not in drawing


def test_a_bridges_middle_is_marked() -> None:
    position = Position("standard w wEb5n wEd7n wEb5ne")
    drawing = draw(position)
    assert cell(drawing, "c6") == "∩○2"
    assert cell(drawing, "b5")[1:] == "◇2"


def test_two_digit_levels_fit() -> None:
    text = "standard w" + " wTd5n" * 6 + " bTd5n" * 6
    drawing = draw(Position(text))
    assert cell(drawing, "d5") == "◆12"


@pytest.mark.parametrize(
    ("piece", "joints"),
    [("wEi9n", "││"), ("wCi9ne", "╭╯╭╯"), ("wTi9n", "│╮├╯"), ("wMi9n", "│╮╰"), ("wLi9ne", "╭╯│"), ("wRi9ne", "╭╯╮╰")],
)
def test_bodies_are_joined(piece: str, joints: str) -> None:
    plain = draw(Position(f"standard w {piece}"))
    assert sorted(character for character in plain if character in "│╭╮╰╯├┤") == sorted(joints)


def test_covered_dots_are_not_joined() -> None:
    plain = draw(Position("standard w wEd5n wTe6n bTd6ne"))
    assert sorted(character for character in plain if character in "│╭╮╰╯├┤") == sorted("┤╭╰│")


def test_marks_show_with_and_without_colour() -> None:
    position = Position("standard b wEd5ne")
    marked = [Space("d5"), Space("a5")]
    assert cell(draw(position, marked=marked), "d5").startswith("›")
    assert cell(draw(position, marked=marked), "a5").startswith("›")
    painted = paint(position, marked=marked)
    assert painted.spans != paint(position).spans


def test_painted_bodies_have_grounds() -> None:
    console = Console(force_terminal=True, color_system="truecolor", width=100, legacy_windows=False)
    with console.capture() as capture:
        console.print(paint(Position("standard b wEd5ne")))
    assert "48;2;246;240;226" in capture.get()


def test_status_tells_what_a_player_needs() -> None:
    lines = status(Position("basic b wEd5ne"))
    assert lines[0] == "Black to move, basic game"
    assert lines[1] == "White's set: T 6, C 2, E 3, M 2, L 2, R 2 (17 pieces)"
    assert lines[3] == "Central hexagon: White shows 0, Black shows 0"


def test_sets_leave_out_what_is_used_up() -> None:
    position = Position("standard w" + " wTd5n" * 6)
    assert describe_set(position, Colour.WHITE) == "C 2, E 4, M 2, L 2, R 2 (12 pieces)"
    flat = " ".join(["wTd5n"] * 6 + ["wEh3ne"] * 4 + ["wCi12n"] * 2 + ["wMl6n"] * 2 + ["wLp11n"] * 2 + ["wRb2n"] * 2)
    assert describe_set(Position(f"standard b {flat}"), Colour.WHITE) == "empty"


def test_changed_spaces_are_old_and_new_ones() -> None:
    before = Position("standard w wEd5ne")
    after = before.copy()
    after.push("d5-d5n")
    assert {space.name for space in changed_spaces(before, after)} == {"d5", "e6", "f7", "d6", "d7"}
