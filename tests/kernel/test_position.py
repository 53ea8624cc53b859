"""punct.kernel.Position keeps the contract of punct.Position, errors included."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Container
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import random_play

from punct import SPACES, Colour, IllegalMoveError, InvalidMoveError, Move, Position, PunctError, kernel

MIDDLE_GAME = (
    "standard b bEa5se wCd5ne bLf12sw wLi3sw wTk4sw bMk6se bTl16s bEn13se bLb5s bRe10n wRi3s wEk4n bTl16s bEp13nw wRh1n"
)


def refusal(position: Any, move: object) -> tuple[type[Exception], str] | str:
    """Return the exception that pushing this raises, or the move played (and take it back)."""
    try:
        text = str(position.push(move))
    except (PunctError, TypeError) as error:
        return type(error), str(error)
    position.pop()
    return text


move_texts = st.one_of(
    st.text(max_size=12),
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(["", " ", "T", "C", "E", "M", "L", "R", "Z", "t"]),
        st.one_of(
            st.sampled_from([space.name for space in SPACES]), st.from_regex(r"[a-rA-Q][0-9]{1,2}", fullmatch=True)
        ),
        st.one_of(st.just(""), st.builds("-{}".format, st.sampled_from([space.name for space in SPACES]))),
        st.sampled_from(["n", "ne", "se", "s", "sw", "nw", "", "N", "e", "n ", "\u00a0n", "n\x1f", "n\n"]),
    ),
)


@given(random_play.positions, st.lists(move_texts, max_size=20))
@settings(max_examples=60)
def test_both_play_the_same_texts_and_raise_the_same_errors(slow: Position, texts: list[str]) -> None:
    fast = kernel.Position(str(slow))
    slow = Position(str(slow))
    for text in texts:
        assert refusal(fast, text) == refusal(slow, text)


@given(random_play.positions, st.data())
@settings(max_examples=40)
def test_both_give_the_same_reasons(slow: Position, data: st.DataObject) -> None:
    fast = kernel.Position(str(slow))
    for _ in range(20):
        origin = data.draw(st.sampled_from([piece.space for piece in slow.pieces] or list(SPACES)))
        move = Move.shift(origin, data.draw(st.sampled_from(SPACES)), data.draw(random_play.headings))
        assert fast.explain(move) is slow.explain(move)
        assert (move in fast.legal_moves) == (move in slow.legal_moves) == fast.is_legal(move)


@given(
    st.one_of(
        st.text(max_size=30),
        st.lists(
            st.one_of(
                st.sampled_from(
                    ["standard", "basic", "w", "b", "wTd5n", "bCd6s", "WTd5n", "wtd5n", "wTD5n", "wTa1n", "\x1c"]
                ),
                st.from_regex(r"[wb][TCEMLR][a-q][0-9]{1,2}(n|ne|se|s|sw|nw)", fullmatch=True),
            ),
            max_size=8,
        ).map(lambda words: "standard w " + " ".join(words)),
    )
)
@settings(max_examples=400)
def test_both_read_the_same_positions(text: str) -> None:
    try:
        expected: object = str(Position(text))
    except PunctError as error:
        expected = type(error), str(error)
    try:
        actual: object = str(kernel.Position(text))
    except PunctError as error:
        actual = type(error), str(error)
    assert actual == expected


@pytest.mark.parametrize("wrong", [None, 5, b"standard w", 1.5, ["standard", "w"], object()])
def test_other_types_are_type_errors(wrong: Any) -> None:
    with pytest.raises(TypeError):
        kernel.Position(wrong)
    position = kernel.Position()
    with pytest.raises(TypeError):
        position.push(wrong)
    assert wrong not in position.legal_moves
    assert str(position) == "standard w"


@pytest.mark.parametrize("text", ["\ud800", "standard w \ud800", "standard w " + "wTd5n " * 5000, " " * 100_000, "\0"])
def test_hostile_texts_are_errors(text: str) -> None:
    with pytest.raises(PunctError):
        kernel.Position(text)
    with pytest.raises(PunctError):
        kernel.Position().push(text)


def test_reading_accepts_what_the_library_accepts() -> None:
    assert str(kernel.Position("  standard\tw   wTB9ne wCl13nw\n")) == "standard w wTb9ne wCl13se"
    position = kernel.Position("standard w wCd5n bTl5n")
    assert str(position.push(" Cd5-D9s ")) == "d5-d9n"
    assert str(kernel.Position("standard w wEc5n").push("C5-c9n")) == "c5-c9n"  # C is a column here, not a kind


def test_pushing_and_popping() -> None:
    position = kernel.Position()
    assert position.push("Ed5ne") == Move.parse("Ed5ne")
    assert position.push(Move.parse("Tl5n")) == Move.parse("Tl5n")
    assert position.moves == (Move.parse("Ed5ne"), Move.parse("Tl5n"))
    assert [position.pop(), position.pop()] == [Move.parse("Tl5n"), Move.parse("Ed5ne")]
    with pytest.raises(IndexError):
        position.pop()
    assert position == kernel.Position()


def test_moves_played_on_the_track_are_seen() -> None:
    position = kernel.Position("basic w wEd5n")
    assert position.height("l5") == 0
    position.track.push(position.pack("Tl5n"))
    assert str(position.top("l5")) == "wTl5n"
    position.track.pop()
    assert position.top("l5") is None
    assert position.on_board(Colour.WHITE) == 1


def test_an_illegal_move_changes_nothing() -> None:
    position = kernel.Position(MIDDLE_GAME)
    with pytest.raises(IllegalMoveError) as caught:
        position.push("Ti9n")
    assert caught.value.reason is Position(MIDDLE_GAME).explain("Ti9n")
    with pytest.raises(InvalidMoveError):
        position.push("hello")
    assert str(position) == MIDDLE_GAME
    assert position.moves == ()


def test_legal_moves_are_a_lazy_set() -> None:
    position = kernel.Position()
    view = position.legal_moves
    assert Move.parse("Ed5ne") in view
    assert Move.parse("Ti9n") not in view
    texts: Container[object] = view
    assert "Ed5ne" in texts
    assert len(view) == len(list(view)) == len(set(view)) == 4986
    assert view
    position.push("Ed5ne")
    assert Move.parse("Ed5ne") not in view
    assert view & {Move.parse("Ed5ne"), Move.parse("Tl5n")} == {Move.parse("Tl5n")}
    assert set(view) == set(Position("standard b wEd5ne").legal_moves)


def test_values() -> None:
    position = kernel.Position(MIDDLE_GAME)
    twin = position.copy()
    assert twin == position
    assert twin.key == position.key
    assert twin.hash == position.hash
    assert position == Position(MIDDLE_GAME)
    assert Position(MIDDLE_GAME) == position
    assert position != MIDDLE_GAME
    move = twin.push(next(iter(twin.legal_moves)))
    assert twin != position
    assert twin.hash != position.hash
    for again in (copy.copy(twin), copy.deepcopy(twin), pickle.loads(pickle.dumps(twin))):
        assert again == twin
        assert again.moves == (move,)
        again.pop()
        assert again == position
    with pytest.raises(TypeError):
        hash(position)
    assert repr(position) == f"kernel.Position({MIDDLE_GAME!r})"


@given(random_play.positions)
@settings(max_examples=40)
def test_everything_else_is_the_same(slow: Position) -> None:
    fast = kernel.Position(str(slow))
    assert fast.rules is slow.rules
    assert fast.turn is slow.turn
    assert fast.pieces == slow.pieces
    assert fast.floors == slow.floors
    assert fast.centre_is_closed == slow.centre_is_closed
    assert fast.winning_chain == slow.winning_chain
    assert fast.centre_count() == slow.centre_count()
    for colour in Colour:
        assert fast.shown(colour) == slow.shown(colour)
        assert fast.in_set(colour) == slow.in_set(colour)
        assert fast.on_board(colour) == slow.on_board(colour)
        assert fast.free_pieces(colour) == slow.free_pieces(colour)
        assert fast.chain(colour) == slow.chain(colour)
    for piece in slow.pieces[:4]:
        assert fast.stack(piece.space) == slow.stack(piece.space)
        assert fast.top(piece.space) == slow.top(piece.space)
        assert fast.height(piece.space) == slow.height(piece.space)
        assert fast.floor(piece.level) == slow.floor(piece.level)
        assert fast.is_bridge(piece) == slow.is_bridge(piece)
        assert fast.blockers(piece) == slow.blockers(piece)
        assert fast.is_free(piece) == slow.is_free(piece)
        assert fast.lines(piece) == slow.lines(piece)
        assert fast.destinations(piece) == slow.destinations(piece)


def test_texts_are_played_up_to_the_first_that_is_not_a_legal_move() -> None:
    position = kernel.Position()
    numbers, hashes = position.track.push_texts(["Ed5ne", "Tl5s", "Ed5ne", "Td2n"])
    expected = kernel.Position()
    packed = []
    for number, hash, text in zip(numbers, hashes, ("Ed5ne", "Tl5s"), strict=True):
        packed.append(int(expected.pack(text)))
        expected.push(text)
        assert hash == expected.hash
        assert number == packed[-1]
    assert position == expected
    for other in ("é", "Td2n\0", "", "\ud800", "x" * 5000):
        assert position.track.push_texts([other, "Td2n"]) == ([], [])
    assert position.track.push_texts([]) == ([], [])
    assert position == expected
