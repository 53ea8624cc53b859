"""Players find each other: handles, search, invitations to one player, blocks."""

from __future__ import annotations

from playwright.sync_api import expect

from ..watch import Watch
from .conftest import Invite
from .person import PASSWORD, Person


def with_account(person: Person, login: str) -> Person:
    """Give somebody an account."""
    person.ask("POST", "/account", {"login": login, "password": PASSWORD, "name": person.name})
    return person


def test_a_player_who_is_away_is_invited_and_proposes_other_terms(invite: Invite) -> None:
    ida, joe = with_account(invite("Ida"), "ida.finds"), with_account(invite("Joe Finder"), "joe.finds")
    joe.go("/account")
    joe.fill("handle", "@Joe-Finder")
    joe.press("save-handle")
    expect(joe.see("handle")).to_have_value("Joe-Finder")
    ida.go("/leaderboard")
    ida.fill("find-players", "nobody has this name")
    ida.see("nobody-found")
    ida.fill("find-players", "JOE F")
    ida.see("found-players").get_by_role("link").click()
    expect(ida.see("handle")).to_have_text("@Joe-Finder")
    ida.press("invite")
    ida.choose("speed-days")
    ida.press("challenge")
    expect(ida.page.get_by_role("heading", level=1)).to_contain_text("Joe Finder")

    joe.go("/")
    expect(joe.see("invitations")).to_contain_text("Ida")
    joe.press("answer")
    joe.press("change-terms")
    joe.choose("speed-days")
    joe.choose("days-7")
    joe.press("challenge")

    ida.go("/")
    expect(ida.see("invitations")).to_contain_text("Joe Finder proposes other terms")
    ida.page.get_by_test_id("answer").click()
    expect(ida.see("terms")).to_contain_text("7 days")
    ida.press("join")
    ida.arrive()
    joe.arrive()  # he has waited on the invitation's page
    assert joe.id == ida.id


def test_an_invitation_is_declined_with_a_word(invite: Invite) -> None:
    ida, joe = with_account(invite("Ida"), "ida.asks"), with_account(invite("Joe"), "joe.declines")
    player_id = joe.ask("GET", "/me")["player"]["id"]
    made = ida.ask("POST", "/challenges", {"to": player_id, "time": "3d"})
    ida.go(f"/join/{made['id']}")
    joe.go(f"/join/{made['id']}")
    joe.fill("words", "Gladly in June <3")
    joe.press("decline")
    joe.page.wait_for_url(joe.server.address + "/")
    expect(ida.see("declined-words")).to_have_text("Gladly in June <3")  # without loading the page again
    ida.press("cancel")
    ida.page.wait_for_url(ida.server.address + "/")
    assert ida.ask("GET", "/me/challenges") == {"received": [], "sent": []}


def test_a_player_is_blocked_and_unblocked(invite: Invite, watch: Watch) -> None:
    watch.allow("status of 409")
    ida, joe = with_account(invite("Ida"), "ida.blocks"), with_account(invite("Joe"), "joe.blocked")
    path = f"/player/{joe.ask('GET', '/me')['player']['id']}"
    joe.go(f"/player/{ida.ask('GET', '/me')['player']['id']}")
    ida.go(path)
    ida.press("block")
    expect(ida.page.get_by_test_id("block")).to_have_text("Unblock")
    expect(ida.page.get_by_test_id("invite")).to_have_count(0)
    joe.press("invite")
    joe.press("challenge")
    expect(joe.page.get_by_role("alert")).to_contain_text("takes no invitations")
    ida.go("/account")
    expect(ida.see("blocked")).to_contain_text("Joe")
    ida.press("unblock")
    expect(ida.page.get_by_test_id("blocked")).to_have_count(0)
    joe.press("challenge")
    expect(joe.page.get_by_role("heading", level=1)).to_contain_text("You have invited Ida")
