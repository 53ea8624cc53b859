"""What reaches a player who looks elsewhere, and what they pass on to others."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from ..messages import text
from .conftest import Invite
from .devices import CALL, NOTIFICATIONS, SHARING, SOUND


def test_a_player_who_looks_elsewhere_is_called(invite: Invite) -> None:
    ada, kim = invite("Ada"), invite("Kim")
    for script in (NOTIFICATIONS, SOUND):
        ada.page.add_init_script(script)
    ada.meet(kim)
    ada.press("notify-yes")
    expect(ada.page.get_by_test_id("notify")).to_have_count(0)
    ada.type("Ed5ne")
    kim.sees("Ed5ne")
    expect(ada.page).not_to_have_title(re.compile("^●"))
    kim.type("Tl10n")
    ada.sees("Tl10n")
    expect(ada.page).to_have_title(re.compile(f"^● {text('game.your_turn')}"))
    assert ada.page.evaluate("told") == []  # she has seen it
    assert ada.page.evaluate("tones").count(CALL[0]) == 1

    ada.type("d5-d8n")
    ada.page.evaluate("away = true")
    kim.sees("d5-d8n")
    kim.type("Em12n")
    ada.sees("Em12n")
    assert ada.page.evaluate("told") == [[text("game.your_turn"), text("notify.body", name=kim.name)]]
    assert ada.page.evaluate("asked") == 1
    assert ada.page.evaluate("tones").count(CALL[1]) == 2

    ada.page.evaluate("away = false")
    ada.press("open-settings")
    ada.page.get_by_test_id("setting-sounds").uncheck()
    ada.page.keyboard.press("Escape")
    heard = len(ada.page.evaluate("tones"))
    ada.type("d8-d9n")
    kim.sees("d8-d9n")
    kim.type("l10-h10n")
    ada.sees("l10-h10n")
    assert len(ada.page.evaluate("tones")) == heard
    # Nobody is asked twice, neither here nor after the page is opened again.
    ada.page.reload()
    ada.ready()
    expect(ada.page.get_by_test_id("notify")).to_have_count(0)
    assert ada.page.evaluate("asked") == 0


def test_a_link_is_passed_on(invite: Invite) -> None:
    ada = invite("Ada")
    ada.page.add_init_script(SHARING)
    ada.go(f"/join/{ada.ask('POST', '/challenges', {'time': '10+5'})['id']}")
    link = ada.see("link").input_value()
    ada.press("share")
    assert ada.page.evaluate("shared") == [{"title": "PÜNCT", "text": text("waiting.share_text"), "url": link}]
    ada.press("copy")
    expect(ada.page.get_by_text(text("notice.copied"))).to_be_visible()
    assert ada.page.evaluate("copied") == [link]
    ada.page.evaluate("shut = true")
    ada.press("copy")
    expect(ada.page.get_by_text(text("notice.copy_failed"))).to_be_visible()
    assert ada.page.evaluate("getSelection().toString()") == link  # ready to be copied by hand


def test_a_player_is_called_from_the_start_page(invite: Invite) -> None:
    ada, kim = invite("Ada"), invite("Kim")
    for script in (NOTIFICATIONS, SOUND):
        ada.page.add_init_script(script)
    ada.meet(kim, time="3d")
    ada.press("notify-yes")
    ada.type("Ed5ne")
    ada.page.get_by_test_id("home").click()
    ada.see("lobby")
    expect(ada.page).not_to_have_title(re.compile("^●"))
    ada.page.evaluate("away = true")
    kim.sees("Ed5ne")
    kim.type("Tl10n")
    expect(ada.page).to_have_title(re.compile("^●"))
    assert ada.page.evaluate("told") == [[text("game.your_turn"), text("notify.body", name=kim.name)]]
    assert ada.page.evaluate("tones").count(CALL[0]) == 1
    ada.page.get_by_test_id(f"game-{ada.id}").get_by_role("link").click()
    ada.sees("Tl10n")
