"""Path parameters and documented responses that several routes of games share."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path

from punct.server.http.errors import error_responses

GameId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$", examples=["c0ffee-Punct"])]
GamePly = Annotated[int, Path(ge=0, le=100_000)]
MAX_PAGE_SIZE: Final = 100
CHANGE_ERRORS: Final = error_responses(403, 404, 409, 413, 422)
"""Of routes that change a game."""
