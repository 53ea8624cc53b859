"""The opening explorer, as typed models."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from punct.server.http.schemas import ResponseModel


class Sources(ResponseModel):
    """How many games each source has in a position, also sources that were not selected."""

    server: int = Field(description="Games that ended on this server")
    archives: int = Field(description="Games of imported archives")
    book: int = Field(description="Games of the computer against itself, which come with the program")


class OpeningTurn(ResponseModel):
    """A move that was played in a position."""

    turn: str = Field(description="The move, as it is played in the requested position")
    games: int
    white: int = Field(description="Games that White won")
    draws: int
    black: int
    last: date | None = Field(description="The day on which it was last played; null if unknown")
    rating: int | None = Field(description="The mean rating of the players; null if unknown")


class Opening(ResponseModel):
    """The moves that were played in a position, and in its rotated and mirrored images."""

    position: str = Field(description="The canonical one of these images")
    symmetry: int = Field(
        description="The symmetry that leads there: 0–5 sixths of a rotation clockwise; 6–11 mirrored first",
        ge=0,
        le=11,
    )
    games: int
    white: int
    draws: int
    black: int
    sources: Sources
    moves: list[OpeningTurn] = Field(description="Most played first, at most 100")
