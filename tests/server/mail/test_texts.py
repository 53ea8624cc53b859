"""The words of mails: every language has every text, with the same places to fill."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from punct.server.mail.texts import duration, texts
from punct.server.notifications.texts import LANGUAGES

PLACE = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    english, found = texts("en"), texts(language)
    assert list(found) == list(english)
    for key, words in found.items():
        assert sorted(PLACE.findall(words)) == sorted(PLACE.findall(english[key])), key
        assert words.strip() == words and words, key
        assert "'" not in words and '"' not in words, key  # quotes and apostrophes of print


def test_translations_are_translated() -> None:
    for language in LANGUAGES[1:]:
        same = [key for key, words in texts(language).items() if words == texts("en")[key]]
        assert set(same) <= {"time.minutes", "time.hours"}, (language, same)


def test_french_has_a_space_before_double_signs_and_breaks_no_line_there() -> None:
    for words in texts("fr").values():
        assert not re.search("[^\u00a0]:|«[^\u00a0]|[^\u00a0]»|[^\u202f][;!?]", words), words


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(-1), "0 min"),
        (timedelta(minutes=119), "119 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(hours=23, minutes=59), "23 h"),
        (timedelta(hours=29), "1 day 5 h"),
        (timedelta(days=3, hours=23), "3 days"),
    ],
)
def test_durations(left: timedelta, words: str) -> None:
    assert duration("en", left) == words
