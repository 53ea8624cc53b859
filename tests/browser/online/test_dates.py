"""Two people in two time zones agree on a date, meet there, and play; or one of them cannot come."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
import pytest
from playwright.sync_api import expect

from ..messages import text
from ..screens import Screens
from ..serving import Server
from ..test_accessibility import keeps_nobody_out
from ..watch import Watch
from .conftest import Invite
from .person import PASSWORD, Person

PHONE = {"width": 390, "height": 664}
EARLY = """
from datetime import timedelta
from punct.server.appointments import model
model.OPENS_BEFORE = timedelta(days=60)
from punct.cli import main
main()
"""
"""A server on which players may be at a date days before it: nobody waits here until it is time."""
WARSAW, TOKYO = ZoneInfo("Europe/Warsaw"), ZoneInfo("Asia/Tokyo")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    command = [sys.executable, "-c", EARLY, "serve", "--no-open", "--online"]
    with Server(tmp_path_factory.mktemp("dates"), command) as server:
        yield server


def with_account(person: Person, login: str) -> Person:
    """Give somebody an account."""
    person.ask("POST", "/account", {"login": login, "password": PASSWORD, "name": person.name})
    return person


def evening(days: int) -> datetime:
    """Return eight in the evening in Warsaw, some days ahead."""
    return (datetime.now(WARSAW) + timedelta(days=days)).replace(hour=20, minute=0, second=0, microsecond=0)


def words_of(date: datetime, zone: ZoneInfo, before: str = "") -> re.Pattern[str]:
    """Return a date as English readers have it, without the name of its zone."""
    local = date.astimezone(zone)
    return re.compile(rf"{before}{local:%a}, {local:%b} {local.day}, {local.hour % 12 or 12}:{local:%M}\s{local:%p}")


def test_two_people_far_apart_meet_at_a_date(invite: Invite, server: Server, tmp_path: Path) -> None:
    anna = with_account(invite("Anna", at=server, zone="Europe/Warsaw"), "anna.dates")
    ben = with_account(invite("Ben", at=server, viewport=PHONE, touch=True, zone="Asia/Tokyo"), "ben.dates")
    dates = [evening(5), evening(6)]

    anna.go(f"/player/{ben.ask('GET', '/me')['player']['id']}")
    anna.press("meet")
    expect(anna.see("form-zone")).to_contain_text("Europe/Warsaw")
    anna.press("add-date")
    for index, date in enumerate(dates):
        anna.fill(f"date-{index}", f"{date:%Y-%m-%dT%H:%M}")
    anna.choose("time-5+3")
    anna.choose("seat-w")
    anna.fill("date-words", "After dinner?")
    anna.press("propose")
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("You have proposed a date to Ben")

    ben.go("/")
    expect(ben.see("invitations")).to_contain_text("Anna proposes a date")
    expect(ben.see("invitations")).to_contain_text(words_of(dates[0], TOKYO))
    ben.press("show-date")
    expect(ben.see("own-zone")).to_contain_text("Asia/Tokyo")
    expect(ben.see("proposal-words")).to_have_text("After dinner?")
    for date in dates:
        expect(ben.page.get_by_text(words_of(date, TOKYO))).to_be_visible()
        expect(ben.page.get_by_text(words_of(date, WARSAW, "there "))).to_be_visible()
    ben.choose("choose-1")
    ben.press("accept")
    expect(ben.see("agreed-date")).to_contain_text(words_of(dates[1], TOKYO))

    # Anna has stayed on her page: it knows by itself, and what time it will be for Ben.
    expect(anna.see("agreed-date")).to_contain_text(words_of(dates[1], WARSAW))
    expect(anna.see("date-there")).to_contain_text(words_of(dates[1], TOKYO))
    for person in (anna, ben):
        with person.page.expect_download() as download:
            person.press("ics")
        file = tmp_path / person.name
        download.value.save_as(file)
        (event,) = icalendar.Calendar.from_ical(file.read_bytes()).walk("VEVENT")
        assert event.decoded("DTSTART") == dates[1].astimezone(UTC)

    anna.press("here")
    expect(anna.see("presence")).to_contain_text("You are here")
    expect(ben.see("presence")).to_contain_text("Anna is here and waits for you.")
    ben.page.get_by_test_id("here").tap()
    for person in (anna, ben):
        person.arrive()
    assert anna.id == ben.id
    anna.type("Ed5ne")
    ben.sees("Ed5ne")


def test_other_dates_are_proposed_and_one_is_cancelled(invite: Invite, server: Server, watch: Watch) -> None:
    watch.allow("404")  # the other page still shows the date that is put away in the end
    cara = with_account(invite("Cara", at=server, zone="America/New_York"), "cara.dates")
    dan = with_account(invite("Dan", at=server, viewport=PHONE, zone="Europe/Warsaw"), "dan.dates")
    cara.go(f"/invite/{dan.ask('GET', '/me')['player']['id']}")
    cara.choose("when-date")
    cara.press("propose")
    expect(cara.page.get_by_role("heading", level=1)).to_have_text("You have proposed a date to Dan")
    link = cara.page.url.removeprefix(server.address)

    dan.go(link)
    dan.press("change-terms")
    dan.fill("date-0", f"{evening(9):%Y-%m-%dT%H:%M}")
    dan.press("propose")
    expect(cara.page.get_by_role("heading", level=1)).to_have_text("Dan has declined the date")
    cara.press("answer")
    expect(cara.page.get_by_role("heading", level=1)).to_have_text("Dan proposes another date")
    cara.press("accept")
    expect(dan.see("agreed-date")).to_contain_text(words_of(evening(9), WARSAW))

    cara.press("here")
    expect(dan.see("presence")).to_contain_text("Cara is here")
    cara.press("leave")
    expect(dan.see("presence")).to_contain_text("Cara is not here yet.")
    cara.press("cancel-date")
    cara.fill("words", "I have to work.")
    cara.press("cancel")
    expect(dan.page.get_by_role("heading", level=1)).to_have_text("Cara has cancelled the date")
    expect(dan.see("reply")).to_have_text("I have to work.")
    dan.press("remove")
    expect(dan.see("lobby")).to_be_visible()
    expect(dan.page.get_by_test_id("invitations")).to_have_count(0)


def test_axe_finds_nothing(invite: Invite, server: Server, screens: Screens, watch: Watch) -> None:
    """On the form, and on the page of a date in each of its states, for both players."""
    watch.allow("404")  # the date is put away in the end
    eva = with_account(invite("Eva", at=server, zone="Europe/Warsaw"), "eva.dates")
    finn = with_account(invite("Finn", at=server, zone="Asia/Tokyo"), "finn.dates")
    eva.go(f"/player/{finn.ask('GET', '/me')['player']['id']}")
    eva.press("meet")
    eva.press("add-date")
    expect(eva.see("date-1")).to_be_visible()
    keeps_nobody_out(screens, eva.page)
    eva.fill("date-words", "After dinner?")
    eva.press("propose")
    expect(eva.see("remove")).to_be_visible()
    keeps_nobody_out(screens, eva.page)
    link = eva.page.url.removeprefix(server.address)

    finn.go("/")
    expect(finn.see("show-date")).to_be_visible()
    keeps_nobody_out(screens, finn.page)
    finn.go(link)
    finn.press("change-terms")
    expect(finn.see("date-0")).to_be_visible()
    keeps_nobody_out(screens, finn.page)
    finn.press("accept")
    finn.press("here")
    expect(eva.see("presence")).to_contain_text("Finn is here")
    eva.press("cancel-date")
    for person in (eva, finn):
        keeps_nobody_out(screens, person.page)
    eva.fill("words", "Ill.")
    eva.press("cancel")
    expect(finn.see("reply")).to_be_visible()
    keeps_nobody_out(screens, finn.page)
    finn.press("remove")
    finn.go(link)
    expect(finn.page.get_by_role("heading", name=text("dates.gone"))).to_be_visible()
    keeps_nobody_out(screens, finn.page)
