"""Acting on a proof of who somebody is: what the store says of one that no longer holds, said to people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Final, TypeVar

from punct.server.people.refusals import BadLinkError, BadPasskeyError, StrangerError, WrongPasswordError
from punct.server.refusal import RefusalError
from punct.server.store import OutdatedProofError

Result = TypeVar("Result")
_REFUSALS: Final[Mapping[str, Callable[[], RefusalError]]] = {
    "password": WrongPasswordError,
    "passkey": BadPasskeyError,
    "session": StrangerError,
    "link": BadLinkError,
}


async def acted(future: Future[Result]) -> Result:
    """Wait for what the store does on the strength of a proof; refuses it as if the proof had never been right."""
    try:
        return await asyncio.wrap_future(future)
    except OutdatedProofError as error:
        raise _REFUSALS[error.part]() from None
