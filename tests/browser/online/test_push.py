"""Notifications by Web Push: from the switch to the decrypted message, and from there to the game that it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Worker, expect
from tests.polling import wait_until
from tests.push_service import PushBrowser, PushService

from ..messages import text
from ..screens import Screens
from ..serving import Server
from ..test_accessibility import keeps_nobody_out
from ..watch import Watch
from .conftest import Invite, online_server
from .person import Person

SUBSCRIBE = """subscription => {
    let current = null
    const made = { ...subscription, toJSON: () => subscription, unsubscribe: async () => ((current = null), true) }
    PushManager.prototype.getSubscription = async () => current
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly || !applicationServerKey) throw new Error('as Chromium demands')
        return (current = made)
    }
}"""
"""Without Google's push service Chromium cannot subscribe: this one subscribes at the tests' own."""
PERMIT = "Object.defineProperty(Notification, 'permission', { get: () => 'granted' })"
"""Chromium without a head shows no notifications, whatever is granted."""
SHOW = """() => {
    self.shown = []
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
        self.shown = self.shown.filter(other => other.tag !== tag)
        self.shown.push({ title, body, tag, path: data.path })
    }
    self.opened = []
    Clients.prototype.openWindow = async path => void self.opened.push(path)
}"""
"""So this is done in place of the system: one notification for each tag."""
WINDOWS = "async () => (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length"
CLICK = """async () => {
    const done = []
    const event = new ExtendableEvent('notificationclick')
    const { path, tag } = self.shown[0]
    const close = () => (self.shown = self.shown.filter(other => other.tag !== tag))
    Object.defineProperty(event, 'notification', { value: { data: { path }, close } })
    event.waitUntil = promise => done.push(promise)
    self.dispatchEvent(event)
    await Promise.all(done)
    return self.opened
}"""


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService(lambda: datetime.now(UTC)) as service:
        yield service


@pytest.fixture
def away_server(service: PushService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("PUNCT_OUTBOUND_EXEMPT", f"127.0.0.1:{service.port}")
    with online_server(tmp_path) as server:
        yield server


class Phone:
    """Somebody's browser with a service worker, to which the tests' push service delivers."""

    def __init__(self, person: Person, service: PushService) -> None:
        self.person, self.page = person, person.page
        self.browser: PushBrowser = service.browser(person.name)
        self.page.add_init_script(PERMIT)
        self.page.add_init_script(f"({SUBSCRIBE})({json.dumps(self.browser.subscription)})")
        self.registrations: list[Any] = []

    def install(self) -> None:
        """Open the page for the first time, and wait for its service worker."""
        self.person.go("/about")
        self.person.ask("POST", "/me", {"name": self.person.name})
        self.page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
        self.worker.evaluate(SHOW)

    def deliver(self, content: object) -> None:
        """Hand the service worker a message, as the browser does."""
        session = self.page.context.new_cdp_session(self.page)
        session.on(
            "ServiceWorker.workerRegistrationUpdated", lambda event: self.registrations.extend(event["registrations"])
        )
        session.send("ServiceWorker.enable")
        while not self.registrations:
            self.page.wait_for_timeout(20)
        data = content if isinstance(content, str) else json.dumps(content)
        message = {"origin": self.person.server.address, "data": data}
        session.send(
            "ServiceWorker.deliverPushMessage",
            {**message, "registrationId": self.registrations[-1]["registrationId"]},
        )
        session.detach()

    def shown(self) -> Any:
        """Return the notifications that are shown."""
        return self.worker.evaluate("shown")

    def wait_for_notification(self) -> Any:
        """Return the only notification, once it is there."""
        while not (shown := self.shown()):
            self.page.wait_for_timeout(20)
        (notification,) = shown
        return notification

    @property
    def worker(self) -> Worker:
        """The service worker."""
        return self.page.context.service_workers[-1]


def switch_on(phone: Phone) -> None:
    phone.person.go("/settings")
    phone.person.see("push-here").click()
    expect(phone.page.get_by_test_id("device")).to_have_count(1)
    expect(phone.page.get_by_test_id("push-here")).to_be_checked()


def test_a_move_reaches_a_closed_page_and_a_click_opens_the_game(
    invite: Invite, away_server: Server, service: PushService
) -> None:
    ada, kim = invite("Ada", at=away_server, offline=True), invite("Kim", at=away_server)
    phone = Phone(ada, service)
    phone.install()
    switch_on(phone)
    ada.press("push-test")
    expect(ada.page.get_by_text(text("away.test_sent"))).to_be_visible()
    assert service.read() == [("Ada", "test")]

    kim.ask("POST", "/me", {"name": "Kim"})
    challenge = ada.ask("POST", "/challenges", {"colour": "b", "time": "3d", "rules": "basic"})
    game = kim.ask("POST", f"/challenges/{challenge['id']}/accept")["id"]
    kim.ask("POST", f"/games/{game}/turns", {"text": "Ed5ne", "ply": 0})
    wait_until(lambda: len(service.pushed) == 2)  # that it has begun, and after a while that it is her turn
    assert not service.errors
    began, turn = service.pushed
    assert (began.content["kind"], turn.content["kind"]) == ("seat", "turn") and began.topic == turn.topic

    for message in (began, turn):
        phone.deliver(message.content)
    while phone.wait_for_notification()["title"] != "Your turn":  # it has replaced the other
        ada.page.wait_for_timeout(20)
    notification = phone.wait_for_notification()
    assert notification == {
        "title": "Your turn",
        "body": "Kim has made a move.",
        "tag": game,
        "path": f"/game/{game}",
    }
    assert phone.worker.evaluate(CLICK) == []  # in the window that is there, which shows the settings
    ada.page.wait_for_url(re.compile(f"/game/{game}$"))
    ada.sees("Ed5ne")
    assert phone.shown() == [] and len(ada.page.context.pages) == 1


def test_a_click_opens_a_window_if_there_is_none(invite: Invite, away_server: Server, service: PushService) -> None:
    ada = invite("Ada", at=away_server, offline=True)
    phone = Phone(ada, service)
    phone.install()
    phone.deliver({"title": "Your turn", "body": "…", "path": "/game/x", "subject": "x", "kind": "turn"})
    phone.wait_for_notification()
    worker = phone.worker
    ada.page.goto("about:blank")
    wait_until(lambda: worker.evaluate(WINDOWS) == 0)  # the browser lists the one that has gone for a while
    assert worker.evaluate(CLICK) == ["/game/x"]


@pytest.mark.parametrize("content", ["", "no JSON", "null", '{"title": 1}', '{"title": "a", "path": "//evil.org"}'])
def test_a_foreign_message_says_something_general(
    invite: Invite, away_server: Server, service: PushService, content: str
) -> None:
    ada = invite("Ada", at=away_server, offline=True)
    phone = Phone(ada, service)
    phone.install()
    phone.deliver(content)
    assert phone.wait_for_notification() == {
        "title": "PÜNCT",
        "body": "There is news of your games.",
        "tag": "punct",
        "path": "/",
    }


def test_nothing_is_shown_of_the_game_that_the_player_looks_at(
    invite: Invite, away_server: Server, service: PushService
) -> None:
    ada, kim = invite("Ada", at=away_server, offline=True), invite("Kim", at=away_server)
    phone = Phone(ada, service)
    phone.install()
    ada.meet(kim, time="3d")
    ada.page.bring_to_front()
    message = {"title": "Your turn", "body": "", "path": f"/game/{ada.id}", "subject": ada.id, "kind": "turn"}
    phone.deliver(message)
    phone.deliver({**message, "title": "Another", "path": "/game/other", "subject": "other"})
    assert phone.wait_for_notification()["title"] == "Another"


def test_devices_kinds_and_logging_out(
    invite: Invite, away_server: Server, service: PushService, watch: Watch, screens: Screens
) -> None:
    watch.allow("40[14]")
    ada = invite("Ada", at=away_server, offline=True)
    phone = Phone(ada, service)
    phone.install()
    ada.make_account("ada")
    switch_on(phone)
    keeps_nobody_out(screens, ada.page)
    ada.see("tell-over-push").click()
    ada.page.get_by_test_id("zone").select_option("Europe/Warsaw")
    expect(ada.page.get_by_test_id("zone")).to_be_enabled()
    settings = ada.ask("GET", "/me/notifications")
    assert settings["muted"] == {"push": ["over"]} and settings["zone"] == "Europe/Warsaw"
    ada.go("/settings")
    expect(ada.see("tell-over-push")).not_to_be_checked()
    ada.see("remove-device").click()
    expect(ada.page.get_by_test_id("device")).to_have_count(0)
    switch_on(phone)
    ada.go("/account")
    ada.press("log-out")
    ada.page.wait_for_url(f"{away_server.address}/")
    assert ada.page.evaluate("localStorage.getItem('punct.push')") is None
    ada.ask("POST", "/session", {"login": "ada", "password": "three blue bridges"})
    assert ada.ask("GET", "/push/devices")["devices"] == []
