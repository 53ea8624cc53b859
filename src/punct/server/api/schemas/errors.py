"""The one shape of everything that is refused."""

from __future__ import annotations

from pydantic import Field

from punct.server.api.schemas.words import Answer


class ErrorBody(Answer):
    """What went wrong."""

    code: str = Field(examples=["illegal_turn"])
    message: str = Field(description="For people, in English")
    detail: dict[str, object] | None = None


class ErrorAnswer(Answer):
    """The one shape of every answer that is not a success."""

    error: ErrorBody
