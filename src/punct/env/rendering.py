"""Render modes of the environments: a picture as an array, or the board in characters."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from punct.env.episode import Episode
from punct.errors import PunctError
from punct.extras import explain_missing
from punct.kernel.batch import EpisodeResult
from punct.outcome import Ending, Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODES: Final = ("human", "ansi", "rgb_array")
"""``human`` prints the board to the terminal after every move."""
METADATA: Final[dict[str, Any]] = {"render_modes": [*MODES], "render_fps": 1}
SIZE: Final = 512
"""The longer side of a picture in pixels."""


def mode_of(render_mode: str | None) -> str | None:
    """Return a render mode; raises PunctError if there is no such mode."""
    if render_mode is not None and render_mode not in MODES:
        raise PunctError(f"games are shown as {', '.join(MODES)} or not at all (None), not {render_mode!r}")
    return render_mode


def render(episode: Episode, mode: str | None) -> NDArray[np.uint8] | str | None:
    """Render a game: return an image of (height, width, 3), a text, or nothing after printing it."""
    if mode == "rgb_array":
        return picture(episode)
    if mode == "ansi":
        return text(episode)
    if mode == "human":
        print(text(episode))
    return None


def picture(episode: Episode) -> NDArray[np.uint8]:
    """Return the position as an image, with the last move marked."""
    import numpy as np

    with explain_missing("an image of the game"):
        from PIL import Image

    from punct.picture.image import png

    position = episode.position
    last = position.moves[-1] if position.moves else None
    with Image.open(io.BytesIO(png(position, last_move=last, size=SIZE))) as image:
        return np.array(image.convert("RGB"))


def text(episode: Episode) -> str:
    """Return the board in characters, with the side to move or the outcome below it."""
    from punct.picture.terminal import changed_spaces, draw, status

    position = episode.position
    before = position.copy()
    if before.moves:
        before.pop()
    lines = [draw(position, marked=changed_spaces(before, position)), *status(position)]
    if episode.standing is EpisodeResult.TRUNCATED:
        lines[1] = f"Cut off after {episode.plies} moves"
    elif episode.over and position.outcome() is None:
        lines[1] = str(Outcome(None, Ending.REPETITION))
    return "\n".join(lines)
