"""Public files of games, as typed models."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from punct.server.http.schemas import ResponseModel


class PublicFile(ResponseModel):
    """The finished rated games of a month that anybody may watch."""

    month: str = Field(examples=["2026-10"])
    url: str = Field(description="Where the file is: JSON lines, compressed with gzip")
    games: int
    bytes: int
    sha256: str = Field(description="Of the file as it is downloaded")
    made: datetime = Field(description="When it was made; again after a player was deleted")


class PublicFiles(ResponseModel):
    """The public files of a server."""

    offered: bool = Field(description="Whether this server publishes its rated games")
    licence: str | None = Field(description="What the operator says of their use")
    files: list[PublicFile] = Field(description="The newest first")
