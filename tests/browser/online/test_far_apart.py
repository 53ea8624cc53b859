"""Players who are not at the board together: the next game that waits, and moves that wait for the network."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.polling import wait_until

from ..watch import Watch
from .conftest import Invite

WAITING_MOVES = """async () => {
    const cache = await caches.open('moves-to-send')
    return (await cache.keys()).map(({ url }) => new URL(url).pathname)
}"""


def test_the_next_game_that_waits_is_a_key_or_a_click_away(invite: Invite) -> None:
    ada, kim = invite("Ada"), invite("Kim")
    ada.meet(kim, time="3d")
    first = ada.id
    ada.meet(kim, time="5d")
    second = ada.id
    expect(ada.see("next-game")).to_have_text("1")
    ada.page.keyboard.press("g")
    ada.page.wait_for_url(f"**/game/{first}")
    ada.press("next-game")
    ada.page.wait_for_url(f"**/game/{second}")
    ada.ready()
    ada.type("Ed5ne")
    ada.press("home")
    expect(ada.see("next-game")).to_have_text("1")


def test_a_move_without_network_is_sent_when_no_page_is_open(invite: Invite, watch: Watch) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    ada, kim = invite("Ada", offline=True), invite("Kim")
    ada.meet(kim, time="3d")
    ada.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    ada.page.context.set_offline(True)
    ada.page.get_by_test_id("typed").fill("Ed5ne")
    ada.page.get_by_test_id("typed").press("Enter")
    expect(ada.see("waiting")).to_be_visible()
    wait_until(lambda: ada.page.evaluate(WAITING_MOVES) == [f"/moves-to-send/{ada.id}"])
    ada.page.close()
    ada.page.context.set_offline(False)
    # Not a page of ours, but of our origin: nothing there sends the move but the worker.
    elsewhere = ada.page.context.new_page()
    elsewhere.goto(f"{ada.server.address}/api/v1/health")
    assert kim.game["ply"] == 0
    _bring_network_back(elsewhere, ada.server.address)
    kim.sees("Ed5ne")
    assert [turn["text"] for turn in kim.game["turns"]] == ["Ed5ne"]
    wait_until(lambda: elsewhere.evaluate(WAITING_MOVES) == [])


def _bring_network_back(page: Page, origin: str) -> None:
    """Dispatch the event by which the browser tells the service worker that the network is back."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict[str, list[dict[str, str]]]) -> None:
        found.extend(registration["registrationId"] for registration in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("1") == 1 and found != [])
    session.send(
        "ServiceWorker.dispatchSyncEvent",
        {"origin": origin, "registrationId": found[-1], "tag": "punct-moves", "lastChance": False},
    )
