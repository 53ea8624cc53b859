"""Passkeys: created and used by a software authenticator; forged responses are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from tests.server.online_client import PASSWORD, PROOF, Browser, NewBrowser, create_account, error_of, log_in
from tests.server.passkey_device import PasskeyDevice, request_options, send_response
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

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def create_passkey_account(new: NewBrowser, device: PasskeyDevice) -> tuple[Browser, str]:
    """Create an account that only a passkey opens; return a browser that is logged in, and the login."""
    carl, login = new(), f"carl-{device.id.hex()[:8]}"
    options, challenge = request_options(carl, "/account/passkey", {"login": login})
    made = send_response(carl, "/account/passkey", device.make(options), challenge)
    assert made.status_code == 201, made.text
    return carl, login


def prove_identity(browser: Browser, device: PasskeyDevice) -> tuple[dict[str, Any], str]:
    """Return a device's proof of identity, and the cookie of its challenge."""
    options, challenge = request_options(browser, "/passkeys/proof")
    return device.prove(options), challenge


def test_a_passkey_is_created_and_logs_in(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser, name="Anna")
    device = PasskeyDevice()
    options, challenge = request_options(anna, "/passkeys", PROOF)
    assert options["rp"] == {"id": "testserver", "name": "PÜNCT"} and options["user"]["displayName"] == "Anna"
    made = send_response(anna, "/passkeys", device.make(options), challenge)
    assert made.status_code == 201, made.text
    assert anna.get("/passkeys").json()["passkeys"] == [made.json()]
    again, _ = request_options(anna, "/passkeys", PROOF)
    assert [known["id"] for known in again["excludeCredentials"]] == [made.json()["id"]]

    phone = new_browser()
    phone.post("/me", {"name": "Guest"})
    options, challenge = request_options(phone, "/session/passkey")
    proof = device.prove(options)
    assert send_response(phone, "/session/passkey", proof, challenge).json()["player"] == anna.me()
    assert phone.me() == anna.me()
    # The same proof again, as somebody might who had listened.
    assert error_of(send_response(new_browser(), "/session/passkey", proof, challenge)) == (401, "bad_passkey")

    assert error_of(phone.delete("/passkeys/nobodys", PROOF)) == (401, "bad_passkey")
    assert phone.delete(f"/passkeys/{made.json()['id']}", PROOF).status_code == 204
    options, challenge = request_options(new_browser(), "/session/passkey")
    assert error_of(send_response(new_browser(), "/session/passkey", device.prove(options), challenge)) == (
        401,
        "bad_passkey",
    )


