"""Schemas of vacations."""

from __future__ import annotations

from datetime import datetime

from pydantic import AwareDatetime, Field

from punct.server.http.schemas import RequestModel, ResponseModel
from punct.server.vacations.model import DAYS_PER_YEAR


class NewVacation(RequestModel):
    """Days of vacation to take."""

    begins: AwareDatetime | None = Field(default=None, description="When it begins; now if left out")
    days: int = Field(ge=1, le=2 * DAYS_PER_YEAR, description="Whole days of 24 hours")


class VacationView(ResponseModel):
    """A vacation that is not over."""

    begins: datetime
    ends: datetime
    days: int
    current: bool = Field(description="It has begun")


class YearView(ResponseModel):
    """The days of one year."""

    year: int
    left: int = Field(description="Days that are neither used nor planned")


class VacationsView(ResponseModel):
    """Your vacations, and how many days are left."""

    days_per_year: int
    years: list[YearView] = Field(description="This year and the next, in UTC")
    vacations: list[VacationView] = Field(description="By their begin")
