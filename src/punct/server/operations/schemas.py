"""Health, as a typed model."""

from __future__ import annotations

from typing import Literal

from punct.server.http.schemas import ResponseModel


class Health(ResponseModel):
    """The server is up."""

    status: Literal["ok"] = "ok"
    version: str
