"""Webhooks and the calendar feed, as their owner makes, tries and removes them on the account page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect
from tests.server.receiver import Receiver, running_receiver, status

from ..messages import text
from ..serving import Server
from ..watch import Watch
from .conftest import Invite, online_server

PHONE = {"width": 390, "height": 780}
SECRET = "k3yX-very-long-and-secret"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with running_receiver() as receiver:
        yield receiver


@pytest.fixture
def lenient(tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that may call the receiver."""
    monkeypatch.setenv("PUNCT_OUTBOUND_EXEMPT", receiver.authority)
    with online_server(tmp_path) as server:
        yield server


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["wide", "phone"])
def test_a_webhook_from_its_address_to_its_end(
    viewport: dict[str, int] | None, invite: Invite, watch: Watch, lenient: Server, receiver: Receiver
) -> None:
    watch.allow(r"status of 4(22|09)")
    ada = invite("Ada", at=lenient, **({} if viewport is None else {"viewport": viewport}))
    ada.make_account("ada.hooks")
    ada.go("/account")
    ada.fill("hook-url", "https://192.168.1.1/hook")
    ada.press("add-hook")
    expect(ada.see("trouble")).to_have_text(text("error.refused_address"))
    ada.fill("hook-url", "https://discord.com/api/webhooks/1/2")
    expect(ada.page.get_by_test_id("hook-form-discord")).to_be_checked()
    ada.choose("hook-form-json")
    ada.fill("hook-url", f"{receiver.url}/{SECRET}")
    ada.press("add-hook")
    expect(ada.see("hook-secret")).to_contain_text("punct_hook_")
    expect(ada.see("hook")).to_contain_text(f"{receiver.authority}/…cret")
    assert SECRET not in ada.page.content()
    ada.press("test-hook")
    expect(ada.see("done")).to_have_text(text("hooks.test_done"))
    assert receiver.calls[0].line == f"POST /hook/{SECRET} HTTP/1.1"
    receiver.respond = status(500)
    ada.press("test-hook")
    reason = text("hooks.reason.status", status=500)
    expect(ada.see("trouble")).to_have_text(text("hooks.test_failed", reason=reason))
    ada.page.reload()
    expect(ada.see("hook")).to_contain_text(receiver.authority)
    expect(ada.page.get_by_test_id("hook-secret")).to_have_count(0)
    ada.press("remove-hook")
    expect(ada.page.get_by_test_id("hook")).to_have_count(0)


def test_a_calendar_that_is_renewed_and_withdrawn(invite: Invite, server: Server) -> None:
    ada = invite("Ada").make_account("ada.calendar")
    ada.go("/account")
    ada.press("make-calendar")
    first = ada.see("calendar-address").inner_text()
    assert first.startswith(f"{server.address}/calendar/") and read(first).startswith("BEGIN:VCALENDAR\r\n")
    expect(ada.page.get_by_test_id("make-calendar")).to_have_text(text("calendar.renew"))
    ada.press("make-calendar")
    expect(ada.see("calendar-address")).not_to_have_text(first)
    second = ada.see("calendar-address").inner_text()
    assert read(first) == "404" and read(second).startswith("BEGIN:VCALENDAR")
    ada.page.reload()
    expect(ada.see("calendar")).to_contain_text(text("calendar.exists"))
    ada.press("withdraw-calendar")
    expect(ada.see("done")).to_have_text(text("calendar.withdrawn"))
    expect(ada.page.get_by_test_id("make-calendar")).to_have_text(text("calendar.make"))
    assert read(second) == "404"


def read(address: str) -> str:
    """Read a feed, as a calendar program does: its text, or the status of an error."""
    try:
        with urlopen(address) as response:
            content: str = response.read().decode()
            return content
    except HTTPError as error:
        return str(error.code)
