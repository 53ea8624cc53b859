"""Webhooks: added, tested and removed by their owners, and called with what these are told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from typing import Any, Final

from punct.server.auth.model import StoredPlayer
from punct.server.auth.sessions import new_secret
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, MissingPlayerError, QuotaExceededError, StoreError
from punct.server.db.values import new_id
from punct.server.errors import BusyError
from punct.server.games.errors import PlayerRemovedError
from punct.server.notifications.model import Delivered, Delivery, Failed, SendResult, TargetGone
from punct.server.webhooks.errors import HookExistsError, RefusedAddressError, TooManyHooksError, UnknownHookError
from punct.server.webhooks.forms import request_of
from punct.server.webhooks.model import MAX_HOOKS, CallResult, HookForm, StoredHook
from punct.server.webhooks.store import HookStore
from punct.server.webhooks.texts import trial_message
from punct.server.workers import outbound
from punct.server.workers.outbound import AddressRules, HookJob, PostError, PostResult, check_url
from punct.server.workers.pool import (
    JobError,
    JobLimitError,
    JobNotStartedError,
    WorkerPool,
    run_with_queue_timeout,
)

_log = logging.getLogger(__name__)
MAX_FAILURES: Final = 10
"""A webhook that has failed so often in a row…"""
MAX_FAILING: Final = timedelta(days=3)
"""… and for so long is switched off."""
MAX_CALLS: Final = 8
"""At a time, by one process: fewer than messages are sent at a time, so that slow webhooks hold up no other channel."""
MAX_CALLS_OF_PLAYER: Final = 2
BUSY_SECONDS: Final = 5.0
SECRET_PREFIX: Final = "punct_hook_"
_GONE: Final = {"json": (410,), "discord": (404, 410), "slack": (404, 410)}
"""How a service says that there is no such webhook any more, by its form."""


class Webhooks:
    """All webhooks of this server."""

    def __init__(self, store: HookStore, pool: WorkerPool, rules: AddressRules, site: str, now: Now = utc_now) -> None:
        """Call them in a pool of workers; ``site`` is the server's address for the links in messages."""
        self._store, self._pool, self._rules, self._site, self._now = store, pool, rules, site, now
        self._calls: Counter[str] = Counter()  # running ones, by their player

    def refuse_waiting(self) -> None:
        """Begin no further calls."""
        self._pool.refuse_waiting()

    async def close(self) -> None:
        """End all calls."""
        await self._pool.close()

    async def list_by_player(self, player: StoredPlayer) -> list[StoredHook]:
        """Return a player's webhooks, the oldest first."""
        return await asyncio.to_thread(self._store.list_by_player, player.id)

    async def add(self, player: StoredPlayer, url: str, form: HookForm) -> StoredHook:
        """Add a webhook to an account; raises RefusedAddressError if its address may not be called."""
        try:
            check_url(url, self._rules)
        except outbound.RefusedAddressError as error:
            raise RefusedAddressError(f"This server does not call it: {error}.", reason=error.code) from None
        secret = SECRET_PREFIX + new_secret() if form == "json" else ""
        hook = StoredHook(new_id(), player.id, url, form, secret, self._now())
        try:
            await asyncio.wrap_future(self._store.add(hook, MAX_HOOKS))
        except QuotaExceededError:
            raise TooManyHooksError(f"Nobody has more than {MAX_HOOKS} webhooks; remove one first.") from None
        except MissingPlayerError:
            raise PlayerRemovedError from None
        except ConflictError:
            raise HookExistsError from None
        return hook

    async def remove(self, player: StoredPlayer, hook_id: str) -> None:
        """Remove a webhook of a player."""
        if not await asyncio.wrap_future(self._store.remove(player.id, hook_id)):
            raise UnknownHookError

    async def test(self, player: StoredPlayer, hook_id: str, language: str) -> CallResult:
        """Call a webhook of a player now; if it works, it is switched on again. Raises BusyError."""
        hook = await asyncio.to_thread(self._store.get, hook_id)
        if hook is None or hook.player_id != player.id:
            raise UnknownHookError
        async with self._slot(player.id) as is_free:
            if not is_free:
                raise BusyError("Your webhooks are being called right now; try again in a moment.")
            _, result = await self._call(hook, trial_message(language, self._now()), f"test-{new_id()}")
        if result.error is None:
            await asyncio.wrap_future(self._store.record_success(hook.id))
        return result

    async def send(self, delivery: Delivery) -> SendResult:
        """Call a webhook with a message."""
        hook = await asyncio.to_thread(self._store.get, delivery.target)
        if hook is None or hook.player_id != delivery.player_id:
            return TargetGone()
        if hook.is_off:
            return Failed("switched off", is_final=True)
        async with self._slot(hook.player_id) as is_free:
            if not is_free:
                return Failed("busy", retry_after=timedelta(seconds=BUSY_SECONDS), was_not_tried=True)
            try:
                response, result = await self._call(hook, delivery.payload, delivery.id)
            except JobNotStartedError:
                raise
            except JobError as error:  # ours, not the webhook's
                return Failed(str(error))
        return await self._record(hook, response, result)

    async def forget(self, hook_id: str) -> None:
        """Switch off a webhook that is gone: its owner sees why it is silent."""
        await asyncio.wrap_future(self._store.switch_off(hook_id, "gone", self._now()))

    async def _record(self, hook: StoredHook, response: PostResult | None, result: CallResult) -> SendResult:
        """Store what a call came to, and return it."""
        if result.error is None:
            if hook.failures:
                with contextlib.suppress(StoreError):  # it has arrived; that is noted the next time
                    await asyncio.wrap_future(self._store.record_success(hook.id))
            return Delivered()
        if result.status in _GONE[hook.form]:
            return TargetGone()
        seconds = None if response is None else response.retry_after
        retry_after = None if seconds is None else timedelta(seconds=seconds)
        if result.status == 429:  # it works, and is asked too often
            return Failed("429", retry_after=retry_after)
        is_off = await asyncio.wrap_future(
            self._store.record_failure(hook.id, result.error, self._now(), MAX_FAILURES, MAX_FAILING)
        )
        if is_off:
            _log.info("a webhook was switched off: %s", result.error)
        return Failed(result.error, is_final=is_off, retry_after=retry_after)

    async def _call(
        self, hook: StoredHook, payload: Mapping[str, Any], delivery_id: str
    ) -> tuple[PostResult | None, CallResult]:
        """Call a webhook; raises JobError if this server cannot."""
        body, headers = request_of(hook, payload, delivery_id, self._site, self._now())
        try:
            response = await run_with_queue_timeout(self._pool, HookJob(hook.url, headers, body, self._rules))
        except (PostError, outbound.RefusedAddressError) as error:
            return None, CallResult(error=error.code or "connection")
        except JobLimitError:
            return None, CallResult(error="timeout")
        is_success = 200 <= response.status < 300
        return response, CallResult(response.status, None if is_success else str(response.status))

    @contextlib.asynccontextmanager
    async def _slot(self, player_id: str) -> AsyncIterator[bool]:
        """Count a call of a player's webhooks in the block; False if there are too many already.

        A call waits for no other: slow webhooks of one player would hold up the messages of everybody.
        """
        if self._calls[player_id] >= MAX_CALLS_OF_PLAYER or self._calls.total() >= MAX_CALLS:
            yield False
            return
        self._calls[player_id] += 1
        try:
            yield True
        finally:
            self._calls[player_id] -= 1
            if not self._calls[player_id]:
                del self._calls[player_id]
