"""Query parameters that name a position."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

PositionQuery = Annotated[str, Query(min_length=1, max_length=4000, examples=["standard w wTb9ne"])]
