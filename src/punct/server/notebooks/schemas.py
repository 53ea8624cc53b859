"""Notebooks, as typed models."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StringConstraints

from punct.server.http.schemas import RequestModel, ResponseModel

MAX_NOTE_CHARACTERS: Final = 10_000
MAX_TREE_CHARACTERS: Final = 100_000
Version = Annotated[
    int, Field(ge=0, le=2**53, description="Of what is stored: a change of another version is refused; 0 for nothing")
]


class NotebookRequest(RequestModel):
    """What to store; what is left out stays as it is."""

    version: Version = 0
    note: Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS)] | None = None
    tree: Annotated[str, StringConstraints(max_length=MAX_TREE_CHARACTERS)] | None = Field(
        default=None, description="A text or SGF record of one game with variations; empty to delete them"
    )


class NotebookView(ResponseModel):
    """Your notes and variations in a game. Nobody else can see them."""

    game: str
    version: Version
    note: str
    tree: str = Field(description="A text record with variations; empty without any")
