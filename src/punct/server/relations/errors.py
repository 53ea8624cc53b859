"""Errors of relations."""

from __future__ import annotations

from punct.server.db.errors import ConflictError
from punct.server.errors import RequestError


class BlockedPairError(ConflictError):
    """Two players are to be kept apart: one has blocked the other, or takes no more challenges; the id is theirs."""

    def __init__(self, player_id: str) -> None:
        super().__init__(player_id)
        self.player_id = player_id

    def for_player(self, player_id: str | None) -> RequestError:
        """Return what one of the two is told: of a block of one's own, and of the other's no more than is needed."""
        return HasBlockedError() if self.player_id == player_id else NoChallengesError()


class OwnRelationError(RequestError, status=409, code="own_relation"):
    """A player would follow or block themselves."""

    def __init__(self) -> None:
        super().__init__("This is you.")


class NoChallengesError(RequestError, status=409, code="takes_no_challenges"):
    """The player takes no challenges from the requester, or has too many already."""

    def __init__(self) -> None:
        super().__init__("This player takes no challenges from you at present.")


class HasBlockedError(RequestError, status=409, code="you_blocked"):
    """The requester has blocked the other player."""

    def __init__(self) -> None:
        super().__init__("You have blocked this player; unblock them first.")


class TooManyRelationsError(RequestError, status=409, code="too_many_relations"):
    """The player follows, or has blocked, as many as there is room for."""

    def __init__(self, maximum: int) -> None:
        super().__init__(f"Nobody follows and blocks more than {maximum} players; drop one first.")
