"""The cache of sessions, and live connections that close with their session, also while the store is read."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.server.two_player_games import ManualClock

from punct.server.accounts.store import AccountStore
from punct.server.auth.connections import SessionConnections
from punct.server.auth.sessions import Sessions
from punct.server.auth.store import AuthStore
from punct.server.broker import open_broker
from punct.server.db.database import Database, open_database
from punct.server.events import EventBus


def run(
    tmp_path: Path,
    test: Callable[[Database, Sessions, SessionConnections], Awaitable[None]],
    clock: ManualClock | None = None,
) -> None:
    async def main() -> None:
        with contextlib.closing(open_database(tmp_path)) as database:
            bus = EventBus()
            sessions = Sessions(AuthStore(database), open_broker(None), bus, clock or ManualClock())
            connections = SessionConnections(sessions, bus)
            await test(database, sessions, connections)
            await connections.close()

    asyncio.run(main())


def test_renewing_a_session_does_not_restore_an_outdated_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocked between reading and renewing: what was read before is not cached, neither by the one nor the other."""
    clock = ManualClock()

    async def test(database: Database, sessions: Sessions, _: SessionConnections) -> None:
        session, secret, _changed = await sessions.create_guest()
        sessions.invalidate(None)
        clock.advance(days=2)
        has_read, go_on = threading.Event(), threading.Event()
        find_session = AuthStore.find_session

        def find_slowly(self: AuthStore, session_id: str) -> Any:
            stored = find_session(self, session_id)
            has_read.set()
            go_on.wait(60)
            return stored

        with monkeypatch.context() as slow:
            slow.setattr(AuthStore, "find_session", find_slowly)
            reading = asyncio.create_task(sessions.find(secret))
            await asyncio.to_thread(has_read.wait, 60)
            await asyncio.wrap_future(AccountStore(database).set_blocked(session.player.id, datetime.now(UTC)))
            sessions.announce(session.player.id)
            go_on.set()
            outdated = await reading
        assert outdated is not None and outdated.player.blocked is None
        renewed = await sessions.renew(outdated)
        assert renewed is not None and renewed.expires == clock() + timedelta(days=365)
        current = await sessions.find(secret)
        assert current is not None and current.player.blocked is not None and current.expires == renewed.expires

    run(tmp_path, test, clock)


def test_a_renewed_session_is_not_renewed_again_from_the_cache(tmp_path: Path) -> None:
    clock = ManualClock()

    async def test(database: Database, sessions: Sessions, _: SessionConnections) -> None:
        _session, secret, _changed = await sessions.create_guest()
        clock.advance(days=2)
        cached = await sessions.find(secret)
        assert cached is not None and await sessions.renew(cached) is not None
        again = await sessions.find(secret)
        assert again is not None and await sessions.renew(again) is None

    run(tmp_path, test, clock)


@pytest.mark.parametrize("when", ["before it is registered", "afterwards"])
def test_a_live_connection_ends_with_a_session_that_ends_while_it_is_opened(tmp_path: Path, when: str) -> None:
    async def test(database: Database, sessions: Sessions, connections: SessionConnections) -> None:
        session, _secret, _changed = await sessions.create_guest()
        generation = sessions.generation
        if when == "before it is registered":
            await sessions.end(session)
        with connections.register(session.player, session, generation) as ended:
            assert not ended.is_set()
            if when == "afterwards":
                await sessions.end(session)
            await asyncio.wait_for(ended.wait(), 60)

    run(tmp_path, test)


def test_a_live_connection_stays_when_only_its_player_changes(tmp_path: Path) -> None:
    async def test(database: Database, sessions: Sessions, connections: SessionConnections) -> None:
        session, _secret, _changed = await sessions.create_guest()
        with connections.register(session.player, session, sessions.generation) as ended:
            sessions.announce(session.player.id)
            await connections._tasks.finish()
            assert not ended.is_set()

    run(tmp_path, test)
