"""Hostile records: refused while they are read, in both formats."""

from __future__ import annotations

import pytest

from punct import InvalidRecordError, records
from punct.records.limits import DEEPEST

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
    deep = DEEPEST - 1
    (game,) = records.loads("Ed5ne " + "(Ed6ne " * deep + ")" * deep + " *")
    assert {str(child.move) for child in game.root.children} == {"Ed5ne", "Ed6ne"}
    (game,) = records.loads("(;" * deep + ")" * deep)
    assert not game.moves
