"""Suggestions and explanations hold in every position and for whatever is typed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punct import SPACES, Heading, Kind, Move, Position, Reason
from punct.cli.advice import completions, is_beginning, nearest, refusal, suggest, tidy

POSITIONS = (
    "standard w",
    "basic b wEd5ne",
    "standard w wEb5n wEd7n bTl10n wEb5ne",
    "standard w wTc2n wCc6se bEe3sw wRe4ne wEe6ne bMe8se bTg4sw bRh4n bTh6n wEh9ne bLi8ne bCj3se wMk7se wTk9n bCk12n"
    " bEl9sw wCm5ne bEm13s wEp9sw wMp10sw bRp12sw wEc3s bTd7s bMf8s bEh5nw wLj11ne wLk7nw bLo11s wRi6sw",
)


@pytest.mark.parametrize("text", POSITIONS)
def test_every_beginning_of_a_legal_turn_is_continued(text: str) -> None:
    position = Position(text)
    legal = {move.text: move for move in position.legal_moves}
    chance = random.Random(7)
    for turn in chance.sample(sorted(legal), 12):
        for length in range(1, len(turn)):
            beginning = turn[:length]
            found = completions(position, beginning)
            assert is_beginning(beginning)
            assert found
            assert {move.text for move in found} <= set(legal)
            assert suggest(position, beginning)
        assert legal[turn] in completions(position, turn)


@pytest.mark.parametrize("text", POSITIONS)
def test_every_refusal_is_explained(text: str) -> None:
    position = Position(text)
    chance = random.Random(11)
    occupied = [space for space in SPACES if position.top(space)] or list(SPACES)
    seen: set[Reason] = set()
    for _ in range(3000):
        heading = chance.choice(list(Heading))
        if chance.random() < 0.3:
            move = Move.add(chance.choice(list(Kind)), chance.choice(SPACES), heading)
        else:
            origin = chance.choice(occupied)
            targets = [space for line in Heading for space in origin.line(line)] + [origin, chance.choice(SPACES)]
            move = Move.shift(origin, chance.choice(targets), heading)
        reason = position.explain(move)
        if reason is None or reason in seen:
            continue
        seen.add(reason)
        first, *more = refusal(position, move.text, reason)
        assert reason.sentence[1:] in first
        assert f"(rule {reason.section})" in first
        assert all(line and "None" not in line for line in more)
        for line in more:
            if line.startswith("Legal there: "):
                assert all(position.explain(turn) is None for turn in line.removeprefix("Legal there: ").split(", "))
    assert len(seen) >= 2


def test_a_space_itself_comes_before_longer_ones() -> None:
    position = Position()
    assert {move.space.name for move in completions(position, "Td1")} == {"d1"}
    assert {move.space.name for move in completions(position, "Ta1")} == set()
    assert {move.space.name[:2] for move in completions(position, "Tk1")} == {"k1"}


def test_the_kind_before_a_move_must_be_its_own() -> None:
    position = Position("standard w wEd5ne")
    assert completions(position, "Ed5-") == completions(position, "d5-") != []
    assert completions(position, "Td5-") == []


def test_nearest_are_legal_and_alike() -> None:
    position = Position("standard w wEd5ne bTl10n")
    found = nearest(position, "d5-h9e")
    assert Move.parse("d5-h9se") in found
    assert all(position.explain(move) is None for move in found)
    assert nearest(position, "zzzz") == []


@pytest.mark.parametrize(
    ("typed", "tidied"),
    [("e d5 NE", "Ed5ne"), ("D5-H9se", "d5-h9se"), ("ED5-h9SE", "Ed5-h9se"), ("", ""), ("i9", "i9"), ("T", "T")],
)
def test_tidy(typed: str, tidied: str) -> None:
    assert tidy(typed) == tidied


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_anything_may_be_typed(typed: str) -> None:
    position = Position(POSITIONS[2])
    assert all(isinstance(line, str) for line in suggest(position, typed))
    assert str(position) == POSITIONS[2]
