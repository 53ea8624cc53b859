"""Each option changes what it should, and nonsense is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.picture.reading import having, read, values

from punct import IllegalMoveError, Move, Position, PunctError, Space, kernel, picture
from punct.picture.theme import read_colour

# Black joins columns a and q along row 8.
WON = "standard w bEa8se bEd8se bEg8se bEj8se bCn8se bTp9n"


def mark(root: Any, name: str) -> list[Any]:
    return [element for element in having(root, "data-mark") if element.attrib["data-mark"] == name]


def played(start: str, text: str) -> tuple[Position, Move]:
    position = Position(start)
    return position, position.push(text)


def test_themes_differ_only_in_colour() -> None:
    light, dark = (read(picture.svg(Position("standard b wEd5ne"), theme=theme)) for theme in ("light", "dark"))
    assert values(light, "data-dot") == values(dark, "data-dot")
    assert values(light, "fill") != values(dark, "fill")


def test_coordinates() -> None:
    labels = values(read(picture.svg(Position())), "data-label")
    assert sorted(labels) == sorted([*"abcdefghijklmnopq", *(str(row) for row in range(1, 18))])
    assert values(read(picture.svg(Position(), coordinates=False)), "data-label") == []


def test_flipped_turns_the_board_round() -> None:
    def places(flipped: bool) -> list[tuple[float, float]]:
        root = read(picture.svg(Position("standard b wEd5ne"), flipped=flipped))
        return [(float(dot[0].attrib["cx"]), float(dot[0].attrib["cy"])) for dot in having(root, "data-dot")]

    assert places(True) == [pytest.approx((-x, -y)) for x, y in places(False)]


def test_size_is_the_longer_side() -> None:
    for options in ({}, {"sets": True}, {"around": ["d5", "p14"]}, {"around": ["i9"], "coordinates": False}):
        for size in (64, 333, 4096):
            root = read(picture.svg(Position(), size=size, **options))
            assert max(int(root.attrib["width"]), int(root.attrib["height"])) == size


@pytest.mark.parametrize("ratio", [0.25, 1, 1200 / 630, 4.0])
def test_the_ratio_is_that_of_width_and_height(ratio: float) -> None:
    for options in ({}, {"sets": True}, {"around": ["d5", "p14"]}):
        root = read(picture.svg(Position(), size=1200, ratio=ratio, **options))
        width, height = int(root.attrib["width"]), int(root.attrib["height"])
        assert max(width, height) == 1200 and width == pytest.approx(height * ratio, rel=0.01)
    for wrong in (0, 5, True, "2"):
        with pytest.raises(PunctError, match="ratio"):
            picture.svg(Position(), ratio=wrong)  # type: ignore[arg-type]


def test_an_added_piece_gets_a_halo() -> None:
    position, move = played("standard w", "Ed5ne")
    root = read(picture.svg(position, last_move=move))
    assert len(mark(root, "stands")) == 1
    assert not mark(root, "origin") and not mark(root, "path")
    assert not mark(read(picture.svg(position)), "stands")


def test_a_moved_piece_shows_where_it_came_from() -> None:
    position, move = played("standard w wEd5ne", "d5-h9se")
    for last in (move, "d5-h9se"):
        root = read(picture.svg(position, last_move=last))
        assert [len(mark(root, name)) for name in ("stands", "origin", "path")] == [1, 1, 1]
        assert "A" in mark(root, "origin")[0][0].attrib["d"], "the whole outline"


def test_a_turned_piece_shows_how() -> None:
    position, move = played("standard w wEf6n", "f6-f6se")
    root = read(picture.svg(position, last_move=move))
    assert [len(mark(root, name)) for name in ("stands", "origin", "path")] == [1, 1, 1]
    assert "A" in mark(root, "path")[0][0].attrib["d"], "an arc"


def test_without_history_the_origin_is_a_ring() -> None:
    root = read(picture.svg(Position("standard b wEh9se"), last_move="d5-h9se"))
    assert mark(root, "origin")[0].tag.endswith("circle")
    turned = read(picture.svg(Position("standard b wEh9se"), last_move="h9-h9se"))
    assert mark(turned, "origin") and not mark(turned, "path")


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ("Ec3se", "another heading"),
        ("Tc3ne", "another kind"),
        ("c5-c3n", "another heading after a move"),
        ("c3-d4ne", "a minor dot stands there"),
        ("El12ne", "nothing stands there"),
        ("Ek5n", "Black is to move, so White played last"),
        ("Tf6n", "covered by a bridge since"),
        ("Eg7ne", "added above the board"),
    ],
)
def test_a_turn_that_cannot_have_been_the_last(last: str, why: str) -> None:
    position = Position("standard b wEc3ne bEk5n wTf6n bTi9n wEg7ne")
    assert picture.svg(position, last_move="Ec3ne")
    with pytest.raises(PunctError, match="cannot be the last move"):
        picture.svg(position, last_move=last)


def test_winning_chain() -> None:
    position = Position(WON)
    chain = position.winning_chain
    assert chain
    root = read(picture.svg(position))
    (line,) = mark(root, "chain")
    assert len([child for child in line if child.tag.endswith("circle")]) == 2 * len(chain)
    assert root[1].text is not None and "Winning chain: " + " ".join(map(str, chain)) in root[1].text
    assert not mark(read(picture.svg(position, chain=False)), "chain")
    assert not mark(read(picture.svg(Position())), "chain")


def test_highlights_and_arrows() -> None:
    root = read(
        picture.svg(
            Position(),
            highlights={Space("d5"): "red", "e6": "#0aF"},
            arrows=[(Space("a2"), Space("a8")), ("b3", "b5", "#123456")],
        )
    )
    marked = {element.attrib["data-highlight"]: element.attrib["stroke"] for element in having(root, "data-highlight")}
    assert marked == {"d5": picture.COLOURS["red"], "e6": "#0af"}
    assert values(root, "data-arrow") == ["a2-a8", "b3-b5"]
    assert having(root, "data-arrow")[1][0].attrib["stroke"] == "#123456"
    plain = read(picture.svg(Position(), highlights=["d5", Space("e6")]))
    assert values(plain, "data-highlight") == ["d5", "e6"]


def test_candidates_are_ghosts_the_best_on_top() -> None:
    position = Position("standard w wEd5n wTd2n bTl5n")
    root = read(picture.svg(position, candidates=["Tb9ne", ("d5-d8n", 0.5), "d2-d2se"]))
    ghosts = having(root, "data-candidate")
    assert [(ghost.attrib["data-candidate"], ghost.attrib["data-rank"]) for ghost in ghosts] == [
        ("d2-d2se", "3"), ("d5-d8n", "2"), ("Tb9ne", "1"),
    ]  # fmt: skip
    assert "Candidates: Tb9ne d5-d8n d2-d2se." in "".join(root.itertext())
    assert not having(read(picture.svg(position)), "data-candidate")
    fast = kernel.Position(position)
    assert picture.svg(fast, candidates=fast.score_moves(3)) == picture.svg(position, candidates=fast.score_moves(3))


def test_candidates_must_be_turns_of_the_position() -> None:
    with pytest.raises(IllegalMoveError, match="may not touch the central hexagon"):
        picture.svg("standard", candidates=["Ti9n"])
    wrong: Any
    for wrong, message in (
        ("Ed5ne", "candidates must be moves"),
        ([5], "a move is a Move or its text"),
        ([("Ed5ne", "much")], "is a number from 0 on"),
        ([("Ed5ne", -1)], "is a number from 0 on"),
        ([("Ed5ne", float("nan"))], "is a number from 0 on"),
    ):
        with pytest.raises(PunctError, match=message):
            picture.svg("standard", candidates=wrong)


def test_a_text_will_do_for_a_position() -> None:
    assert picture.svg("basic") == picture.svg(Position("basic"))
    with pytest.raises(PunctError, match="a position is set up from"):
        picture.svg(None)  # type: ignore[arg-type]


def test_blocked_pieces_are_hatched() -> None:
    position = Position("standard b wTf6n bEh8se bTd5n wEf6ne")
    root = read(picture.svg(position, show_blocked=True))
    hatched = [piece.attrib["data-piece"] for piece in having(root, "data-piece") if mark(piece, "blocked")]
    assert hatched == [str(piece) for piece in position.pieces if not position.is_free(piece)] == ["wTf6n", "bEh8se"]
    assert not mark(read(picture.svg(position)), "blocked")


def test_around_shows_only_a_part() -> None:
    position = Position("standard w wTc3n bTp15s")
    root = read(picture.svg(position, around=["c3", "e6"]))
    assert values(root, "data-piece") == ["wTc3n"]
    assert set(values(root, "data-label")) >= set("cde")
    assert "p" not in values(root, "data-label")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"theme": "blue"}, "'blue' is not a theme: choose light or dark"),
        ({"theme": None}, "is not a theme"),
        ({"size": 63}, "size must be a whole number from 64 to 4096, not '63'"),
        ({"size": 4097}, "size must be"),
        ({"size": 10**30}, "size must be"),
        ({"size": True}, "size must be"),
        ({"size": 99.5}, "size must be"),
        ({"size": "720"}, "size must be"),
        ({"highlights": {"d5": "redish"}}, "'redish' is not a colour"),
        ({"highlights": {"d5": "#12"}}, "is not a colour"),
        ({"highlights": {"d5": None}}, "is not a colour"),
        ({"highlights": ["z5"]}, "'z5' is not a space"),
        ({"highlights": [5]}, "'5' is not a space"),
        ({"highlights": "d5"}, "highlights must be spaces"),
        ({"highlights": 5}, "highlights must be spaces"),
        ({"arrows": [("d5",)]}, "is not an arrow"),
        ({"arrows": ["d5e6"]}, "is not an arrow"),
        ({"arrows": [("d5", "d5")]}, "same space, d5"),
        ({"arrows": [("d5", "e6", "javascript:")]}, "is not a colour"),
        ({"arrows": [("d5", "e6", 7)]}, "is not a colour"),
        ({"around": ["a1"]}, "a1 is not one of the board's 211 spaces"),
        ({"around": "d5"}, "around must be spaces"),
        ({"last_move": "nonsense"}, "is not a turn"),
        ({"title": 5}, "a title must be text"),
    ],
)
def test_nonsense_is_refused(options: Any, message: str) -> None:
    for draw in (picture.svg, picture.png):
        with pytest.raises(PunctError, match=message):
            draw(Position(), **options)


@pytest.mark.parametrize("options", [{"size": 5}, {"size": True}, {"theme": "x"}])
def test_set_svg_refuses_nonsense(options: Any) -> None:
    with pytest.raises(PunctError):
        picture.set_svg(**options)


@given(st.text())
@example('red" onload="alert(1)')
@example("url(#x)")
@example("#123456\n")
def test_only_colours_are_colours(text: str) -> None:
    try:
        colour = read_colour(text)
    except PunctError:
        assert text not in picture.COLOURS
    else:
        assert colour.startswith("#") and set(colour[1:]) <= set("0123456789abcdef")


@given(st.text())
@example("</title><script>alert(1)</script>")
@example("]]>&amp;<!--")
@example("\x00\x1b\ud800\uffff")
@example("@NAME@")
def test_any_title_stays_text(title: str) -> None:
    root = read(picture.svg(Position(), title=title))
    text = root[0].text or ""
    assert len(root[0]) == 0
    assert not any(element.tag.endswith("script") for element in root.iter())
    if title.isprintable():
        assert text == title
