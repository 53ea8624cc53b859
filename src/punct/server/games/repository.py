"""The repository of games: loads, caches, changes and removes them. A change is stored first and then published."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from punct.errors import PunctError
from punct.server.clock import Now
from punct.server.db.database import Connection
from punct.server.db.errors import ConflictError, StoreError, UnreadableGameError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.db.outbox import Notice
from punct.server.db.readers import ReaderThreads
from punct.server.errors import BrokenGameError, RequestError, StoppingError
from punct.server.events import EventBus
from punct.server.games.errors import UnknownGameError, WrongPlyError
from punct.server.games.events import GameChanged, GameEnded, GameRemoved, RemovalReason
from punct.server.games.following import Follower, needs_following
from punct.server.games.game import PlayedGame
from punct.server.games.idempotency import IdempotencyKeys, check_previous_result
from punct.server.games.model import StoredClock, StoredGame, StoredMove
from punct.server.games.notices import notices_of_abort, notices_of_change
from punct.server.games.store import GameStore
from punct.server.games.time_control import MAX_STORE_DELAY, restart_clock
from punct.server.sized_cache import SizedCache

Result = TypeVar("Result")

MAX_MEMORY_BYTES: Final = 160 * 1024 * 1024
"""For cached games, some 30 kB each; loading one takes a fraction of a millisecond."""

MAX_ATTEMPTS: Final = 4
"""How often a change is computed from the current revision. Two attempts are not enough on a machine so busy that the
clocks of all games are adjusted for an outage twice within a second: a player would be refused for no reason."""

Change = Callable[[PlayedGame], PlayedGame]
"""Returns the next revision of a game, or the game itself if there is nothing to change. May raise."""
StoreRevision = Callable[[PlayedGame, PlayedGame], Coroutine[Any, Any, PlayedGame] | None]
"""Stores what a game became, given the game before and after, in another way than usual; None if the usual will do."""
_CHANGE_KINDS: Final = ("change", "turn")
"""The kinds of results that changes record with their idempotency keys; ``turn`` is a move."""
_CHANGED_ELSEWHERE: Final = "The game was changed elsewhere in the meantime; look at it again."


class GameRepository:
    """All games of this server. A game has one change at a time; reading it waits for none.

    Other processes may change the same games. So a change is a compare-and-set: it is computed from a cached revision,
    and stored only if that is still the current one; else it is computed again from the current revision.
    """

    def __init__(self, store: GameStore, bus: EventBus, now: Now) -> None:
        """Use a store, and publish every change on the bus; must be called on the event loop."""
        self._store, self._bus, self._now = store, bus, now
        self._cache: SizedCache[str, PlayedGame] = SizedCache(MAX_MEMORY_BYTES, PlayedGame.estimate_bytes)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.readers = ReaderThreads()
        self.idempotency = IdempotencyKeys(store, self.readers)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._follower: Follower | None = None
        self._is_closed = False

    def add_follower(self, follower: Follower) -> None:
        """Let a feature follow all changes of games, in their transactions; there can be one."""
        assert self._follower is None
        self._follower = follower

    async def close(self) -> None:
        """Reject new changes, and wait for pending ones."""
        self._is_closed = True
        while self._tasks:
            await asyncio.wait(self._tasks)
        self.readers.close()

    async def is_reachable(self) -> bool:
        """Return whether games can be read and stored; raises StoreError if the store does not answer."""
        return not self._is_closed and await self.readers.read(self._store.is_reachable)

    # ------------------------------------------------------------------ reading

    async def get(self, game_id: str) -> PlayedGame:
        """Return the current revision of a game, whichever process stored it."""
        cached = self._cache.get(game_id)
        return self._put(await self.readers.read(lambda: self._load(game_id, cached)))

    async def publish_new(self, game_id: str) -> PlayedGame:
        """Load a game that was just stored, with the names of its players, and publish it."""
        return self._publish(await self.readers.read(lambda: self._load(game_id)))

    async def refresh(self, game_ids: Iterable[str], is_news: Callable[[PlayedGame], bool] | None = None) -> None:
        """Reload games that were changed elsewhere, and publish those that are news, or that are gone.

        Raises StoreError if some of them could not be read, after all the others.
        """
        failure: StoreError | None = None
        for game_id in game_ids:
            try:
                game = await self._reload(game_id)
            except UnknownGameError:
                self._cache.pop(game_id)
                self._bus.publish(GameRemoved(game_id, RemovalReason.DELETED))
            except BrokenGameError:
                continue  # requests for the game get the error
            except StoreError as error:
                failure = error
            else:
                if is_news is None or is_news(game):
                    self._bus.publish(GameChanged(game, is_local=False))
        if failure is not None:
            raise failure

    async def refresh_cached(self, game_ids: Iterable[str]) -> None:
        """Reload those games that are cached, and publish them."""
        await self.refresh([game_id for game_id in game_ids if game_id in self._cache])

    async def refresh_seats(self, player_id: str, is_watched: Callable[[str], bool]) -> None:
        """Reload the cached games of a player whose name or rating has changed, and publish them.

        Games without subscribers are only evicted: a player may have thousands, and each would have to be read.
        """
        cached = {
            game.id: game.seats
            for game in self._cache.values()
            if any(seat.player is not None and seat.player.id == player_id for seat in game.seats.values())
        }
        watched = {game_id: seats for game_id, seats in cached.items() if is_watched(game_id)}
        for game_id in cached.keys() - watched.keys():
            self._cache.pop(game_id)
        await self.refresh(watched, lambda game: game.seats != watched[game.id])

    async def _reload(self, game_id: str) -> PlayedGame:
        """Load a game, and cache it even at the same revision: its players may have new names.

        Return the cached game if it was changed while this one was read: an older revision must not be published.
        """
        game = await self.readers.read(lambda: self._load(game_id))
        cached = self._cache.get(game_id)
        if cached is not None and cached.revision > game.revision:
            return cached
        self._cache.put(game_id, game)
        return game

    def _load(self, game_id: str, cached: PlayedGame | None = None) -> PlayedGame:
        """Return a stored game, or the cached one if it has the stored revision. Blocks."""
        if cached is not None and self._store.revision(game_id) == cached.revision:
            return cached
        try:
            loaded = self._store.load(game_id)
        except UnreadableGameError as error:
            raise BrokenGameError from error
        if loaded is None:
            raise UnknownGameError
        return PlayedGame.replay(*loaded)

    def _put(self, game: PlayedGame) -> PlayedGame:
        """Cache a game, unless a newer revision is cached already; return the game."""
        cached = self._cache.get(game.id)
        if cached is None or cached.revision < game.revision:
            self._cache.put(game.id, game)
        else:
            self._cache.use(game.id)
        return game

    # ------------------------------------------------------------------ changing

    async def change(
        self, game_id: str, change: Change, key: IdempotencyKey | None = None, store: StoreRevision | None = None
    ) -> PlayedGame:
        """Change a game: store its next revision, then publish it. A repeated request changes nothing."""

        async def work() -> PlayedGame:
            async with self._lock(game_id):
                try:
                    before, after = await self._apply(game_id, change, key, store)
                except DuplicateRequestError as repeated:
                    check_previous_result(repeated.result, key, game_id, *_CHANGE_KINDS)
                except (RequestError, PunctError):
                    # A change that was made cannot be made again: only now it matters whether the request is a repeat.
                    if not await self.idempotency.is_repeat(key, game_id, *_CHANGE_KINDS):
                        raise
                else:
                    if after is not before:
                        self._publish(after)
                    if before.outcome is None and after.outcome is not None:
                        self._bus.publish(GameEnded(after))
                    return after
                return await self.get(game_id)

        return await self.run_to_completion(work())

    async def _apply(
        self, game_id: str, change: Change, key: IdempotencyKey | None, store: StoreRevision | None
    ) -> tuple[PlayedGame, PlayedGame]:
        """Return a game before and after a change, stored. The cached game may be out of date if others write too."""
        cached = self._cache.get(game_id)
        if cached is not None:
            try:
                after = change(cached)
                if after is not cached:
                    return cached, await self._store_revision(cached, after, key, store)
                # There is nothing to change in the cached revision, which may not be the current one.
                if await self.readers.read(lambda: self._load(game_id, cached)) is cached:
                    return cached, cached
            except DuplicateRequestError:
                raise
            except ConflictError:
                pass
            except (RequestError, PunctError):
                current = await self.readers.read(lambda: self._load(game_id, cached))
                if current is cached:
                    raise
                self._put(current)
        for _ in range(MAX_ATTEMPTS):
            game = await self.readers.read(lambda: self._load(game_id))
            self._put(game)
            try:
                return game, await self._store_revision(game, change(game), key, store)
            except DuplicateRequestError:
                raise
            except ConflictError:
                continue
        raise WrongPlyError(_CHANGED_ELSEWHERE)

    async def _store_revision(
        self, before: PlayedGame, after: PlayedGame, key: IdempotencyKey | None, store: StoreRevision | None
    ) -> PlayedGame:
        """Store the next revision of a game, and return it."""
        if after is before:
            return after
        special = None if store is None else store(before, after)
        if special is not None:
            return await special

        def restart(clock: StoredClock) -> StoredClock:
            return clock if after.stored.time is None else restart_clock(clock, after.stored.time, self._now())

        def notices_of(stored: StoredGame) -> Iterable[Notice]:
            return notices_of_change(before.stored, stored, self._now())

        # A transaction may be repeated: what counts is the game of its last execution.
        followed = after

        def follow_change(connection: Connection) -> tuple[StoredGame, list[StoredMove]]:
            nonlocal followed
            assert self._follower is not None
            game = self._follower.follow(connection, before, after, self._now())
            followed = game.with_stored(replace(game.stored, revision=after.revision))
            return followed.stored, [move.stored for move in followed.moves[before.ply :]]

        is_followed = self._follower is not None and needs_following(before, after)
        follow = follow_change if is_followed else None
        if after.ply > before.ply:
            moves = (move.stored for move in after.moves[before.ply :])
            future = self._store.add_moves(
                after.stored, *moves, key=key, restart_clock=restart, notices_of=notices_of, follow=follow
            )
        elif after.ply < before.ply or (before.outcome is not None and after.outcome is None):
            future = self._store.take_back(after.stored, key, restart, notices_of, follow)
        else:
            await asyncio.wrap_future(self._store.update(after.stored, key, notices_of, follow))
            return after
        stored = await asyncio.wrap_future(future)
        after = followed.with_stored(stored)
        return await self._restart_clock_if_slow(after)

    async def _restart_clock_if_slow(self, game: PlayedGame) -> PlayedGame:
        """Restart the clock of a game if its last change took too long to store, and return the game.

        A turn begins when the change before it is about to be stored. If storing took long, as on a busy disk, the
        clock is restarted, and stored, before the change is published. If the store fails now, the change stands.
        """
        clock = game.stored.clock
        if clock is None or clock.running_since is None or self._now() - clock.running_since <= MAX_STORE_DELAY:
            return game
        if game.stored.time is None:
            return game
        clock = restart_clock(clock, game.stored.time, self._now())
        stored = replace(game.stored, revision=game.revision + 1, clock=clock)
        try:
            await asyncio.wrap_future(self._store.update(stored))
        except (ConflictError, StoreError):
            return game
        return game.with_stored(stored)

    async def remove(
        self,
        game_id: str,
        check: Callable[[PlayedGame], None] | None,
        reason: RemovalReason,
        key: IdempotencyKey | None = None,
    ) -> None:
        """Remove a game if a check of its current revision raises nothing; without a check, even a damaged game."""

        async def work() -> None:
            async with self._lock(game_id):
                if await self.idempotency.is_repeat(key, game_id, "gone"):
                    return
                revision, notices = None, tuple[Notice, ...]()
                if check is not None:
                    game = await self.get(game_id)
                    check(game)
                    revision = game.revision
                    if reason is RemovalReason.ABORTED:
                        notices = tuple(notices_of_abort(game.stored, self._now()))
                self._cache.pop(game_id)
                try:
                    is_deleted = await asyncio.wrap_future(
                        self._store.delete(game_id, revision, self._now(), key, notices)
                    )
                except DuplicateRequestError as repeated:
                    check_previous_result(repeated.result, key, game_id, "gone")
                    return
                if not is_deleted:
                    if revision is None:
                        raise UnknownGameError
                    raise WrongPlyError(_CHANGED_ELSEWHERE)
            self._bus.publish(GameRemoved(game_id, reason))
            # The game of which it was the rematch may have another rematch now.
            before_rematch = [game.id for game in self._cache.values() if game.stored.next_id == game_id]
            with contextlib.suppress(StoreError):  # the removal is stored, even if that game cannot be read now
                await self.refresh(before_rematch)

        await self.run_to_completion(work())

    def _lock(self, game_id: str) -> asyncio.Lock:
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    async def run_to_completion(self, change: Coroutine[Any, Any, Result]) -> Result:
        """Run a change to its end, even if the caller is cancelled, so that no change is left half done."""
        if self._is_closed:
            change.close()
            raise StoppingError
        task = asyncio.ensure_future(change)
        self._tasks.add(task)
        task.add_done_callback(self._discard)
        return await asyncio.shield(task)

    def _discard(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the caller has it; if the caller was cancelled, it is not to be logged either

    def _publish(self, game: PlayedGame) -> PlayedGame:
        self._bus.publish(GameChanged(self._put(game)))
        return game
