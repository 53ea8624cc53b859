"""Locks of players, taken by two processes at once, in an order that excludes deadlocks."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.databases import Postgresql
from tests.server.lock_order import watch_lock_order

from punct import Colour
from punct.server.accounts import store as account_store
from punct.server.accounts.store import AccountStore
from punct.server.auth.store import AuthStore
from punct.server.db import locks
from punct.server.db.database import open_database
from punct.server.db.errors import MissingPlayerError
from punct.server.db.locks import lock_player, lock_players
from punct.server.games.model import NewStoredGame, SeatedPlayer, StoredSeat
from punct.server.games.store import GameStore, Quota
from punct.server.ratings.service import rate_game
from punct.server.ratings.store import unrated_opponents

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LONG = 60.0


@pytest.fixture(autouse=True)
def _lock_order() -> None:
    """Take the place of the shared check: here, changes lock out of order on purpose."""


@pytest.fixture
def stores(postgresql: Postgresql) -> Iterator[list[GameStore]]:
    address = postgresql.new_store()
    opened = [GameStore(open_database(address)) for _ in range(2)]
    yield opened
    for store in opened:
        store.close()


def somebody(store: GameStore, login: str) -> str:
    """Return the id of a new account holder."""
    player = AuthStore(store.database).create_guest(login, NOW, NOW + timedelta(days=1)).result().player
    AccountStore(store.database).create_account(player.id, login, "hash").result()
    return player.id


def between(one: str, other: str) -> NewStoredGame:
    seats = {colour: StoredSeat(player=SeatedPlayer(who)) for colour, who in zip(Colour, (one, other), strict=True)}
    return NewStoredGame("standard w", seats, owner=one, rated=True, time="3d")


def test_imports_of_one_owner_wait_for_each_other(
    stores: list[GameStore], postgresql: Postgresql, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each counts what the owner has, and adds to it: were the owner shared first, each would wait for the other."""
    owner, tries, together = somebody(stores[0], "anna"), itertools.count(1), threading.Event()
    address = stores[0].database._url  # type: ignore[attr-defined]

    def lock(*given: Any) -> Any:
        locked, number = lock_players(*given), next(tries)
        while number + postgresql.count_waiting(address) < 2 and not together.is_set():
            together.wait(0.02)
        together.set()  # the other one has locked them as well, or waits for it
        return locked

    monkeypatch.setattr("punct.server.games.store.lock_players", lock)
    new = NewStoredGame("standard w", {colour: StoredSeat() for colour in Colour}, owner=owner)
    added = [store.create([new] * 2, NOW, quota=Quota(3, 10_000)) for store in stores]
    outcomes = [future.exception(LONG) for future in added]
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "QuotaExceededError"]
    assert next(tries) == 3  # none had to begin anew


def test_deleting_a_player_locks_opponents_whose_ratings_change(
    stores: list[GameStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And if a game begins while these are read, it is all begun anew."""
    anna, ben, eve = (somebody(stores[0], login) for login in ("anna", "ben", "eve"))
    stores[0].create([between(anna, ben)], NOW).result()
    sets: list[set[str]] = []

    def read(*given: Any) -> set[str]:
        found = unrated_opponents(*given)
        if not sets:  # before anybody is locked
            stores[1].create([between(anna, eve)], NOW).result()
        sets.append(found)
        return found

    monkeypatch.setattr(account_store, "unrated_opponents", read)
    with watch_lock_order() as wrong:
        forgotten = AccountStore(stores[0].database).delete_player(anna, NOW, rate_game).result()
    assert sets == [{ben}, {ben, eve}, {ben, eve}, {ben, eve}]
    assert forgotten is not None and len(forgotten.changed_games) == 2
    assert not wrong


def test_players_are_locked_in_one_order(store_url: Any) -> None:
    store = GameStore(open_database(store_url))
    known = {somebody(store, login) for login in ("anna", "ben", "eve")}

    def lock(connection: Any) -> list[str]:
        with pytest.raises(MissingPlayerError):
            lock_player(connection, "nobody")
        return list(lock_players(connection, [*sorted(known, reverse=True), "nobody"], missing_ok=True))

    assert store.database.change(lock).result() == sorted(known)
    store.close()


@pytest.mark.parametrize("wrong_order", ["backwards", "afterwards", "more strongly"])
def test_a_wrong_lock_order_is_noticed(store_url: Any, wrong_order: str) -> None:
    store = GameStore(open_database(store_url))
    first, second = sorted(somebody(store, login) for login in ("anna", "ben"))

    def lock(connection: Any) -> None:
        match wrong_order:
            case "backwards":
                lock_player(connection, second)
            case "afterwards":
                connection.execute("DELETE FROM sessions")
            case _:
                lock_players(connection, [first], locks.LockStrength.KEY_SHARE)
        lock_player(connection, first)

    with watch_lock_order() as wrong:
        store.database.change(lock).result()
    assert len(wrong) == 1
    store.close()
