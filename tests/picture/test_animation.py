"""Games as pictures that move."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from punct import Position, picture
from punct.picture.animation import FORMATS, StoppedError
from punct.picture.theme import read_theme

TURNS = ["Ed5ne", "Tl10n", "Eg3n"]


def frames(content: bytes) -> tuple[list[Image.Image], list[int], int | None]:
    """Return the frames of an animation, how many milliseconds each is shown, and how often all are (0: for ever)."""
    found, durations = [], []
    with Image.open(io.BytesIO(content)) as image:
        loop = image.info.get("loop")
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            image.load()
            found.append(image.convert("RGB"))
            durations.append(int(image.info["duration"]))
    return found, durations, loop


def distance(one: Image.Image, other: Image.Image) -> int:
    """Return by how much two pictures differ."""
    return sum(abs(a - b) for a, b in zip(one.tobytes(), other.tobytes(), strict=True))


def drawn(position: Position) -> Image.Image:
    """Return the picture of a position, on its page."""
    last = position.moves[-1] if position.moves else None
    with Image.open(io.BytesIO(picture.png(position, size=120, last_move=last))) as image:
        page = Image.new("RGB", image.size, read_theme("light").page)
        page.paste(image, mask=image.getchannel("A"))
        return page


@pytest.mark.parametrize("form", FORMATS)
def test_every_position_is_a_frame_and_the_last_is_shown_longer(form: Any) -> None:
    found, durations, loop = frames(picture.animate("standard w", TURNS, form, size=120, delay=0.5, end_delay=2.0))
    assert durations == [500, 500, 500, 2000]
    assert loop == 0
    position = Position()
    pictures = [drawn(position)]
    for move in TURNS:
        position.push(move)
        pictures.append(drawn(position))
    assert [frame.size for frame in found] == [page.size for page in pictures]
    for ply, frame in enumerate(found):
        distances = [distance(frame, page) for page in pictures]
        assert distances[ply] == min(distances), distances
        assert form == "gif" or distances[ply] == 0, "a GIF has few colours, a WebP has all"


def test_a_part_of_a_game_and_how_it_looks() -> None:
    drawn: list[int] = []
    found, durations, _ = frames(
        picture.animate(
            "standard w", TURNS, first=1, last=2, theme="dark", size=100, loop=False, on_progress=drawn.append
        )
    )
    assert len(found) == 2 and drawn == [1, 2] and durations == [1000, 3000]
    red, green, blue = found[0].getpixel((0, 0))  # type: ignore[misc]
    assert red + green + blue < 200, "the page is dark, its corners too"
    (only,), _, _ = frames(picture.animate("standard w", [], size=64))
    assert only.size == (58, 64)


def test_it_ends_when_nobody_wants_it() -> None:
    drawn: list[int] = []

    def on_progress(frame: int) -> bool:
        drawn.append(frame)
        return frame < 2

    with pytest.raises(StoppedError):
        picture.animate("standard w", TURNS, size=64, on_progress=on_progress)
    assert drawn == [1, 2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": "mp4"},
        {"first": 3, "last": 2},
        {"last": 4},
        {"first": -1},
        {"delay": 0.0},
        {"delay": float("nan")},
        {"end_delay": 1000.0},
        {"size": 10},
        {"theme": "loud"},
        {"moves": ["Ed5ne", "Ed5ne"]},
        {"start": "chess"},
    ],
)
def test_nonsense_is_refused(wrong: dict[str, Any]) -> None:
    options: dict[str, Any] = {"start": "standard w", "moves": TURNS, **wrong}
    with pytest.raises(ValueError, match=r"\w"):
        picture.animate(**options)
