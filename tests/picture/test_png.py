"""PNG images: the right size, and ivory, charcoal and PÜNCTs where they belong."""

from __future__ import annotations

import pytest
from tests.picture.reading import Image, decode, read

from punct import Position, Space, picture
from punct.picture.layout import View
from punct.picture.theme import THEMES

POSITION = "standard w wEd5ne bEm9n"


def near(found: tuple[int, int, int], wanted: str, tolerance: int = 6) -> bool:
    channels = [int(wanted[at : at + 2], 16) for at in (1, 3, 5)]
    return all(abs(one - other) <= tolerance for one, other in zip(found, channels, strict=True))


def sample(image: Image, svg: str, *spaces: str) -> tuple[int, int, int]:
    """The colour halfway between some spaces, as the picture's own coordinates place them."""
    left, top, width, _ = map(float, read(svg).attrib["viewBox"].split())
    points = [View(flipped=False, coordinates=True, crop=None).at(Space(space)) for space in spaces]
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    scale = image.width / width
    return image.at((x - left) * scale, (y - top) * scale)


@pytest.mark.parametrize("name", THEMES)
def test_pixels(name: str) -> None:
    theme = THEMES[name]
    position = Position(POSITION)
    svg, image = picture.svg(position, theme=name, size=640), decode(picture.png(position, theme=name, size=640))
    assert max(image.width, image.height) == 640
    ivory, charcoal = theme.stones
    assert near(sample(image, svg, "d5", "e6"), ivory.top)
    assert near(sample(image, svg, "m9", "m10"), charcoal.top)
    assert near(sample(image, svg, "d5", "d5", "d5", "d5", "d5", "d5", "e6"), ivory.punct)
    assert near(sample(image, svg, "m9", "m9", "m9", "m9", "m9", "m9", "m10"), charcoal.punct)
    assert near(sample(image, svg, "d5"), ivory.pip)
    assert near(sample(image, svg, "e6"), ivory.dot)
    assert near(sample(image, svg, "m10"), charcoal.dot)
    assert near(sample(image, svg, "i9"), theme.space)
    assert near(sample(image, svg, "i9", "j9"), theme.centre)
    assert near(sample(image, svg, "e12", "f12"), theme.board)


def test_charcoal_stands_out_from_the_dark_board() -> None:
    image, svg = (
        decode(picture.png(Position(POSITION), theme="dark", size=400)),
        picture.svg(Position(POSITION), theme="dark"),
    )
    body, board = sample(image, svg, "m9", "m10"), sample(image, svg, "e12", "f12")
    assert sum(board) - sum(body) > 120


def test_digits_and_coordinates_need_no_font() -> None:
    assert "<text" not in picture.svg(Position(POSITION), sets=True)
    blank = decode(picture.png(Position(), coordinates=False, size=320))
    labelled = decode(picture.png(Position(), size=320))
    changed = sum(one != other for one, other in zip(blank.rows, labelled.rows, strict=True))
    assert changed > 100, "letters and numbers are really drawn, on many rows"


def test_a_small_image() -> None:
    image = decode(picture.png(Position(POSITION), around=["d5", "f7"], size=64))
    assert max(image.width, image.height) == 64
