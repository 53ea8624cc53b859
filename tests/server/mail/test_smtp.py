"""What mail servers do: answers, delays, silence, TLS, logins; and what becomes of the mails."""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.databases import free_port
from tests.server.mail.conftest import MailServer
from tests.server.two_player_games import start_game
from tests.smtp_server import PASSWORD, USER, SmtpServer, run_smtp

from punct.server.mail.model import MailConfiguration, MailConfigurationError
from punct.server.mail.store import MAX_REFUSALS
from punct.server.notifications.service import FIRST_RETRY
from punct.server.workers import mail as mail_jobs
from punct.server.workers.mail import MailResult, seal

CONTENT = "Subject: hello\r\n\r\nhello\r\n"


def run_job(url: str, environment: str | None = None) -> MailResult:
    """Send a mail as a worker does, in whose environment a URL is."""
    job = seal(url, "punct@example.org", "anna@example.org", CONTENT)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PUNCT_SMTP_URL", environment or url)
        patched.setattr(mail_jobs, "_connection", mail_jobs._Connection())
        result = job.run(lambda _: None, threading.Event())
        mail_jobs._connection._close()
    return result


# ---------------------------------------------------------------------- answers


def test_a_mail_is_tried_again_while_the_mail_server_wants_that(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    server.smtp.recipient_answers = ["451 4.3.0 try again later"]
    server.smtp.data_answers = ["452 4.2.2 mailbox full"]
    start_game(anna, ben, time="3d", rules="basic")
    server.work()
    assert server.smtp.mails == []
    for _ in range(2):
        server.work()
        assert server.smtp.mails == []
        server.clock.advance(seconds=2 * FIRST_RETRY.total_seconds() + 1)
        server.work()
    assert len(server.smtp.take()) == 1


def test_a_mail_that_is_refused_is_dropped(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    server.smtp.data_answers = ["554 5.7.1 looks like spam"]
    start_game(anna, ben, time="3d", rules="basic")
    server.work()
    server.clock.advance(hours=3)
    server.work()
    assert server.smtp.mails == [] and server.smtp.data_answers == []
    assert anna.get("/account/mail").json()["verified"]


def test_an_address_without_a_mailbox_gets_no_more_mails(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    for number in range(MAX_REFUSALS):
        assert anna.get("/account/mail").json()["verified"], number
        server.smtp.recipient_answers = ["550 5.1.1 no such user"]
        start_game(anna, ben, time="3d", rules="basic")
        server.work()
    assert anna.get("/account/mail").json() == {"offered": True, "address": "anna@example.org", "verified": False}
    start_game(anna, ben, time="3d", rules="basic")
    server.work()
    assert server.smtp.mails == [] and server.smtp.recipient_answers == []


def test_refusals_in_between_and_for_policy_do_not_count(server: MailServer) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    missing, policy = "550 5.1.1 no such user", "550 5.7.1 not from you"
    for answer in (missing, missing, None, missing, missing, policy, policy, policy):
        server.smtp.recipient_answers = [] if answer is None else [answer]
        start_game(anna, ben, time="3d", rules="basic")
        server.work()
    assert anna.get("/account/mail").json()["verified"]


def test_a_mail_server_that_is_gone_gets_the_mail_when_it_is_back(
    server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = server.verified_account("Anna"), server.verified_account("Ben")
    server.smtp.mail_answers = ["421 4.3.2 shutting down"]
    start_game(anna, ben, time="3d", rules="basic")
    server.work()
    assert server.smtp.mails == []
    server.clock.advance(minutes=2)
    server.work()
    assert len(server.smtp.take()) == 1


def test_a_connection_is_used_for_several_mails(smtp: SmtpServer) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PUNCT_SMTP_URL", smtp.url)
        patched.setattr(mail_jobs, "_connection", mail_jobs._Connection())
        for _ in range(3):
            job = seal(smtp.url, "punct@example.org", "anna@example.org", CONTENT)
            for _ in range(2):  # the queue gives a job out again that it believes to be lost
                assert job.run(lambda _: None, threading.Event()) == MailResult("sent")
        assert smtp.connections == 1 and len(smtp.mails) == 3
        patched.setattr(mail_jobs, "_MAX_IDLE_SECONDS", 0.0)
        job = seal(smtp.url, "punct@example.org", "anna@example.org", CONTENT)
        assert job.run(lambda _: None, threading.Event()) == MailResult("sent")
        assert smtp.connections == 2
        mail_jobs._connection._close()


def test_a_silent_mail_server_is_given_up(smtp: SmtpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_jobs, "TIMEOUT_SECONDS", 0.2)
    smtp.is_silent = True
    assert run_job(smtp.url).outcome == "unreachable"
    assert run_job(f"smtp://127.0.0.1:{free_port()}").outcome == "unreachable"


# ---------------------------------------------------------------------- jobs


def test_a_job_shows_nothing_and_only_a_job_of_this_server_is_done(smtp: SmtpServer) -> None:
    job = seal(smtp.url, "punct@example.org", "anna@example.org", CONTENT)
    assert not any(word in job.sealed for word in ("anna", "hello", "127.0.0.1"))
    assert job != seal(smtp.url, "punct@example.org", "anna@example.org", CONTENT)
    assert run_job(smtp.url).outcome == "sent"
    assert run_job(f"smtp://eve:guess@127.0.0.1:{smtp.port}", smtp.url).outcome == "unreachable"
    assert len(smtp.mails) == 1


def test_an_old_job_is_not_done_again(smtp: SmtpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_jobs, "MAX_JOB_SECONDS", -1)
    assert run_job(smtp.url).outcome == "unreachable" and smtp.mails == []


def test_a_worker_without_the_mail_server_says_so(smtp: SmtpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUNCT_SMTP_URL", raising=False)
    job = seal(smtp.url, "punct@example.org", "anna@example.org", CONTENT)
    assert "PUNCT_SMTP_URL" in job.run(lambda _: None, threading.Event()).reason


# ---------------------------------------------------------------------- TLS


@pytest.fixture(params=["smtps", "starttls"])
def tls_server(request: pytest.FixtureRequest, certificate: Path) -> Iterator[tuple[str, SmtpServer]]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with run_smtp(context, starttls=request.param == "starttls") as server:
        yield ("smtps" if request.param == "smtps" else "smtp"), server


def test_mails_go_encrypted_and_with_a_login(
    tls_server: tuple[str, SmtpServer], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheme, server = tls_server
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(certificate))
    url = f"{scheme}://{USER}:p%40ss%2Fword@localhost:{server.port}"
    result = run_job(url)
    assert result.outcome == "sent", result.reason
    assert len(server.mails) == 1 and set(server.logins) == {USER} and PASSWORD == "p@ss/word"
    wrong = run_job(f"{scheme}://{USER}:wrong@localhost:{server.port}")
    assert wrong.outcome == "unreachable" and "535" in wrong.reason


def test_a_mail_server_that_cannot_prove_its_name_gets_nothing(
    tls_server: tuple[str, SmtpServer], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheme, server = tls_server
    url = f"{scheme}://{USER}:secret@localhost:{server.port}"
    assert run_job(url).outcome == "unreachable"  # nobody trusts its certificate
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(certificate))
    assert run_job(url.replace("localhost", "127.0.0.1")).outcome == "unreachable"  # it is another's
    assert server.mails == [] and server.logins == []


def test_without_starttls_nothing_leaves_this_machine(smtp: SmtpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_jobs, "_is_this_machine", lambda host: False)  # as if it were another one
    assert run_job(smtp.url).outcome == "unreachable" and smtp.mails == []


# ---------------------------------------------------------------------- configuration


@pytest.mark.parametrize(
    ("url", "sender", "names", "message"),
    [
        ("http://mail.example.org", "a@example.org", ["x.org"], "smtps://"),
        ("smtps://", "a@example.org", ["x.org"], "HOST"),
        ("smtps://mail:port", "a@example.org", ["x.org"], "port"),
        ("smtps://user@mail", "a@example.org", ["x.org"], "password"),
        ("smtps://user:pa/ss@mail", "a@example.org", ["x.org"], "malformed"),
        ("smtps://user:w%C3%B6rd@mail", "a@example.org", ["x.org"], "ASCII"),
        ("smtps://mail/?x", "a@example.org", ["x.org"], "%2F"),
        ("smtps://u:p@mail", "", ["x.org"], "PUNCT_MAIL_FROM"),
        ("smtps://u:p@mail", "nobody", ["x.org"], "PUNCT_MAIL_FROM"),
        ("smtps://u:p@mail", "a@example.org\nBcc: b@example.org", ["x.org"], "PUNCT_MAIL_FROM"),
        ("smtps://u:p@mail", "a@example.org", [], "--name"),
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(url: str, sender: str, names: list[str], message: str) -> None:
    environment = {"PUNCT_SMTP_URL": url, "PUNCT_MAIL_FROM": sender}
    with pytest.raises(MailConfigurationError, match=message) as refused:
        MailConfiguration.from_environment(environment, names, online=True)
    assert "pa/ss" not in str(refused.value)


def test_settings() -> None:
    environment = {"PUNCT_SMTP_URL": "smtps://u:p%2Fw@mail", "PUNCT_MAIL_FROM": "PÜNCT <punct@example.org>"}
    found = MailConfiguration.from_environment(environment, ["punct.example:8443", "b"], online=True)
    assert found is not None and found.has_password and found.public_url == "https://punct.example:8443"
    assert (found.sender_address, found.sender_name) == ("punct@example.org", "PÜNCT")
    assert "p%2Fw" not in repr(found)
    assert MailConfiguration.from_environment(environment, [], online=False) is None
    assert MailConfiguration.from_environment({}, ["a"], online=True) is None
    server = mail_jobs.SmtpServer.parse("smtps://u:p%2Fw@mail")
    assert (server.host, server.port, server.password) == ("mail", 465, "p/w") and "p/w" not in repr(server)
    assert mail_jobs.SmtpServer.parse("smtp://mail").port == 587
    assert mail_jobs.SmtpServer.parse("smtp://localhost").port == 25
