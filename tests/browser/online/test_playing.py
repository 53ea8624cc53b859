"""Two people far apart play, and others look on."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

import punct

from ..messages import text
from ..played import BEFORE_THE_END, WINNING
from ..watch import Watch
from .conftest import Invite
from .person import Person

CONFLICT = "status of 409"
"""The browser logs an answer that is an error; here it is what the test wants."""


def test_by_link_to_the_end_with_somebody_watching(invite: Invite) -> None:
    ada, kim = invite("Ada Augusta King of Lovelace"), invite("Kim", viewport={"width": 390, "height": 664})
    eve = invite("Eve")
    ada.go("/")
    ada.page.get_by_test_id("name").fill(ada.name)
    for choice in ("time-5+3", "seat-w", "open-link"):
        ada.choose(choice)
    ada.press("challenge")
    link = ada.see("link").input_value()
    expect(ada.see("qr")).to_have_js_property("complete", True)
    assert ada.page.get_by_test_id("qr").evaluate("(image) => image.naturalWidth") > 0
    kim.page.goto(link)
    expect(kim.page.get_by_role("heading", level=1)).to_contain_text(ada.name)
    kim.page.get_by_test_id("name").fill(kim.name)
    kim.press("join")
    kim.arrive()
    ada.arrive()  # by itself
    assert ada.id == kim.id
    eve.id = ada.id
    eve.open()
    expect(ada.see("watchers")).to_contain_text("1")
    expect(eve.see("watching")).to_be_visible()
    for control in ("typed", "undo", "resign", "hint", "greet"):
        expect(eve.page.get_by_test_id(control)).to_have_count(0)
    expect(ada.see("clock-w")).to_have_text("5:00")
    for clock in ("clock-w", "clock-b"):  # on a small phone too, beside the other's set
        expect(kim.page.get_by_test_id(clock)).to_be_in_viewport(ratio=1)
    expect(ada.page).to_have_title(re.compile(f"^● {text('game.your_turn')}"))
    for person, other, turn in ((ada, kim, "Ed5ne"), (kim, ada, "Tl10n"), (ada, kim, "d5-d8n")):
        person.type(turn)
        other.sees(turn)
        eve.sees(turn)
    expect(kim.page.get_by_test_id("clock-b")).to_have_class(re.compile("ticking"))
    kim.page.evaluate("scrollTo(0, 0)")
    expect(kim.page.get_by_test_id("clock-w")).to_be_in_viewport(ratio=1)  # however long the name
    expect(kim.page.get_by_test_id("presence-w")).to_be_in_viewport(ratio=1)
    expect(kim.page.get_by_test_id("presence-w")).to_have_attribute("aria-label", text("game.here"))
    ada.press("greet")
    ada.press("greeting-good_luck")
    expect(kim.page.get_by_test_id("bubble")).to_be_visible()
    kim.hears(f"{ada.name}: {text('greeting.good_luck')}")
    kim.press("resign")
    kim.press("sure")
    for person in (ada, kim, eve):
        expect(person.see("end")).to_contain_text(text("end.resignation", colour=text("colour.b")))
    expect(ada.page.get_by_test_id("end")).to_contain_text(text("end.you_win"))
    expect(kim.page.get_by_test_id("end")).to_contain_text(text("end.wins", colour=text("colour.w")))
    eve.press("step-through")  # whoever watches may look back


def test_a_chain_ends_it_for_both(invite: Invite) -> None:
    ada, kim = invite("Ada"), invite("Kim")
    *turns, last = BEFORE_THE_END.split()
    position = punct.Position()
    for turn in turns:
        position.push(turn)
    ada.meet(kim, position=str(position), time="10+0")
    ada.type(last)
    kim.sees(last)
    kim.type(WINNING)
    expect(kim.see("end")).to_contain_text(text("end.you_win"))
    expect(ada.see("end")).to_contain_text(text("end.connection"))


def test_what_one_wants_the_other_grants_or_not(invite: Invite) -> None:
    ada, kim = invite("Ada"), invite("Kim")
    ada.meet(kim)
    ada.press("more")
    expect(ada.see("abort")).to_be_visible()
    ada.page.keyboard.press("Escape")
    ada.type("Ed5ne")
    kim.sees("Ed5ne")
    ada.press("undo")
    expect(ada.see("offer")).to_contain_text(text("offer.undo_sent"))
    expect(kim.see("offer")).to_contain_text(text("offer.undo", name=ada.name))
    kim.hears(text("offer.undo", name=ada.name))
    kim.press("accept")
    expect(ada.page.get_by_test_id("moves")).to_contain_text(text("moves.none"))
    ada.type("Ed4ne")
    kim.sees("Ed4ne")
    kim.type("Tl10n")
    ada.sees("Tl10n")
    for answer in ("decline", "accept"):
        ada.press("more")
        ada.press("offer-draw")
        expect(kim.see("offer")).to_contain_text(text("offer.draw", name=ada.name))
        kim.press(answer)
        expect(ada.page.get_by_test_id("offer")).to_have_count(0)
    expect(ada.see("end")).to_contain_text(text("end.agreement"))
    first = ada.id
    kim.see("end")
    kim.press("rematch")
    expect(ada.see("offer")).to_contain_text(text("offer.rematch", name=kim.name))
    ada.press("accept")
    for person in (ada, kim):
        expect(person.page).not_to_have_url(re.compile(first))
        person.arrive()
    assert ada.id == kim.id
    kim.type("Ed5ne")  # colours are swapped
    ada.sees("Ed5ne")
    ada.press("more")
    ada.press("abort")
    ada.press("sure")
    for person in (ada, kim):
        expect(person.see("missing")).to_contain_text(text("game.called_off"))


def test_a_rematch_takes_along_whoever_looks_back(invite: Invite) -> None:
    ada, kim = invite("Ada"), invite("Kim", viewport={"width": 390, "height": 664})
    ada.meet(kim)
    ada.type("Ed5ne")
    kim.sees("Ed5ne")
    kim.type("Tl10n")
    ada.sees("Tl10n")
    first = ada.id
    ada.ask("POST", f"/games/{first}/resign", {"colour": "w"})
    kim.see("end")
    kim.press("rematch")
    ada.see("offer")
    kim.press("step-through")
    expect(kim.see("looking-back")).to_have_text(text("moves.start"))
    ada.press("accept")
    for person in (ada, kim):
        expect(person.page).not_to_have_url(re.compile(first))
        person.arrive()
    assert ada.id == kim.id


def test_two_devices_on_one_seat(invite: Invite, watch: Watch) -> None:
    watch.allow(CONFLICT)
    ada, telephone, kim = invite("Ada"), invite("Ada", viewport={"width": 390, "height": 664}), invite("Kim")
    ada.make_account("ada.lovelace")
    ada.page.get_by_test_id("page-settings").click()
    ada.page.get_by_test_id("setting-coordinates").uncheck()
    with ada.page.expect_response("**/api/v1/me"):
        pass  # settings are kept with the account
    telephone.log_in("ada.lovelace")
    ada.meet(kim)
    telephone.go("/")
    expect(telephone.see(f"game-{ada.id}")).to_contain_text(text("game.your_turn"))
    telephone.press(f"game-{ada.id}")
    telephone.arrive()
    assert telephone.page.evaluate("JSON.parse(localStorage.getItem('punct.settings')).coordinates") is False
    ada.type("Ed5ne")
    telephone.sees("Ed5ne")
    kim.type("Tl10n")
    telephone.sees("Tl10n")

    def meanwhile(route: Route) -> None:
        telephone.ask("POST", f"/games/{ada.id}/turns", {"text": "d5-d8n", "ply": 2})
        route.continue_()

    ada.page.route("**/turns", meanwhile)
    ada.page.get_by_test_id("typed").fill("d5-d9n")
    ada.page.get_by_test_id("typed").press("Enter")
    expect(ada.saying).to_have_text(text("error.wrong_ply"))
    ada.sees("d5-d8n")


def test_the_lobby(invite: Invite) -> None:
    ada, kim, eve = invite("Ada"), invite("Kim"), invite("Eve")
    eve.go("/")
    ada.go("/")
    ada.page.get_by_test_id("name").fill(ada.name)
    ada.choose("open-everybody")
    ada.press("challenge")
    seat = ada.see("link").input_value().rpartition("/")[2]
    expect(eve.see(f"seat-{seat}")).to_contain_text(ada.name)
    kim.ask("POST", "/me", {"name": kim.name})
    kim.go("/")
    kim.see(f"seat-{seat}").get_by_test_id("sit").click()
    kim.arrive()
    ada.arrive()
    expect(eve.page.get_by_test_id(f"seat-{seat}")).to_have_count(0)
    expect(eve.see(f"running-{kim.id}")).to_contain_text(ada.name)
    _withdrawn(ada)


def _withdrawn(person: Person) -> None:
    person.go("/")
    person.choose("speed-days")
    person.press("challenge")
    person.see("link")
    person.press("cancel")
    expect(person.see("lobby")).to_be_visible()


def test_a_game_that_does_not_count_says_why_above_its_buttons(invite: Invite) -> None:
    wide, phone = {"width": 1366, "height": 768}, {"width": 390, "height": 844}
    ada, kim = invite("Ada", viewport=wide), invite("Kim", viewport=phone)
    ada.make_account("ada_short")
    kim.make_account("kim_short")
    ada.meet(kim, time="10+5", rated=True)
    ada.type("Ed5ne")
    kim.sees("Ed5ne")
    kim.type("Tl10n")
    ada.sees("Tl10n")
    kim.press("resign")
    kim.press("sure")
    for person in (ada, kim):
        expect(person.see("uncounted")).to_have_text(text("end.uncounted_short"))
        person.page.evaluate("scrollTo(0, 0)")
        for testid in ("uncounted", "rematch", "review"):
            expect(person.page.get_by_test_id(testid)).to_be_in_viewport(ratio=1)
