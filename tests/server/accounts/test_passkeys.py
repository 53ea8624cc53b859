"""Passkeys: made and used by a device that is written out here, and nothing that only looks like it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from tests.server.accounts.test_accounts import account, log_in
from tests.server.online_client import PASSWORD, PROOF, Browser, refused
from tests.server.passkey_device import Device
from webauthn.helpers import base64url_to_bytes

from punct.server.accounts.passkey_store import PasskeyStore, StoredPasskey
from punct.server.accounts.service import Accounts
from punct.server.app import create_app
from punct.server.auth.sessions import Sessions
from punct.server.auth.store import AuthStore
from punct.server.db.database import open_database
from punct.server.db.errors import ConflictError
from punct.server.games.store import GameStore
from punct.server.run import page_origins

New = Callable[[], Browser]
NOW = datetime(2026, 1, 2, tzinfo=UTC)


def ask(browser: Browser, path: str, body: object = None) -> tuple[Any, str]:
    """Return the options, and the cookie that keeps what was asked."""
    answer = browser.post(f"{path}/options", body)
    assert answer.status_code == 200, answer.text
    cookies = SimpleCookie("; ".join(answer.headers.get_list("set-cookie")))
    return answer.json(), cookies["punct_passkey"].value


def send(browser: Browser, path: str, body: object, asked: str, method: str = "POST") -> httpx.Response:
    own = f"punct_session={browser.cookie}; " if browser.cookie else ""
    return browser.send(method, path, body, cookie=f"{own}punct_passkey={asked}")


def by_passkey(new: New, device: Device) -> tuple[Browser, str]:
    """Return a browser in which the holder of an account is known that a device alone opens, and the login."""
    carl, login = new(), f"carl-{device.id.hex()[:8]}"
    options, asked = ask(carl, "/account/passkey", {"login": login})
    made = send(carl, "/account/passkey", device.make(options), asked)
    assert made.status_code == 201, made.text
    return carl, login


def proof(browser: Browser, device: Device) -> tuple[dict[str, Any], str]:
    """Return what proves with a device who somebody is, and the cookie that keeps what was asked."""
    options, asked = ask(browser, "/passkeys/proof")
    return device.prove(options), asked


def test_a_passkey_is_made_and_opens_the_account(browser: New) -> None:
    anna, _ = account(browser, name="Anna")
    device = Device()
    options, asked = ask(anna, "/passkeys", PROOF)
    assert options["rp"] == {"id": "testserver", "name": "PÜNCT"} and options["user"]["displayName"] == "Anna"
    made = send(anna, "/passkeys", device.make(options), asked)
    assert made.status_code == 201, made.text
    assert anna.get("/passkeys").json()["passkeys"] == [made.json()]
    again, _ = ask(anna, "/passkeys", PROOF)
    assert [known["id"] for known in again["excludeCredentials"]] == [made.json()["id"]]

    phone = browser()
    phone.post("/me", {"name": "Guest"})
    options, asked = ask(phone, "/session/passkey")
    proof = device.prove(options)
    assert send(phone, "/session/passkey", proof, asked).json()["player"] == anna.me()
    assert phone.me() == anna.me()
    # The same proof again, as somebody might who had listened.
    assert refused(send(browser(), "/session/passkey", proof, asked)) == (401, "bad_passkey")

    assert refused(phone.delete("/passkeys/nobodys", PROOF)) == (401, "bad_passkey")
    assert phone.delete(f"/passkeys/{made.json()['id']}", PROOF).status_code == 204
    options, asked = ask(browser(), "/session/passkey")
    assert refused(send(browser(), "/session/passkey", device.prove(options), asked)) == (401, "bad_passkey")


def test_what_only_looks_like_proof_opens_nothing(browser: New) -> None:
    anna, login = account(browser)
    device, other = Device(2), Device(3)
    options, asked = ask(anna, "/passkeys", PROOF)
    assert refused(send(anna, "/passkeys", device.make(options, origin="https://elsewhere.example"), asked)) == (
        401,
        "bad_passkey",
    )
    assert refused(send(anna, "/passkeys", device.make(options, site="elsewhere.example"), asked)) == (
        401,
        "bad_passkey",
    )
    ben, _ = account(browser)
    assert refused(send(ben, "/passkeys", device.make(options), asked)) == (401, "bad_passkey")  # asked of Anna
    assert send(anna, "/passkeys", device.make(options), asked).status_code == 201

    eve = browser()
    options, asked = ask(eve, "/session/passkey")
    forged = other.prove(options) | {"id": device._answer()["id"], "rawId": device._answer()["id"]}
    older, older_asked = ask(eve, "/session/passkey")
    attempts: list[tuple[Any, str]] = [
        (forged, asked),
        (other.prove(options), asked),
        (device.prove(options, origin="https://elsewhere.example"), asked),
        (device.prove(options, site="elsewhere.example"), asked),
        (device.prove(options, flags=0b001), asked),  # nobody's finger was asked
        (device.prove(older), asked),
        (device.prove(options), older_asked),
        # Not the last character, some of whose bits mean nothing.
        (device.prove(options), asked[:-5] + ("A" if asked[-5] != "A" else "B") + asked[-4:]),
        (device.prove(options), ""),
        (device.make({**options, "rp": {"id": "testserver"}}), asked),
        ({**device.prove(options), "response": {}}, asked),
        ({**device.prove(options), "response": {"clientDataJSON": 7}}, asked),
    ]
    for body, cookie in attempts:
        assert refused(send(eve, "/session/passkey", body, cookie)) == (401, "bad_passkey")
    assert eve.me() is None
    device.uses = 0  # a copy of the device, which has not counted on
    used, used_asked = ask(eve, "/session/passkey")
    device.uses = 40
    assert send(eve, "/session/passkey", device.prove(used), used_asked).status_code == 200
    device.uses = 3
    options, asked = ask(eve, "/session/passkey")
    assert refused(send(browser(), "/session/passkey", device.prove(options), asked)) == (401, "bad_passkey")
    assert log_in(browser(), login) == (200, None)  # the password still does


def test_an_account_by_passkey_alone(browser: New) -> None:
    carl, device = browser(), Device(10)
    guest = carl.post("/me", {"name": "Carl"}).json()["player"]
    before = carl.cookie
    options, asked = ask(carl, "/account/passkey", {"login": " Carl.First "})
    assert options["user"]["name"] == "carl.first" and options["user"]["displayName"] == "Carl"
    assert carl.me() == guest  # nothing has happened yet
    made = send(carl, "/account/passkey", device.make(options), asked)
    assert made.status_code == 201, made.text
    assert made.json()["player"] == {**guest, "kind": "person", "login": True, "password": False} == carl.me()
    assert carl.cookie != before and Browser(carl.client, before).me() is None
    assert log_in(browser(), "carl.first", PASSWORD) == (401, "wrong_password")
    again, asked_again = ask(browser(), "/session/passkey")
    phone = browser()
    assert send(phone, "/session/passkey", device.prove(again), asked_again).status_code == 200
    assert phone.me() == carl.me()
    assert refused(carl.post("/account/passkey/options", {"login": "second"})) == (409, "has_account")
    assert refused(send(carl, "/account/passkey", device.make(options), asked)) == (409, "has_account")


def test_an_open_browser_alone_neither_adds_a_passkey_nor_removes_one(browser: New) -> None:
    """Else the new one would prove whatever is asked for: another password, an end."""
    anna, _ = account(browser)
    device, other = Device(19), Device(20)
    for wrong in (None, {}, {"password": "four red bridges"}):
        assert refused(anna.post("/passkeys/options", wrong)) == (401, "wrong_password")
    options, asked = ask(anna, "/passkeys", PROOF)
    _, to_prove = ask(anna, "/passkeys/proof")
    assert refused(send(anna, "/passkeys", device.make(options), to_prove)) == (401, "bad_passkey")
    made = send(anna, "/passkeys", device.make(options), asked).json()
    for wrong in (None, {}, {"password": "four red bridges"}):
        assert refused(anna.delete(f"/passkeys/{made['id']}", wrong)) == (401, "wrong_password")
    assert [key["id"] for key in anna.get("/passkeys").json()["passkeys"]] == [made["id"]]
    # A passkey proves it as well as a password.
    passkey, asked = proof(anna, device)
    answer = send(anna, "/passkeys/options", {"passkey": passkey}, asked)
    cookies = SimpleCookie("; ".join(answer.headers.get_list("set-cookie")))
    assert send(anna, "/passkeys", other.make(answer.json()), cookies["punct_passkey"].value).status_code == 201
    assert refused(send(anna, "/passkeys/options", {"passkey": passkey}, asked)) == (401, "bad_passkey")  # but once
    passkey, asked = proof(anna, other)
    token = {"name": "program", "scopes": ["play"], "passkey": passkey}
    assert send(anna, "/tokens", token, asked).status_code == 201


def remove(browser: Browser, device: Device, passkey_id: str) -> httpx.Response:
    """Have a passkey removed by whoever proves with a device who they are."""
    passkey, asked = proof(browser, device)
    return send(browser, f"/passkeys/{passkey_id}", {"passkey": passkey}, asked, "DELETE")


def test_what_opens_an_account_last_is_not_removed(browser: New) -> None:
    first, second = Device(11), Device(12)
    carl, login = by_passkey(browser, first)
    (key,) = carl.get("/passkeys").json()["passkeys"]
    assert refused(remove(carl, first, key["id"])) == (409, "last_way_in")
    passkey, asked = proof(carl, first)
    answer = send(carl, "/passkeys/options", {"passkey": passkey}, asked)
    asked = SimpleCookie("; ".join(answer.headers.get_list("set-cookie")))["punct_passkey"].value
    other = send(carl, "/passkeys", second.make(answer.json()), asked).json()
    assert remove(carl, second, key["id"]).status_code == 204
    assert refused(remove(carl, second, other["id"])) == (409, "last_way_in")
    proved, asked = proof(carl, second)
    new = {"new": "four red bridges", "passkey": proved}
    assert send(carl, "/account/password", new, asked, "PUT").json()["player"]["password"] is True
    assert carl.delete(f"/passkeys/{other['id']}", {"password": "four red bridges"}).status_code == 204
    assert log_in(browser(), login, "four red bridges") == (200, None)


def test_whoever_has_no_password_proves_it_with_a_passkey(browser: New) -> None:
    device, other = Device(13), Device(14)
    carl, _ = by_passkey(browser, device)
    eve, _ = by_passkey(browser, other)
    wanted = {"new": "four red bridges"}
    assert refused(carl.send("PUT", "/account/password", {**wanted, "old": PASSWORD})) == (
        401,
        "passkey_needed",
    )
    assert refused(carl.delete("/me")) == (401, "passkey_needed")
    assert refused(carl.delete("/me", {"password": PASSWORD})) == (401, "passkey_needed")
    options, asked = ask(carl, "/passkeys/proof")
    assert [key["id"] for key in options["allowCredentials"]] == [device._answer()["id"]]
    entering, to_enter = ask(carl, "/session/passkey")
    theirs, to_eve = ask(eve, "/passkeys/proof")
    for passkey, cookie in (
        (other.prove(options), asked),  # another's key
        (device.prove(entering), to_enter),  # an answer to something else
        (device.prove(theirs), to_eve),  # asked of another
        (device.prove(options), ""),
    ):
        assert refused(send(carl, "/me", {"passkey": passkey}, cookie, "DELETE")) == (401, "bad_passkey")
        assert refused(send(carl, "/account/password", {**wanted, "passkey": passkey}, cookie, "PUT")) == (
            401,
            "bad_passkey",
        )
    proved = {"passkey": device.prove(options)}
    assert refused(send(carl, "/session/passkey", proved["passkey"], asked)) == (401, "bad_passkey")
    weak = send(carl, "/account/password", {**proved, "new": "short"}, asked, "PUT")
    assert refused(weak) == (422, "weak_password")
    assert refused(send(carl, "/me", proved, asked, "DELETE")) == (401, "bad_passkey")  # an answer counts once
    passkey, asked = proof(carl, device)
    assert send(carl, "/me", {"passkey": passkey}, asked, "DELETE").status_code == 204
    assert carl.me() is None
    opening, to_open = ask(browser(), "/session/passkey")
    assert refused(send(browser(), "/session/passkey", device.prove(opening), to_open)) == (401, "bad_passkey")


def test_a_lost_password_is_set_anew_by_whoever_has_a_passkey(browser: New) -> None:
    anna, login = account(browser)
    device = Device(15)
    options, asked = ask(anna, "/passkeys", PROOF)
    assert send(anna, "/passkeys", device.make(options), asked).status_code == 201
    passkey, asked = proof(anna, device)
    assert send(anna, "/account/password", {"new": "four red bridges", "passkey": passkey}, asked, "PUT").is_success
    assert log_in(browser(), login, "four red bridges") == (200, None)


def test_an_account_and_what_opens_it_come_together_or_not_at_all(browser: New) -> None:
    device, known = Device(16), Device(17)
    _, login = by_passkey(browser, known)
    guest, quicker, eve = browser(), browser(), browser()
    assert refused(guest.post("/account/passkey/options", {"login": login.upper()})) == (409, "login_taken")
    assert refused(guest.post("/account/passkey/options", {"login": "a b"})) == (422, "invalid_login")
    options, asked = ask(guest, "/account/passkey", {"login": "wanted-by-two"})
    eve.post("/me")
    assert refused(send(eve, "/account/passkey", device.make(options), asked)) == (401, "bad_passkey")
    assert refused(send(browser(), "/account/passkey", device.make(options), asked)) == (401, "stranger")
    assert refused(send(guest, "/account/passkey", known.make(options), asked)) == (401, "bad_passkey")  # another's
    elsewhere = device.make(options, origin="https://elsewhere.example")
    assert refused(send(guest, "/account/passkey", elsewhere, asked)) == (401, "bad_passkey")
    assert quicker.post("/account", {"login": "wanted-by-two", "password": PASSWORD}).status_code == 201
    assert refused(send(guest, "/account/passkey", device.make(options), asked)) == (409, "login_taken")
    assert guest.me()["kind"] == eve.me()["kind"] == "guest"
    # The passkey was not kept either: it opens an account under another name.
    options, asked = ask(guest, "/account/passkey", {"login": "wanted-by-one"})
    assert send(guest, "/account/passkey", device.make(options), asked).status_code == 201


def test_a_challenge_that_was_answered_makes_no_account(store_url: Path | str) -> None:
    """Neither the login nor anything else: what is refused has changed nothing, whatever is stored together with it."""
    store = GameStore(open_database(store_url))
    try:
        guest, holder = (
            AuthStore(store.database).create_guest(name, NOW, NOW).result().player.id for name in ("one", "other")
        )
        key = StoredPasskey("key", holder, b"key", 0, NOW)
        PasskeyStore(store.database).create_account(key, "holder", b"answered").result()
        again = StoredPasskey("another", guest, b"key", 0, NOW)
        with pytest.raises(ConflictError):
            PasskeyStore(store.database).create_account(again, "guest", b"answered").result()
        assert not AuthStore(store.database).get(guest).has_account  # type: ignore[union-attr]
        assert PasskeyStore(store.database).list_passkeys(guest) == []
        PasskeyStore(store.database).create_account(again, "guest", b"new").result()
    finally:
        store.close()


def test_two_processes_leave_one_of_two_passkeys(store_url: Path | str) -> None:
    stores = [GameStore(open_database(store_url)) for _ in range(2)]
    try:
        for round_ in range(8):
            session = AuthStore(stores[0].database).create_guest(f"session {round_}", NOW, NOW).result()
            player, keys = session.player.id, [f"{round_}-first", f"{round_}-second"]
            first, second = (StoredPasskey(key, player, b"key", 0, NOW) for key in keys)
            PasskeyStore(stores[0].database).create_account(first, f"login-{round_}", f"a {round_}".encode()).result()
            PasskeyStore(stores[0].database).add(second, f"b {round_}".encode(), 10).result()
            deletions = [
                PasskeyStore(store.database).delete(player, key) for store, key in zip(stores, keys, strict=True)
            ]
            faults = [deletion.exception() for deletion in deletions]
            assert [type(fault) for fault in faults if fault] == [ConflictError]
            assert len(PasskeyStore(stores[1].database).list_passkeys(player)) == 1
    finally:
        for store in stores:
            store.close()


def test_whoever_was_shut_out_may_still_go_by_passkey(online: TestClient, browser: New) -> None:
    device = Device(18)
    carl, _ = by_passkey(browser, device)
    services = online.app.state.services  # type: ignore[attr-defined]
    services.get(Accounts)._store.set_blocked(carl.me()["id"], NOW).result()
    services.get(Sessions).invalidate(carl.me()["id"])
    assert refused(carl.post("/passkeys/options")) == (403, "blocked")
    passkey, asked = proof(carl, device)
    assert send(carl, "/me", {"passkey": passkey}, asked, "DELETE").status_code == 204


def test_passkeys_are_for_account_holders(browser: New) -> None:
    guest = browser()
    assert refused(guest.post("/passkeys/options")) == (401, "stranger")
    guest.post("/me")
    assert refused(guest.post("/passkeys/options")) == (403, "no_account")
    assert refused(guest.post("/passkeys/proof/options")) == (403, "no_account")


def test_a_server_without_the_library_says_so(browser: New, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = account(browser)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert refused(anna.post("/passkeys/options", PROOF)) == (409, "not_offered")
    assert refused(browser().post("/session/passkey/options")) == (409, "not_offered")
    assert refused(browser().post("/account/passkey/options", {"login": "carl-here"})) == (409, "not_offered")


def test_ids_are_as_browsers_write_them() -> None:
    assert base64url_to_bytes(Device()._answer()["id"]) == Device().id


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("punct.example:9999", "http://punct.example:9999"),
        ("punct.example", "http://punct.example"),
        ("punct.example:8001", "https://punct.example:8001"),
        ("192.0.2.1", "http://192.0.2.1"),
        ("localhost", "https://localhost:1"),
    ],
)
def test_where_a_page_is_the_server_knows_itself(tmp_path: Path, host: str, origin: str) -> None:
    """A request may say anything of it, and a program can have a device sign anything."""
    where = page_origins({"localhost", "punct.example"}, 8000)
    app = create_app(tmp_path, workers=1, online=True, hosts={"localhost", "punct.example"}, origins=where)
    with TestClient(app, base_url="https://punct.example") as client:
        anna, device = Browser(client), Device(30)

        def post(path: str, body: object, cookie: str = "", *, host: str, origin: str) -> httpx.Response:
            said = {"host": host, "origin": origin, "cookie": cookie}
            found = client.post(f"/api/v1{path}", json=body, headers=said)
            client.cookies.clear()
            return found

        def kept(found: httpx.Response) -> str:
            cookies = SimpleCookie("; ".join(found.headers.get_list("set-cookie")))
            return "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())

        ours = {"host": "punct.example", "origin": "https://punct.example"}
        asked = post("/account/passkey/options", {"login": "anna"}, **ours)
        assert asked.status_code == 200, asked.text
        theirs = device.make(asked.json(), origin=origin, site=host.partition(":")[0])
        scheme = origin.partition(":")[0]
        forged = client.post(
            f"{scheme}://{host}/api/v1/account/passkey",
            json=theirs,
            headers={"origin": origin, "cookie": kept(asked)},
        )
        client.cookies.clear()
        assert forged.status_code in (401, 403, 409), forged.text
        made = post("/account/passkey", device.make(asked.json(), origin="https://punct.example"), kept(asked), **ours)
        assert made.status_code == 201 and anna.me() is None
