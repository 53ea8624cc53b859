"""A game, or a variation, as an animated picture: GIF or WebP, a frame for each position."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from punct.contract import Start
from punct.errors import PunctError, expect, expect_callable, expect_integer, shorten
from punct.extras import explain_missing
from punct.move import MoveLike
from punct.picture.image import png
from punct.picture.theme import read_theme
from punct.position import Position

if TYPE_CHECKING:
    from PIL.Image import Image

AnimationFormat = Literal["gif", "webp"]
FORMATS: Final = ("gif", "webp")
MAX_FRAMES: Final = 2500
MIN_SECONDS, MAX_SECONDS = 0.05, 60.0
"""How long a frame may be shown."""
_COLOURS: Final = 128
"""Colours of a GIF's palette: enough for smooth edges."""


class StoppedError(PunctError):
    """The animation was stopped by ``on_progress``."""


def animate(
    start: Start,
    moves: Iterable[MoveLike],
    format: AnimationFormat = "gif",
    *,
    first: int = 0,
    last: int | None = None,
    delay: float = 1.0,
    end_delay: float = 3.0,
    theme: str = "light",
    size: int = 480,
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
    loop: bool = True,
    on_progress: Callable[[int], bool | None] | None = None,
) -> bytes:
    """Return the moves from a position as an animated picture; raises PunctError for invalid arguments.

    first, last: the plies to begin and end with; the whole variation if not given.
    delay, end_delay: how many seconds a position is shown, and the last one.
    loop: begin again after the end.
    on_progress: called with the number of frames drawn; drawing ends with StoppedError if it returns False.

    Otherwise the options are those of ``svg``. Only one frame is in memory at a time.
    """
    if format not in FORMATS:
        raise PunctError(f"{shorten(format)} is not a format of animations: gif or webp")
    for name, seconds in (("delay", delay), ("end_delay", end_delay)):
        expect(seconds, Real, f"a {name} is a number of seconds")
        if not MIN_SECONDS <= seconds <= MAX_SECONDS:
            raise PunctError(f"a {name} is {MIN_SECONDS} to {MAX_SECONDS:g} seconds, not {seconds!r}")
    position = Position(start)
    expect_callable(on_progress, "on_progress is a function of a number")
    expect(moves, Iterable, "moves are several moves, or their texts")
    expect_integer(first, "the first ply of an animation is a whole number")
    if last is not None:
        expect_integer(last, "the last ply of an animation is a whole number, or None")
    played = [position.push(move) for move in moves]
    last = len(played) if last is None else last
    if not 0 <= first <= last <= len(played):
        raise PunctError(f"plies {first} to {last} are not within the {len(played)} there are")
    if last - first >= MAX_FRAMES:
        raise PunctError(f"{last - first + 1} frames are too many: at most {MAX_FRAMES}")
    style = _Style(theme, size, flipped, coordinates, sets)
    for _ in range(len(played) - last):
        position.pop()
    final = _draw(position, style)  # it has every colour of the animation
    for _ in range(last - first):
        position.pop()

    def frames() -> Iterator[Image]:
        for ply in range(first, last + 1):
            if ply > first:
                position.push(played[ply - 1])
            yield _draw(position, style)
            if on_progress is not None and on_progress(ply - first + 1) is False:
                raise StoppedError("the animation was stopped")

    durations = [round(1000 * delay)] * (last - first) + [round(1000 * end_delay)]
    return _webp(frames(), durations, loop) if format == "webp" else _gif(frames(), final, durations, loop)


class _Style(NamedTuple):
    """How every frame is drawn."""

    theme: str
    size: int
    flipped: bool
    coordinates: bool
    sets: bool


def _draw(position: Position, style: _Style) -> Image:
    """Draw a position, with the move that led to it."""
    with explain_missing("an animated picture"):
        from PIL import Image  # loaded for an animation alone

    moves = position.moves
    with Image.open(io.BytesIO(png(position, last_move=moves[-1] if moves else None, **style._asdict()))) as image:
        # A picture's corners are round. A GIF has no half-transparent pixels: so the page's colour is put beneath it.
        frame = Image.new("RGB", image.size, read_theme(style.theme).page)
        frame.paste(image, mask=image.getchannel("A") if "A" in image.getbands() else None)
        return frame


def _webp(frames: Iterator[Image], durations: Sequence[int], loop: bool) -> bytes:
    """Encode frames without loss: flat colours take fewer bytes so, and stay sharp."""
    out = io.BytesIO()
    next(frames).save(
        out,
        "WEBP",
        save_all=True,
        append_images=frames,
        duration=list(durations),
        loop=0 if loop else 1,
        lossless=True,
        method=2,
    )
    return out.getvalue()


def _gif(frames: Iterator[Image], last: Image, durations: Sequence[int], loop: bool) -> bytes:
    """Encode frames with one palette: otherwise what has not changed would flicker."""
    from PIL.Image import Dither

    palette = last.quantize(_COLOURS)
    quantized = (frame.quantize(palette=palette, dither=Dither.NONE) for frame in frames)
    repeat = {"loop": 0} if loop else {}
    out = io.BytesIO()
    next(quantized).save(
        out,
        "GIF",
        save_all=True,
        append_images=quantized,
        duration=list(durations),
        disposal=1,  # what changes is drawn over what was there
        optimize=False,
        **repeat,
    )
    return out.getvalue()
