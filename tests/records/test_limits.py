"""Hostile records: refused while they are read, in both formats."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import pytest

from punct import InvalidRecordError, records
from punct.records import Format
from punct.records.limits import MAX_DEPTH
from punct.records.sgf import syntax
from punct.records.source import TextBuffer

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("text", "games"), [("* " * MILLION, 3), ("Ed5ne * " * 4, 3), ("(;)" * MILLION, 3), ("* * *", 2), ("(;)(;)", 1)]
)
def test_more_games_than_wanted_are_refused(text: str, games: int) -> None:
    with pytest.raises(InvalidRecordError, match=f"at most {games}"):
        records.loads(text, most_games=games)


def test_as_many_games_as_wanted_are_read() -> None:
    for text in ("* * *", "(;)(;)(;)", '[Round "1"]\nEd5ne *\n[Round "2"]\n* Ed5ne'):
        assert len(records.loads(text, most_games=3)) == len(records.loads(text)) == 3


@pytest.mark.parametrize("text", ["Ed5ne " + "(Ed6ne " * MILLION, "(;" * MILLION])
def test_a_million_variations_within_each_other_are_refused(text: str) -> None:
    with pytest.raises(InvalidRecordError, match="nested"):
        records.loads(text)


def test_deep_variations_are_read() -> None:
    deep = MAX_DEPTH - 1
    (game,) = records.loads("Ed5ne " + "(Ed6ne " * deep + ")" * deep + " *")
    assert {str(child.move) for child in game.root.children} == {"Ed5ne", "Ed6ne"}
    (game,) = records.loads("(;" * deep + ")" * deep)
    assert not game.moves


# ---------------------------------------------------------------------- games within games that have no end


class Counted:
    """A regular expression that counts how often it is asked."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self.matches = 0

    def match(self, *places: Any) -> re.Match[str] | None:
        self.matches += 1
        return self._pattern.match(*places)


@pytest.mark.parametrize("game", ["(;GM[25]", "(;GM[25];P0[1 Pick W 9]\n", "(;FF[4]GM[25](;C[x])\n"])
@pytest.mark.parametrize("as_file", [False, True])
def test_a_game_without_an_end_ends_where_the_next_begins(
    game: str, as_file: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that each is read once, and not again as part of all those before."""
    count = 3000
    tokens = Counted(syntax._TOKEN)
    monkeypatch.setattr(syntax, "_TOKEN", tokens)
    text = game * count
    faults: list[InvalidRecordError] = []
    read: records.Source = io.StringIO(text) if as_file else text + "\n"
    assert list(records.iter_games(read, "sgf", on_error=faults.append)) == []
    assert len(faults) == count
    assert "has no end; another game begins in line" in str(faults[0])
    assert tokens.matches < 30 * count


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("(;GM[25]C[\\]", "sgf"),
        ("(;GM[25\\]", "sgf"),
        ("(;GM[25]C[(;GM[25\\]", "sgf"),
        ('[White "x"]\n\n1. Ed5ne {\n', "text"),
    ],
)
@pytest.mark.parametrize("end", ["", "])", "} )"])
def test_what_has_no_end_is_not_read_again_and_again(
    game: str, form: Format, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[TextBuffer] = []
    mark_read = TextBuffer.mark_read

    def noted(self: TextBuffer, place: int) -> None:
        seen.append(self)
        mark_read(self, place)

    monkeypatch.setattr(TextBuffer, "mark_read", noted)
    text = game * 400 + end + "\n"
    with contextlib.suppress(InvalidRecordError):  # there is a limit to looking for games in it
        list(records.iter_games(text, form, on_error="skip"))
    assert seen[-1].reread < 66 * len(text)


def test_nonsense_beyond_all_patience_is_an_error_in_any_case() -> None:
    with pytest.raises(InvalidRecordError, match="game after game has no end"):
        list(records.iter_games('[White "x"]\n\n1. Ed5ne {\n' * 400, on_error="skip"))
    good = '[White "x"]\n\n1. Ed5ne *\n\n'
    bad = '[White "x"]\n\n1. Ed5ne {no end *\n\n'
    assert len(list(records.iter_games((good + bad) * 40, on_error="skip"))) == 40
