"""Single mails and digests, from the move that causes them to the mailbox."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from email import message_from_string
from email.policy import default
from zoneinfo import ZoneInfo

import pytest
from starlette.testclient import TestClient
from tests.server.mail.conftest import MailServer, configuration
from tests.server.online_client import Browser
from tests.server.two_player_games import json_of, play_moves, run_timekeeper, start_and_play, start_game
from tests.smtp_server import html_of, link_in, text_of

from punct.server.app import create_app
from punct.server.db.sql import Statement
from punct.server.mail.digest_store import MIN_INTERVAL, SPREAD, next_evening
from punct.server.mail.model import Letter, MailConfiguration
from punct.server.mail.writing import Envelope, write_mail
from punct.server.notifications.model import SendResult, SettingsChanges
from punct.server.notifications.service import LEASE, Notifications
from punct.server.notifications.store import NotificationStore


def subjects(server: MailServer) -> list[tuple[str, str]]:
    """Return who got which mails, and forget them."""
    mails = [(str(mail["To"]).partition("@")[0], str(mail["Subject"])) for mail in server.smtp.mails]
    server.smtp.mails.clear()
    return sorted(mails)


def to_evening(server: MailServer) -> None:
    """Let time pass until all digests of the day are due."""
    server.work()
    now = server.clock()
    evening = now.replace(hour=18, minute=0) + SPREAD
    server.clock.time = evening if evening > now else evening + timedelta(days=1)
    server.work()


def test_turns_come_once_a_day_and_reminders_at_once(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    game = start_game(anna, ben, time="3d", rules="basic")
    server.work()
    assert subjects(server) == [("anna", "A game has begun")]  # Ben has accepted it himself
    game = play_moves(game, (anna, "Ed5ne"))
    server.clock.advance(minutes=5)
    server.work()
    assert subjects(server) == []
    to_evening(server)
    (mail,) = server.smtp.take()
    assert (mail["To"], mail["Subject"]) == ("ben@example.org", "Your move against Anna")
    assert "2 days left" in text_of(mail) and "2 days left" in html_of(mail)
    assert link_in(mail, "/game/") == game["id"]
    to_evening(server)
    assert subjects(server) == []  # the same game is no reason for another mail
    server.clock.time = datetime.fromisoformat(game["clock"]["deadline"]) - timedelta(hours=17)
    server.work()
    (mail,) = server.smtp.take()
    assert (mail["To"], mail["Subject"]) == ("ben@example.org", "Your time is running out")
    assert link_in(mail, "/game/") == game["id"]
    server.clock.advance(hours=18)
    run_timekeeper(server.client)
    to_evening(server)
    assert subjects(server) == [("anna", "News of your games"), ("ben", "News of your games")]


def test_a_digest_lists_games_and_news(server: MailServer) -> None:
    anna, ben, cleo = (server.verified_account(name) for name in ("Anna", "Ben", "Cleo"))
    first = start_and_play(anna, ben, time="3d", rules="basic")  # Anna is to move
    second = start_and_play(cleo, anna, time="7d", rules="basic")
    second = play_moves(second, (cleo, "Ti7n"))
    third = start_and_play(cleo, anna, time="5d", rules="basic")
    json_of(cleo.post(f"/games/{third['id']}/resign"))
    server.clock.advance(minutes=1)
    server.work()
    subjects(server)
    to_evening(server)
    (mail,) = (mail for mail in server.smtp.mails if mail["To"] == "anna@example.org")
    assert mail["Subject"] == "2 games wait for your move"
    text = text_of(mail)
    assert text.index(first["id"]) < text.index(second["id"]) < text.index(third["id"])  # the urgent one first
    assert "The game is over\nYou have won against Cleo" in text
    assert "Against Ben" in text and "2 days left" in text and "6 days left" in text
    assert "Against Ben" in html_of(mail) and mail["Precedence"] == "bulk"


def test_live_games_send_no_mail(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    start_and_play(anna, ben, time="5+3", rules="basic")
    to_evening(server)
    assert subjects(server) == []


def test_players_without_a_verified_address_get_nothing(server: MailServer) -> None:
    anna, ben = server.account("Anna"), server.account("Ben")
    server.enter_address(anna, "anna@example.org")
    start_and_play(anna, ben, time="3d", rules="basic")
    to_evening(server)
    assert subjects(server) == []


def test_a_digest_comes_in_the_evening_of_the_players_zone(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    store = server.notifications.store
    store.update_settings(anna.me()["id"], SettingsChanges({}, "de", "Asia/Tokyo")).result()
    server.clock.time = datetime(2026, 11, 16, 7, tzinfo=server.clock.time.tzinfo)  # 16:00 in Tokyo
    start_and_play(anna, ben, time="3d", rules="basic")
    server.clock.advance(minutes=1)
    server.work()
    subjects(server)
    server.clock.advance(hours=1)
    server.work()
    assert subjects(server) == []
    server.clock.advance(hours=1, minutes=30)
    server.work()
    assert subjects(server) == [("anna", "Du bist am Zug gegen Ben")]


@pytest.mark.parametrize("zone", ["Europe/Warsaw", "America/Los_Angeles", "Pacific/Apia", "Asia/Kathmandu", "No/Where"])
def test_evenings_are_at_the_same_local_time_through_the_year(zone: str) -> None:
    local = ZoneInfo("UTC" if zone == "No/Where" else zone)
    now = datetime(2026, 1, 1, tzinfo=ZoneInfo("UTC"))
    times = set()
    for _ in range(400):
        evening = next_evening("somebody", zone, now)
        assert now < evening <= now + timedelta(hours=26)
        times.add(evening.astimezone(local).strftime("%H:%M:%S"))
        now = evening
    assert len(times) == 1 and "18:00:00" <= times.pop() <= "18:30:00"


def test_a_week_has_one_digest_a_day_at_most_whoever_is_killed(server: MailServer) -> None:
    """Two players answer now and then for a week; whoever sends is killed as soon as a mail has arrived."""
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    game = start_game(anna, ben, time="none", rules="basic")
    moves = iter(("Ed5ne", "Tl10n", "Mb3n", "Re12sw", "b3-e3se", "Cl13se", "Tm5n", "Mh4se"))
    killed = 0
    digests: dict[str, dict[str, set[str]]] = {"anna@example.org": {}, "ben@example.org": {}}
    for hour in range(7 * 24):
        if hour % 20 == 0 and (move := next(moves, None)) is not None:
            game = play_moves(game, (anna if game["turn"] == "w" else ben, move))
        server.clock.advance(minutes=56)
        killed += _killed_while_sending(server)
        server.clock.advance(minutes=4)  # the claim of the killed process has lapsed
        assert timedelta(minutes=4) > LEASE
        server.work()
        for mail in server.smtp.mails:
            if mail["Subject"] != "A game has begun":
                day = mail["Date"].datetime.date().isoformat()
                digests[mail["To"]].setdefault(day, set()).add(mail["Message-ID"])
        server.smtp.mails.clear()
    assert killed > 5
    for days in digests.values():
        assert 3 <= len(days) <= 7 and all(len(ids) == 1 for ids in days.values())


def _killed_while_sending(server: MailServer) -> int:
    """Send what is due with a process that is killed as soon as the mail server has the mail."""
    channel = server.notifications._channels["mail"]
    send, count = channel.send, 0

    async def send_and_die(delivery: object) -> SendResult:
        nonlocal count
        await send(delivery)  # type: ignore[arg-type]
        count += 1
        raise asyncio.CancelledError

    channel.send = send_and_die  # type: ignore[method-assign]
    try:
        server.work()
    except BaseException as error:  # the task is cancelled as by the end of its process
        if not isinstance(error, asyncio.CancelledError) and type(error).__name__ != "CancelledError":
            raise
    finally:
        channel.send = send  # type: ignore[method-assign]
    return count


def test_two_processes_make_one_digest(server: MailServer, store_url: object) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    start_and_play(anna, ben, time="3d", rules="basic")
    server.clock.advance(minutes=1)
    server.work()
    subjects(server)
    if not isinstance(store_url, str):
        return  # SQLite is for one process
    mail = configuration(server.smtp)
    with TestClient(create_app(store_url, workers=1, online=True, now=server.clock, mail=mail)) as other:
        second = MailServer(other, server.clock, server.smtp)
        server.clock.time = server.clock.time.replace(hour=18, minute=31)

        async def both() -> None:
            theirs = asyncio.to_thread(second.work)
            await asyncio.gather(server.notifications.work(), theirs)

        assert server.client.portal is not None
        server.client.portal.call(both)
        assert subjects(server) == [("anna", "Your move against Ben")]


def test_whoever_is_told_by_a_browser_gets_no_digest_until_that_falls_silent(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    start_and_play(anna, ben, time="7d", rules="basic")
    _add_browser(server, anna, server.clock())
    server.clock.advance(minutes=1)
    server.work()
    subjects(server)
    to_evening(server)
    assert subjects(server) == []
    to_evening(server)
    assert subjects(server) == []
    to_evening(server)  # nobody may look at that browser: the game still waits
    assert subjects(server) == [("anna", "Your move against Ben")]


def _add_browser(server: MailServer, browser: Browser, used: datetime) -> None:
    """Have a browser of a player take a push message."""
    store = server.client.app.state.services.get(Notifications).store  # type: ignore[attr-defined]
    assert isinstance(store, NotificationStore)
    player_id, at = browser.me()["id"], used.replace(tzinfo=None).isoformat(" ", "microseconds")
    values = f"('push', '{player_id}', 'https://push.example.org', 'x', 'y', '{at}', '{at}')"
    columns = "id, player_id, endpoint, p256dh, auth, created, used"
    statement = Statement(f"INSERT INTO push_subscriptions ({columns}) VALUES {values}")
    statement.postgresql = str(statement)
    store.database.change(lambda connection: connection.execute(statement)).result()


def test_switched_off_kinds_are_not_mailed(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    muted = SettingsChanges({"mail": frozenset({"seat", "turn"})}, "en", "UTC")
    server.notifications.store.update_settings(anna.me()["id"], muted).result()
    start_and_play(anna, ben, time="3d", rules="basic")
    server.clock.advance(minutes=1)
    to_evening(server)
    assert subjects(server) == []


def test_a_travelling_player_gets_no_two_digests_in_a_day(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    start_and_play(anna, ben, time="3d", rules="basic")
    server.clock.advance(minutes=1)
    to_evening(server)
    assert ("anna", "Your move against Ben") in subjects(server)
    store = server.notifications.store
    store.update_settings(anna.me()["id"], SettingsChanges({}, "en", "America/New_York")).result()
    start_and_play(anna, ben, time="3d", rules="basic")
    server.clock.advance(hours=6)
    server.work()
    assert all(subject == "A game has begun" for _, subject in subjects(server))
    assert timedelta(hours=6) < MIN_INTERVAL


def test_names_cannot_forge_headers_html_or_links(server: MailServer) -> None:
    anna = server.verified_account("Anna")
    eve = server.verified_account("Eve")
    eve.send("PATCH", "/me", {"name": "<b>evil.example/x</b>"})
    start_game(anna, eve, time="3d", rules="basic")
    server.work()
    (mail,) = server.smtp.take()
    assert mail["Subject"] == "A game has begun"
    assert "<b>" not in html_of(mail) and "&lt;b&gt;" in html_of(mail)
    assert "evil.example" not in text_of(mail) and "evil.\u2060example" in text_of(mail)


def test_writing_removes_line_breaks_from_headers() -> None:
    sender = MailConfiguration("smtp://127.0.0.1", "PÜNCT <punct@example.org>", "https://punct.example.org")
    for words in (
        "a\r\nBcc: eve@example.org",
        "a\nBcc: eve@example.org",
        "a\rBcc: x",
        "a\u2028Bcc: x",
        "a\0b",
        "ü" * 400,
    ):
        letter = Letter(words, (words,))
        envelope = Envelope("anna@example.org", "en", "x", datetime(2026, 1, 1, tzinfo=ZoneInfo("UTC")), "turn")
        mail = message_from_string(write_mail(sender, envelope, letter), policy=default)
        assert mail["Bcc"] is None and mail["To"] == "anna@example.org", words
        assert max(len(line) for line in write_mail(sender, envelope, letter).splitlines()) <= 998
    with pytest.raises(ValueError):  # the library's own
        write_mail(sender, Envelope("a@b.org\r\nBcc: x@y.org", "en", "x", datetime.now(), "turn"), Letter("a", ()))


def test_everything_is_lost_by_nobodys_kill(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    start_game(anna, ben, time="3d", rules="basic")
    assert _killed_while_sending(server) == 1
    server.clock.advance(seconds=LEASE.total_seconds() + 1)
    server.work()
    first, second = server.smtp.take(2)
    assert first["Message-ID"] == second["Message-ID"]  # one mail for a mail client
