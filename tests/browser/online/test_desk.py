"""A player's own board at a running game: conditional moves, variations and notes, on every device."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ..hands import Finger, Hand, Keys, Mouse
from ..messages import text
from ..watch import Watch
from .conftest import Invite
from .person import Person

DAYS = {"time": "3d", "rules": "basic"}
PHONE = {"width": 390, "height": 844}


def open_desk(person: Person) -> None:
    """Go to one's own board, by the page."""
    person.page.locator('[data-testid="plan-here"], [data-testid="desk-here"]').click()
    person.see("desk")


def add(hand: Hand, colour: str, kind: str, space: str, heading: str) -> None:
    """Play a piece from the set."""
    hand.take(colour, kind)
    hand.place(space)
    hand.head(heading)
    hand.confirm()


def saved(person: Person) -> None:
    """Wait until everything is stored."""
    expect(person.page.get_by_test_id("save-state")).to_have_attribute("data-state", "saved")


@pytest.mark.parametrize("way", [Mouse, Finger, Keys])
def test_a_planned_reply_is_played_by_itself(invite: Invite, way: type[Mouse] | type[Finger] | type[Keys]) -> None:
    ada = invite("Ada", viewport=PHONE, touch=True) if way is Finger else invite("Ada")
    ben = invite("Ben")
    ada.meet(ben, **DAYS)
    ada.type("Ed5ne")
    ben.sees("Ed5ne")
    open_desk(ada)
    expect(ada.see("plan-next")).to_contain_text(text("desk.step_theirs", name="Ben"))
    hand = way(ada.page)
    add(hand, "b", "T", "l10", "n")
    expect(ada.see("plan-next")).to_contain_text(text("desk.step_reply"))
    add(hand, "w", "M", "b3", "n")
    ada.press("plan-add")
    expect(ada.see("plan")).to_contain_text(text("desk.line", turn="Tl10n", reply="Mb3n"))
    saved(ada)
    assert ben.ask("GET", f"/games/{ada.id}/plan")["replies"] == []
    ben.page.get_by_test_id("typed").fill("Tl10n")
    ben.page.get_by_test_id("typed").press("Enter")
    ben.sees("Mb3n")
    expect(ben.page.get_by_test_id("moves")).to_contain_text("Tl10n")
    expect(ada.see("plan")).to_contain_text(text("desk.none"))
    ada.press("leave-desk")
    ada.ready()
    ada.sees("Mb3n")


def test_what_does_not_fit_is_dropped_with_a_word(invite: Invite) -> None:
    ada, ben = invite("Ada"), invite("Ben")
    ada.meet(ben, **DAYS)
    ada.type("Ed5ne")
    reply = {"turn": "Tl10n", "reply": "Mb3n"}
    ada.ask("PUT", f"/games/{ada.id}/plan", {"ply": 1, "replies": [reply]})
    open_desk(ada)
    expect(ada.see("plan")).to_contain_text("Mb3n")
    ben.type("Tl5s")
    expect(ada.see("dropped")).to_contain_text(text("desk.dropped_other", turn="Tl5s"))
    ada.see("desk-turn")
    ada.see("dropped").get_by_role("button").click()
    expect(ada.page.get_by_test_id("dropped")).to_have_count(0)
    plan = ada.ask("GET", f"/games/{ada.id}/plan")
    assert plan["dropped"] is None
    # A line may be removed again.
    ada.press("leave-desk")
    ada.ready()
    ada.type("Mb3n")
    replies = [{"turn": "Re12sw", "reply": "b3-e3se"}]
    ada.ask("PUT", f"/games/{ada.id}/plan", {"ply": 3, "version": plan["version"], "replies": replies})
    open_desk(ada)
    ada.press("remove-reply")
    expect(ada.see("plan")).to_contain_text(text("desk.none"))
    assert ada.ask("GET", f"/games/{ada.id}/plan")["replies"] == []


def test_notes_and_variations_are_there_on_every_device(invite: Invite, watch: Watch) -> None:
    ada, ben = invite("Ada").make_account("ada.desk"), invite("Ben")
    phone = invite("Ada", viewport=PHONE).log_in("ada.desk")
    ada.meet(ben, **DAYS)
    ada.type("Ed5ne")
    open_desk(ada)
    add(Mouse(ada.page), "b", "T", "l10", "n")
    ada.fill("note", "Watch the centre.")
    saved(ada)
    phone.go(f"/game/{ada.id}?desk")
    expect(phone.see("note")).to_have_value("Watch the centre.")
    expect(phone.see("tree")).to_contain_text("Tl10n")
    # Both change: no note is lost, and the variations of both are there.
    watch.allow("status of 409")
    add(Mouse(phone.page), "b", "T", "l5", "s")
    phone.fill("note", "From the phone.")
    saved(phone)
    add(Mouse(ada.page), "w", "M", "b3", "n")
    ada.fill("note", "From the desk.")
    expect(ada.see("other-note")).to_have_text("From the phone.")
    ada.press("keep-mine")
    saved(ada)
    stored = ada.ask("GET", f"/games/{ada.id}/notebook")
    assert stored["note"] == "From the desk."
    assert all(move in stored["tree"] for move in ("Tl10n", "Mb3n", "Tl5s"))
    expect(ada.see("tree")).to_contain_text("Tl5s")
    # The game goes on; what was tried is still there, and so it is when it is over.
    ben.type("Tl10n")
    expect(ada.see("desk-turn")).to_be_visible()
    ben.ask("POST", f"/games/{ada.id}/resign")
    ada.page.reload()
    expect(ada.see("note")).to_have_value("From the desk.")
    expect(ada.page.get_by_test_id("plan")).to_have_count(0)


def test_what_is_written_without_a_connection_is_saved_later(invite: Invite, watch: Watch) -> None:
    ada, ben = invite("Ada"), invite("Ben")
    ada.meet(ben, **DAYS)
    open_desk(ada)
    ada.fill("note", "one")
    saved(ada)
    watch.allow("ERR_INTERNET_DISCONNECTED|WebSocket|Failed to load")
    ada.page.context.set_offline(True)
    ada.fill("note", "one and two")
    expect(ada.page.get_by_test_id("save-state")).to_have_attribute("data-state", "waiting")
    assert ben.ask("GET", f"/games/{ada.id}")["ply"] == 0
    ada.page.context.set_offline(False)
    ada.page.reload()  # before anything was sent: it was stored in the browser
    expect(ada.see("note")).to_have_value("one and two")
    saved(ada)
    assert ada.ask("GET", f"/games/{ada.id}/notebook")["note"] == "one and two"


def test_no_help_in_a_running_game(invite: Invite) -> None:
    ada, ben, eve = invite("Ada"), invite("Ben"), invite("Eve")
    ada.meet(ben, **DAYS)
    ada.type("Ed5ne")
    open_desk(ada)
    for help in ("engine", "engine-on", "explorer", "hint", "edit"):
        expect(ada.page.get_by_test_id(help)).to_have_count(0)
    ada.go(f"/analysis?game={ada.id}")
    ada.page.wait_for_url(re.compile(r"/game/[\w-]+\?desk"))
    ada.see("desk")
    eve.go(f"/game/{ada.id}?desk")
    expect(eve.see("watching")).to_be_visible()
    expect(eve.page.get_by_test_id("desk")).to_have_count(0)
    expect(eve.page.get_by_test_id("plan-here")).to_have_count(0)
    eve.go(f"/analysis?game={ada.id}")
    eve.see("analysis-page")
