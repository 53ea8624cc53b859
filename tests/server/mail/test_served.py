"""``punct serve`` with a mail server: several processes that send, and wrong settings that are refused."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from tests.databases import Postgresql, Redis
from tests.polling import TIMEOUT_SECONDS
from tests.server.online_client import PASSWORD
from tests.server.server_process import run_server
from tests.smtp_server import USER, link_in, run_smtp


def test_several_processes_send_by_their_workers(
    postgresql: Postgresql, redis: Redis, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with run_smtp(context) as smtp:
        monkeypatch.setenv("SSL_CERT_FILE", os.fspath(certificate))
        monkeypatch.setenv("PUNCT_SMTP_URL", f"smtps://{USER}:p%40ss%2Fword@localhost:{smtp.port}")
        monkeypatch.setenv("PUNCT_MAIL_FROM", "PÜNCT <punct@example.org>")
        urls = ("--database-url", postgresql.new_database(), "--broker-url", redis.address())
        options = ("--port", "0", "--workers", "2", "--engines", "1", "--name", "punct.example.org")
        with run_server(None, *options, *urls) as (_, address):
            cookie = _send(address, "POST", "/account", {"login": "anna", "password": PASSWORD}, None)[1]
            body = {"address": "anna@example.org", "password": PASSWORD}
            assert _send(address, "PUT", "/account/mail", body, cookie)[0]["verified"] is False
            (mail,) = smtp.take()
            assert smtp.logins == [USER]
            _send(address, "POST", "/mail/verify", {"secret": link_in(mail, "/verify-mail#")}, None)
            assert _send(address, "GET", "/account/mail", None, cookie)[0]["verified"] is True


def _send(address: str, method: str, path: str, body: object, cookie: str | None) -> tuple[Any, str | None]:
    """Send a request; return the response's JSON and the cookie."""
    headers = {"Origin": address, "Content-Type": "application/json", **({} if cookie is None else {"Cookie": cookie})}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{address}/api/v1{path}", data, headers, method=method), timeout=TIMEOUT_SECONDS) as response:
        content, cookies = response.read(), response.headers.get_all("set-cookie") or [""]
    return (json.loads(content) if content else None), cookies[-1].partition(";")[0] or cookie  # a guest's comes first


def test_wrong_settings_are_refused_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [
        sys.executable,
        "-c",
        "from punct.cli import main; main()",
        "serve",
        "--no-open",
        "--data",
        str(tmp_path),
    ]
    monkeypatch.setenv("PUNCT_SMTP_URL", "smtps://punct:top%2Fsecret@")
    ran = subprocess.run([*command, "--name", "punct.example.org"], capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and "PUNCT_SMTP_URL is wrong" in ran.stderr and "secret" not in ran.stderr
    monkeypatch.setenv("PUNCT_SMTP_URL", "smtps://punct:top%2Fsecret@mail.example.org")
    ran = subprocess.run([*command, "--online"], capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and "PUNCT_MAIL_FROM" in ran.stderr
