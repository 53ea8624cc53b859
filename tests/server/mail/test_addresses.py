"""Addresses: entered, verified by a link, changed and removed; nobody else gets anywhere with a link."""

from __future__ import annotations

import pytest
from tests.server.mail.conftest import MailServer
from tests.server.online_client import PASSWORD, PROOF, Browser, error_of
from tests.smtp_server import html_of, link_in, text_of

from punct.server.mail.addresses import clean_address
from punct.server.mail.channels import LINK_DURATION
from punct.server.mail.errors import InvalidAddressError


def mail_of(browser: Browser) -> tuple[str | None, bool]:
    answer = browser.get("/account/mail").json()
    assert answer["offered"]
    return answer["address"], answer["verified"]


def test_an_address_is_verified_by_its_link_once(server: MailServer) -> None:
    anna = server.account("Anna")
    assert mail_of(anna) == (None, False)
    secret = server.enter_address(anna, "Anna@Example.org".lower())
    assert mail_of(anna) == ("anna@example.org", False)
    stranger = Browser(server.client)  # mails are opened on other devices
    assert stranger.post("/mail/verify", {"secret": secret}).status_code == 204
    assert mail_of(anna) == ("anna@example.org", True)
    assert error_of(stranger.post("/mail/verify", {"secret": secret})) == (403, "bad_link")
    assert error_of(anna.post("/account/mail/link")) == (409, "no_address")
    server.work()
    assert server.smtp.mails == []


def test_what_the_first_mail_is_like(server: MailServer) -> None:
    anna = server.account("Anna")
    anna.send("PATCH", "/me", {"settings": {"language": "de"}})
    anna.send("PUT", "/account/mail", {"address": "anna@example.org", **PROOF})
    server.work()
    (mail,) = server.smtp.take()
    assert (server.smtp.senders, server.smtp.recipients) == (["punct@example.org"], ["anna@example.org"])
    assert str(mail["From"]) == "PÜNCT <punct@example.org>" and mail["To"] == "anna@example.org"
    assert mail["Subject"] == "Bestätige deine Mailadresse" and mail["Content-Language"] == "de"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe"] is None  # there is nothing to unsubscribe from yet
    assert mail["Message-ID"].endswith("@example.org>") and mail["Date"].datetime == server.clock()
    assert "punct.example.org" in text_of(mail) and '<html lang="de">' in html_of(mail)
    assert not any(word in html_of(mail) for word in ("<img", "<script", "url(", "<link"))


def test_guesses_and_old_links_verify_nothing(server: MailServer) -> None:
    anna, ben, eve = server.account("Anna"), server.account("Ben"), Browser(server.client)
    first = server.enter_address(anna, "anna@example.org")
    of_ben = server.enter_address(ben, "ben@example.org")
    assert anna.post("/account/mail/link").status_code == 204
    server.work()
    (mail,) = server.smtp.take()
    last = link_in(mail, "/verify-mail#")
    anna_id, ben_id = anna.me()["id"], ben.me()["id"]
    guesses = [first, last[:-1], last + "x", f"{anna_id}/", anna_id, "/", f"{anna_id}/{of_ben.partition('/')[2]}"]
    guesses += [f"{ben_id}/{last.partition('/')[2]}", last.partition("/")[2], f"{anna_id}/%", f"{anna_id}/' OR 1=1 --"]
    for guess in guesses:
        assert error_of(eve.post("/mail/verify", {"secret": guess})) == (403, "bad_link"), guess
    assert mail_of(anna) == ("anna@example.org", False)
    server.clock.advance(seconds=LINK_DURATION.total_seconds() + 1)
    assert error_of(eve.post("/mail/verify", {"secret": last})) == (403, "bad_link")


def test_a_link_for_an_address_does_not_verify_the_next_one(server: MailServer) -> None:
    anna = server.account("Anna")
    secret = server.enter_address(anna, "anna@example.org")
    server.enter_address(anna, "other@example.org")
    assert error_of(anna.post("/mail/verify", {"secret": secret})) == (403, "bad_link")
    assert mail_of(anna) == ("other@example.org", False)


