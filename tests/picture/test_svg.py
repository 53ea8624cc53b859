"""What a picture shows is what the position has."""

from __future__ import annotations

from xml.etree import ElementTree as Tree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import random_play
from tests.picture.reading import having, read, strokes, values

from punct import SPACES, Colour, Kind, Position, Space, picture
from punct.picture.glyphs import GLYPHS

STACKS = (
    "standard w wTc2n wCc6se bEe3sw wRe4ne wEe6ne bMe8se bTg4sw bRh4n bTh6n wEh9ne bLi8ne bCj3se wMk7se wTk9n bCk12n "
    "bEl9sw wCm5ne bEm13s wEp9sw wMp10sw bRp12sw wEc3s bTd7s bMf8s bEh5nw wLj11ne wLk7nw bLo11s wRi6sw"
)


def showing(position: Position) -> dict[str, int]:
    return {space.name: position.height(space) for space in SPACES if position.top(space)}


def digits(root: Tree.Element) -> dict[str, int]:
    """The digits as drawn, stroke by stroke, by space."""
    found = {}
    for dot in having(root, "data-dot"):
        for digit in having(dot, "data-digit"):
            wanted = [GLYPHS[character].strokes for character in digit.attrib["data-digit"]]
            assert strokes(digit) == wanted
            found[dot.attrib["data-dot"]] = int(digit.attrib["data-digit"])
    return found


def check(position: Position, image: str) -> None:
    root = read(image)
    shown = showing(position)
    assert sorted(values(root, "data-dot")) == sorted(shown)
    assert digits(root) == {space: height for space, height in shown.items() if height > 1}
    for dot in having(root, "data-dot"):
        piece = position.top(Space(dot.attrib["data-dot"]))
        assert piece is not None
        assert dot.attrib["data-colour"] == piece.colour.letter
        assert ("data-punct" in dot.attrib) == (piece.space.name == dot.attrib["data-dot"])
        hangs = piece.middle is not None and piece.middle.name == dot.attrib["data-dot"] and position.is_bridge(piece)
        assert bool(having(dot, "data-bridge")) == hangs
    assert values(root, "data-piece") == [str(piece) for piece in position.pieces], "each piece once, by level"
    assert values(root, "data-level") == [str(piece.level) for piece in position.pieces]
    ids = values(root, "id")
    assert len(ids) == len(set(ids))
    for element in root.iter():
        for value in element.attrib.values():
            if value.startswith("url("):
                assert value[5:-1] in ids


@settings(max_examples=60)
@given(random_play.positions, st.booleans(), st.sampled_from(("light", "dark")), st.booleans())
def test_every_position(position: Position, flipped: bool, theme: str, blocked: bool) -> None:
    last = position.moves[-1] if position.moves else None
    check(position, picture.svg(position, flipped=flipped, theme=theme, show_blocked=blocked, last_move=last))
    check(position, position._repr_svg_())


def test_known_stacks() -> None:
    position = Position(STACKS)
    root = read(picture.svg(position))
    assert digits(root)["i6"] == 3
    visible = [dot for dot in having(root, "data-dot") if "data-punct" in dot.attrib]
    assert len(visible) == sum(position.top(piece.space) == piece for piece in position.pieces) == 22
    assert [dot.attrib["data-dot"] for dot in having(root, "data-dot") if having(dot, "data-bridge")] == ["o10"]


def test_the_picture_says_what_it_shows() -> None:
    position = Position("basic b wEd5ne")
    root = read(picture.svg(position, last_move="Ed5ne"))
    title, description = root[0], root[1]
    assert title.text == "PÜNCT: Black to move"
    assert description.text == "Black to move. Position: basic b wEd5ne. Last move: Ed5ne."
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], description.attrib["id"]]


def test_the_same_picture_each_time() -> None:
    assert picture.svg(Position(STACKS)) == picture.svg(Position(STACKS))


def test_pictures_on_one_page_have_their_own_names() -> None:
    images = [
        picture.svg(Position(STACKS)),
        picture.svg(Position(STACKS), theme="dark"),
        picture.svg(Position(STACKS), size=100),
        picture.svg(Position()),
        picture.svg(Position(), title="another"),
        picture.set_svg(),
        picture.set_svg(theme="dark"),
    ]
    ids = [name for image in images for name in values(read(image), "id")]
    assert len(ids) == len(set(ids))


def test_drawing_leaves_the_position_alone() -> None:
    position = random_play.play_random(Position().rules, 5, 60)
    before, moves = str(position), position.moves
    picture.svg(position, last_move=moves[-1], sets=True, show_blocked=True)
    assert (str(position), position.moves) == (before, moves)


@pytest.mark.parametrize("flipped", [False, True])
def test_coordinates_keep_clear_of_spaces(flipped: bool) -> None:
    from punct.picture.layout import SPACING, View

    for around in ((), (Space("c3"), Space("h9")), (Space("q15"), Space("m16"))):
        view = View.of(flipped=flipped, coordinates=True, around=around)
        for label, (x, y) in view.labels():
            assert view.frame.contains((x - 6, y - 6)) and view.frame.contains((x + 6, y + 6)), label
            for space in view.spaces:
                sx, sy = view.at(space)
                assert (x - sx) ** 2 + (y - sy) ** 2 > (0.42 * SPACING) ** 2, (label, space)


@pytest.mark.parametrize("flipped", [False, True])
def test_coordinates_stand_in_their_line(flipped: bool) -> None:
    from punct.picture.layout import View

    view = View.of(flipped=flipped, coordinates=True, around=())
    labels = dict(view.labels())
    assert len(labels) == 34
    for space in SPACES:
        x, y = view.at(space)
        column_x, column_y = labels[space.name[0]]
        assert column_x == pytest.approx(x) and column_y > y
        row_x, row_y = labels[str(space.row)]
        assert row_x < x and (y - row_y) / (x - row_x) == pytest.approx(3**-0.5), "rows fall by 30 degrees"


def test_sets_show_what_is_left() -> None:
    position = Position(STACKS)
    for image in (picture.svg(position, sets=True), picture.set_svg(position)):
        counts = {cell.attrib["data-set"]: cell for cell in having(read(image), "data-set")}
        assert len(counts) == 12
        for colour in Colour:
            for kind in Kind:
                cell = counts[f"{colour.letter}{kind}"]
                left = position.in_set(colour)[kind]
                assert cell.attrib["data-count"] == str(left)
                assert GLYPHS[str(left)].strokes in strokes(cell)
    assert having(read(picture.svg(position)), "data-set") == []
