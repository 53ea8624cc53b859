"""Changes that need a proof of identity: a proof that no longer holds becomes an error for the client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Final, TypeVar

from punct.server.auth.errors import BadLinkError, BadPasskeyError, UnauthenticatedError, WrongPasswordError
from punct.server.auth.proofs import OutdatedProofError
from punct.server.errors import RequestError

Result = TypeVar("Result")
_ERRORS: Final[Mapping[str, Callable[[], RequestError]]] = {
    "password": WrongPasswordError,
    "passkey": BadPasskeyError,
    "session": UnauthenticatedError,
    "link": BadLinkError,
}


async def wait_for_proved_change(future: Future[Result]) -> Result:
    """Wait for a change that needs a proof; a proof that no longer holds raises the same error as a wrong one."""
    try:
        return await asyncio.wrap_future(future)
    except OutdatedProofError as error:
        raise _ERRORS[error.part]() from None
