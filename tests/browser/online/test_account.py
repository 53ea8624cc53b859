"""What somebody does with their account, each as a story on the page itself."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, expect
from typer.testing import CliRunner

from punct.cli.admin import admin

from ..messages import text
from ..serving import COMMAND, Server
from ..test_server_gone import GONE
from ..watch import Watch
from .conftest import Invite
from .devices import by_name, look_again, with_keys
from .person import PASSWORD, Person

REFUSED = r"status of 40[139]"
"""The browser logs an answer that is an error; here it is what the test wants."""
NEW = "four red bridges"
PHONE = {"width": 390, "height": 664}


def test_by_passkey_alone(invite: Invite, watch: Watch, server: Server) -> None:
    watch.allow(REFUSED)
    ada = invite("Ada", at=by_name(server))
    with_keys(ada.page)
    ada.go("/account")
    ada.press("enter-passkey")  # without a login there is nothing to make
    expect(_account(ada)).to_have_attribute("data-account", "false")
    ada.fill("login", "ada.by.key")
    ada.press("enter-passkey")
    expect(_account(ada)).to_have_attribute("data-account", "true")
    expect(ada.page.get_by_test_id("passkey")).to_have_count(1)
    _remove_passkey(ada)
    expect(ada.see("trouble")).to_have_text(text("error.last_way_in"))
    ada.press("log-out")
    ada.see("lobby")

    ada.press("account")
    ada.choose("way-enter")
    ada.press("enter-passkey")
    expect(_account(ada)).to_have_attribute("data-account", "true")
    ada.press("add-passkey")
    ada.press("add-passkey-yes")  # this device has one: the browser itself declines
    expect(ada.page.get_by_test_id("add-passkey-yes")).to_be_enabled()
    ada.press("keep-passkey")
    expect(ada.page.get_by_test_id("passkey")).to_have_count(1)
    ada.press("change-password")
    expect(ada.page.get_by_test_id("old-password")).to_have_count(0)
    ada.fill("new-password", NEW)
    ada.press("set-password")
    expect(ada.see("done")).to_have_text(text("account.password_set"))
    ada.press("lost-password")  # a password there is now, and a key for whoever forgets it
    ada.fill("new-password", PASSWORD)
    ada.press("set-password")
    expect(ada.see("done")).to_have_text(text("account.password_changed"))
    _remove_passkey(ada, NEW)
    expect(ada.see("trouble")).to_have_text(text("error.wrong_password"))
    ada.fill("passkey-password", PASSWORD)
    ada.press("remove-passkey-yes")
    expect(ada.page.get_by_test_id("passkey")).to_have_count(0)
    ada.press("add-passkey")
    ada.fill("passkey-password", PASSWORD)
    ada.press("add-passkey-yes")
    expect(ada.page.get_by_test_id("passkey")).to_have_count(1)
    ada.press("log-out")
    ada.see("lobby")
    ada.log_in("ada.by.key")


def test_another_password_and_an_end(invite: Invite, watch: Watch) -> None:
    watch.allow(REFUSED)
    ada, telephone = invite("Ada"), invite("Ada", viewport=PHONE)
    ada.make_account("ada.changes")
    telephone.log_in("ada.changes")
    ada.press("change-password")
    for old in ("not this one", PASSWORD):
        ada.fill("old-password", old)
        ada.fill("new-password", NEW)
        ada.press("set-password")
        ada.see("trouble" if old != PASSWORD else "done")
    expect(ada.see("done")).to_have_text(text("account.password_changed"))
    # The telephone is out, and says so as soon as somebody looks at it.
    look_again(telephone.page)
    expect(telephone.see("connection")).to_contain_text(text("notice.logged_out"))
    expect(telephone.page.get_by_test_id("way-enter")).to_be_checked()
    telephone.press("log-in-again")
    telephone.log_in("ada.changes", NEW)
    expect(telephone.page.get_by_test_id("connection")).to_be_empty()
    ada.press("log-out-all")
    ada.see("lobby")
    telephone.fill("name", "Augusta")
    telephone.press("rename")  # or as soon as it wants something
    expect(telephone.see("connection")).to_contain_text(text("notice.logged_out"))
    expect(_account(telephone)).to_have_attribute("data-account", "false")

    ada.log_in("ada.changes", NEW)
    ada.press("delete-account")
    for password in (PASSWORD, NEW):
        ada.fill("delete-password", password)
        ada.press("delete-yes")
        ada.see("trouble" if password != NEW else "lobby")
    assert ada.ask("GET", "/me")["player"] is None
    telephone.choose("way-enter")
    telephone.fill("login", "ada.changes")
    telephone.fill("password", NEW)
    telephone.press("enter")
    expect(telephone.page.get_by_text(text("error.wrong_password"))).to_be_visible()


def test_a_program_of_ones_own(invite: Invite) -> None:
    ada = invite("Ada").make_account("ada.programs")
    ada.fill("token-name", "my program")
    ada.page.get_by_test_id("scope-challenge").uncheck()
    ada.fill("token-password", PASSWORD)
    ada.press("make-token")
    secret = ada.see("new-token").inner_text()
    who = (
        "(token) => fetch('/api/v1/me', { headers: { Authorization: `Bearer ${token}` } }).then((said) => said.status)"
    )
    assert ada.page.evaluate(who, secret) == 200
    expect(ada.see("token")).to_contain_text("my program")
    expect(ada.see("token")).not_to_contain_text(text("tokens.scope_challenge"))
    ada.press("remove-token")
    expect(ada.page.get_by_test_id("token")).to_have_count(0)
    expect(ada.page.get_by_test_id("new-token")).to_have_count(0)
    assert ada.ask("GET", "/tokens")["tokens"] == []

    ada.page.get_by_text(text("bot.title")).click()
    expect(ada.page.get_by_test_id("become-bot")).to_be_disabled()
    ada.page.get_by_test_id("bot-sure").check()
    ada.fill("bot-password", PASSWORD)
    ada.press("become-bot")
    expect(ada.page.get_by_text(text("bot.is"))).to_be_visible()
    assert ada.ask("GET", "/me")["player"]["kind"] == "bot"


def test_a_lost_password(invite: Invite, watch: Watch, server: Server) -> None:
    watch.allow(REFUSED)
    ada, telephone = invite("Ada"), invite("Ada", viewport=PHONE)
    ada.make_account("ada.forgets")
    printed = CliRunner().invoke(
        admin, ["reset-password", "ada.forgets", "--server", server.address, "--data", str(server.data)]
    )
    assert printed.exit_code == 0, printed.output
    telephone.page.goto(printed.output.strip())
    telephone.see("reset-page")
    assert telephone.page.evaluate("location.href") == f"{server.address}/reset"  # nobody finds it in the list of pages
    telephone.fill("new-password", NEW)
    telephone.press("set-password")
    telephone.see("reset-done")
    assert telephone.ask("GET", "/me")["player"]["name"] == "Ada"
    look_again(ada.page)
    expect(ada.see("connection")).to_contain_text(text("notice.logged_out"))
    ada.page.goto(printed.output.strip())  # it has worked once
    ada.fill("new-password", PASSWORD)
    ada.press("set-password")
    expect(ada.see("trouble")).to_have_text(text("error.bad_link"))
    ada.log_in("ada.forgets", NEW)


def test_a_server_that_was_used_at_home_goes_online(invite: Invite, tmp_path: Path, watch: Watch) -> None:
    watch.allow(GONE)  # it ends before the pages do, which may be asking it something
    with Server(tmp_path) as home:
        played = home.begin("Ed5ne")
    with Server(tmp_path, [*COMMAND, "--online"]) as server:
        ada, eve = invite("Ada", at=server), invite("Eve", at=server)
        link = re.search(r"http\S+/admin/adopt#\S+", server.says())
        assert link is not None
        ada.page.goto(link[0])
        expect(ada.see("adopt-page")).to_contain_text(text("adopt.guest"))
        ada.see("adopt-page").get_by_role("link", name=text("account.title")).click()
        ada.fill("login", "ada")
        ada.fill("password", PASSWORD)
        ada.press("enter")
        expect(_account(ada)).to_have_attribute("data-account", "true")
        ada.page.go_back()
        ada.press("adopt")
        expect(ada.page.get_by_role("heading", level=1)).to_have_text(text("adopt.done"))
        ada.see("adopt-page").get_by_role("link").click()
        ada.press(f"game-{played}")
        ada.arrive()
        ada.type("Tl10n")  # both seats are hers, as they were everybody's
        eve.id = played
        eve.open()
        eve.see("watching")


def _account(person: Person) -> Locator:
    return person.see("account-page")


def _remove_passkey(person: Person, password: str | None = None) -> None:
    """Remove the passkey: it is asked twice, and for proof."""
    person.press("remove-passkey")
    person.press("keep-passkey")
    person.press("remove-passkey")
    if password is not None:
        person.fill("passkey-password", password)
    person.press("remove-passkey-yes")
