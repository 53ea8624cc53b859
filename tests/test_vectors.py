"""Positions with every legal turn, and whole games, made by an independent implementation of the game."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from tests.reference import Board

from punct import Position

HERE = Path(__file__).resolve().parent
FOLDERS = [folder for folder in (HERE / "vectors", HERE.parents[1] / "shared" / "vectors") if folder.is_dir()]
"""The small copy, and the whole collection where it lies beside the repository."""


def vectors(name: str) -> list[ParameterSet]:
    found = []
    for folder in FOLDERS:
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                found.append(pytest.param(json.loads(line), id=f"{folder.parent.name}-{number}"))
    return found


def test_the_small_copy_is_there() -> None:
    assert len(vectors("positions")) >= 12
    assert len(vectors("games")) >= 8


@pytest.mark.parametrize("vector", vectors("positions"))
def test_every_legal_turn_of_a_position(vector: dict[str, Any]) -> None:
    position = Position(vector["position"])
    listed = [str(move) for move in position.legal_moves]
    assert sorted(listed) == sorted(vector["legal"])
    assert len(position.legal_moves) == len(listed)
    assert str(position) == vector["position"]


@pytest.mark.parametrize("vector", vectors("games"))
def test_a_whole_game_and_its_result(vector: dict[str, Any]) -> None:
    start = f"{vector['rules']} w"
    position = Position(start)
    for text in vector["moves"]:
        assert position.result() == "*"
        assert str(position.push(text)) == text
    assert position.result() == vector["result"]
    while position.moves:
        position.pop()
    assert position == Position(start)


@pytest.mark.parametrize("vector", vectors("positions"))
def test_the_slow_reference_agrees_with_the_vectors(vector: dict[str, Any]) -> None:
    """What the other tests hold the library to must itself be right."""
    assert Board(vector["position"]).legal() == set(vector["legal"])
