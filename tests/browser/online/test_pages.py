"""The pages between people keep nobody out: axe finds nothing on them, wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tests.server.two_player_games import EIGHT_MOVES

from punct.puzzles import shipped

from ..screens import Screens
from ..test_accessibility import keeps_nobody_out
from ..watch import Watch
from .conftest import Invite
from .devices import by_name, with_keys
from .person import PASSWORD, Person

Place = Callable[[Person, Invite], None]


def start(person: Person, invite: Invite) -> None:
    kim = invite("Kim")
    kim.ask("POST", "/me", {"name": kim.name})
    kim.ask("POST", "/challenges", {"listed": True, "time": "5+3"})
    person.meet(invite("Lee"), listed=True)
    person.go("/")
    person.see("lobby")
    person.see(f"game-{person.id}")


def waiting(person: Person, invite: Invite) -> None:
    del invite
    person.go(f"/join/{person.ask('POST', '/challenges', {'time': '10+5'})['id']}")
    person.see("qr")


def invitation(person: Person, invite: Invite) -> None:
    kim = invite("Kim")
    person.go(f"/join/{kim.ask('POST', '/challenges', {'time': '3d'})['id']}")
    person.see("join")


def guest(person: Person, invite: Invite) -> None:
    del invite
    person.go("/account")
    person.see("enter")


def try_puzzles(person: Person) -> None:
    """Solve the first puzzle there is, and miss the second."""
    solved, missed = (puzzle.id for puzzle in shipped()[:2])
    told = {"at": "2026-11-17T12:00:00Z", "mode": "theme"}
    tries = [{"puzzle": solved, "solved": True, **told}, {"puzzle": missed, "solved": False, **told}]
    person.ask("POST", "/puzzles/tries", {"tries": tries})


def account(person: Person, invite: Invite) -> None:
    del invite
    person.make_account("anna.k")
    try_puzzles(person)
    person.ask("POST", "/tokens", {"name": "a program", "scopes": ["play"], "password": PASSWORD})
    person.go("/account")
    person.see("token")
    expect(person.see("puzzle-rating")).to_contain_text("1 of 2 solved")
    for summary in person.page.locator("summary").all():
        summary.click()


def player(person: Person, invite: Invite) -> None:
    kim = invite("Kim")
    for somebody, login in ((person, "rated.one"), (kim, "rated.two")):
        somebody.ask("POST", "/account", {"login": login, "password": PASSWORD, "name": somebody.name})
    try_puzzles(kim)
    person.meet(kim, rated=True, listed=True, time="5+3")
    for somebody, turn in zip([person, kim] * 4, EIGHT_MOVES, strict=True):  # with fewer moves it would not count
        somebody.type(turn)
        for each in (person, kim):
            each.sees(turn)
    person.press("resign")
    person.press("sure")
    expect(person.see("rating-change")).to_contain_text("−")
    person.go(f"/player/{person.ask('GET', '/me')['player']['id']}")
    person.see("curve")
    person.page.locator("summary").click()
    person.see("curve-table")
    expect(person.page.get_by_test_id("puzzle-rating")).to_have_count(0)  # she has tried none
    person.go(f"/player/{kim.ask('GET', '/me')['player']['id']}")
    person.see("curve")
    shown = person.see("puzzle-rating")
    expect(shown).to_contain_text("1 of 2 solved")
    expect(shown.get_by_role("link")).to_have_attribute("href", "/puzzles")


def leaderboard(person: Person, invite: Invite) -> None:
    del invite
    person.go("/leaderboard")
    expect(person.page.locator('[data-testid="leaders"], [data-testid="no-leaders"]')).to_be_visible()


def game(person: Person, invite: Invite) -> None:
    kim = invite("Kim")
    person.meet(kim, time="5+3")
    person.type("Ed5ne")
    kim.sees("Ed5ne")
    kim.press("more")
    kim.press("offer-draw")
    person.see("offer")
    person.press("greet")


def desk(person: Person, invite: Invite) -> None:
    kim = invite("Kim")
    person.meet(kim, time="3d", rules="basic")
    person.type("Ed5ne")
    then = {"turn": "Re12sw", "reply": "b3-e3se"}
    replies = [{"turn": "Tl10n", "reply": "Mb3n", "then": [then]}, {"turn": "Tl5s", "reply": "Mb3n"}]
    person.ask("PUT", f"/games/{person.id}/plan", {"ply": 1, "replies": replies})
    person.page.get_by_test_id("plan-here").click()
    expect(person.see("plan").get_by_test_id("remove-reply")).to_have_count(3)
    person.see("plan").get_by_role("button", name="Re12sw").first.click()
    person.see("to-current")


def with_account(somebody: Person, login: str) -> str:
    """Make an account; return the player's id."""
    somebody.ask("POST", "/account", {"login": login, "password": PASSWORD, "name": somebody.name})
    player_id: str = somebody.ask("GET", "/me")["player"]["id"]
    return player_id


def inviting(person: Person, invite: Invite) -> None:
    """Find somebody, and look at the page on which they are invited."""
    kim = invite("Kimberley")
    with_account(person, "inviting.one")
    with_account(kim, "inviting.two")
    kim.ask("PUT", "/me/handle", {"handle": "Kim-Berley"})
    person.go("/leaderboard")
    person.fill("find-players", "kim-b")
    person.see("found-players").get_by_role("link").click()
    person.press("follow")
    person.press("invite")
    expect(person.see("invite-page")).to_contain_text("Kimberley")


