"""Passwords as Argon2 hashes. Each takes memory and tens of milliseconds, so threads compute them."""

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
_MIN_DIFFERENT_CHARACTERS: Final = 4
ROUNDS: Final = 3
MEMORY_KIB: Final = 32 * 1024
"""What one hash costs, whether it is computed here or by somebody who guesses passwords."""
MAX_CONCURRENT: Final = 2
"""Each takes 32 MB while it is computed. A flood of logins waits in this queue; games do not."""
MAX_WAITING: Final = 16
"""Passwords in that queue, some tenths of a second's work; further ones are refused with Retry-After."""


class Passwords:
    """Hashes and verifies passwords."""

    def __init__(self) -> None:
        from argon2 import PasswordHasher  # of no use at home

        self._hasher = PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY_KIB, parallelism=1)
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT, thread_name_prefix="punct-password")
        self._dummy_hash: str | None = None
        self._pending = 0

    async def hash(self, password: str, *, login: str = "") -> str:
        """Return the hash of a new password; raises WeakPasswordError for one that is easy to guess."""
        check_strength(password, login)
        return await self._run(lambda: self._hasher.hash(_canonical(password)))

    async def verify(self, password: str, stored: str | None) -> tuple[bool, str | None]:
        """Return whether a password has the stored hash, and its new hash if the stored one is outdated.

        Without a stored hash this takes as long and fails: the time does not reveal whether a login exists.
        """

        from argon2.exceptions import Argon2Error, InvalidHashError

        def check() -> tuple[bool, str | None]:
            if self._dummy_hash is None:
                self._dummy_hash = self._hasher.hash("nobody's")
            try:
                self._hasher.verify(stored or self._dummy_hash, _canonical(password))
            except (Argon2Error, InvalidHashError):
                return False, None
            if stored is None:
                return False, None
            return True, self._hasher.hash(_canonical(password)) if self._hasher.check_needs_rehash(stored) else None

        return await self._run(check)

    def close(self) -> None:
        """Stop the threads; queued passwords are cancelled."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], Result]) -> Result:
        """Run a function in a thread; raises PasswordsBusyError if the queue is full. A cancelled request leaves it."""
        if self._pending >= MAX_CONCURRENT + MAX_WAITING:
            raise PasswordsBusyError
        self._pending += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._pending -= 1


def check_strength(password: str, login: str = "") -> None:
    """Raise WeakPasswordError for a password that is easy to guess, or no valid text."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise WeakPasswordError(f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters.")
    if len(set(password)) < _MIN_DIFFERENT_CHARACTERS or (
        login and login in password.lower() and len(password) < 2 * MIN_LENGTH
    ):
        raise WeakPasswordError("This password would be guessed; choose another.")
    try:
        password.encode()
    except UnicodeEncodeError:
        raise WeakPasswordError("This password has invalid characters.") from None


def _canonical(password: str) -> str:
    """Return the text in Unicode's NFC, which is the same for every keyboard, and at a bounded length."""
    return unicodedata.normalize("NFC", password[: MAX_LENGTH * 4].encode("utf-8", "replace").decode())
