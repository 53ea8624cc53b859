"""A password that is changed while another request still checks the old one: that request fails.

Argon2 is held where it has found the old password right; the other request runs to its end; then it is let go.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from tests.polling import TIMEOUT_SECONDS
from tests.server.online_client import PASSWORD, PROOF, Browser, NewBrowser, create_account, error_of, log_in
from tests.server.passkey_device import PasskeyDevice, request_options, send_response

from punct.server.accounts import service
from punct.server.accounts.links import create_reset_link
from punct.server.accounts.passkeys import Passkeys
from punct.server.accounts.passwords import Passwords
from punct.server.accounts.service import Accounts

NEW = "four red bridges"
_DEVICES = itertools.count(100)


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> Iterator[Callable[[], None]]:
    """Hold the first call of an asynchronous method at its end, until the block ends; yields how to wait for it."""
    done, go_on = threading.Event(), threading.Event()
    work = getattr(owner, name)

    async def hold(*args: Any, **options: Any) -> Any:
        found = await work(*args, **options)
        if not done.is_set():
            done.set()
            await asyncio.to_thread(go_on.wait, TIMEOUT_SECONDS)
        return found

    def wait() -> None:
        assert done.wait(TIMEOUT_SECONDS)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, hold)
        try:
            yield wait
        finally:
            go_on.set()


def run_with_change_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
    slow: Callable[[], httpx.Response],
    quick: Callable[[], object],
    owner: Any = Passwords,
    name: str = "verify",
) -> httpx.Response:
    """Hold a request where it has verified something, run another to its end meanwhile; return the first's answer."""
    with ThreadPoolExecutor(1) as threads:
        with held(monkeypatch, owner, name) as wait:
            answer: Future[httpx.Response] = threads.submit(slow)
            wait()
            quick()
        return answer.result(TIMEOUT_SECONDS)


def change(browser: Browser, old: str = PASSWORD, new: str = NEW) -> None:
    assert browser.send("PUT", "/account/password", {"old": old, "new": new}).status_code == 200


def link(online: TestClient, browser: Browser) -> str:
    """Return the secret of a link that sets an account's password."""
    players = online.app.state.services.get(Accounts)  # type: ignore[attr-defined]
    found = create_reset_link(players._store, browser.me()["id"], datetime.now(UTC))
    assert found is not None
    return found.removeprefix("/reset#")


