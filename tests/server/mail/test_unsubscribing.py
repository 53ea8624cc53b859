"""Unsubscribing: by one click of a mail client, and by the page, which asks first; with one's own link alone."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from tests.server.mail.conftest import PUBLIC_URL, MailServer
from tests.server.online_client import PROOF, Browser, error_of
from tests.server.two_player_games import start_and_play, start_game
from tests.smtp_server import link_in

from punct.server.mail.tokens import TokenSigner, read_token

ONE_CLICK = {"content": b"List-Unsubscribe=One-Click", "headers": {"content-type": "application/x-www-form-urlencoded"}}


def mail_of_a_new_game(server: MailServer, white: Browser, black: Browser) -> EmailMessage:
    start_game(white, black, time="3d", rules="basic")
    server.work()
    (mail,) = server.smtp.take()
    return mail


def muted(server: MailServer, browser: Browser) -> set[str]:
    settings = server.notifications.store.settings(browser.me()["id"])
    assert settings is not None
    return set(settings.muted.get("mail", ()))


def test_one_click_stops_one_kind(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    mail = mail_of_a_new_game(server, anna, ben)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = str(mail["List-Unsubscribe"])
    assert address.startswith(f"<{PUBLIC_URL}/unsubscribe/") and address.endswith(">")
    path = address[1:-1].removeprefix(PUBLIC_URL)
    assert link_in(mail, "/unsubscribe/") == path.removeprefix("/unsubscribe/")
    for _ in range(2):
        server.client.get(path)  # a scanner of links
        server.client.head(path)
    assert muted(server, anna) == set()
    for _ in range(2):  # some mail clients ask twice
        assert server.client.post(path, **ONE_CLICK).status_code == 200  # type: ignore[arg-type]
    assert muted(server, anna) == {"seat"} and muted(server, ben) == set()
    start_game(anna, ben, time="3d", rules="basic")
    server.work()
    assert server.smtp.mails == []


def test_the_page_says_what_is_stopped_and_stops_it_or_everything(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    token = link_in(mail_of_a_new_game(server, anna, ben), "/unsubscribe/")
    stranger = Browser(server.client)
    assert stranger.get(f"/mail/subscriptions/{token}").json() == {"kind": "seat"}
    assert stranger.post("/mail/unsubscribe", {"token": token, "scope": "all"}).status_code == 204
    assert {"seat", "turn", "time", "over", "challenge"} <= muted(server, anna)


def test_the_link_of_a_digest_stops_what_it_has(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    start_and_play(anna, ben, time="3d", rules="basic")
    server.clock.advance(minutes=1)
    server.work()
    server.smtp.mails.clear()
    server.clock.time = server.clock.time.replace(hour=18, minute=31)
    server.work()
    (mail,) = server.smtp.take()
    token = link_in(mail, "/unsubscribe/")
    stranger = Browser(server.client)
    assert stranger.get(f"/mail/subscriptions/{token}").json() == {"kind": "digest"}
    assert stranger.post("/mail/unsubscribe", {"token": token}).status_code == 204
    assert {"turn", "over", "offer"} <= muted(server, anna) and "time" not in muted(server, anna)


def test_settings_of_other_channels_stay(server: MailServer) -> None:
    from punct.server.notifications.model import NoticeSettings, SettingsChanges

    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    settings = SettingsChanges({"push": frozenset({"over"}), "mail": frozenset({"wanted"})}, "pl", "Europe/Warsaw")
    server.notifications.store.update_settings(anna.me()["id"], settings).result()
    token = link_in(mail_of_a_new_game(server, anna, ben), "/unsubscribe/")
    assert Browser(server.client).post("/mail/unsubscribe", {"token": token}).status_code == 204
    stored = server.notifications.store.settings(anna.me()["id"])
    assert stored == NoticeSettings({"push": frozenset({"over"}), "mail": frozenset({"wanted", "seat"})}, "pl",
                                    "Europe/Warsaw")  # fmt: skip


def test_other_links_stop_nothing(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    token = link_in(mail_of_a_new_game(server, anna, ben), "/unsubscribe/")
    content = read_token(token)
    assert content is not None
    anna_id, ben_id = anna.me()["id"], ben.me()["id"]
    forged = TokenSigner("another server's key")
    tries = [
        forged.sign(anna_id, "seat", "anna@example.org"),
        token.swapcase(),
        token[:-2],
        token[:-1] + ("A" if token[-1] != "A" else "B"),
        "A" * len(token),
        "x",
        TokenSigner("").sign(anna_id, "seat", "anna@example.org"),
        _like(content.signature, f"{ben_id}:seat"),  # another player's
        _like(content.signature, f"{anna_id}:time"),  # another kind
        _like(content.signature, f"{anna_id}:digest"),
        _like(b"\0" * 16, f"{anna_id}:seat"),
    ]
    eve = Browser(server.client)
    for wrong in tries:
        assert error_of(eve.post("/mail/unsubscribe", {"token": wrong, "scope": "all"})) == (403, "bad_link"), wrong
        assert error_of(eve.get(f"/mail/subscriptions/{wrong}")) == (403, "bad_link")
        assert server.client.post(f"/unsubscribe/{wrong}", **ONE_CLICK).status_code == 403  # type: ignore[arg-type]
    assert muted(server, anna) == muted(server, ben) == set()


def test_a_link_in_an_old_mailbox_stops_nothing_any_more(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    token = link_in(mail_of_a_new_game(server, anna, ben), "/unsubscribe/")
    assert anna.send("PUT", "/account/mail", {"address": "new@example.org", **PROOF}).is_success
    eve = Browser(server.client)
    assert error_of(eve.post("/mail/unsubscribe", {"token": token})) == (403, "bad_link")
    anna.delete("/me", PROOF)
    assert error_of(eve.post("/mail/unsubscribe", {"token": token})) == (403, "bad_link")


@pytest.mark.parametrize("path", ["/unsubscribe/", "/unsubscribe/a.b", "/unsubscribe/" + "a" * 300])
def test_malformed_paths_are_refused(server: MailServer, path: str) -> None:
    assert server.client.post(path, **ONE_CLICK).status_code in (404, 405, 422)  # type: ignore[arg-type]


def _like(signature: bytes, content: str) -> str:
    import base64

    return base64.urlsafe_b64encode(signature + content.encode()).decode().rstrip("=")
