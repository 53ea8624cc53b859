"""Changes for a player who is deleted or merged at the same moment: no game is left without its owner."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql
from tests.polling import TIMEOUT_SECONDS
from tests.server.online_client import PROOF, Browser, NewBrowser, create_account, error_of
from tests.server.two_player_games import ManualClock, json_of, start_game

from punct.piece import Colour
from punct.server.accounts.service import Accounts
from punct.server.accounts.store import AccountStore
from punct.server.app import create_app
from punct.server.auth.model import StoredSession
from punct.server.auth.proofs import NO_PROOF
from punct.server.auth.sessions import Sessions
from punct.server.auth.store import AuthStore
from punct.server.challenges.service import Challenges
from punct.server.db.database import open_database
from punct.server.db.errors import ConflictError
from punct.server.games import routes as game_routes
from punct.server.games import store as game_store
from punct.server.games.model import NewStoredGame, SeatedPlayer, StoredSeat
from punct.server.games.records import RecordReader
from punct.server.games.service import Games
from punct.server.games.store import GameStore
from punct.server.ratings.service import rate_game
from punct.server.timekeeping.heartbeat import Heartbeat

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RECORD = {"text": "\n\n".join(["1. Ed5ne Tl5s *"] * 3)}
_ORPHANS = (
    "SELECT count(*) FROM games WHERE owner_id IS NOT NULL AND owner_id NOT IN (SELECT id FROM players)",
    "SELECT count(*) FROM games WHERE ending IS NULL AND id IN "
    "(SELECT game_id FROM seats WHERE player_id NOT IN (SELECT id FROM players))",
)


def count_orphans(store: GameStore) -> list[int]:
    """Return how many games have an owner who is gone, and how many are played by somebody who is."""
    return [store.database.fetch_all(question)[0][0] for question in _ORPHANS]


def services_of(who: Browser) -> Any:
    return who.client.app.state.services  # type: ignore[attr-defined]


def hold(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, meanwhile: Callable[[], Awaitable[object]]) -> None:
    """Have something happen once after a function was called, and before its answer is known."""
    does: Callable[..., Awaitable[object]] = getattr(owner, name)
    waiting = [meanwhile]

    async def held(*given: Any, **options: Any) -> object:
        answer = await does(*given, **options)
        if waiting:
            await waiting.pop()()
        return answer

    monkeypatch.setattr(owner, name, held)


@pytest.mark.parametrize("what", ["records", "game", "game with a level"])
@pytest.mark.parametrize("how", ["deletion", "login"])
def test_an_import_during_the_deletion_of_its_owner_is_not_stored(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch, what: str, how: str
) -> None:
    (anna, _), phone = create_account(new_browser), new_browser()
    holder, guest = anna.me()["id"], json_of(phone.post("/me"))["player"]["id"]
    accounts, sessions = services_of(anna).get(Accounts), services_of(anna).get(Sessions)
    whom = anna if how == "deletion" else phone

    async def go() -> None:
        if how == "deletion":
            await accounts.delete(await sessions.require_player(holder), NO_PROOF)
        else:
            known = next(session for session, _ in sessions._sessions.values() if session.player.id == guest)
            await accounts.open_session(holder, known)

    if what == "records":
        hold(monkeypatch, services_of(anna).get(RecordReader), "read_games", go)
        late = whom.post("/records", RECORD)
    else:
        hold(monkeypatch, game_routes, "charge_storage", go)
        seats = {"b": {"type": "engine", "level": 1}} if what == "game with a level" else {}
        late = whom.post("/games", {"seats": seats})
    assert error_of(late) == (401, "stranger")
    assert count_orphans(services_of(anna).get(Games)._store) == [0, 0]


@pytest.mark.parametrize("what", ["challenge", "rematch"])
def test_a_deleted_player_gets_no_seat(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    (anna, _), (ben, _) = create_account(new_browser), create_account(new_browser)
    services, gone = services_of(anna), ben.me()["id"]
    before = count_orphans(services.get(Games)._store)
    challenge = json_of(anna.post("/challenges", {}), 201)
    game = start_game(anna, ben)
    json_of(anna.post(f"/games/{game['id']}/resign"))
    json_of(ben.post(f"/games/{game['id']}/offers", {"kind": "rematch"}))

    async def go() -> None:
        await services.get(Accounts).delete(await services.get(Sessions).get_player(gone), NO_PROOF)

    if what == "challenge":
        hold(monkeypatch, services.get(Challenges), "get", go)
        assert error_of(ben.post(f"/challenges/{challenge['id']}/accept")) == (401, "stranger")
    else:
        hold(monkeypatch, services.get(Heartbeat), "arrival", go)
        late = anna.post(f"/games/{game['id']}/offers/accept", {"kind": "rematch"})
        assert error_of(late) == (409, "not_possible")
    assert count_orphans(services.get(Games)._store) == before


@contextlib.contextmanager
def two_processes(postgresql: Postgresql) -> Iterator[tuple[str, GameStore, GameStore]]:
    address = postgresql.new_store()
    stores = [GameStore(open_database(address)) for _ in range(2)]
    yield address, stores[0], stores[1]
    for store in stores:
        store.close()


def of(player: str) -> list[NewStoredGame]:
    """Return games to take in."""
    seats = {Colour.WHITE: StoredSeat(player=SeatedPlayer(player)), Colour.BLACK: StoredSeat("engine", level=1)}
    return [NewStoredGame("standard w", seats, owner=player) for _ in range(3)]


@pytest.mark.parametrize("how", ["deletion", "login"])
@pytest.mark.parametrize("first", ["import", "going"])
def test_deletions_in_another_process_leave_no_games_without_owner(
    postgresql: Postgresql, monkeypatch: pytest.MonkeyPatch, how: str, first: str
) -> None:
    """In both orders: whoever comes second in the database waits for the first, and sees what it did."""
    with two_processes(postgresql) as (address, here, there):
        guest: StoredSession = AuthStore(here.database).create_guest("guest", NOW, NOW + timedelta(days=1)).result()
        heir: StoredSession = AuthStore(here.database).create_guest("heir", NOW, NOW + timedelta(days=1)).result()
        AccountStore(here.database).create_account(heir.player.id, "heir", "hash").result()
        held, go_on = threading.Event(), threading.Event()

        def pause(does: Callable[..., Any]) -> Callable[..., Any]:
            def paused(*given: Any) -> Any:
                done = does(*given)
                held.set()
                assert go_on.wait(TIMEOUT_SECONDS)
                return done

            return paused

        def take_in(store: GameStore) -> Any:
            return store.create(of(guest.player.id))

        def go(store: GameStore) -> Any:
            if how == "deletion":
                return AccountStore(store.database).delete_player(guest.player.id, NOW, rate_game)
            return AccountStore(store.database).open_session("new", heir.player.id, NOW, NOW + timedelta(days=1), guest)

        if first == "import":
            monkeypatch.setattr(game_store.NewGameRows, "insert", pause(game_store.NewGameRows.insert))
            earlier = take_in(here)
            assert held.wait(TIMEOUT_SECONDS)
            later = go(there)
        else:
            doing = here.database.write_transaction

            @contextlib.contextmanager
            def held_at_the_end() -> Iterator[Any]:
                with doing() as connection:
                    yield connection
                    held.set()
                    assert go_on.wait(TIMEOUT_SECONDS)

            monkeypatch.setattr(here.database, "write_transaction", held_at_the_end)
            earlier = go(here)
            assert held.wait(TIMEOUT_SECONDS)
            later = take_in(there)
        postgresql.wait_for_lock(address)
        go_on.set()
        earlier.result()
        with contextlib.suppress(ConflictError):
            later.result()
        assert count_orphans(there) == [0, 0]
        ((count,),) = there.database.fetch_all("SELECT count(*) FROM games")
        assert count == (3 if (how, first) == ("login", "import") else 0)


@pytest.mark.parametrize("when", ["before it is renewed", "once it is renewed"])
def test_a_session_renewed_during_logout_everywhere_is_invalid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Also if the session is being renewed in that very moment."""
    clock = ManualClock()
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna = Browser(client)
        json_of(anna.post("/account", {"login": "anna", **PROOF}), 201)
        player, sessions = anna.me()["id"], services_of(anna).get(Sessions)
        clock.advance(days=2)
        renew = sessions._store.renew_session

        def renewing(*given: Any) -> Any:
            renewed = renew(*given) if when == "once it is renewed" else None
            if renewed is not None:
                renewed.result()
            sessions._store.end_sessions(player).result()
            sessions.announce(player)
            return renewed or renew(*given)

        monkeypatch.setattr(sessions._store, "renew_session", renewing)
        cookie = anna.cookie
        anna.get("/me")
        assert Browser(client, cookie).me() is None
        assert error_of(Browser(client, cookie).delete("/session")) == (401, "stranger")
