"""Players as anybody sees them, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import Field

from punct.server.auth.model import PlayerKind
from punct.server.http.schemas import ResponseModel

PlayerId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$")]
PlayerReference = Annotated[
    str,
    Path(
        pattern="^(?:[A-Za-z0-9_-]{1,32}|@[A-Za-z][A-Za-z0-9-]{2,19})$",
        description="An id, or `@` with a handle: the current one, or that before it",
    ),
]


class PublicPlayer(ResponseModel):
    """A player, as anybody sees them."""

    id: str
    name: str | None = Field(description="As they chose it; null for a guest without a name")
    handle: str | None = Field(description="The unique public name; null for those who have chosen none")
    kind: PlayerKind
    created: datetime
