"""A position as an image: SVG, and PNG made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict, Unpack

from punct.contract import Start
from punct.errors import PunctError, shorten
from punct.geometry import Space
from punct.move import MoveLike
from punct.picture import marks
from punct.picture.drawing import Picture
from punct.picture.layout import View, read_ratio, read_size
from punct.picture.markup import rasterize
from punct.picture.theme import read_theme
from punct.position import as_position


class Options(TypedDict, total=False):
    """The options of ``svg`` and ``png``; ``svg`` describes them."""

    theme: str
    coordinates: bool
    last_move: MoveLike | None
    highlights: Iterable[Space | str] | Mapping[Space | str, str]
    arrows: Iterable[Sequence[Space | str]]
    candidates: Iterable[MoveLike | tuple[MoveLike, float]]
    chain: bool
    flipped: bool
    size: int
    show_blocked: bool
    sets: bool
    around: Iterable[Space | str]
    title: str | None
    ratio: float | None


def svg(
    position: Start,
    *,
    theme: str = "light",
    coordinates: bool = True,
    last_move: MoveLike | None = None,
    highlights: Iterable[Space | str] | Mapping[Space | str, str] = (),
    arrows: Iterable[Sequence[Space | str]] = (),
    candidates: Iterable[MoveLike | tuple[MoveLike, float]] = (),
    chain: bool = True,
    flipped: bool = False,
    size: int = 720,
    show_blocked: bool = False,
    sets: bool = False,
    around: Iterable[Space | str] = (),
    title: str | None = None,
    ratio: float | None = None,
) -> str:
    """Return the position (or the one a text means) as an SVG document; raises PunctError for invalid options.

    - ``theme``: ``light`` or ``dark``.
    - ``coordinates``: letters below the columns, row numbers at the rows' upper left ends.
    - ``last_move``: the move that led here. The piece gets a halo, its former place an outline, and its way an arrow
      (its former heading is known only if the move was pushed on this position).
    - ``highlights``: spaces to mark; as a mapping, each with a colour (``#rgb``, ``#rrggbb`` or a name in ``COLOURS``).
    - ``arrows``: pairs of spaces, or triples with a colour.
    - ``candidates``: legal moves to show as ghosts, best first and numbered so; as pairs with a number each (a score, a
      share of visits), the greater the plainer.
    - ``chain``: draw the winning chain, if the game was won by one.
    - ``flipped``: look from the other side of the table.
    - ``size``: the longer side in pixels, 64 to 4096.
    - ``show_blocked``: hatch the pieces that something lies on.
    - ``sets``: show below the board what both players have still to add.
    - ``around``: show only the part of the board that holds these spaces.
    - ``ratio``: how many times as wide as high the picture is, 0.25 to 4, with the board in the middle; the board's own
      shape if not given.
    - ``title``: the picture's title for screen readers and tooltips, instead of one made from the position.
    """
    position = as_position(position)
    if title is not None and not isinstance(title, str):
        raise PunctError(f"a title must be text, not {shorten(title)}")
    return Picture(
        position=position,
        theme=read_theme(theme),
        view=View.of(flipped=bool(flipped), coordinates=bool(coordinates), around=marks.read_spaces(around, "around")),
        last=None if last_move is None else marks.read_last_move(position, last_move),
        highlights=marks.read_highlights(highlights),
        arrows=marks.read_arrows(arrows),
        ghosts=marks.read_candidates(position, candidates),
        chain=position.winning_chain if chain else (),
        show_blocked=bool(show_blocked),
        sets=bool(sets),
        size=read_size(size),
        title=title,
        ratio=read_ratio(ratio),
    ).svg()


def png(position: Start, **options: Unpack[Options]) -> bytes:
    """Return the position as a PNG image, with the options of ``svg``."""
    return rasterize(svg(position, **options))
