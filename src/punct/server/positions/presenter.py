"""JSON of explanations. The kernel writes it, as it writes the views of positions (``punct.kernel.view``)."""

from __future__ import annotations

from punct import kernel
from punct.errors import InvalidMoveError
from punct.kernel.view import explanation_json
from punct.outcome import Outcome
from punct.server.http.encoding import encode


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