def test_forged_passkey_responses_are_refused(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    device, other = PasskeyDevice(2), PasskeyDevice(3)
    options, challenge = request_options(anna, "/passkeys", PROOF)
    assert error_of(
        send_response(anna, "/passkeys", device.make(options, origin="https://elsewhere.example"), challenge)
    ) == (
        401,
        "bad_passkey",
    )
    assert error_of(send_response(anna, "/passkeys", device.make(options, site="elsewhere.example"), challenge)) == (
        401,
        "bad_passkey",
    )
    ben, _ = create_account(new_browser)
    assert error_of(send_response(ben, "/passkeys", device.make(options), challenge)) == (
        401,
        "bad_passkey",
    )  # asked of Anna
    assert send_response(anna, "/passkeys", device.make(options), challenge).status_code == 201

    eve = new_browser()
    options, challenge = request_options(eve, "/session/passkey")
    forged = other.prove(options) | {"id": device._credential()["id"], "rawId": device._credential()["id"]}
    older, older_asked = request_options(eve, "/session/passkey")
    attempts: list[tuple[Any, str]] = [
        (forged, challenge),
        (other.prove(options), challenge),
        (device.prove(options, origin="https://elsewhere.example"), challenge),
        (device.prove(options, site="elsewhere.example"), challenge),
        (device.prove(options, flags=0b001), challenge),  # nobody's finger was asked
        (device.prove(older), challenge),
        (device.prove(options), older_asked),
        # Not the last character, some of whose bits mean nothing.
        (device.prove(options), challenge[:-5] + ("A" if challenge[-5] != "A" else "B") + challenge[-4:]),
        (device.prove(options), ""),
        (device.make({**options, "rp": {"id": "testserver"}}), challenge),
        ({**device.prove(options), "response": {}}, challenge),
        ({**device.prove(options), "response": {"clientDataJSON": 7}}, challenge),
    ]
    for body, cookie in attempts:
        assert error_of(send_response(eve, "/session/passkey", body, cookie)) == (401, "bad_passkey")
    assert eve.me() is None
    device.uses = 0  # a copy of the device, which has not counted on
    used, used_asked = request_options(eve, "/session/passkey")
    device.uses = 40
    assert send_response(eve, "/session/passkey", device.prove(used), used_asked).status_code == 200
    device.uses = 3
    options, challenge = request_options(eve, "/session/passkey")
    assert error_of(send_response(new_browser(), "/session/passkey", device.prove(options), challenge)) == (
        401,
        "bad_passkey",
    )
    assert log_in(new_browser(), login) == (200, None)  # the password still does


def test_an_account_without_a_password(new_browser: NewBrowser) -> None:
    carl, device = new_browser(), PasskeyDevice(10)
    guest = carl.post("/me", {"name": "Carl"}).json()["player"]
    before = carl.cookie
    options, challenge = request_options(carl, "/account/passkey", {"login": " Carl.First "})
    assert options["user"]["name"] == "carl.first" and options["user"]["displayName"] == "Carl"
    assert carl.me() == guest  # nothing has happened yet
    made = send_response(carl, "/account/passkey", device.make(options), challenge)
    assert made.status_code == 201, made.text
    assert made.json()["player"] == {**guest, "kind": "person", "login": True, "password": False} == carl.me()
    assert carl.cookie != before and Browser(carl.client, before).me() is None
    assert log_in(new_browser(), "carl.first", PASSWORD) == (401, "wrong_password")
    again, asked_again = request_options(new_browser(), "/session/passkey")
    phone = new_browser()
    assert send_response(phone, "/session/passkey", device.prove(again), asked_again).status_code == 200
    assert phone.me() == carl.me()
    assert error_of(carl.post("/account/passkey/options", {"login": "second"})) == (409, "has_account")
    assert error_of(send_response(carl, "/account/passkey", device.make(options), challenge)) == (409, "has_account")


def test_adding_or_removing_a_passkey_needs_confirmation(new_browser: NewBrowser) -> None:
    """Else the new one would prove whatever is asked for: another password, an end."""
    anna, _ = create_account(new_browser)
    device, other = PasskeyDevice(19), PasskeyDevice(20)
    for wrong in (None, {}, {"password": "four red bridges"}):
        assert error_of(anna.post("/passkeys/options", wrong)) == (401, "wrong_password")
    options, challenge = request_options(anna, "/passkeys", PROOF)
    _, to_prove = request_options(anna, "/passkeys/proof")
    assert error_of(send_response(anna, "/passkeys", device.make(options), to_prove)) == (401, "bad_passkey")
    made = send_response(anna, "/passkeys", device.make(options), challenge).json()
    for wrong in (None, {}, {"password": "four red bridges"}):
        assert error_of(anna.delete(f"/passkeys/{made['id']}", wrong)) == (401, "wrong_password")
    assert [key["id"] for key in anna.get("/passkeys").json()["passkeys"]] == [made["id"]]
    # A passkey proves it as well as a password.
    passkey, challenge = prove_identity(anna, device)
    answer = send_response(anna, "/passkeys/options", {"passkey": passkey}, challenge)
    cookies = SimpleCookie("; ".join(answer.headers.get_list("set-cookie")))
    assert (
        send_response(anna, "/passkeys", other.make(answer.json()), cookies["punct_passkey"].value).status_code == 201
    )
    assert error_of(send_response(anna, "/passkeys/options", {"passkey": passkey}, challenge)) == (
        401,
        "bad_passkey",
    )  # but once
    passkey, challenge = prove_identity(anna, other)
    token = {"name": "program", "scopes": ["play"], "passkey": passkey}
    assert send_response(anna, "/tokens", token, challenge).status_code == 201


def remove(browser: Browser, device: PasskeyDevice, passkey_id: str) -> httpx.Response:
    """Have a passkey removed by whoever proves with a device who they are."""
    passkey, challenge = prove_identity(browser, device)
    return send_response(browser, f"/passkeys/{passkey_id}", {"passkey": passkey}, challenge, "DELETE")


def test_the_last_credential_is_not_removed(new_browser: NewBrowser) -> None:
    first, second = PasskeyDevice(11), PasskeyDevice(12)
    carl, login = create_passkey_account(new_browser, first)
    (key,) = carl.get("/passkeys").json()["passkeys"]
    assert error_of(remove(carl, first, key["id"])) == (409, "last_way_in")
    passkey, challenge = prove_identity(carl, first)
    answer = send_response(carl, "/passkeys/options", {"passkey": passkey}, challenge)
    challenge = SimpleCookie("; ".join(answer.headers.get_list("set-cookie")))["punct_passkey"].value
    other = send_response(carl, "/passkeys", second.make(answer.json()), challenge).json()
    assert remove(carl, second, key["id"]).status_code == 204
    assert error_of(remove(carl, second, other["id"])) == (409, "last_way_in")
    proved, challenge = prove_identity(carl, second)
    new = {"new": "four red bridges", "passkey": proved}
    assert send_response(carl, "/account/password", new, challenge, "PUT").json()["player"]["password"] is True
    assert carl.delete(f"/passkeys/{other['id']}", {"password": "four red bridges"}).status_code == 204
    assert log_in(new_browser(), login, "four red bridges") == (200, None)


def test_a_passkey_confirms_actions_without_a_password(new_browser: NewBrowser) -> None:
    device, other = PasskeyDevice(13), PasskeyDevice(14)
    carl, _ = create_passkey_account(new_browser, device)
    eve, _ = create_passkey_account(new_browser, other)
    wanted = {"new": "four red bridges"}
    assert error_of(carl.send("PUT", "/account/password", {**wanted, "old": PASSWORD})) == (
        401,
        "passkey_needed",
    )
    assert error_of(carl.delete("/me")) == (401, "passkey_needed")
    assert error_of(carl.delete("/me", {"password": PASSWORD})) == (401, "passkey_needed")
    options, challenge = request_options(carl, "/passkeys/proof")
    assert [key["id"] for key in options["allowCredentials"]] == [device._credential()["id"]]
    entering, to_enter = request_options(carl, "/session/passkey")
    theirs, to_eve = request_options(eve, "/passkeys/proof")
    for passkey, cookie in (
        (other.prove(options), challenge),  # another's key
        (device.prove(entering), to_enter),  # an answer to something else
        (device.prove(theirs), to_eve),  # asked of another
        (device.prove(options), ""),
    ):
        assert error_of(send_response(carl, "/me", {"passkey": passkey}, cookie, "DELETE")) == (401, "bad_passkey")
        assert error_of(send_response(carl, "/account/password", {**wanted, "passkey": passkey}, cookie, "PUT")) == (
            401,
            "bad_passkey",
        )
    proved = {"passkey": device.prove(options)}
    assert error_of(send_response(carl, "/session/passkey", proved["passkey"], challenge)) == (401, "bad_passkey")
    weak = send_response(carl, "/account/password", {**proved, "new": "short"}, challenge, "PUT")
    assert error_of(weak) == (422, "weak_password")
    assert error_of(send_response(carl, "/me", proved, challenge, "DELETE")) == (
        401,
        "bad_passkey",
    )  # an answer counts once
    passkey, challenge = prove_identity(carl, device)
    assert send_response(carl, "/me", {"passkey": passkey}, challenge, "DELETE").status_code == 204
    assert carl.me() is None
    opening, to_open = request_options(new_browser(), "/session/passkey")
    assert error_of(send_response(new_browser(), "/session/passkey", device.prove(opening), to_open)) == (
        401,
        "bad_passkey",
    )


def test_a_passkey_sets_a_new_password(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    device = PasskeyDevice(15)
    options, challenge = request_options(anna, "/passkeys", PROOF)
    assert send_response(anna, "/passkeys", device.make(options), challenge).status_code == 201
    passkey, challenge = prove_identity(anna, device)
    assert send_response(
        anna, "/account/password", {"new": "four red bridges", "passkey": passkey}, challenge, "PUT"
    ).is_success
    assert log_in(new_browser(), login, "four red bridges") == (200, None)


def test_account_and_passkey_are_created_together(new_browser: NewBrowser) -> None:
    device, known = PasskeyDevice(16), PasskeyDevice(17)
    _, login = create_passkey_account(new_browser, known)
    guest, quicker, eve = new_browser(), new_browser(), new_browser()
    assert error_of(guest.post("/account/passkey/options", {"login": login.upper()})) == (409, "login_taken")
    assert error_of(guest.post("/account/passkey/options", {"login": "a b"})) == (422, "invalid_login")
    options, challenge = request_options(guest, "/account/passkey", {"login": "wanted-by-two"})
    eve.post("/me")
    assert error_of(send_response(eve, "/account/passkey", device.make(options), challenge)) == (401, "bad_passkey")
    assert error_of(send_response(new_browser(), "/account/passkey", device.make(options), challenge)) == (
        401,
        "stranger",
    )
    assert error_of(send_response(guest, "/account/passkey", known.make(options), challenge)) == (
        401,
        "bad_passkey",
    )  # another's
    elsewhere = device.make(options, origin="https://elsewhere.example")
    assert error_of(send_response(guest, "/account/passkey", elsewhere, challenge)) == (401, "bad_passkey")
    assert quicker.post("/account", {"login": "wanted-by-two", "password": PASSWORD}).status_code == 201
    assert error_of(send_response(guest, "/account/passkey", device.make(options), challenge)) == (409, "login_taken")
    assert guest.me()["kind"] == eve.me()["kind"] == "guest"
    # The passkey was not kept either: it opens an account under another name.
    options, challenge = request_options(guest, "/account/passkey", {"login": "wanted-by-one"})
    assert send_response(guest, "/account/passkey", device.make(options), challenge).status_code == 201


def test_a_used_challenge_creates_no_account(store_url: Path | str) -> None:
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


def test_two_processes_cannot_remove_both_passkeys(store_url: Path | str) -> None:
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


def test_a_blocked_player_may_delete_the_account_by_passkey(online: TestClient, new_browser: NewBrowser) -> None:
    device = PasskeyDevice(18)
    carl, _ = create_passkey_account(new_browser, device)
    services = online.app.state.services  # type: ignore[attr-defined]
    services.get(Accounts)._store.set_blocked(carl.me()["id"], NOW).result()
    services.get(Sessions).invalidate(carl.me()["id"])
    assert error_of(carl.post("/passkeys/options")) == (403, "blocked")
    passkey, challenge = prove_identity(carl, device)
    assert send_response(carl, "/me", {"passkey": passkey}, challenge, "DELETE").status_code == 204


def test_only_accounts_have_passkeys(new_browser: NewBrowser) -> None:
    guest = new_browser()
    assert error_of(guest.post("/passkeys/options")) == (401, "stranger")
    guest.post("/me")
    assert error_of(guest.post("/passkeys/options")) == (403, "no_account")
    assert error_of(guest.post("/passkeys/proof/options")) == (403, "no_account")


def test_credential_ids_are_base64url() -> None:
    assert base64url_to_bytes(PasskeyDevice()._credential()["id"]) == PasskeyDevice().id


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
def test_the_origin_is_the_servers_not_the_requests(tmp_path: Path, host: str, origin: str) -> None:
    """A request may say anything of it, and a program can have a device sign anything."""
    where = page_origins({"localhost", "punct.example"}, 8000)
    app = create_app(tmp_path, workers=1, online=True, hosts={"localhost", "punct.example"}, origins=where)
    with TestClient(app, base_url="https://punct.example") as client:
        anna, device = Browser(client), PasskeyDevice(30)

        def post(path: str, body: object, cookie: str = "", *, host: str, origin: str) -> httpx.Response:
            said = {"host": host, "origin": origin, "cookie": cookie}
            found = client.post(f"/api/v1{path}", json=body, headers=said)
            client.cookies.clear()
            return found

        def kept(found: httpx.Response) -> str:
            cookies = SimpleCookie("; ".join(found.headers.get_list("set-cookie")))
            return "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())

        ours = {"host": "punct.example", "origin": "https://punct.example"}
        options = post("/account/passkey/options", {"login": "anna"}, **ours)
        assert options.status_code == 200, options.text
        theirs = device.make(options.json(), origin=origin, site=host.partition(":")[0])
        scheme = origin.partition(":")[0]
        forged = client.post(
            f"{scheme}://{host}/api/v1/account/passkey",
            json=theirs,
            headers={"origin": origin, "cookie": kept(options)},
        )
        client.cookies.clear()
        assert forged.status_code in (401, 403, 409), forged.text
        made = post(
            "/account/passkey", device.make(options.json(), origin="https://punct.example"), kept(options), **ours
        )
        assert made.status_code == 201 and anna.me() is None
