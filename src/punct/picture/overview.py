"""The six kinds of pieces, side by side."""

from __future__ import annotations

from hashlib import blake2b

from punct.contract import Start
from punct.picture.layout import Box, read_size
from punct.picture.markup import GROUP, plain
from punct.picture.sets import panel
from punct.picture.theme import read_theme
from punct.piece import Colour, Kind
from punct.position import as_position


def set_svg(position: Start | None = None, *, theme: str = "light", size: int = 720) -> str:
    """Return both players' sets as an SVG document: each kind with its letter and how many are left.

    Without a position the sets are full. ``size`` is the width in pixels, 64 to 4096.
    """
    size = read_size(size)
    tones = read_theme(theme)
    board = None if position is None else as_position(position)
    full = {kind: kind.count for kind in Kind}
    sentences = []
    parts = ['<rect width="720" height="404" rx="14" fill="' + tones.page + '"/>']
    for colour, top in ((Colour.WHITE, 12.0), (Colour.BLACK, 206.0)):
        counts = full if board is None else board.in_set(colour)
        parts.append(panel(Box(12, top, 708, top + 186), colour, counts, tones, to_move=False, letters=True))
        sentences.append(f"{colour} has " + ", ".join(f"{counts[kind]} × {kind} ({kind.words})" for kind in Kind) + ".")
    body = f"{GROUP}{''.join(parts)}</g>"
    name = "punct-" + blake2b(f"{size}{body}".encode(), digest_size=6).hexdigest()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{round(size * 404 / 720)}" '
        f'viewBox="0 0 720 404" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">The pieces still to be added</title>'
        f'<desc id="{name}-desc">{plain(" ".join(sentences))}</desc>{body}</svg>\n'
    )
