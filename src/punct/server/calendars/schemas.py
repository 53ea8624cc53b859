"""Responses of calendar feeds."""

from __future__ import annotations

from pydantic import Field

from punct.server.http.schemas import ResponseModel


class Calendar(ResponseModel):
    """Whether a player has a calendar feed."""

    exists: bool


class NewCalendar(ResponseModel):
    """The address of a calendar feed."""

    path: str = Field(
        description="From the server's root; it is shown this once, and whoever knows it can read the feed",
        examples=["/calendar/MDEyMzQ1Njc4OWFiY2RlZg.ics"],
    )
