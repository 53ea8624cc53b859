"""A whole picture, layer by layer: page, board, coordinates, pieces by level, marks, showing dots."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from punct.geometry import Space
from punct.picture import marks
from punct.picture.glyphs import write
from punct.picture.layout import EDGE, SPACING, Box, View, hexagon
from punct.picture.markup import GROUP, Point, number, plain, polyline, specks
from punct.picture.sets import PANEL_HEIGHT, panel
from punct.picture.stones import BODY, DOT_RADIUS, PUNCT_RADIUS, body, dot, outline, shadow
from punct.picture.theme import Theme
from punct.piece import Colour, Piece

if TYPE_CHECKING:
    from punct.contract import PositionLike

NAME: Final = "@NAME@"
"""A placeholder for the picture's name, which is a hash of its content."""
_CORNER_RADIUS: Final = 34.0
"""Of the board."""


@dataclass(frozen=True)
class Picture:
    """Everything that decides what a picture looks like, already checked."""

    position: PositionLike
    theme: Theme
    view: View
    last: marks.LastMove | None
    highlights: Mapping[Space, str | None]
    arrows: Sequence[marks.Arrow]
    ghosts: Sequence[marks.Ghost]
    chain: Collection[Space]
    show_blocked: bool
    sets: bool
    size: int
    title: str | None
    ratio: float | None = None

    def svg(self) -> str:
        """Return the picture as an SVG document, which may also be embedded in an HTML page."""
        frame = self._content_frame()
        if self.ratio is not None:
            frame = frame.filled_out(self.ratio)
        scale = self.size / max(frame.width, frame.height)
        width, height = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
        title, description = map(plain, self._words())
        content = f"{self.definitions(frame)}{GROUP}{''.join(self._layers(frame))}</g>"
        # Named after its content, so that pictures on one page do not use each other's definitions.
        name = "punct-" + blake2b(f"{width}{height}{title}{description}{content}".encode(), digest_size=6).hexdigest()
        box = f"{number(frame.left)} {number(frame.top)} {number(frame.width)} {number(frame.height)}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}" role="img" '
            f'aria-labelledby="{name}-title {name}-desc"><title id="{name}-title">{title}</title>'
            f'<desc id="{name}-desc">{description}</desc>{content.replace(NAME, name)}</svg>\n'
        )

    # ------------------------------------------------------------------ words and frame

    def _words(self) -> tuple[str, str]:
        position = self.position
        outcome = position.outcome()
        status = str(outcome) if outcome else f"{position.turn} to move"
        title = self.title if self.title is not None else f"PÜNCT: {status}"
        sentences = [f"{status}. Position: {position}."]
        if self.last:
            sentences.append(f"Last move: {self.last.move}.")
        if self.ghosts:
            sentences.append(f"Candidates: {' '.join(ghost.move.text for ghost in self.ghosts)}.")
        if self.chain:
            sentences.append(f"Winning chain: {' '.join(map(str, self.chain))}.")
        return title, " ".join(sentences)

    def _content_frame(self) -> Box:
        frame = self.view.frame
        return frame.grown(0, 0, 0, PANEL_HEIGHT * 0.85) if self.sets else frame

    def definitions(self, frame: Box, levels: Sequence[int] | None = None) -> str:
        """Return the definitions that the drawing uses: for these levels, or for those of its own pieces."""
        regions = (
            {level: _region(frame) for level in levels}
            if levels is not None
            else {level: self._reach(level) for level in sorted({piece.level for piece in self._pieces()})}
        )
        filters = "".join(
            f'<filter id="{NAME}-soft{level}" {region} color-interpolation-filters="sRGB">'
            f'<feGaussianBlur stdDeviation="{number(0.7 + 0.6 * level)}"/></filter>'
            for level, region in regions.items()
        )
        hatch = "".join(
            f'<pattern id="{NAME}-hatch{colour.letter}" width="5" height="5" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate(45)">'
            f'<path d="M1 0V5" stroke="{self.theme.blocked[colour]}" stroke-width="1.3"/></pattern>'
            for colour in Colour
            if self.show_blocked
        )
        return f'<defs><clipPath id="{NAME}-page">{_rectangle(frame)}</clipPath>{filters}{hatch}</defs>'

    # ------------------------------------------------------------------ layers, lowest first

    def _layers(self, frame: Box) -> Iterator[str]:
        yield self.page(frame)
        yield f'<g clip-path="url(#{NAME}-page)">'
        yield self.ground()
        yield from self.pieces_and_marks()
        yield "</g>"
        if self.sets:
            yield self._sets(self._content_frame())

    def page(self, frame: Box) -> str:
        """Return the background."""
        return _rectangle(frame, f'fill="{self.theme.page}"')

    def ground(self) -> str:
        """Return the empty board and its coordinates."""
        labels = "".join(
            write(text, at, 10.5, self.theme.text, weight=1.35, note=f' data-label="{text}"')
            for text, at in (self.view.labels() if self.view.coordinates else ())
        )
        return self._board() + labels

    def pieces_and_marks(self) -> Iterator[str]:
        """Yield everything that lies on the board and over it, piece by piece and dot by dot, lowest first."""
        for level in sorted({piece.level for piece in self._pieces()}):
            yield from self._level(level)
        yield from self._marks()
        yield from self._dots()
        # The best candidate is drawn last, over the others.
        for rank in range(len(self.ghosts), 0, -1):
            yield marks.ghost(self.ghosts[rank - 1], rank, len(self.ghosts), self.view, self.theme, self._top)

    def _board(self) -> str:
        theme, view = self.theme, self.view
        edge = polyline(hexagon(EDGE * SPACING - _CORNER_RADIUS / 0.866), closed=True)
        middle = view.point(8, 9)
        centre = polyline(hexagon(2.66 * SPACING, middle), closed=True)
        spaces = [view.at(space) for space in view.spaces]
        lip = [(x + 0.5, y + 1.1) for x, y in spaces]
        return (
            f'<path d="{edge}" fill="{theme.board_rim}" stroke="{theme.board_rim}" '
            f'stroke-width="{number(2 * _CORNER_RADIUS)}" '
            f'/><path d="{edge}" fill="{theme.board}" stroke="{theme.board}" '
            f'stroke-width="{number(2 * _CORNER_RADIUS - 2.4)}"/>'
            f'<path d="{centre}" fill="{theme.centre}" stroke="{theme.centre_line}" stroke-width="1" '
            'data-mark="centre"/>'
            f'<path d="{specks(lip)}" stroke-width="12.6" stroke="{theme.space_lip}"/>'
            f'<path d="{specks(spaces)}" stroke-width="12.4" stroke="{theme.space}"/>'
        )

    def _level(self, level: int) -> Iterator[str]:
        """Yield the pieces of a level: all their shadows first, so that none falls on a neighbour's top."""
        theme = self.theme
        pieces = [piece for piece in self._pieces() if piece.level == level]
        shadows = "".join(shadow(piece.kind, self._points(piece), level) for piece in pieces)
        opacity = theme.shadow_opacity + (0.16 if level > 1 else 0)
        yield f'<g filter="url(#{NAME}-soft{level})" opacity="{number(opacity)}">{shadows}</g>'
        for piece in pieces:
            points = self._points(piece)
            if self.last and piece == self.last.after:
                yield marks.glow(piece, points, theme)
            is_free = self.position.is_free(piece)
            element = body(piece.kind, points, theme.stone(piece.colour), str(piece))
            if self.show_blocked and not is_free:
                fill = f"url(#{NAME}-hatch{piece.colour.letter})"
                element += (
                    f'<path d="{outline(piece.kind, points)}" fill="{fill if piece.middle is None else "none"}" '
                    f'stroke="{fill}" stroke-width="{number(2 * BODY - 4)}" opacity="0.75" data-mark="blocked"/>'
                )
            yield f'<g data-piece="{piece}" data-level="{level}">{element}</g>'

    def _marks(self) -> Iterator[str]:
        """Yield the marks, which are drawn over the bodies but under the showing dots."""
        position, theme, view = self.position, self.theme, self.view
        if self.last:
            origin = self.last.move.origin
            level = self.last.before.level if self.last.before else position.height(origin) if origin else 1
            yield marks.former_place(self.last, view, theme)
            yield marks.move_path(self.last, view, theme, max(1, level))
        if self.chain:
            yield marks.chain_line([(self._top(space), self._dot_radius(space)) for space in self.chain], theme)
        for space, colour in self.highlights.items():
            yield marks.highlight(self._top(space), colour or theme.mark, space.name)
        for start, end, colour in self.arrows:
            note = f' data-arrow="{start}-{end}"'
            yield marks.arrow(
                self._top(start), self._top(end), colour or theme.mark, 3.4, PUNCT_RADIUS + 2, PUNCT_RADIUS + 2.5, note
            )

    def _dots(self) -> Iterator[str]:
        position = self.position
        for space in self.view.spaces:
            piece = position.top(space)
            if piece is not None:
                punct = piece.space is space
                yield dot(
                    self._top(space),
                    piece.level,
                    punct=punct,
                    colour=piece.colour,
                    theme=self.theme,
                    note=f' data-dot="{space}" data-colour="{piece.colour.letter}"'
                    + (' data-punct=""' if punct else ""),
                    hangs=space is piece.middle and position.is_bridge(piece),
                )

    def _sets(self, frame: Box) -> str:
        gap, margin = 10.0, 12.0
        middle = (frame.left + frame.right) / 2
        top = self.view.frame.bottom + 2
        over = self.position.outcome() is not None
        return "".join(
            panel(
                Box(left, top, right, frame.bottom - margin),
                colour,
                self.position.in_set(colour),
                self.theme,
                to_move=colour is self.position.turn and not over,
            )
            for colour, left, right in (
                (Colour.WHITE, frame.left + margin, middle - gap / 2),
                (Colour.BLACK, middle + gap / 2, frame.right - margin),
            )
        )

    # ------------------------------------------------------------------ helpers

    def _pieces(self) -> list[Piece]:
        return [piece for piece in self.position.pieces if any(self.view.shows(space) for space in piece.spaces)]

    def _reach(self, level: int) -> str:
        """Return the region of a level's shadows: blurring no more than that makes PNGs fast."""
        points = [point for piece in self._pieces() if piece.level == level for point in self._points(piece)]
        margin = BODY + 8 + 4 * level
        across, down = [x for x, _ in points], [y for _, y in points]
        return _region(Box(min(across), min(down), max(across), max(down)).grown(margin, margin, margin, margin))

    def _points(self, piece: Piece) -> list[Point]:
        return [self.view.at(space, piece.level) for space in piece.spaces]

    def _dot_radius(self, space: Space) -> float:
        """Return the radius of a showing dot; a bridge's has a ring, which the chain must not hide."""
        piece = self.position.top(space)
        large = piece is not None and (
            piece.space is space or (piece.middle is space and self.position.is_bridge(piece))
        )
        return PUNCT_RADIUS if large else DOT_RADIUS

    def _top(self, space: Space) -> Point:
        return self.view.at(space, max(1, self.position.height(space)))


def _region(box: Box) -> str:
    return (
        f'filterUnits="userSpaceOnUse" x="{number(box.left, 0)}" y="{number(box.top, 0)}" '
        f'width="{number(box.right - box.left, 0)}" height="{number(box.bottom - box.top, 0)}"'
    )


def _rectangle(box: Box, attributes: str = "") -> str:
    return (
        f'<rect x="{number(box.left)}" y="{number(box.top)}" width="{number(box.width)}" '
        f'height="{number(box.height)}" rx="14" {attributes}/>'
    )
