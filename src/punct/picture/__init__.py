"""Pictures of positions, seen from above, as SVG and PNG; and of games, as animated GIF and WebP.

>>> from punct import Position, picture
>>> position = Position()
>>> move = position.push("Ed5ne")
>>> image = picture.svg(position, last_move=move, theme="dark")
>>> image[:4]
'<svg'

Every piece is one rounded body of ivory or charcoal. Its PÜNCT is a full disc with a pip, vermilion or amber; minor
dots are shallow recesses. A showing dot above the board wears its level as a digit, and the unsupported middle of a
bridge a dashed ring.

Digits and coordinates are strokes of our own, not text in a font: the picture is the same in every browser, notebook
and PNG, also on a machine without fonts. What it says is in the SVG's title and description for screen readers. An
SVG needs nothing from outside, and its definitions are named after its contents, so several may stand in one page.
"""

from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct.picture.animation import AnimationFormat, animate
    from punct.picture.image import Options, png, svg
    from punct.picture.overview import set_svg
    from punct.picture.page import html
    from punct.picture.theme import COLOURS, THEMES
else:
    __getattr__, __dir__ = loading(
        __name__,
        globals(),
        {
            "animation": "AnimationFormat animate",
            "image": "Options png svg",
            "overview": "set_svg",
            "page": "html",
            "theme": "COLOURS THEMES",
        },
    )

__all__ = ["COLOURS", "THEMES", "AnimationFormat", "Options", "animate", "html", "png", "set_svg", "svg"]
