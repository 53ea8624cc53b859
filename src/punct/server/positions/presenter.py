"""JSON of positions and explanations: the kernel writes it, once for the server and the page."""

from __future__ import annotations

from punct import kernel
from punct.errors import InvalidMoveError
from punct.kernel.view import explanation_json, view_json
from punct.outcome import Outcome
from punct.server.http.encoding import encode


def position(position: kernel.Position, outcome: Outcome | None) -> bytes:
    """Return the view of a position: everything a client needs to draw it and to enter a move."""
    return view_json(position, outcome)


def explanation(position: kernel.Position, outcome: Outcome | None, text: str, *, any_heading: bool = False) -> bytes:
    """Return whether a move is legal, and if not, why; a text that is no move is explained by the library's error."""
    try:
        return explanation_json(position, outcome, text, any_heading=any_heading)
    except InvalidMoveError as error:
        return encode(
            {
                "legal": False,
                "turn": None,
                "reason": "UNREADABLE",
                "section": None,
                "sentence": str(error),
                "spaces": [],
                "headings": [],
            }
        )
