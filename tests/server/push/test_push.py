"""Web Push from end to end: from the opponent's move to what the browser decrypts, whatever happens between."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.polling import wait_until
from tests.push_service import PushBrowser, PushService
from tests.server.online_client import PASSWORD, PROOF, Browser
from tests.server.two_player_games import ManualClock, json_of, play_moves, start_game

from punct.server.app import create_app
from punct.server.notifications.service import FIRST_RETRY, LEASE, Notifications
from punct.server.push.channel import PushChannel
from punct.server.push.encryption import ServerKey, check_keys, encrypt
from punct.server.push.errors import BadSubscriptionError
from punct.server.push.model import Subscription
from punct.server.push.service import Push
from punct.server.push.store import MAX_SUBSCRIPTIONS
from punct.server.timekeeping.heartbeat import Heartbeat
from punct.server.workers.pool import ProcessPool

PATIENCE_SECONDS = 60.0


class World:
    """A server, a push service, and two players with a browser each."""

    def __init__(self, client: TestClient, clock: ManualClock, service: PushService) -> None:
        self.client, self.clock, self.service = client, clock, service
        self.notifications: Notifications = client.app.state.services.get(Notifications)  # type: ignore[attr-defined]
        self.white, self.black = Browser(client), Browser(client)
        for player in (self.white, self.black):
            player.post("/me")

    def subscribe(self, player: Browser, name: str) -> PushBrowser:
        """Have a player switch on notifications in a new browser."""
        browser = self.service.browser(name)
        json_of(player.send("PUT", "/push/devices", browser.subscription))
        return browser

    def work(self) -> list[tuple[str, str]]:
        """Send what is due; return which browser was told what since the last time."""
        self.send()
        return self.service.read()

    def send(self) -> None:
        """Send what is due."""
        assert self.client.portal is not None
        self.client.portal.call(self.notifications.work)

    @contextlib.contextmanager
    def working(self) -> Iterator[Future[None]]:
        """Send what is due in the background."""
        assert self.client.portal is not None
        work = self.client.portal.start_task_soon(self.notifications.work)
        yield work
        with contextlib.suppress(CancelledError):
            work.result(PATIENCE_SECONDS)

    def wait_for_request(self) -> None:
        """Wait until the push service was asked something."""
        wait_until(lambda: self.service.requests > 0)

    def kill_workers(self) -> None:
        """Kill the processes that post."""
        push: Push = self.client.app.state.services.get(Push)  # type: ignore[attr-defined]
        pool = push._channel._pool
        assert isinstance(pool, ProcessPool) and pool._workers
        for worker in pool._workers:
            worker.kill()


@pytest.fixture
def world(store_url: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    clock = ManualClock()
    with PushService(clock) as service:
        monkeypatch.setenv("PUNCT_OUTBOUND_EXEMPT", f"127.0.0.1:{service.port}")
        with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
            world = World(client, clock, service)
            service.server_key = json_of(world.white.get("/push/key"))["key"]
            yield world


def device_ids(player: Browser) -> list[str]:
    return [device["id"] for device in json_of(player.get("/push/devices"))["devices"]]


def test_a_move_reaches_the_opponents_closed_browser(world: World) -> None:
    world.subscribe(world.white, "w")
    world.subscribe(world.black, "b")
    game = start_game(world.white, world.black, time="3d", rules="basic")
    assert world.work() == [("w", "seat")]
    play_moves(game, (world.white, "Ed5ne"))
    world.clock.advance(seconds=30)
    world.send()
    (pushed,) = world.service.pushed
    assert world.work() == [("b", "turn")]
    content = pushed.content
    assert content["path"] == f"/game/{game['id']}" and content["game"] == content["subject"] == game["id"]
    assert content["title"] == "Your turn" and "has made a move" in content["body"]
    assert (pushed.urgency, pushed.contact) == ("normal", "https://localhost") and pushed.lifetime == 7 * 86400
    assert game["id"] not in pushed.topic


def test_messages_about_one_game_replace_each_other_and_of_two_games_do_not(world: World) -> None:
    world.subscribe(world.white, "w")
    for _ in range(2):
        game = start_game(world.white, world.black, time="3d", rules="basic")
        world.send()
        play_moves(game, (world.white, "Ed5ne"), (world.black, "Tl10n"))
        world.clock.advance(seconds=30)
        world.send()
    first, second, third, fourth = (pushed.topic for pushed in world.service.pushed)
    assert first == second != third == fourth


def test_every_device_is_told_in_the_players_language_unless_the_kind_is_switched_off(world: World) -> None:
    world.subscribe(world.white, "w1")
    world.subscribe(world.white, "w2")
    changed = json_of(world.white.send("PATCH", "/me/notifications", {"language": "de", "zone": "Europe/Berlin"}))
    assert changed["channels"] == ["push", "hook"] and "turn" in changed["kinds"] and changed["zone"] == "Europe/Berlin"
    game = start_game(world.white, world.black, time="3d", rules="basic")
    world.send()
    assert {(each.browser.name, each.content["title"]) for each in world.service.pushed} == {
        ("w1", "Eine Partie hat begonnen"),
        ("w2", "Eine Partie hat begonnen"),
    }
    world.service.pushed.clear()
    changed = json_of(world.white.send("PATCH", "/me/notifications", {"muted": {"push": ["turn"]}}))
    assert changed["muted"] == {"push": ["turn"]} and changed["language"] == "de"
    play_moves(game, (world.white, "Ed5ne"), (world.black, "Tl10n"))
    world.clock.advance(seconds=30)
    assert world.work() == []


def test_settings_of_several_channels_are_changed_one_by_one(world: World) -> None:
    world.white.send("PATCH", "/me/notifications", {"muted": {"push": ["turn", "over"]}})
    world.white.send("PATCH", "/me/notifications", {"muted": {"mail": ["turn"]}})
    assert json_of(world.white.get("/me/notifications"))["muted"] == {"push": ["over", "turn"], "mail": ["turn"]}
    cleared = json_of(world.white.send("PATCH", "/me/notifications", {"muted": {"push": []}}))
    assert cleared["muted"] == {"mail": ["turn"]}
    for bad in ({"zone": "Europe/Atlantis"}, {"zone": "../etc/passwd"}, {"zone": "/etc/passwd"}, {"language": "xx"}):
        assert world.white.send("PATCH", "/me/notifications", bad).status_code == 422
    assert world.white.send("PATCH", "/me/notifications", {"muted": {"pigeon": []}}).status_code == 422
    assert world.white.send("PATCH", "/me/notifications", {"muted": {"push": ["spam"]}}).status_code == 422
    assert Browser(world.client).get("/me/notifications").status_code == 401


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_push_service_is_asked_again_when_it_wants(world: World, status: int) -> None:
    world.subscribe(world.white, "w")
    start_game(world.white, world.black, time="3d")
    world.service.response = (status, {"Retry-After": "600"})
    assert world.work() == [] and world.service.requests == 1
    world.clock.advance(seconds=599)
    assert world.work() == [] and world.service.requests == 1
    world.service.response = None
    world.clock.advance(seconds=2)
    assert world.work() == [("w", "seat")]
    assert world.work() == [] and world.service.requests == 2


@pytest.mark.parametrize("status", [307, 400, 401, 403, 413])
def test_what_is_refused_for_good_is_not_sent_again(world: World, status: int) -> None:
    world.subscribe(world.white, "w")
    start_game(world.white, world.black, time="3d")
    world.service.response = (status, {"Location": "http://127.0.0.1:1/"})
    world.work()
    world.service.response = None
    world.clock.advance(hours=3)
    assert world.work() == [] and world.service.requests == 1
    assert len(device_ids(world.white)) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_dead_subscription_is_forgotten(world: World, status: int) -> None:
    world.subscribe(world.white, "dead")
    world.subscribe(world.white, "alive")
    world.service.browsers["dead"].is_gone = True
    if status == 404:
        world.service.response = (404, {})
    start_game(world.white, world.black, time="3d")
    assert world.work() == ([("alive", "seat")] if status == 410 else [])
    assert len(device_ids(world.white)) == (1 if status == 410 else 0)


def test_a_push_service_that_never_answers_delays_nobody(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.subscribe(world.white, "w")
    game = start_game(world.white, world.black, time="3d", rules="basic")
    world.service.hangs.set()
    with world.working() as work:
        world.wait_for_request()
        play_moves(game, (world.white, "Ed5ne"), (world.black, "Tl10n"))  # meanwhile the game goes on
        assert not work.done()
        world.kill_workers()
        work.result(timeout=60)
    world.service.hangs.clear()
    world.clock.advance(seconds=FIRST_RETRY.total_seconds() + 1)
    assert world.work() == [("w", "turn")]  # the later message about the game has replaced the first


def test_a_message_that_was_cut_off_is_sent_again(world: World) -> None:
    world.subscribe(world.white, "w")
    start_game(world.white, world.black, time="3d")
    world.service.hangs.set()
    with world.working() as work:
        world.wait_for_request()
        work.cancel()  # nobody knows whether it has arrived
    store = world.notifications.store
    world.service.hangs.clear()
    in_an_hour = world.clock() + timedelta(hours=1)
    wait_until(lambda: [each.claimed for each in store.due_deliveries(in_an_hour, LEASE, "push")] == [None])
    assert world.work() == []
    world.clock.advance(seconds=FIRST_RETRY.total_seconds() + 1)
    assert world.work() == [("w", "seat")]
    assert world.work() == []


def test_a_message_that_is_being_posted_arrives_once_though_the_server_ends(
    store_url: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 0.01)
    clock = ManualClock()
    with PushService(clock) as service:
        monkeypatch.setenv("PUNCT_OUTBOUND_EXEMPT", f"127.0.0.1:{service.port}")
        refuse = PushChannel.refuse_waiting

        def refuse_and_let_go(channel: PushChannel) -> None:
            refuse(channel)
            service.holds.clear()

        monkeypatch.setattr(PushChannel, "refuse_waiting", refuse_and_let_go)
        for is_first in (True, False):
            with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
                world = World(client, clock, service)
                service.server_key = json_of(world.white.get("/push/key"))["key"]
                if is_first:
                    world.subscribe(world.white, "w")
                    service.holds.set()
                    start_game(world.white, world.black, time="3d")
                    world.wait_for_request()
                else:
                    clock.advance(seconds=LEASE.total_seconds() + 1)
                    world.send()
        assert service.read() == [("w", "seat")] and service.requests == 1


def test_a_player_tries_it_out(world: World) -> None:
    browser = world.subscribe(world.white, "w")
    (device,) = device_ids(world.white)
    assert world.white.post(f"/push/devices/{device}/test").status_code == 204
    assert world.service.pushed[0].content["title"] == "It works"
    world.service.response = (500, {})
    assert world.white.post(f"/push/devices/{device}/test").json()["error"]["code"] == "not_sent"
    world.service.response = None
    browser.is_gone = True
    assert world.white.post(f"/push/devices/{device}/test").json()["error"]["code"] == "subscription_gone"
    assert device_ids(world.white) == []
    assert world.white.post(f"/push/devices/{device}/test").status_code == 404


def test_a_player_has_so_many_devices_and_the_one_used_longest_ago_goes(world: World) -> None:
    for count in range(MAX_SUBSCRIPTIONS + 2):
        world.subscribe(world.white, f"w{count}")
        world.clock.advance(seconds=1)
    ids = device_ids(world.white)
    kept = [f"w{count}" for count in range(2, MAX_SUBSCRIPTIONS + 2)]
    assert ids == [id_of(world.service.browsers[name]) for name in kept]
    json_of(world.white.send("PUT", "/push/devices", world.service.browsers["w5"].subscription))
    assert device_ids(world.white) == ids  # it was there


def test_devices_are_named_by_what_their_browser_says(world: World) -> None:
    browser = world.service.browser("w")
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
    device = json_of(world.white.send("PUT", "/push/devices", browser.subscription, user_agent=agent))
    assert device["name"] == "Safari, iPhone" and device["used"] is None and device["id"] == id_of(browser)
    start_game(world.white, world.black, time="3d")
    world.work()
    (device,) = json_of(world.white.get("/push/devices"))["devices"]
    assert device["used"] is not None
    assert not {"endpoint", "keys", "p256dh", "auth"} & set(device)


def test_nobody_lists_removes_tests_or_takes_another_players_device(world: World) -> None:
    browser = world.subscribe(world.white, "w")
    (device,) = device_ids(world.white)
    thief, stranger = world.black, Browser(world.client)
    assert device_ids(thief) == []
    assert thief.delete(f"/push/devices/{device}").status_code == 404
    assert thief.post(f"/push/devices/{device}/test").status_code == 404
    other_keys = world.service.browser("thief").subscription["keys"]
    stolen = thief.send("PUT", "/push/devices", {**browser.subscription, "keys": other_keys})
    assert (stolen.status_code, stolen.json()["error"]["code"]) == (409, "not_your_subscription")
    for method, path in (("GET", ""), ("PUT", ""), ("DELETE", f"/{device}"), ("POST", f"/{device}/test")):
        body = browser.subscription if method == "PUT" else None
        assert stranger.send(method, f"/push/devices{path}", body).status_code == 401
    assert device_ids(world.white) == [device]
    start_game(world.white, world.black, time="3d")
    assert world.work() == [("w", "seat")]


def test_no_token_manages_devices(world: World) -> None:
    world.white.post("/account", {"login": "anna", "password": PASSWORD})
    browser = world.subscribe(world.white, "w")
    token = world.white.token("read", "challenge", "play")["secret"]
    program = Browser(world.client)
    for method, path in (("GET", "/push/devices"), ("PUT", "/push/devices"), ("GET", "/me/notifications")):
        body = browser.subscription if method == "PUT" else None
        response = program.send(method, path, body, authorization=f"Bearer {token}")
        assert response.status_code in (401, 403), response.text


def test_a_browser_is_the_players_who_logs_in_with_it_last(world: World) -> None:
    browser = world.subscribe(world.white, "shared")
    game = start_game(world.white, world.black, time="3d", rules="basic")
    json_of(world.black.send("PUT", "/push/devices", browser.subscription))  # before White's message was sent
    assert device_ids(world.white) == [] and len(device_ids(world.black)) == 1
    assert world.work() == []
    play_moves(game, (world.white, "Ed5ne"))
    world.clock.advance(seconds=30)
    assert world.work() == [("shared", "turn")]


def test_logging_out_everywhere_silences_every_browser_and_so_does_deletion(world: World) -> None:
    for end in ("/sessions", "/me"):
        browser = Browser(world.client)
        browser.post("/account", {"login": f"anna{len(end)}", "password": PASSWORD})
        world.subscribe(browser, "a")
        start_game(browser, world.black, time="3d", rules="basic")
        assert browser.delete(end, PROOF if end == "/me" else None).status_code == 204
        assert world.work() == []


def test_a_guest_who_logs_in_keeps_the_device(world: World) -> None:
    account = Browser(world.client)
    account.post("/account", {"login": "anna", "password": PASSWORD})
    world.subscribe(world.white, "w")
    assert world.white.post("/session", {"login": "anna", "password": PASSWORD}).is_success
    assert len(device_ids(world.white)) == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://127.0.0.1/push",
        "https://localhost/push",
        "https://10.0.0.1/push",
        "https://[::1]/push",
        "https://metadata.google.internal/push",
        "https://evil.example.com/push",
        "https://fcm.googleapis.com.evil.com/push",
        "https://fcm.googleapis.com@evil.com/push",
        "https://fcm.googleapis.com:8443/push",
        "http://fcm.googleapis.com/push",
        "ftp://fcm.googleapis.com/push",
        "https://push.services.mozilla.com.evil.org/",
        "https://evilpush.apple.com/",
    ],
)
def test_addresses_that_are_no_push_services_are_refused(world: World, endpoint: str) -> None:
    keys = world.service.browser("w").subscription["keys"]
    response = world.white.send("PUT", "/push/devices", {"endpoint": endpoint, "keys": keys})
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_subscription")


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://web.push.apple.com/QABC",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAA%2b",
    ],
)
def test_addresses_of_browsers_push_services_are_taken(world: World, endpoint: str) -> None:
    keys = world.service.browser("w").subscription["keys"]
    assert world.white.send("PUT", "/push/devices", {"endpoint": endpoint, "keys": keys}).status_code == 200


def test_keys_that_nothing_can_be_encrypted_with_are_refused(world: World) -> None:
    good = world.service.browser("w").subscription["keys"]
    for bad in ({"p256dh": "A" * 87}, {"auth": "A" * 21}, {"p256dh": good["p256dh"][:-2] + "AA"}, {"p256dh": ""}):
        subscription = {"endpoint": "https://fcm.googleapis.com/x", "keys": {**good, **bad}}
        assert world.white.send("PUT", "/push/devices", subscription).status_code == 422
    with pytest.raises(BadSubscriptionError):
        check_keys(Subscription("", "?", "?"))


def test_a_known_message_is_encrypted_and_a_long_one_refused() -> None:
    browser = PushBrowser("https://push.example.org", "w")
    keys = browser.subscription["keys"]
    subscription = Subscription("", keys["p256dh"], keys["auth"])
    bodies = [encrypt(b'{"a":1}', subscription) for _ in range(2)]
    assert [browser.decrypt(body) for body in bodies] == [{"a": 1}] * 2 and bodies[0] != bodies[1]
    with pytest.raises(ValueError, match="too many"):
        encrypt(bytes(3994), subscription)


def test_the_servers_key_comes_from_its_secret_and_signatures_are_used_again() -> None:
    clock = ManualClock()
    key, same, other = ServerKey("a", "c"), ServerKey("a", "c"), ServerKey("b", "c")
    assert key.public_key == same.public_key != other.public_key
    first = key.authorization("https://fcm.googleapis.com/one", clock())
    assert key.authorization("https://fcm.googleapis.com/two", clock()) == first
    assert key.authorization("https://web.push.apple.com/two", clock()) != first
    clock.advance(hours=7)
    assert key.authorization("https://fcm.googleapis.com/one", clock()) != first


def id_of(browser: PushBrowser) -> str:
    return hashlib.sha256(browser.subscription["endpoint"].encode()).hexdigest()