def answering(person: Person, invite: Invite) -> None:
    """Look at an invitation, with the form for other terms open."""
    kim = invite("Kim")
    player_id = with_account(person, "answering.one")
    with_account(kim, "answering.two")
    made = kim.ask("POST", "/challenges", {"to": player_id, "time": "3d"})
    person.go(f"/join/{made['id']}")
    person.press("change-terms")
    person.see("decline")


def invitations(person: Person, invite: Invite) -> None:
    """Look at the start page with invitations, players who are followed, and alerts."""
    kim = invite("Kim")
    player_id, kims_id = with_account(person, "invited.one"), with_account(kim, "invited.two")
    kim.ask("POST", "/challenges", {"to": player_id, "time": "3d"})
    made = person.ask("POST", "/challenges", {"to": kims_id, "time": "7d"})
    kim.ask("POST", f"/challenges/{made['id']}/decline", {"words": "Not this week, but gladly in June."})
    person.ask("PUT", f"/players/{kims_id}/relation", {"kind": "follow"})
    person.go("/")
    expect(person.see("invitations")).to_contain_text("gladly in June")
    person.see("following")
    person.press("seat-alerts")
    person.press("add-alert")
    person.see("alerts")


def reached(person: Person, invite: Invite) -> None:
    """Look at an account with everything by which its owner is reached and away."""
    kim = invite("Kim")
    kims_id = with_account(kim, "reached.two")
    with_account(person, "reached.one")
    person.ask("PUT", "/me/handle", {"handle": "Ada-Reached"})
    person.ask("PUT", f"/players/{kims_id}/relation", {"kind": "block"})
    person.ask("POST", "/hooks", {"url": "https://discord.com/api/webhooks/1/2", "form": "discord"})
    person.go("/account")
    person.fill("hook-url", "https://hooks.example.org/services/a-long-name-of-a-program")
    person.press("add-hook")
    person.see("hook-secret")
    person.press("make-calendar")
    person.see("calendar-address")
    person.press("take-vacation")
    person.see("vacation")
    person.choose("vacation-later")
    person.see("vacation-day")
    person.see("blocked")


def notified(person: Person, invite: Invite) -> None:
    """Look at the settings of what somebody is told."""
    del invite
    with_account(person, "notified.one")
    person.go("/settings")
    person.see("zone")


def blocked(person: Person, invite: Invite) -> None:
    """Look at the page of a player who is blocked."""
    kim = invite("Kim")
    kims_id = with_account(kim, "blocked.two")
    with_account(person, "blocked.one")
    person.go(f"/player/{kims_id}")
    person.press("block")
    expect(person.page.get_by_test_id("invite")).to_have_count(0)


def own_games(person: Person, invite: Invite) -> None:
    """Look at all games, with every filter."""
    kim = invite("Kim")
    person.meet(kim, time="3d")
    person.go("/games")
    expect(person.see("found")).to_be_visible()
    person.press("more-filters")
    person.see("filter-opening")


def pausing(person: Person, invite: Invite) -> None:
    """Look at a game that stands, because both have agreed to a pause and the opponent is on vacation."""
    kim = invite("Kim")
    with_account(kim, "pausing.two")
    with_account(person, "pausing.one")
    person.meet(kim, time="7d+1d/10d-wd")
    kim.ask("POST", "/me/vacations", {"days": 5})
    kim.press("more")
    kim.press("offer-pause")
    person.see("offer")
    person.press("accept")
    expect(person.see("pauses").locator("span")).to_have_count(2)


def noted(person: Person, invite: Invite) -> None:
    """Look at an own board with a note that another device has changed too, and a plan that no longer fits."""
    kim = invite("Kim")
    person.meet(kim, time="3d", rules="basic")
    person.type("Ed5ne")
    replies = [{"turn": "Tl10n", "reply": "Mb3n"}]
    person.ask("PUT", f"/games/{person.id}/plan", {"ply": 1, "replies": replies})
    person.page.get_by_test_id("plan-here").click()
    person.see("plan")
    person.ask("PUT", f"/games/{person.id}/notebook", {"version": 0, "note": "From the phone."})
    person.fill("note", "From the desk.")
    person.see("other-note")
    kim.sees("Ed5ne")
    kim.type("Tl5s")
    person.see("dropped")
    person.see("desk-turn")


def adoption(person: Person, invite: Invite) -> None:
    del invite
    person.go("/admin/adopt#nobody-knows-this-secret")
    person.see("adopt")


def reset(person: Person, invite: Invite) -> None:
    del invite
    person.go("/reset#nobody/knows-this-secret")
    person.see("set-password")


def passkey(person: Person, invite: Invite) -> None:
    del invite
    person.server = by_name(person.server)
    with_keys(person.page)
    person.go("/account")
    person.fill("login", "by.key.alone")
    person.press("enter-passkey")
    person.press("remove-passkey")
    person.press("change-password")
    person.press("delete-account")


PLACES: dict[str, Place] = {
    place.__name__: place
    for place in (
        *(start, waiting, invitation, guest, account, player, leaderboard, game, desk, adoption, reset, passkey),
        *(inviting, answering, invitations, reached, notified, blocked, own_games, pausing, noted),
    )
}


@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing(invite: Invite, screens: Screens, watch: Watch, place: str) -> None:
    if place == noted.__name__:
        watch.allow("status of 409")  # the other device was first
    person = invite("Ada")
    PLACES[place](person, invite)
    keeps_nobody_out(screens, person.page, "desktop", "phone with bars")
