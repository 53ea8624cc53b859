"""The course against the library: every position can come about, and what it teaches about winning is proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from punct import Position
from punct.analysis import Prover, defences, wins_at_once

LESSONS = Path(__file__).parent.parent.parent / "web" / "src" / "pages" / "lessons" / "course"
BOARDS: dict[str, dict[str, Any]] = {
    f"{file.stem}.{board['id']}": board
    for file in sorted(LESSONS.glob("*.json"))
    for board in json.loads(file.read_text(encoding="utf-8"))["boards"]
}


def having(name: str) -> list[str]:
    """Return the boards whose goal has such a condition, and that are won or held by the first turn."""
    return [board for board, told in BOARDS.items() if name in told["goal"] and "solution" in told]


def solution(board: str) -> list[str]:
    """Return the turns that do what a board asks for."""
    return [str(turn) for turn in BOARDS[board]["solution"]]


@pytest.mark.parametrize("board", BOARDS)
def test_a_game_can_lead_there(board: str) -> None:
    position = Position(BOARDS[board]["position"])
    assert position.status() == ()
    assert (position.outcome() is not None) is (BOARDS[board]["goal"].get("refused") == "GAME_OVER")


@pytest.mark.parametrize("board", [board for board in having("winner") if len(solution(board)) == 1])
def test_what_wins_wins_at_once(board: str) -> None:
    position = Position(BOARDS[board]["position"])
    won = [str(move) for move in wins_at_once(position)]
    assert (solution(board)[0] in won) is (BOARDS[board]["goal"]["winner"] == "w")


@pytest.mark.parametrize("board", [*having("threats"), *(b for b in having("winner") if len(solution(b)) == 2)])
def test_two_threats_cannot_both_be_stopped(board: str) -> None:
    position = BOARDS[board]["position"]
    assert not wins_at_once(position)
    assert solution(board)[0] in [str(move) for move in Prover().wins_in(position, 2)]


@pytest.mark.parametrize("board", having("safe"))
def test_what_holds_is_a_defence_and_one_is_needed(board: str) -> None:
    position = Position(BOARDS[board]["position"])
    held = [str(move) for move in defences(position)]
    assert solution(board)[0] in held
    assert len(held) < len(position.legal_moves) / 10
