"""JSON of notebooks."""

from __future__ import annotations

from punct.server.http.encoding import Json
from punct.server.notebooks.store import Notebook


def notebook(game_id: str, stored: Notebook) -> Json:
    """Return a player's notebook in a game."""
    return {"game": game_id, "version": stored.version, "note": stored.note, "tree": stored.tree}
