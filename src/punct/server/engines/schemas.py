"""Engine levels and hints, as typed models."""

from __future__ import annotations

from pydantic import Field

from punct.server.http.schemas import ResponseModel


class Level(ResponseModel):
    """A level the computer can play at."""

    level: int
    name: str
    description: str


class Levels(ResponseModel):
    """All levels, weakest first."""

    levels: list[Level]


class Hint(ResponseModel):
    """A move the engine would play."""

    ply: int
    turn: str
    chance: float = Field(description="The winning chance of the side to move, as the engine sees it: 0 … 1")
    line: list[str] = Field(description="The principal variation, which begins with the move")
    depth: int
    nodes: int
