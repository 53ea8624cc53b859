"""Errors of notebooks."""

from __future__ import annotations

from punct.server.errors import RequestError


class NotebookChangedError(RequestError, status=409, code="notebook_changed"):
    """The notebook is another one than the client knows."""

    def __init__(self) -> None:
        super().__init__("Your notes were changed elsewhere in the meantime; look at them again.")
