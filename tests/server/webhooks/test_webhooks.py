"""Webhooks: from a move to a chat, signed, retried, switched off, and nobody else's."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import PROOF, Browser, block_player, create_account, error_of, log_in
from tests.server.receiver import Receiver, endlessly, running_receiver, status
from tests.server.two_player_games import ManualClock, json_of, play_moves, start_game

from punct.server.app import create_app
from punct.server.http.rate_limits import HOOK_TESTS
from punct.server.notifications.service import FIRST_RETRY, Notifications
from punct.server.timekeeping.heartbeat import Heartbeat
from punct.server.webhooks import service
from punct.server.webhooks.forms import request_of, signature
from punct.server.webhooks.model import MAX_HOOKS, StoredHook
from punct.server.webhooks.service import MAX_FAILING, MAX_FAILURES, Webhooks
from punct.server.webhooks.store import HookStore
from punct.server.workers import outbound

SITE = "https://punct.example.org"


class Server:
    """A server whose notifications a test sends by hand, a receiver, and two account holders."""

    def __init__(self, client: TestClient, clock: ManualClock, receiver: Receiver) -> None:
        self.client, self.clock, self.receiver = client, clock, receiver
        services = client.app.state.services  # type: ignore[attr-defined]
        self.notifications: Notifications = services.get(Notifications)
        self.webhooks: Webhooks = services.get(Webhooks)
        self.store: HookStore = self.webhooks._store
        self.white, self.white_login = create_account(lambda: Browser(client), name="White")
        self.black, _ = create_account(lambda: Browser(client), name="Black")

    def add_hook(self, form: str = "json", browser: Browser | None = None, path: str = "") -> dict[str, Any]:
        self.clock.advance(seconds=1)  # they are listed by their age
        response = (browser or self.white).post("/hooks", {"url": self.receiver.url + path, "form": form})
        return json_of(response, 201)

    def work(self) -> list[Any]:
        """Send what is due; return the bodies that have arrived."""
        self.receiver.calls.clear()
        assert self.client.portal is not None
        self.client.portal.call(self.notifications.work)
        return [json.loads(call.body) for call in self.receiver.calls]

    def hook(self, browser: Browser | None = None) -> dict[str, Any]:
        """Return the one hook of a player, as they see it."""
        (hook,) = json_of((browser or self.white).get("/hooks"))["hooks"]
        assert isinstance(hook, dict)
        return hook

    def tell(self) -> str:
        """Begin a game, of which White is told; return its id."""
        game_id = start_game(self.white, self.black, time="3d", rules="basic")["id"]
        assert isinstance(game_id, str)
        return game_id


@pytest.fixture
def server(store_url: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    clock = ManualClock()
    with running_receiver() as receiver:
        monkeypatch.setenv(outbound.EXEMPT_VARIABLE, receiver.authority)
        with TestClient(create_app(store_url, workers=1, online=True, now=clock, site=SITE)) as client:
            yield Server(client, clock, receiver)


def test_a_move_arrives_as_signed_json(server: Server) -> None:
    hook = server.add_hook()
    assert hook["secret"].startswith("punct_hook_") and not hook["off"] and hook["error"] is None
    game = start_game(server.black, server.white, time="3d", rules="basic")
    assert server.work() == []  # who accepted knows that it has begun
    play_moves(game, (server.black, "Ed5ne"))
    server.clock.advance(seconds=30)
    (body,) = server.work()
    assert body == {
        "version": 1, "id": body["id"], "kind": "turn", "subject": game["id"], "game": game["id"],
        "title": "Your turn", "body": "Black has made a move.", "at": body["at"], "url": f"{SITE}/game/{game['id']}",
    }  # fmt: skip
    (call,) = server.receiver.calls
    assert call.headers["content-type"] == "application/json"
    time, _, digest = call.headers["punct-signature"].removeprefix("t=").partition(",v1=")
    expected = hmac.new(hook["secret"].encode(), f"{time}.".encode() + call.body, hashlib.sha256).hexdigest()
    assert (digest, int(time)) == (expected, int(server.clock().timestamp()))
    assert server.work() == []


def test_the_forms_of_chats(server: Server) -> None:
    server.add_hook("discord", path="/discord")
    server.add_hook("slack", path="/slack")
    assert [hook["form"] for hook in json_of(server.white.get("/hooks"))["hooks"]] == ["discord", "slack"]
    name = "*@everyone* <!channel> [x](https://evil.org) `a` & _b_"
    server.black.send("PATCH", "/me", {"name": name[:30]})
    game_id = server.tell()
    server.work()
    by_path = {call.line.split()[1]: json.loads(call.body) for call in server.receiver.calls}
    discord, slack = by_path["/hook/discord"], by_path["/hook/slack"]
    assert discord["allowed_mentions"] == {"parse": []}
    link = f"{SITE}/game/{game_id}"
    assert discord["content"] == (
        "**A game has begun**\n\\*\\@everyone\\* \\<!channel\\> \\[x\\]\\(htt plays you.\n" + f"<{link}>"
    )
    assert slack == {
        "text": f"A game has begun\n*@everyone* &lt;!channel&gt; [x](htt plays you.\n{link}",
        "mrkdwn": False, "unfurl_links": False,
    }  # fmt: skip
    assert all("punct-signature" not in call.headers for call in server.receiver.calls)


def test_only_account_holders_have_webhooks(server: Server) -> None:
    url = {"url": server.receiver.url}
    stranger, guest = Browser(server.client), Browser(server.client)
    guest.post("/me", {"name": "Guest"})
    hook = server.add_hook()
    secret = server.white.token("read", "play", "challenge")["secret"]
    token = {"Authorization": f"Bearer {secret}"}
    bearer = Browser(server.client)
    paths: tuple[tuple[str, str, object], ...] = (
        ("GET", "/hooks", None), ("POST", "/hooks", url), ("DELETE", f"/hooks/{hook['id']}", None),
        ("POST", f"/hooks/{hook['id']}/test", None),
    )  # fmt: skip
    for method, path, body in paths:
        assert error_of(stranger.send(method, path, body)) == (401, "stranger")
        assert error_of(guest.send(method, path, body)) == (403, "no_account")
        assert bearer.send(method, path, body, **token).status_code in (401, 403)
    assert server.receiver.connections == 0


def test_nobody_gets_at_the_webhooks_of_others(server: Server) -> None:
    hook = server.add_hook()
    for method, path in (("DELETE", f"/hooks/{hook['id']}"), ("POST", f"/hooks/{hook['id']}/test")):
        assert error_of(server.black.send(method, path)) == (404, "unknown_hook")
        assert error_of(server.black.send(method, path.replace(hook["id"], "guessed"))) == (404, "unknown_hook")
    assert json_of(server.black.get("/hooks"))["hooks"] == []
    player = server.white.me()["id"]
    for path in ("/hooks", f"/players/{player}", "/me", "/lobby"):  # nor is the address shown, even to its owner
        for browser in (server.white, server.black):
            assert server.receiver.url not in browser.get(path).text and "punct_hook_" not in browser.get(path).text
    assert server.hook()["label"] == f"{server.receiver.authority}/…"
    assert server.receiver.connections == 0


def test_at_most_so_many_and_none_twice(server: Server) -> None:
    for number in range(MAX_HOOKS):
        server.add_hook(path=f"/{number}")
    assert error_of(server.white.post("/hooks", {"url": f"{server.receiver.url}/x"})) == (409, "too_many_hooks")
    hooks = json_of(server.white.get("/hooks"))
    assert len(hooks["hooks"]) == hooks["max"] == MAX_HOOKS
    assert server.white.delete(f"/hooks/{hooks['hooks'][0]['id']}").status_code == 204
    assert error_of(server.white.post("/hooks", {"url": f"{server.receiver.url}/1"})) == (409, "hook_exists")
    server.add_hook(path="/0")
    server.add_hook(browser=server.black, path="/1")


@pytest.mark.parametrize(
    ("url", "reason"),
    [("http://example.org/", "https"), ("https://127.0.0.1/", "host"), ("https://example.org:8443/", "port"),
     ("https://user:pass@example.org/", "url"), ("https://metadata.google.internal/", "host"), ("nonsense", "url")],
)  # fmt: skip
def test_addresses_that_may_not_be_called(server: Server, url: str, reason: str) -> None:
    response = server.white.post("/hooks", {"url": url})
    assert error_of(response) == (422, "refused_address")
    assert response.json()["error"]["detail"] == {"reason": reason} and "pass" not in response.text
    for wrong in ({}, {"url": ""}, {"url": url, "form": "x"}, {"url": url, "other": 1}, {"url": "a" * 2001}):
        assert error_of(server.white.post("/hooks", wrong)) == (422, "malformed")


def test_a_trial_call(server: Server) -> None:
    hook = server.add_hook()
    server.white.send("PATCH", "/me", {"settings": {"language": "de"}})
    assert json_of(server.white.post(f"/hooks/{hook['id']}/test")) == {"status": 200, "error": None}
    body = json.loads(server.receiver.calls[0].body)
    assert (body["kind"], body["game"], body["url"]) == ("test", None, f"{SITE}/account")
    assert body["body"] == "Hier erfährst du, wenn du am Zug bist."
    server.receiver.respond = status(500)
    assert json_of(server.white.post(f"/hooks/{hook['id']}/test")) == {"status": 500, "error": "500"}
    assert server.hook()["failed"] is None
    server.receiver.close()
    assert json_of(server.white.post(f"/hooks/{hook['id']}/test")) == {"status": None, "error": "connection"}


def test_what_fails_is_tried_again(server: Server) -> None:
    server.add_hook()
    server.tell()
    server.receiver.respond = status(500)
    (first,) = server.work()
    failed = server.hook()
    assert (failed["error"], failed["off"]) == ("500", False) and failed["failed"] is not None
    assert server.work() == []
    server.clock.advance(seconds=FIRST_RETRY.total_seconds() + 1)
    server.receiver.respond = status(503, "Retry-After: 3600")
    (second,) = server.work()
    assert second == first  # with its id, by which a receiver knows it again
    server.clock.advance(minutes=59)
    assert server.work() == []
    server.receiver.respond = status(200)
    server.clock.advance(minutes=2)
    assert server.work() == [first]
    assert (server.hook()["failed"], server.hook()["error"]) == (None, None)
    server.clock.advance(days=1)
    assert server.work() == []


def test_a_limit_of_the_receiver_is_no_failure(server: Server) -> None:
    server.add_hook()
    server.tell()
    server.receiver.respond = status(429, "Retry-After: 600")
    assert len(server.work()) == 1
    assert server.hook()["failed"] is None
    server.clock.advance(minutes=9)
    assert server.work() == []
    server.receiver.respond = status(204)
    server.clock.advance(minutes=2)
    assert len(server.work()) == 1


@pytest.mark.parametrize(("form", "number"), [("json", 410), ("discord", 404), ("slack", 410)])
def test_a_webhook_that_is_gone_is_silent(server: Server, form: str, number: int) -> None:
    hook = server.add_hook(form)
    server.tell()
    server.receiver.respond = status(number)
    assert len(server.work()) == 1
    assert (server.hook()["off"], server.hook()["error"]) == (True, "gone")
    server.receiver.respond = status(200)
    server.tell()
    server.clock.advance(hours=3)
    assert server.work() == []
    assert json_of(server.white.post(f"/hooks/{hook['id']}/test"))["error"] is None  # it is back
    assert (server.hook()["off"], server.hook()["error"], server.hook()["failed"]) == (False, None, None)
    server.tell()
    assert len(server.work()) == 1


def test_a_webhook_that_fails_for_days_is_switched_off(server: Server) -> None:
    server.add_hook()
    server.receiver.respond = status(302, "Location: /elsewhere")
    for _ in range(MAX_FAILURES + 2):
        server.tell()
        assert len(server.work()) >= 1
        assert not server.hook()["off"]  # often, but not yet for long
    server.clock.advance(days=MAX_FAILING.days, hours=1)
    server.tell()
    assert len(server.work()) >= 1
    assert (server.hook()["off"], server.hook()["error"]) == (True, "302")
    server.clock.advance(hours=3)
    server.tell()
    assert server.work() == []


def test_few_failures_over_days_are_forgiven(server: Server) -> None:
    server.add_hook()
    server.receiver.respond = status(500)
    server.tell()
    server.work()
    server.clock.advance(days=MAX_FAILING.days + 1)
    server.tell()
    server.work()
    assert not server.hook()["off"]


def test_slow_webhooks_of_one_player_hold_up_nobody(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many messages to slow webhooks two are being sent; those that have no turn wait in the store."""
    monkeypatch.setattr(service, "MAX_CALLS_OF_PLAYER", 1)
    for number in range(3):
        server.add_hook(path=f"/{number}")
    server.add_hook(browser=server.black, path="/black")
    server.tell()
    start_game(server.black, server.white, time="3d", rules="basic")
    server.work()
    paths = sorted(call.line.split()[1] for call in server.receiver.calls)
    assert len(paths) == 2 and paths[1] == "/hook/black"
    seen = {paths[0]}
    while len(seen) < 3:
        server.clock.advance(minutes=5)
        server.work()
        seen |= {call.line.split()[1] for call in server.receiver.calls}
    assert server.hook(server.black)["failed"] is None


