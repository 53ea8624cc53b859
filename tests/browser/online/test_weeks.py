"""Games for weeks between two people: banks of days, free weekends, pauses, vacations."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Invite

PHONE = {"width": 390, "height": 664}


def test_a_game_by_days_pauses_and_goes_on(invite: Invite) -> None:
    anna, ben = invite("Anna"), invite("Ben", viewport=PHONE)
    anna.meet(ben, colour="w", time="7d+12h/10d-wd")
    expect(anna.see("increment-w")).to_have_text("+ 12 hr")
    anna.press("more")
    anna.press("offer-pause")
    expect(ben.see("offer")).to_contain_text("Anna suggests a pause.")
    ben.press("accept")
    for person in (anna, ben):
        expect(person.see("pauses")).to_contain_text("Both clocks stand.")
    ben.press("resume")
    expect(anna.page.get_by_test_id("pauses")).to_have_count(0)
    expect(anna.see("prompt")).to_be_visible()


def test_a_vacation_is_taken_and_shown_to_the_opponent(invite: Invite) -> None:
    anna, ben = invite("Anna"), invite("Ben", viewport=PHONE)
    ben.go("/account").make_account("ben-on-vacation")
    anna.meet(ben, colour="w", time="3d")
    game = anna.page.url
    ben.go("/account")
    ben.fill("vacation-days", "5")
    ben.press("take-vacation")
    expect(ben.see("vacation")).to_contain_text("Until")
    expect(anna.see("pauses")).to_contain_text("Ben is on vacation until")
    ben.press("end-vacation")
    expect(ben.page.get_by_test_id("vacation")).to_have_count(0)
    expect(anna.page.get_by_test_id("pauses")).to_have_count(0)
    assert anna.page.url == game


def test_a_bank_of_days_is_chosen_in_the_form(invite: Invite) -> None:
    anna = invite("Anna").go("/")
    anna.choose("speed-days")
    anna.choose("days-bank")
    anna.choose("bank-3d+12h/5d")
    anna.press("weekends")
    anna.choose("open-link")
    anna.press("challenge")
    expect(anna.page.get_by_text("3 days + 12 hr · Free weekends").first).to_be_visible()
