"""Passwords: kept as Argon2 hashes, which take memory and tens of milliseconds each, and so are for threads."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from punct.server.people.refusals import PasswordsBusyError, WeakPasswordError

SHORTEST: Final = 8
LONGEST: Final = 200
_FEWEST_CHARACTERS: Final = 4
"""Different ones."""
_AT_ONCE: Final = 2
"""Each takes 32 MB while it is worked out. Whoever floods a server with logins waits in line, games do not."""
MAX_WAITING: Final = 16
"""Passwords in that line, some tenths of a second's work: whoever comes then is told to come back."""

Result = TypeVar("Result")


class Passwords:
    """Hashes passwords and checks them."""

    def __init__(self) -> None:
        from argon2 import PasswordHasher  # of no use at home

        self._hasher = PasswordHasher(time_cost=3, memory_cost=32 * 1024, parallelism=1)
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="punct-password")
        self._nobodys: str | None = None
        self._pending = 0

    async def hashed(self, password: str, *, login: str = "") -> str:
        """Return what to keep of a new password; raises WeakPasswordError for one that would be guessed."""
        check_strength(password, login)
        return await self._run(lambda: self._hasher.hash(_canonical(password)))

    async def belongs(self, password: str, known: str | None) -> tuple[bool, str | None]:
        """Tell whether a password is the one that was kept, and, if it should be kept in a newer form, that form.

        Without one it takes as long and is wrong: how long it takes tells nobody whether a login exists.
        """

        from argon2.exceptions import Argon2Error, InvalidHashError

        def check() -> tuple[bool, str | None]:
            if self._nobodys is None:
                self._nobodys = self._hasher.hash("nobody's")
            try:
                self._hasher.verify(known or self._nobodys, _canonical(password))
            except (Argon2Error, InvalidHashError):
                return False, None
            if known is None:
                return False, None
            return True, self._hasher.hash(_canonical(password)) if self._hasher.check_needs_rehash(known) else None

        return await self._run(check)

    def close(self) -> None:
        """Take no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], Result]) -> Result:
        """Have work done in a thread; raises PasswordsBusyError if too much waits. Whoever gives up leaves the line."""
        if self._pending >= _AT_ONCE + MAX_WAITING:
            raise PasswordsBusyError
        self._pending += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._pending -= 1


def check_strength(password: str, login: str = "") -> None:
    """Refuse a password that would be guessed, or that is no text."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise WeakPasswordError(f"A password has {SHORTEST} to {LONGEST} characters.")
    if len(set(password)) < _FEWEST_CHARACTERS or (
        login and login in password.lower() and len(password) < 2 * SHORTEST
    ):
        raise WeakPasswordError("This password would be guessed; choose another.")
    try:
        password.encode()
    except UnicodeEncodeError:
        raise WeakPasswordError("This password has characters that are none.") from None


def _canonical(password: str) -> str:
    """Return the same text whichever way a keyboard wrote it, and never more than a password can have."""
    return unicodedata.normalize("NFC", password[: LONGEST * 4].encode("utf-8", "replace").decode())
