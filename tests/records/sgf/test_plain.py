"""Plain games are read by the kernel, and come out just as action by action."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.records.sgf.people import played
from tests.records.trees import games

from punct import Game, InvalidRecordError, _kernel, kernel, records
from punct.records.sgf.plain import read_plain
from punct.records.sgf.reader import _read_game
from punct.records.sgf.syntax import read_tree
from punct.records.source import TextBuffer

VECTORS = Path(__file__).parents[2] / "vectors" / "sgf"


def action_by_action(text: str) -> Game:
    return _read_game(read_tree(TextBuffer(text))[0])


@pytest.mark.parametrize("seed", range(6))
def test_what_we_write_is_plain(seed: int) -> None:
    game = Game()
    for move in kernel.Position().play_random(seed, 60, raised=30, bridge=30, moved=50):
        game.push(move)
    text = records.dumps(game, "sgf")
    plain = read_plain(text, 0, 1)
    assert plain is not None
    assert tuple(plain.moves) == game.moves
    assert records.loads(text) == [action_by_action(text)] == [game]


@given(games)
@settings(max_examples=40)
def test_both_ways_agree(game: Game) -> None:
    text = records.dumps(game, "sgf")
    assert records.loads(text) == [action_by_action(text)]


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.sgf")), ids=lambda path: path.stem)
def test_what_boardspace_writes_is_plain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert read_plain(text, 0, 1) is not None
    assert records.loads(text) == [action_by_action(text)]


def both_ways(text: str) -> None:
    """Read the game by the kernel if it can, and action by action: it is the same game, or the same error."""
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


def spoilt(rng: random.Random, text: str) -> str:
    """Return the text with numbers, seats, spaces and words changed at random."""
    words = list(re.finditer(r"[0-9]+|P[01]|\b[A-Q]\b|(?i:Pickb?|Dropb?|Move|Done|Rotate)|CM|TM|\n|\]", text))
    for found in sorted(rng.sample(words, rng.randint(1, 2)), key=lambda found: -found.start()):
        other = rng.choice([*sorted({each[0] for each in words}), "", "Resign", "C[no\\]]", "OfferDraw", "("])
        text = text[: found.start()] + other + text[found.end() :]
    return text


@pytest.mark.parametrize("seed", range(60))
def test_both_ways_agree_about_what_is_spoilt(seed: int) -> None:
    rng = random.Random(seed)
    game = Game()
    for move in kernel.Position().play_random(seed, 30, raised=30, moved=50):
        game.push(move)
    both_ways(spoilt(rng, records.dumps(game, "sgf")))


@pytest.mark.parametrize("seed", range(40))
def test_both_ways_agree_about_second_thoughts(seed: int) -> None:
    rng = random.Random(seed)
    ending = rng.choice((None, "Resign", "LoseOnTime", "WinOnTime"))
    record = played(rng, 12, ending, swapped=seed % 2 == 1, robot=seed % 4 == 3, fumbles=2)
    for text in (record.as_archived(), record.as_saved()):
        both_ways(text)
        for _ in range(8):
            both_ways(spoilt(rng, text))


def test_most_games_of_people_are_plain() -> None:
    records_of_people = [
        played(random.Random(seed), 8, None, swapped=False, robot=False, fumbles=1).as_archived() for seed in range(12)
    ]
    assert sum(read_plain(text, 0, 1) is not None for text in records_of_people) >= 6


def test_comments_are_about_the_turn_they_are_made_in() -> None:
    text = """(;GM[25]CM[0,1]C[the game]
;P0[0 Start P0]
;P0[1 Pick W 1]C[which?]
;P0[2 Dropb 1 D 5 3]C[here] C[or there]
;P0[3 Done]C[done \\] \\\\]TM[3]
;C[Zoë waits]
;P1[4 Dropb 20 L 10 3];P1[5 Done]
)"""
    plain = read_plain(text, 0, 1)
    assert plain is not None
    (game,) = records.loads(text)
    assert game == action_by_action(text)
    assert [node.comment for node in game.nodes()] == ["the game", "which?\nhere\nor there\ndone ] \\\nZoë waits", ""]


@pytest.mark.parametrize("wide", ["Zoë", "Žofie", "𝒵"])
def test_texts_of_any_width_are_read(wide: str) -> None:
    game = Game(tags={"White": wide})
    game.push("Ed5ne")
    text = records.dumps(game, "sgf")
    assert read_plain(text, 0, 1) is not None
    assert records.loads(text) == [game]


def test_the_kernel_reads_from_an_empty_board_only() -> None:
    def push(position: kernel.Position, seat: int = 0, orientations: bytes = bytes(228)) -> object:
        return _kernel.push_actions(position.track, ";P0[1 Dropb 1 D 5 3];P0[2 Done])", 0, seat, orientations)

    with pytest.raises(ValueError, match="empty board"):
        push(kernel.Position("basic b wEd5ne"))
    with pytest.raises(ValueError, match="colour"):
        push(kernel.Position(), 2)
    with pytest.raises(ValueError, match="orientation"):
        push(kernel.Position(), 0, b"")
    assert push(kernel.Position(), 0, bytes([255] * 228)) == ([], [], [], 0)
    numbers, hashes, comments, end = _kernel.push_actions(kernel.Position().track, "", 10**9, 0, bytes(228))
    assert (numbers, hashes, comments) == ([], [], []) and end == 10**9