def test_a_webhook_that_never_answers(server: Server) -> None:
    hook = server.add_hook()
    server.receiver.respond = endlessly(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.05)
    assert json_of(server.white.post(f"/hooks/{hook['id']}/test"))["error"] in {"timeout", "response"}


def test_removed_webhooks_get_nothing(server: Server) -> None:
    hook = server.add_hook()
    server.tell()
    server.receiver.respond = status(500)
    server.work()
    assert server.white.delete(f"/hooks/{hook['id']}").status_code == 204
    assert error_of(server.white.delete(f"/hooks/{hook['id']}")) == (404, "unknown_hook")
    server.clock.advance(hours=1)
    assert server.work() == []


def test_deleted_and_blocked_players_get_nothing(server: Server) -> None:
    server.add_hook()
    server.add_hook(browser=server.black)
    server.tell()
    start_game(server.black, server.white, time="3d", rules="basic")
    block_player(server.black)
    assert server.white.delete("/me", PROOF).status_code == 204
    server.clock.advance(minutes=1)
    assert server.work() == []
    again = Browser(server.client)
    assert log_in(again, server.white_login)[0] == 401


def test_trials_are_limited(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = server.add_hook()
    allowed = int(str(HOOK_TESTS.player).partition("/")[0])
    answers = [server.white.post(f"/hooks/{hook['id']}/test").status_code for _ in range(allowed + 1)]
    assert answers == [200] * allowed + [429]


def test_addresses_are_in_no_log(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "punct")
    hook = server.add_hook(path="/very-secret")
    server.receiver.respond = status(410)
    server.tell()
    server.work()
    server.receiver.close()
    server.white.post(f"/hooks/{hook['id']}/test")
    assert "very-secret" not in caplog.text and hook["secret"] not in caplog.text


def test_the_label_of_an_address() -> None:
    def label(url: str) -> str:
        return StoredHook("", "", url, "json", "", ManualClock()()).label

    assert label("https://example.org") == label("https://example.org/") == "example.org"
    assert label("https://discord.com/api/webhooks/123/abcdefghijklmnop") == "discord.com/…mnop"
    assert label("HTTPS://example.org?secret") == label("https://example.org/short") == "example.org/…"
    assert label("http://127.0.0.1:8080/hook") == "127.0.0.1:8080/…"


def test_a_signature_depends_on_everything() -> None:
    now = ManualClock()()
    first = signature("secret", b"body", now)
    assert first == signature("secret", b"body", now)
    assert len({first, signature("other", b"body", now), signature("secret", b"bodx", now),
                signature("secret", b"body", now + timedelta(seconds=1))}) == 4  # fmt: skip


def test_names_break_no_lines() -> None:
    payload = {
        "kind": "turn",
        "subject": "x",
        "title": "a\nb",
        "body": "c\r\n\u2028d \ud800",
        "path": "/",
        "at": "",
        "game": None,
    }
    for form in ("json", "discord", "slack"):
        hook = StoredHook("", "", "https://example.org", form, "", ManualClock()())
        body, _ = request_of(hook, payload, "id", SITE, ManualClock()())
        content = json.loads(body)
        if form != "json":
            assert (content.get("content") or content["text"]).count("\n") == 2
