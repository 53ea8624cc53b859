"""Turns as values."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

from punct import SPACES, Heading, Kind, Move, Position, PunctError, Space


def test_an_add() -> None:
    move = Move.parse("Ed5ne")
    assert (move.kind, move.origin, move.space, move.heading) == (Kind.E, None, Space("d5"), Heading.NE)
    assert move.is_add
    assert not move.is_rotation
    assert str(move) == "Ed5ne"
    assert repr(move) == "Move.parse('Ed5ne')"


def test_a_move_and_a_rotation() -> None:
    move = Move.parse("d5-h9se")
    assert (move.kind, move.origin, move.space, move.heading) == (None, Space("d5"), Space("h9"), Heading.SE)
    assert not move.is_add
    assert not move.is_rotation
    assert Move.parse("d5-d5n").is_rotation
    assert not Move.parse("Td5n").is_rotation


def test_a_move_is_one_object() -> None:
    move = Move.parse("d5-h9se")
    assert move is Move.shift(Space("d5"), Space("h9"), Heading.SE)
    assert pickle.loads(pickle.dumps(move)) is move
    assert copy.copy(move) is move
    assert copy.deepcopy([move])[0] is move
    assert len({move, Move.parse("D5-H9se"), Move.parse(" Ed5-h9se ")}) == 1


def test_the_opposite_heading_of_an_added_c_is_written_canonically() -> None:
    assert Move.parse("Ci13s") is Move.parse("Ci13n")
    assert str(Move.add(Kind.C, Space("i13"), Heading.NW)) == "Ci13se"


def test_a_move_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        Move.parse("Ed5ne").heading = Heading.N
    with pytest.raises(AttributeError, match="cannot be changed"):
        del Move.parse("Ed5ne").heading
    assert str(Move.parse("Ed5ne")) == "Ed5ne"


@pytest.mark.parametrize(("kind", "origin"), [(None, None), (Kind.E, Space("d5"))])
def test_a_move_has_a_kind_or_an_origin(kind: Kind | None, origin: Space | None) -> None:
    with pytest.raises(TypeError, match="not both"):
        Move(kind, origin, Space("d5"), Heading.N)


def test_moves_sort_by_text() -> None:
    texts = ["Ta4n", "d5-d5n", "Ed5ne", "d5-h9se"]
    assert [str(move) for move in sorted(map(Move.parse, texts))] == sorted(texts)
    with pytest.raises(TypeError, match="not supported between"):
        _ = Move.parse("Ta4n") < "Ta4n"  # type: ignore[operator]


def test_threads_get_the_same_objects() -> None:
    barrier = threading.Barrier(4)
    made: list[list[Move]] = []

    def make() -> None:
        barrier.wait()
        made.append([Move.shift(first, second, Heading.SW) for first in SPACES for second in SPACES])

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4
    for others in zip(*made, strict=True):
        assert all(move is others[0] for move in others)


def test_the_spaces_a_turn_covers() -> None:
    assert [str(space) for space in Move.parse("Ed5ne").spaces()] == ["d5", "e6", "f7"]
    position = Position("standard w wCd5n bTl5n")
    for turn in ("d5-h9se", "d5-h9nw"):
        assert {str(space) for space in Move.parse(turn).spaces(position)} == {"g9", "h9", "i9"}
    position.push("d5-h9se")
    assert set(position.pieces[0].spaces) == set(Move.parse("d5-h9nw").spaces(Position("standard w wCd5n bTl5n")))
    with pytest.raises(PunctError, match="only a position can tell"):
        Move.parse("d5-h9se").spaces()
    with pytest.raises(PunctError, match="no piece shows its PÜNCT on d6"):
        Move.parse("d6-d9n").spaces(Position("standard w wCd5n"))
    with pytest.raises(PunctError, match="off the board"):
        Move.parse("Ea8n").spaces()
