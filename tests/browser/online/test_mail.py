"""Mail on the page: an address is entered and confirmed, a password is lost, mails are stopped; by real mails."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from playwright.sync_api import expect
from tests.smtp_server import SmtpServer, link_in, run_smtp

from ..messages import text
from ..screens import Screens
from ..serving import COMMAND, Server
from ..test_accessibility import keeps_nobody_out
from ..watch import Watch
from .conftest import Invite
from .person import PASSWORD, Person

NEW = "four red bridges"
PHONE = {"width": 390, "height": 664}
REFUSED = r"status of 40[139]"
"""The browser logs an answer that is an error; here it is what the test wants."""


@pytest.fixture(scope="module")
def smtp() -> Iterator[SmtpServer]:
    with run_smtp() as smtp:
        yield smtp


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory, smtp: SmtpServer) -> Iterator[Server]:
    """A server that sends mail."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PUNCT_SMTP_URL", smtp.url)
        patched.setenv("PUNCT_MAIL_FROM", "PÜNCT <punct@example.org>")
        with Server(tmp_path_factory.mktemp("mail"), [*COMMAND, "--name", "punct.example.org"]) as server:
            yield server


def arrived(smtp: SmtpServer) -> EmailMessage:
    (mail,) = smtp.take()
    return mail


def enter_address(person: Person, address: str) -> None:
    person.fill("mail-field", address)
    person.fill("mail-password", PASSWORD)
    person.press("mail-save")
    expect(person.page.get_by_test_id("mail-address")).to_have_text(address)


def test_an_address_is_entered_confirmed_and_removed(
    invite: Invite, watch: Watch, mailing: Server, smtp: SmtpServer
) -> None:
    watch.allow(REFUSED)
    ada, telephone = invite("Ada", at=mailing), invite("Ada", at=mailing, viewport=PHONE)
    ada.make_account("ada.mails")
    ada.see("mail")
    ada.fill("mail-field", "ada@example.org")
    ada.fill("mail-password", "wrong wrong")
    ada.press("mail-save")
    expect(ada.page.get_by_test_id("mail").get_by_test_id("trouble")).to_have_text(text("error.wrong_password"))
    enter_address(ada, "ada@example.org")
    state = ada.page.get_by_test_id("mail-state")
    expect(state).to_have_attribute("data-verified", "false")
    arrived(smtp)
    ada.press("mail-again")
    secret = link_in(arrived(smtp), "/verify-mail#")
    telephone.go(f"/verify-mail#{secret}")
    telephone.see("verify-mail")
    assert "#" not in telephone.page.url  # no history has the secret
    ada.page.reload()
    expect(state).to_have_attribute("data-verified", "false")  # a link that is opened alone confirms nothing
    telephone.press("verify-mail")
    telephone.see("verify-mail-done")
    telephone.go(f"/verify-mail#{secret}x")
    telephone.press("verify-mail")
    expect(telephone.see("trouble")).to_have_text(text("error.bad_link"))
    ada.page.reload()
    expect(state).to_have_attribute("data-verified", "true")
    ada.press("mail-change")
    ada.fill("mail-password", PASSWORD)
    ada.press("mail-remove")
    expect(state).to_have_count(0)
    assert arrived(smtp)["Subject"] == "Your mail address was removed"


def test_a_lost_password_and_mails_that_nobody_wants(
    invite: Invite, watch: Watch, mailing: Server, smtp: SmtpServer
) -> None:
    watch.allow(REFUSED)
    ada, ben, telephone = (
        invite("Ada", at=mailing),
        invite("Ben", at=mailing),
        invite("Ada", at=mailing, viewport=PHONE),
    )
    ada.make_account("ada.forgets")
    enter_address(ada, "forgets@example.org")
    ada.go(f"/verify-mail#{link_in(arrived(smtp), '/verify-mail#')}")
    ada.press("verify-mail")
    ada.see("verify-mail-done")

    telephone.go("/account")
    telephone.choose("way-enter")
    telephone.press("forgot")
    telephone.fill("forgot-login", "ada.forgets")
    telephone.press("forgot-send")
    expect(telephone.see("done")).to_have_text(text("mail.forgot_done"))
    telephone.go(f"/reset#{link_in(arrived(smtp), '/reset#')}")
    telephone.fill("new-password", NEW)
    telephone.press("set-password")
    telephone.see("reset-done")

    challenge = telephone.ask("POST", "/challenges", {"colour": "w", "time": "3d"})
    ben.ask("POST", "/me", {"name": "Ben"})
    ben.ask("POST", f"/challenges/{challenge['id']}/accept")
    mail = arrived(smtp)
    assert mail["Subject"] == "A game has begun"
    ben.go(f"/unsubscribe/{link_in(mail, '/unsubscribe/')}")
    ben.press("stop-kind")
    ben.see("stop-done")
    ben.go("/unsubscribe/some-other-token")
    expect(ben.see("trouble")).to_have_text(text("error.bad_link"))


def test_nobody_is_kept_out_of_what_is_about_mail(
    invite: Invite, screens: Screens, mailing: Server, smtp: SmtpServer
) -> None:
    ada, stranger = invite("Ada", at=mailing), invite("Stranger", at=mailing)
    ada.make_account("ada.reads")
    enter_address(ada, "reads@example.org")
    secret = link_in(arrived(smtp), "/verify-mail#")
    ada.press("mail-change")
    ada.see("mail-remove")
    keeps_nobody_out(screens, ada.page)
    ada.go("/settings")
    ada.see("zone")
    keeps_nobody_out(screens, ada.page)
    ada.go(f"/verify-mail#{secret}")
    ada.see("verify-mail")
    keeps_nobody_out(screens, ada.page)
    ada.press("verify-mail")
    ada.see("verify-mail-done")
    keeps_nobody_out(screens, ada.page)

    stranger.go("/account")
    stranger.choose("way-enter")
    stranger.press("forgot")
    stranger.see("forgot-login")
    keeps_nobody_out(screens, stranger.page)
    stranger.fill("forgot-login", "reads@example.org")
    stranger.press("forgot-send")
    stranger.see("done")
    link = link_in(arrived(smtp), "/reset#")
    stranger.go(f"/reset#{link}")
    stranger.see("set-password")
    keeps_nobody_out(screens, stranger.page)
    challenge = ada.ask("POST", "/challenges", {"colour": "w", "time": "3d"})
    stranger.ask("POST", "/me", {"name": "Ben"})
    stranger.ask("POST", f"/challenges/{challenge['id']}/accept")
    stranger.go(f"/unsubscribe/{link_in(arrived(smtp), '/unsubscribe/')}")
    stranger.see("stop-kind")
    keeps_nobody_out(screens, stranger.page)
    stranger.press("stop-kind")
    stranger.see("stop-done")
    keeps_nobody_out(screens, stranger.page)
