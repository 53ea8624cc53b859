"""Errors of relations."""

from __future__ import annotations

from punct.server.errors import RequestError


class OwnRelationError(RequestError, status=409, code="own_relation"):
    """A player would follow or block themselves."""

    def __init__(self) -> None:
        super().__init__("This is you.")


class TooManyRelationsError(RequestError, status=409, code="too_many_relations"):
    """The player follows, or has blocked, as many as there is room for."""

    def __init__(self, maximum: int) -> None:
        super().__init__(f"Nobody follows and blocks more than {maximum} players; drop one first.")
