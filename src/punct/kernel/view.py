"""The JSON of positions and explanations, as the server and the page send it to clients.

It is made by the kernel (``kernel/view/``), once for both; its fields are documented with the server's API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from punct import _kernel
from punct.geometry import Heading
from punct.move import Move

if TYPE_CHECKING:
    from punct.kernel.position import Position
    from punct.outcome import Outcome


def view_json(position: Position, outcome: Outcome | None) -> bytes:
    """Return the view of a position; the outcome is that of its game, which may end otherwise than the position shows.

    >>> from punct.kernel import Position
    >>> view_json(Position("basic"), None)[:48]
    b'{"ply":0,"text":"basic w","rules":"basic","turn"'
    """
    if outcome is None:
        return _kernel.view_json(position.track, None, None)
    return _kernel.view_json(position.track, outcome.winner, outcome.reason.name.lower())


def explanation_json(position: Position, outcome: Outcome | None, text: str, *, any_heading: bool = False) -> bytes:
    """Return whether a move is legal in a position of a game, and if not, why; raises InvalidMoveError if it is none.

    With ``any_heading`` the text names a piece and a space only (``Td5``, ``d5-h9``), and all headings are judged.
    """
    for heading in Heading if any_heading else ("",):
        Move.parse(f"{text}{heading}")
    # The library also strips blanks that the kernel does not know.
    text = text.lstrip() if any_heading else text.strip()
    return _kernel.explanation_json(position.track, text, any_heading, outcome is not None)