def test_a_change_needs_the_password_and_is_told_to_the_old_address(server: MailServer) -> None:
    anna = server.verified_account("Anna")
    wanted = {"address": "eve@example.org"}
    for proof, status, code in (({}, 401, "wrong_password"), ({"password": "wrong wrong"}, 401, "wrong_password")):
        assert error_of(anna.send("PUT", "/account/mail", {**wanted, **proof})) == (status, code)
        assert error_of(anna.delete("/account/mail", proof)) == (status, code)
    assert anna.send("PUT", "/account/mail", {**wanted, **PROOF}).is_success
    assert anna.send("PUT", "/account/mail", {"address": "eve2@example.org", **PROOF}).is_success
    server.work()
    mails = {mail["To"]: mail for mail in server.smtp.take(2)}
    assert set(mails) == {"anna@example.org", "eve2@example.org"}  # no link goes to an address that was replaced
    assert "“anna”" in text_of(mails["anna@example.org"])
    assert anna.delete("/account/mail", PROOF).status_code == 204
    server.work()
    assert server.smtp.mails == [] and mail_of(anna) == (None, False)


def test_removal_is_told_to_a_verified_address(server: MailServer) -> None:
    anna = server.verified_account("Anna")
    assert anna.delete("/account/mail", PROOF).status_code == 204
    server.work()
    (mail,) = server.smtp.take()
    assert (mail["To"], mail["Subject"]) == ("anna@example.org", "Your mail address was removed")


def test_only_accounts_have_addresses_and_no_token_sees_them(server: MailServer) -> None:
    guest, anna = Browser(server.client), server.verified_account("Anna")
    guest.post("/me")
    assert error_of(guest.send("PUT", "/account/mail", {"address": "g@example.org", **PROOF})) == (403, "no_account")
    token = {"authorization": f"Bearer {anna.token('read', 'play')['secret']}"}
    answer = server.client.get("/api/v1/account/mail", headers=token)
    assert answer.json() == {"offered": True, "address": None, "verified": False}
    changed = server.client.put("/api/v1/account/mail", json={"address": "e@example.org", **PROOF}, headers=token)
    assert error_of(changed) == (403, "not_in_scope")
    assert Browser(server.client).get("/account/mail").json()["address"] is None
    anna.delete("/me", PROOF)
    server.work()
    assert server.smtp.mails == []


def test_one_address_may_belong_to_several_accounts_and_nobody_learns_of_it(server: MailServer) -> None:
    server.verified_account("Anna", "both@example.org")
    ben = server.account("Ben")
    answer = ben.send("PUT", "/account/mail", {"address": "both@example.org", **PROOF})
    assert answer.json() == {"offered": True, "address": "both@example.org", "verified": False}


def test_nobody_is_flooded_with_links(server: MailServer) -> None:
    for number in range(9):
        browser = server.account(f"Eve{number}")
        assert browser.send("PUT", "/account/mail", {"address": "victim@example.org", **PROOF}).is_success
    server.work()
    assert len(server.smtp.take(6)) == 6
    eve = server.account("Eve")
    entered = [eve.send("PUT", "/account/mail", {"address": f"{n}@example.org", **PROOF}) for n in range(12)]
    assert {answer.status_code for answer in entered[-2:]} == {429}


@pytest.mark.parametrize(
    "address",
    [
        "anna",
        "@example.org",
        "anna@",
        "anna@localhost",
        "anna@127.0.0.1",
        "anna@[127.0.0.1]",
        "anna@example..org",
        "anna@-example.org",
        ".anna@example.org",
        "an..na@example.org",
        '"anna smith"@example.org',
        "anna@example.org\nBcc: everybody@example.org",
        "anna@example.org\r\n\r\nhello",
        "anna@example.org, ben@example.org",
        "anna@example.org>",
        "<anna@example.org>",
        "änna@example.org",
        "anna@exämple.org",
        "аnna@example.org",  # a Cyrillic a
        "anna@example.org\0",
        "a" * 65 + "@example.org",
        "anna@" + "a" * 250 + ".org",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidAddressError):
        clean_address(address)


def test_what_is_an_address_is_accepted() -> None:
    for address in ("anna@example.org", "a.b+punct@mail.example.co.uk", "x@xn--exmple-cua.org", "o'neill@example.org"):
        assert clean_address(f" {address.upper()} ") == address


def test_a_server_without_mail_says_so(online: object, new_browser: object) -> None:
    from tests.server.online_client import create_account

    anna, _ = create_account(new_browser)  # type: ignore[arg-type]
    assert anna.get("/account/mail").json() == {"offered": False, "address": None, "verified": False}
    for answer in (
        anna.send("PUT", "/account/mail", {"address": "a@example.org", "password": PASSWORD}),
        anna.delete("/account/mail", PROOF),
        anna.post("/account/mail/link"),
        anna.post("/account/recovery", {"login": "anna"}),
        anna.post("/mail/verify", {"secret": "a/b"}),
        anna.post("/mail/unsubscribe", {"token": "abc"}),
    ):
        assert error_of(answer) == (409, "not_offered")
