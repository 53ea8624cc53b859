"""A lost password: a link comes to the verified address, once; nobody learns who has an account, or gets its link."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from tests.server.mail.conftest import MailServer
from tests.server.online_client import PROOF, Browser, error_of
from tests.smtp_server import link_in, text_of

from punct.server.accounts.links import RESET_LINK_DURATION
from punct.server.http import rate_limits

NEW = "four red bridges"


def recover(server: MailServer, login: str) -> tuple[int, bytes]:
    """Ask for a link as a stranger; return the answer."""
    answer = Browser(server.client).post("/account/recovery", {"login": login})
    server.client.portal.call(_finish(server.client))  # type: ignore[union-attr]
    server.work()
    return answer.status_code, answer.content


def _finish(client: TestClient):  # type: ignore[no-untyped-def]
    from punct.server.mail.service import Mail

    return client.app.state.services.get(Mail)._recoveries.finish  # type: ignore[attr-defined]


@pytest.mark.parametrize("known_as", ["anna", " Anna ", "anna@example.org", "ANNA@example.org"])
def test_a_link_sets_a_new_password_once(server: MailServer, known_as: str) -> None:
    anna = server.verified_account("Anna")
    assert recover(server, known_as) == (204, b"")
    (mail,) = server.smtp.take()
    assert mail["To"] == "anna@example.org" and "“anna”" in text_of(mail)
    secret = link_in(mail, "/reset#")
    phone = Browser(server.client)
    assert phone.post("/account/reset", {"secret": secret, "password": NEW}).is_success
    assert phone.me()["name"] == "Anna" and anna.me() is None
    assert error_of(phone.post("/account/reset", {"secret": secret, "password": NEW})) == (403, "bad_link")


def test_nobody_learns_which_accounts_and_addresses_there_are(server: MailServer) -> None:
    server.verified_account("Anna")
    ben = server.account("Ben")  # without an address
    cleo = server.account("Cleo")
    server.enter_address(cleo, "cleo@example.org")  # not verified
    answers = {
        recover(server, who)
        for who in ("anna", "ben", "cleo", "nobody", "cleo@example.org", "x@example.org", "anna@example.orgx", "'; --")
    }
    assert answers == {(204, b"")}
    assert [mail["To"] for mail in server.smtp.take()] == ["anna@example.org"]
    assert ben.me()["name"] == "Ben"


def test_links_are_for_one_account_for_a_day_and_only_the_last_one_works(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    secrets = []
    for _ in range(2):
        recover(server, "anna")
        (mail,) = server.smtp.take()
        secrets.append(link_in(mail, "/reset#"))
    first, last = secrets
    eve = Browser(server.client)
    for_ben = f"{ben.me()['id']}/{last.partition('/')[2]}"
    for guess in (first, last[:-1], for_ben, f"{anna.me()['id']}/", last + "x"):
        assert error_of(eve.post("/account/reset", {"secret": guess, "password": NEW})) == (403, "bad_link")
    server.clock.advance(seconds=RESET_LINK_DURATION.total_seconds() + 1)
    assert error_of(eve.post("/account/reset", {"secret": last, "password": NEW})) == (403, "bad_link")


def test_a_link_in_a_mailbox_that_was_given_up_is_worth_nothing(server: MailServer) -> None:
    anna = server.verified_account("Anna")
    recover(server, "anna")
    (mail,) = server.smtp.take()
    assert anna.send("PUT", "/account/mail", {"address": "new@example.org", **PROOF}).is_success
    answer = Browser(server.client).post("/account/reset", {"secret": link_in(mail, "/reset#"), "password": NEW})
    assert error_of(answer) == (403, "bad_link")
    server.work()
    server.smtp.mails.clear()
    recover(server, "anna")
    assert server.smtp.mails == []  # the new one is not verified


def test_links_are_wanted_seldom(server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.verified_account("Anna")
    assert rate_limits.RECOVERY_OF.player == "5/hour"
    answers = [recover(server, who)[0] for who in ["anna", "ANNA"] * 3 + ["nobody"] * 6]
    assert answers == [204] * 5 + [429] + [204] * 5 + [429]  # the same for who is not there
    assert len(server.smtp.take(5)) == 5
