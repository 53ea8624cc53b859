"""Plain games are read at a glance, and come out just as action by action."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from tests.records.trees import games

from punct import Game, InvalidRecordError, kernel, records
from punct.records.sgf.plain import read_plain
from punct.records.sgf.reader import _read_game
from punct.records.sgf.syntax import read_tree
from punct.records.source import Scroll


def action_by_action(text: str) -> Game:
    return _read_game(read_tree(Scroll(text))[0])


@pytest.mark.parametrize("seed", range(6))
def test_what_we_write_is_plain(seed: int) -> None:
    game = Game()
    for move in kernel.Position().play_random(seed, 60, raised=30, bridge=30, moved=50):
        game.push(move)
    text = records.dumps(game, "sgf")
    plain = read_plain(text, 0, 1)
    assert plain is not None
    assert plain.turns() == [str(move) for move in game.moves]
    assert records.loads(text) == [action_by_action(text)] == [game]


@given(games)
@settings(max_examples=40)
def test_both_ways_agree(game: Game) -> None:
    text = records.dumps(game, "sgf")
    assert records.loads(text) == [action_by_action(text)]


@pytest.mark.parametrize("seed", range(60))
def test_both_ways_agree_about_what_is_spoilt(seed: int) -> None:
    """Numbers, seats, spaces and words are changed at random: the same game, or the same error."""
    rng = random.Random(seed)
    game = Game()
    for move in kernel.Position().play_random(seed, 30, raised=30, moved=50):
        game.push(move)
    text = records.dumps(game, "sgf")
    words = list(re.finditer(r"[0-9]+|P[01]|\b[A-Q]\b|Pickb?|Dropb|Done|CM|\n", text))
    for found in sorted(rng.sample(words, rng.randint(1, 2)), key=lambda found: -found.start()):
        other = rng.choice([*{each[0] for each in words}, "", "Resign"])
        text = text[: found.start()] + other + text[found.end() :]
    try:
        want: Game | str = action_by_action(text)
    except InvalidRecordError as error:
        want = str(error)
    try:
        (got,) = records.loads(text, "sgf")
    except InvalidRecordError as error:
        assert str(error) == want
    else:
        assert got == want
