"""The words of notifications: every language has them all, with the same places for names and numbers."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from importlib.resources import files
from string import Formatter

import pytest

from punct.server.notifications.texts import LANGUAGES
from punct.server.notifications.wording import GAME_KINDS, duration

TEXTS = {
    language: json.loads(
        files("punct.server.notifications").joinpath("texts", f"{language}.json").read_text(encoding="utf-8")
    )
    for language in LANGUAGES
}
UNTRANSLATED = {"{n} h", "{n} min", "{date}"}
"""What languages share: abbreviations, and a date alone."""


def test_there_are_no_texts_of_other_languages() -> None:
    folder = files("punct.server.notifications").joinpath("texts")
    assert {each.name for each in folder.iterdir()} == {f"{language}.json" for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_its_placeholders(language: str) -> None:
    assert list(TEXTS[language]) == list(TEXTS["en"])
    for key, text in TEXTS[language].items():
        assert _placeholders(text) == _placeholders(TEXTS["en"][key]), key
        assert text.strip() == text and not re.search(r"[\"']|\.\.\.|  ", text), key
        assert not key.endswith(".title") or not text.endswith("."), key


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_text_is_english(language: str) -> None:
    same = {key for key, text in TEXTS[language].items() if text == TEXTS["en"][key] and text not in UNTRANSLATED}
    assert not same


def test_every_kind_of_notice_about_games_has_a_title() -> None:
    assert {f"{kind}.title" for kind in GAME_KINDS} <= set(TEXTS["en"])


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (timedelta(days=-1), "0 min"),
        (timedelta(minutes=1, seconds=59), "1 min"),
        (timedelta(minutes=119), "119 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(hours=47, minutes=59), "47 h"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=6, hours=23), "6 days"),
    ],
)
def test_times_are_rounded_down_in_a_unit_of_which_there_are_two(time: timedelta, text: str) -> None:
    assert duration(time, "en") == text


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
