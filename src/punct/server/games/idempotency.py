"""Idempotency keys: a repeated request is not executed again, but answered with its first result."""

from __future__ import annotations

from punct.server.db.idempotency import IdempotencyKey, IdempotentResult
from punct.server.db.readers import ReaderThreads
from punct.server.errors import KeyReusedError
from punct.server.games.store import GameStore


class IdempotencyKeys:
    """The results of earlier requests by idempotency key, as long as they are stored."""

    def __init__(self, store: GameStore, readers: ReaderThreads) -> None:
        """Read them from a store."""
        self._store, self._readers = store, readers

    async def find_result(self, key: IdempotencyKey | None, *kinds: str) -> str | None:
        """Return the result of a repeated request; None if the request is new, or has no key.

        Raises KeyReusedError if the key belongs to another request, or to a result of another kind.
        """
        result = await self._load(key)
        return None if result is None else previous_result(result, key, *kinds)

    async def is_repeat(self, key: IdempotencyKey | None, expected_id: str, *kinds: str) -> bool:
        """Return whether a request with this result was made before; raises KeyReusedError if it had another result."""
        result = await self._load(key)
        if result is None:
            return False
        check_previous_result(result, key, expected_id, *kinds)
        return True

    async def _load(self, key: IdempotencyKey | None) -> IdempotentResult | None:
        return None if key is None else await self._readers.read(lambda: self._store.find_result(key))


def previous_result(result: IdempotentResult, key: IdempotencyKey | None, *kinds: str) -> str:
    """Return the id of a repeated request's result; raises KeyReusedError if the key belongs to another request."""
    assert key is not None
    if not any(result.is_for(key, kind) for kind in kinds):
        raise KeyReusedError
    return result.id


def check_previous_result(result: IdempotentResult, key: IdempotencyKey | None, expected_id: str, *kinds: str) -> None:
    """Raise KeyReusedError unless a repeated request had this result."""
    if previous_result(result, key, *kinds) != expected_id:
        raise KeyReusedError