def test_a_login_fails_if_the_password_changes_meanwhile(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, login = create_account(new_browser)
    eve = new_browser()
    answer = run_with_change_meanwhile(
        monkeypatch, lambda: eve.post("/session", {"login": login, "password": PASSWORD}), lambda: change(anna)
    )
    assert error_of(answer) == (401, "wrong_password")
    assert eve.me() is None and anna.me() is not None
    assert log_in(new_browser(), login, NEW) == (200, None)


def test_a_session_ended_during_login_is_unauthenticated(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session is stored, and ended by the new password before the browser hears of it: nobody was deleted."""
    anna, login = create_account(new_browser)
    eve = new_browser()
    answer = run_with_change_meanwhile(
        monkeypatch,
        lambda: eve.post("/session", {"login": login, "password": PASSWORD}),
        lambda: change(anna),
        service,
        "wait_for_proved_change",
    )
    assert error_of(answer) == (401, "stranger") and eve.me() is None
    assert anna.me() is not None and log_in(new_browser(), login, NEW) == (200, None)


def test_rehashing_does_not_restore_the_old_password(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, login = create_account(new_browser)
    right = Passwords.verify

    async def renewed(self: Passwords, password: str, known: str | None) -> tuple[bool, str | None]:
        found, _ = await right(self, password, known)
        return found, await self.hash(password) if found else None

    monkeypatch.setattr(Passwords, "verify", renewed)
    answer = run_with_change_meanwhile(
        monkeypatch,
        lambda: new_browser().post("/session", {"login": login, "password": PASSWORD}),
        lambda: change(anna),
    )
    assert error_of(answer) == (401, "wrong_password")
    assert log_in(new_browser(), login) == (401, "wrong_password")
    assert log_in(new_browser(), login, NEW) == (200, None)
    assert log_in(new_browser(), login, NEW) == (200, None)  # by the hash that the last one has renewed


@pytest.mark.parametrize("by", ["change", "reset"])
@pytest.mark.parametrize(
    ("method", "path", "wanted"),
    [
        ("PUT", "/account/password", {"old": PASSWORD, "new": "five green bridges"}),
        ("POST", "/tokens", {"name": "stolen", "scopes": ["play"], **PROOF}),
        ("DELETE", "/me", PROOF),
        ("POST", "/me/bot", PROOF),
        ("DELETE", "/passkeys/{passkey}", PROOF),
    ],
)
def test_the_old_password_confirms_nothing_after_a_change(
    online: TestClient,
    new_browser: NewBrowser,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    path: str,
    wanted: Any,
    by: str,
) -> None:
    anna, login = create_account(new_browser)
    eve = new_browser()
    assert log_in(eve, login) == (200, None)
    device = PasskeyDevice(next(_DEVICES))
    options, challenge = request_options(anna, "/passkeys", PROOF)
    passkey = send_response(anna, "/passkeys", device.make(options), challenge).json()["id"]
    secret = link(online, anna)

    def quick() -> None:
        if by == "change":
            change(anna)
        else:
            found = anna.post("/account/reset", {"secret": secret, "password": NEW})
            assert found.status_code == 200, found.text

    answer = run_with_change_meanwhile(
        monkeypatch, lambda: eve.send(method, path.format(passkey=passkey), wanted), quick
    )
    assert answer.status_code == 401, answer.text
    assert eve.me() is None
    assert anna.me()["kind"] == "person" and anna.get("/tokens").json() == {"tokens": []}
    assert [key["id"] for key in anna.get("/passkeys").json()["passkeys"]] == [passkey]
    assert log_in(new_browser(), login, NEW) == (200, None)


def test_the_old_password_adds_no_passkey_after_a_change(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device's answer is held where it was verified: the session it came by ends meanwhile."""
    anna, login = create_account(new_browser)
    eve = new_browser()
    assert log_in(eve, login) == (200, None)
    options, challenge = request_options(eve, "/passkeys", PROOF)
    made = PasskeyDevice(50).make(options)
    answer = run_with_change_meanwhile(
        monkeypatch,
        lambda: send_response(eve, "/passkeys", made, challenge),
        lambda: change(anna),
        Passkeys,
        "_verify_registration",
    )
    assert error_of(answer) == (401, "stranger")
    assert anna.get("/passkeys").json() == {"passkeys": []}


def test_a_removed_passkey_does_not_log_in(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = create_account(new_browser)
    device = PasskeyDevice(51)
    options, challenge = request_options(anna, "/passkeys", PROOF)
    passkey = send_response(anna, "/passkeys", device.make(options), challenge).json()["id"]
    eve = new_browser()
    options, challenge = request_options(eve, "/session/passkey")
    proved = device.prove(options)
    answer = run_with_change_meanwhile(
        monkeypatch,
        lambda: send_response(eve, "/session/passkey", proved, challenge),
        lambda: anna.delete(f"/passkeys/{passkey}", PROOF),
        Passkeys,
        "_verify_authentication",
    )
    assert error_of(answer) == (401, "bad_passkey") and eve.me() is None


def test_a_reset_link_is_invalid_after_a_password_change(online: TestClient, new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    secret = link(online, anna)
    change(anna)
    eve = new_browser()
    found = eve.post("/account/reset", {"secret": secret, "password": "five green bridges"})
    assert error_of(found) == (403, "bad_link") and eve.me() is None
    assert log_in(new_browser(), login, NEW) == (200, None)


def test_a_reset_link_works_once_for_concurrent_requests(
    online: TestClient, new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, login = create_account(new_browser)
    secret = link(online, anna)
    eve, ben = new_browser(), new_browser()

    def reset(who: Browser, password: str) -> httpx.Response:
        return who.post("/account/reset", {"secret": secret, "password": password})

    answer = run_with_change_meanwhile(
        monkeypatch, lambda: reset(eve, "five green bridges"), lambda: reset(ben, NEW), Passwords, "hash"
    )
    assert error_of(answer) == (403, "bad_link") and eve.me() is None and ben.me() is not None
    assert log_in(new_browser(), login, NEW) == (200, None)


def test_a_reset_sets_the_password_and_logs_in_in_one_step(
    online: TestClient, new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Setting it and logging in are one: nobody comes between."""
    anna, login = create_account(new_browser)
    secret = link(online, anna)
    phone = new_browser()
    entered: list[str] = []
    enter = Accounts.open_session

    async def noted(self: Accounts, *args: Any, **options: Any) -> Any:
        entered.append(log_in_state(online, login))
        return await enter(self, *args, **options)

    monkeypatch.setattr(Accounts, "open_session", noted)
    before = log_in_state(online, login)
    assert phone.post("/account/reset", {"secret": secret, "password": NEW}).status_code == 200
    assert entered == [before]  # until then the old password is the password


def log_in_state(online: TestClient, login: str) -> str:
    """Return the hash by which a login is checked."""
    players = online.app.state.services.get(Accounts)  # type: ignore[attr-defined]
    found = players._store.find_credentials(login)
    assert found is not None
    return str(found[1])
