"""A game, or a variation, as an animated picture: GIF or WebP, a frame for each position."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from punct.contract import Start
from punct.errors import PunctError, shorten
from punct.move import MoveLike
from punct.picture.image import png
from punct.picture.theme import read_theme
from punct.position import Position

if TYPE_CHECKING:
    from PIL.Image import Image

AnimationFormat = Literal["gif", "webp"]
FORMATS: Final = ("gif", "webp")
MOST_FRAMES: Final = 2500
SHORTEST, LONGEST = 0.05, 60.0
"""Seconds that a frame may be shown."""
_COLOURS: Final = 128
"""Of a GIF: boards and pieces have few, and their edges are smooth enough with so many."""


class StoppedError(PunctError):
    """Nobody wants the animation any more."""


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
    told: Callable[[int], bool | None] | None = None,
) -> bytes:
    """Return the moves from a position as an animated picture; raises PunctError for what makes no sense.

    first, last: the plies to begin and end with; the whole variation if not given.
    delay, end_delay: how many seconds a position is shown, and the last one.
    loop: begin again after the end.
    told: hears how many frames are drawn; drawing ends with StoppedError if it returns False.

    Otherwise the options are those of ``svg``. Only one frame is held in memory as it is drawn.
    """
    if format not in FORMATS:
        raise PunctError(f"{shorten(format)} is not a format of animations: gif or webp")
    for name, seconds in (("delay", delay), ("end_delay", end_delay)):
        if not SHORTEST <= seconds <= LONGEST:
            raise PunctError(f"a {name} is {SHORTEST} to {LONGEST:g} seconds, not {seconds!r}")
    position = Position(start)
    played = [position.push(move) for move in moves]
    last = len(played) if last is None else last
    if not 0 <= first <= last <= len(played):
        raise PunctError(f"plies {first} to {last} are not within the {len(played)} there are")
    if last - first >= MOST_FRAMES:
        raise PunctError(f"{last - first + 1} frames are too many: at most {MOST_FRAMES}")
    look = _Look(theme, size, flipped, coordinates, sets)
    for _ in range(len(played) - last):
        position.pop()
    final = _drawn(position, look)  # it has every colour there will be
    for _ in range(last - first):
        position.pop()

    def frames() -> Iterator[Image]:
        for ply in range(first, last + 1):
            if ply > first:
                position.push(played[ply - 1])
            yield _drawn(position, look)
            if told is not None and told(ply - first + 1) is False:
                raise StoppedError("nobody wants this animation any more")

    durations = [round(1000 * delay)] * (last - first) + [round(1000 * end_delay)]
    return _webp(frames(), durations, loop) if format == "webp" else _gif(frames(), final, durations, loop)


class _Look(NamedTuple):
    """How every frame is drawn."""

    theme: str
    size: int
    flipped: bool
    coordinates: bool
    sets: bool


def _drawn(position: Position, look: _Look) -> Image:
    """Draw a position, with the move that led to it."""
    from PIL import Image  # only those who want an animation pay for loading it

    moves = position.moves
    with Image.open(io.BytesIO(png(position, last_move=moves[-1] if moves else None, **look._asdict()))) as image:
        # A picture's corners are round. A GIF knows no half-transparent edge: the page goes on beneath it.
        drawn = Image.new("RGB", image.size, read_theme(look.theme).page)
        drawn.paste(image, mask=image.getchannel("A") if "A" in image.getbands() else None)
        return drawn


def _webp(frames: Iterator[Image], durations: Sequence[int], loop: bool) -> bytes:
    """Join frames without loss: flat colours take fewer bytes so, and stay sharp."""
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
    """Join frames, all with the same few colours: else what has not changed would flicker."""
    from PIL.Image import Dither

    palette = last.quantize(_COLOURS)
    few = (frame.quantize(palette=palette, dither=Dither.NONE) for frame in frames)
    again = {"loop": 0} if loop else {}
    out = io.BytesIO()
    next(few).save(
        out,
        "GIF",
        save_all=True,
        append_images=few,
        duration=list(durations),
        disposal=1,  # what changes is drawn over what was there
        optimize=False,
        **again,
    )
    return out.getvalue()
