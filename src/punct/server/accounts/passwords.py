"""Passwords: kept as Argon2 hashes, which take memory and tens of milliseconds each, and so are for threads."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from punct.server.accounts.errors import PasswordsBusyError, WeakPasswordError

Result = TypeVar("Result")

MIN_LENGTH: Final = 8
MAX_LENGTH: Final = 200
_FEWEST_CHARACTERS: Final = 4
"""Different ones."""
MAX_CONCURRENT: Final = 2
"""Each takes 32 MB while it is worked out. Whoever floods a server with logins waits in line, games do not."""
MAX_WAITING: Final = 16
"""Passwords in that line, some tenths of a second's work: whoever comes then is told to come back."""


class Passwords:
    """Hashes passwords and checks them."""

    def __init__(self) -> None:
        from argon2 import PasswordHasher  # of no use at home

        self._hasher = PasswordHasher(time_cost=3, memory_cost=32 * 1024, parallelism=1)
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT, thread_name_prefix="punct-password")
        self._nobodys: str | None = None
        self._pending = 0

    async def hash(self, password: str, *, login: str = "") -> str:
        """Return the hash of a new password; raises WeakPasswordError for one that would be guessed."""
        check_strength(password, login)
        return await self._run(lambda: self._hasher.hash(_canonical(password)))

    async def verify(self, password: str, stored: str | None) -> tuple[bool, str | None]:
        """Tell whether a password has the stored hash, and, if it should be hashed anew, the new hash.

        Without a stored hash it takes as long and is wrong: the time it takes does not reveal whether a login exists.
        """

        from argon2.exceptions import Argon2Error, InvalidHashError

        def check() -> tuple[bool, str | None]:
            if self._nobodys is None:
                self._nobodys = self._hasher.hash("nobody's")
            try:
                self._hasher.verify(stored or self._nobodys, _canonical(password))
            except (Argon2Error, InvalidHashError):
                return False, None
            if stored is None:
                return False, None
            return True, self._hasher.hash(_canonical(password)) if self._hasher.check_needs_rehash(stored) else None

        return await self._run(check)

    def close(self) -> None:
        """Take no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], Result]) -> Result:
        """Have work done in a thread; raises PasswordsBusyError if too much waits. Whoever gives up leaves the line."""
        if self._pending >= MAX_CONCURRENT + MAX_WAITING:
            raise PasswordsBusyError
        self._pending += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._pending -= 1


def check_strength(password: str, login: str = "") -> None:
    """Refuse a password that would be guessed, or that is no text."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise WeakPasswordError(f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters.")
    if len(set(password)) < _FEWEST_CHARACTERS or (
        login and login in password.lower() and len(password) < 2 * MIN_LENGTH
    ):
        raise WeakPasswordError("This password would be guessed; choose another.")
    try:
        password.encode()
    except UnicodeEncodeError:
        raise WeakPasswordError("This password has characters that are none.") from None


def _canonical(password: str) -> str:
    """Return the same text whichever way a keyboard wrote it, and never more than a password can have."""
    return unicodedata.normalize("NFC", password[: MAX_LENGTH * 4].encode("utf-8", "replace").decode())
