"""Keys that requests come with: what was asked with one is not done again, it is answered again."""

from __future__ import annotations

from punct.server.play.readers import Readers
from punct.server.refusal import KeyReusedError
from punct.server.store import GameStore, Made, RequestKey


class Keys:
    """What was made with which key, as far as it is remembered."""

    def __init__(self, store: GameStore, readers: Readers) -> None:
        """Look it up in a store."""
        self._store, self._readers = store, readers

    async def made(self, request: RequestKey | None, *kinds: str) -> str | None:
        """Return what a request made when it was made before; None if it is new, or has no key.

        Raises KeyReusedError if the key was another request's, or made something of another kind.
        """
        made = await self._found(request)
        return None if made is None else made_before(made, request, *kinds)

    async def was_asked(self, request: RequestKey | None, what: str, *kinds: str) -> bool:
        """Tell whether a request was made before, and made this; raises KeyReusedError if it made something else."""
        made = await self._found(request)
        if made is None:
            return False
        check_made(made, request, what, *kinds)
        return True

    async def _found(self, request: RequestKey | None) -> Made | None:
        return None if request is None else await self._readers.read(lambda: self._store.made(request))


def made_before(made: Made, request: RequestKey | None, *kinds: str) -> str:
    """Return what a request made when it was first made; raises KeyReusedError if it was another request."""
    assert request is not None
    if not any(made.is_asked_by(request, kind) for kind in kinds):
        raise KeyReusedError
    return made.what


def check_made(made: Made, request: RequestKey | None, what: str, *kinds: str) -> None:
    """Raise KeyReusedError unless it was this that a request made when it was first made."""
    if made_before(made, request, *kinds) != what:
        raise KeyReusedError
