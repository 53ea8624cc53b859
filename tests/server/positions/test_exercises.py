"""The exercises of the rules page: every position is valid, and every task can be done in one move."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from punct import Position
from punct.outcome import Ending
from punct.server.games.game import describe_move
from punct.server.positions.setup import position_after

SOURCE: Final = Path(__file__).parents[3] / "web" / "src" / "pages" / "rules" / "sections.ts"
SECTION: Final = re.compile(r"id: '(\w+)',\s*position:\s*(.+?),\s*zoom:.*?isReached: (.+?),\n  \}", re.S)


def exercises() -> dict[str, tuple[str, str]]:
    """Return position and goal of each exercise, as the client has them."""
    found = {}
    for name, position, goal in SECTION.findall(SOURCE.read_text(encoding="utf-8")):
        found[name] = ("".join(re.findall(r"'([^']*)'", position)), goal)
    return found


def test_every_section_has_an_exercise() -> None:
    assert list(exercises()) == ["aim", "pieces", "add", "move", "turn", "jump", "bridge", "blocked", "end", "centre"]


@pytest.mark.parametrize("name", list(exercises()))
def test_every_exercise_can_be_solved_in_one_move(name: str) -> None:
    text, goal = exercises()[name]
    position = Position(text)
    assert position.outcome() is None
    if name == "blocked":  # the task is to try what cannot be done
        blocked = [piece for piece in position.pieces if piece.colour is position.turn and not position.is_free(piece)]
        assert blocked
        return
    wanted = re.search(r"hasManner\('(\w+)'\)", goal)
    from_set = name in ("aim", "add", "centre")
    for move in (move for move in position.legal_moves if move.is_add is from_set):
        after = position_after(text, [str(move)])
        outcome = after.outcome()
        if wanted and describe_move(move, after)[1] == wanted[1]:
            return
        if name == "aim" and outcome and outcome.winner is position.turn:
            return
        if name == "end" and outcome and outcome.winner is not None and outcome.winner is not position.turn:
            return
        if name == "centre" and outcome and outcome.reason is Ending.CENTRE_COUNT:
            return
    pytest.fail(f"no legal turn does what {name} asks for")
