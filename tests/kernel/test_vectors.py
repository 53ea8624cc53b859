"""The kernel against the independent implementation's positions and games."""

from __future__ import annotations

from typing import Any

import pytest
from tests.kernel import lockstep
from tests.test_vectors import vectors

from punct import Position, kernel


@pytest.mark.parametrize("vector", vectors("positions"))
def test_every_legal_move_of_a_position(vector: dict[str, Any]) -> None:
    fast = kernel.Position(vector["position"])
    assert str(fast) == vector["position"]
    listed = [str(move) for move in fast.legal_moves]
    assert sorted(listed) == sorted(vector["legal"])
    assert len(fast.legal_moves) == len(listed)
    lockstep.compare(fast, Position(vector["position"]))


@pytest.mark.parametrize("vector", vectors("positions"))
def test_every_move_can_be_made_and_taken_back(vector: dict[str, Any]) -> None:
    fast = kernel.Position(vector["position"])
    before = fast.hash
    for number, move in enumerate(list(fast.legal_moves)):
        assert fast.push(move) == move
        assert fast.track.hash == fast.track.hash_from_scratch
        if number % 50 == 0:
            lockstep.compare_texts(fast, Position(str(fast)))
        assert fast.pop() == move
        assert fast.hash == before
    assert str(fast) == vector["position"]


@pytest.mark.parametrize("vector", vectors("games"))
def test_a_whole_game(vector: dict[str, Any]) -> None:
    fast, slow = kernel.Position(f"{vector['rules']} w"), Position(f"{vector['rules']} w")
    for text in vector["moves"]:
        assert fast.result() == "*"
        assert fast.push(text) == slow.push(text)
        lockstep.compare(fast, slow)
    assert fast.result() == slow.result() == vector["result"]
    lockstep.compare_texts(fast, slow)
    assert [str(move) for move in fast.moves] == vector["moves"]
