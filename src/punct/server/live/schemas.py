"""Messages of every live connection, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from punct.server.http.schemas import RequestModel, ResponseModel


class LiveProbe(ResponseModel):
    """Reply at once: the server measures the round-trip time, and does not count it on the clock."""

    type: Literal["probe"] = "probe"
    n: int
    now: datetime = Field(description="The server's time")


class LivePong(ResponseModel):
    """The reply to a ping."""

    type: Literal["pong"] = "pong"


class LivePing(RequestModel):
    """Asks for a pong, to see whether the connection is alive."""

    type: Literal["ping"]


class LiveAnswer(RequestModel):
    """The reply to a probe."""

    type: Literal["probe"]
    n: Annotated[int, Field(ge=0, le=2**53)]


LiveSaid = LivePing | LiveAnswer
"""The messages of a client."""
