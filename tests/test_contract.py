"""One contract, two positions: everything a position can be asked, asked of both classes in the same words."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
from collections.abc import Container
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from tests import random_play

from punct import (
    SPACES,
    SYMMETRIES,
    Colour,
    Game,
    Heading,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Kind,
    LegalMoves,
    Move,
    Piece,
    Position,
    PositionLike,
    PunctError,
    Reason,
    Rules,
    Space,
    Symmetry,
    WrongTypeError,
    kernel,
    picture,
)
from punct.perft import divide, perft

CLASSES: list[type[PositionLike]] = [Position, kernel.Position]
BRIDGE = "basic w wEb3n bEd3n wEb3se"
MIDDLE_GAME = (
    "standard b bEa5se wCd5ne bLf12sw wLi3sw wTk4sw bMk6se bTl16s bEn13se bLb5s bRe10n wRi3s wEk4n bTl16s bEp13nw wRh1n"
)

both = pytest.mark.parametrize("cls", CLASSES, ids=["library", "kernel"])


# ---------------------------------------------------------------------- setting up


@both
def test_the_ways_to_set_one_up(cls: type[PositionLike]) -> None:
    assert str(cls()) == str(cls("standard")) == str(cls(Rules.STANDARD)) == "standard w"
    assert str(cls("basic")) == str(cls(" basic ")) == str(cls(Rules.BASIC)) == "basic w"
    for other in CLASSES:
        played = other("standard w")
        played.push("Ed5ne")
        position = cls(played)
        assert type(position) is cls
        assert str(position) == "standard b wEd5ne"
        assert position.moves == ()
        assert position is not played


@both
@pytest.mark.parametrize("wrong", [None, 5, b"standard w", 1.5, ["standard", "w"], object(), Colour.WHITE, Game()])
def test_what_is_no_position_is_refused_with_what_to_give(cls: type[PositionLike], wrong: Any) -> None:
    with pytest.raises(WrongTypeError, match="a position is set up from its text"):
        cls(wrong)
    with pytest.raises(TypeError):
        cls(wrong)


@both
def test_rules_and_turn_are_read_only(cls: type[PositionLike]) -> None:
    position: Any = cls()
    for name, value in {"turn": Colour.BLACK, "rules": Rules.BASIC, "key": "x", "nonsense": 1}.items():
        with pytest.raises(AttributeError):
            setattr(position, name, value)
    assert str(position) == "standard w"


@both
def test_from_pieces(cls: type[PositionLike]) -> None:
    position = cls(BRIDGE)
    assert cls.from_pieces(position.pieces, Colour.WHITE, Rules.BASIC) == position
    assert cls.from_pieces(reversed(position.pieces), Colour.WHITE, "basic") == position  # levels are stated
    assert cls.from_pieces(["wEb3n", Piece.parse("bEd3n"), "wEb3se"], rules="basic") == position  # by order
    assert cls.from_pieces([]) == cls()
    assert type(cls.from_pieces([])) is cls


@both
def test_from_pieces_refuses_what_cannot_lie_so(cls: type[PositionLike]) -> None:
    high = Piece.parse("wTd5n")
    high = Piece(high.colour, high.kind, high.space, high.heading, 3)
    with pytest.raises(InvalidPositionError, match="wTd5n: it would not lie at level 3"):
        cls.from_pieces([high])
    with pytest.raises(InvalidPositionError, match="would be off the board"):
        cls.from_pieces(["wEa8n"])
    with pytest.raises(InvalidPositionError, match="is not a piece on the board"):
        cls.from_pieces(["d5"])
    with pytest.raises(InvalidPositionError, match="write basic or standard"):
        cls.from_pieces([], rules="chess")
    wrong: Any = "w"
    with pytest.raises(WrongTypeError, match=r"Colour\.WHITE or Colour\.BLACK"):
        cls.from_pieces([], wrong)
    with pytest.raises(WrongTypeError, match="a piece is written as text"):
        cls.from_pieces([5])  # type: ignore[list-item]


@both
def test_adding_and_taking_away_by_hand(cls: type[PositionLike]) -> None:
    position = cls("basic w wEb3n")
    grown = position.with_piece("bEd3n").with_piece(Piece.parse("wEb3se"))
    assert str(grown) == BRIDGE
    assert str(position) == "basic w wEb3n"
    assert str(grown.without("c3")) == str(grown.without(Space("b3"))) == "basic w wEb3n bEd3n"
    assert str(grown.without(grown.pieces[2])) == str(grown.without("wEb3se")) == "basic w wEb3n bEd3n"
    with pytest.raises(PunctError, match="bEd3n lies under wEb3se; take that away first"):
        grown.without("d4")
    with pytest.raises(PunctError, match="there is no piece on i9"):
        grown.without("i9")
    with pytest.raises(PunctError, match="bTl5n does not show its PÜNCT"):
        grown.without("bTl5n")
    with pytest.raises(WrongTypeError, match="is not a piece"):
        grown.without(5)  # type: ignore[arg-type]
    assert str(grown.with_turn(Colour.BLACK)) == BRIDGE.replace("basic w", "basic b")
    assert str(grown.swapped()) == "basic b bEb3n wEd3n bEb3se"


@given(random_play.positions)
@settings(max_examples=30)
def test_setting_up_is_told_alike(slow: Position) -> None:
    fast = kernel.Position(slow)
    assert kernel.Position.from_pieces(slow.pieces, slow.turn, slow.rules) == slow
    assert Position.from_pieces(fast.pieces, fast.turn, fast.rules) == slow
    assert fast.swapped() == slow.swapped()
    assert slow.swapped().swapped() == slow
    for piece in slow.free_pieces(Colour.BLACK):
        assert fast.without(piece) == slow.without(piece)
        assert slow.without(piece).with_piece(piece) == slow


# ---------------------------------------------------------------------- what lies where


@both
def test_a_space_is_asked_about_by_its_name_too(cls: type[PositionLike]) -> None:
    position = cls(BRIDGE)
    for space in SPACES:
        for name in (space.name, space.name.upper()):
            assert position.top(name) == position.top(space)
            assert position.stack(name) == position.stack(space)
            assert position.height(name) == position.height(space)
    assert str(position.top("c3")) == "wEb3se"
    for ask in (position.top, position.stack, position.height):
        with pytest.raises(PunctError, match="'z9' is not a space"):
            ask("z9")
        for wrong in (5, None, Piece.parse("wEb3se")):
            with pytest.raises(WrongTypeError, match="a space is named by text, such as 'd5', not"):
                ask(wrong)  # type: ignore[arg-type]


@both
def test_a_piece_is_known_by_what_it_is(cls: type[PositionLike]) -> None:
    position = cls(BRIDGE)
    for piece in position.pieces:
        equal = dataclasses.replace(piece)
        assert equal is not piece
        assert position.destinations(equal) == position.destinations(piece)
        assert position.blockers(equal) == position.blockers(piece)
        assert position.is_bridge(equal) == position.is_bridge(piece)
    assert position.destinations(dataclasses.replace(position.pieces[2]))
    again: PositionLike = pickle.loads(pickle.dumps(position))
    assert again.destinations(position.pieces[2]) == position.destinations(position.pieces[2])


@both
@pytest.mark.parametrize("wrong", ["w", "White", 0, 1, True, None])
def test_only_a_colour_tells_whose_pieces_are_meant(cls: type[PositionLike], wrong: Any) -> None:
    with pytest.raises(WrongTypeError, match=r"a player is Colour\.WHITE or Colour\.BLACK"):
        cls(BRIDGE).free_pieces(wrong)
    with pytest.raises(WrongTypeError, match=r"a player is Colour\.WHITE or Colour\.BLACK"):
        cls(BRIDGE).with_turn(wrong)


@both
def test_whoever_takes_a_position_takes_what_it_is_set_up_from(cls: type[PositionLike]) -> None:
    position = cls("basic w wEd5n bTl5n")
    for start in (position, str(position)):
        assert perft(start, 1) == len(position.legal_moves)
        assert divide(start, 1) == divide(position, 1)
        assert picture.set_svg(start) == picture.set_svg(position)
    assert perft(Rules.BASIC, 1) == 4986
    for wrong in (None, 5, Game()):
        for ask in (lambda wrong=wrong: perft(wrong, 1), lambda wrong=wrong: divide(wrong, 1)):
            with pytest.raises(WrongTypeError, match="a position is set up from its text"):
                ask()
    with pytest.raises(WrongTypeError, match="a position is set up from its text"):
        picture.set_svg(5)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- playing


@both
def test_every_form_of_a_turn_is_understood(cls: type[PositionLike]) -> None:
    position = cls(MIDDLE_GAME)
    view = position.legal_moves
    assert isinstance(view, LegalMoves)
    for move in [*view][::97]:
        packed = kernel.Move.pack(move, position)
        for form in (move, str(move), f" {move}\n", packed):
            contents: Container[object] = view
            assert form in contents
            assert position.is_legal(form)
            assert position.explain(form) is None
            assert position.parse(form) is move
            assert position.push(form) is move
            assert position.pop() is move
    assert str(position) == MIDDLE_GAME


@both
def test_every_form_of_a_refusal(cls: type[PositionLike]) -> None:
    position = cls(MIDDLE_GAME)
    for text in ("Ti9n", "d5-d6ne", "a5-b7n"):
        reason = position.explain(text)
        assert isinstance(reason, Reason)
        assert text not in list(map(str, position.legal_moves))
        assert not position.is_legal(text)
        assert position.explain(Move.parse(text)) is reason
        with pytest.raises(IllegalMoveError) as caught:
            position.push(text)
        assert caught.value.reason is reason
        assert caught.value.position == MIDDLE_GAME
    for nonsense in ("hello", "", "Zd5n", "\ud800"):
        assert not position.is_legal(nonsense)
        with pytest.raises(InvalidMoveError):
            position.push(nonsense)
    assert str(position) == MIDDLE_GAME


@both
def test_a_packed_move_of_another_kind_is_refused(cls: type[PositionLike]) -> None:
    position = cls("standard w wEd5n bTl5n")
    wrong = kernel.Move.shift(Kind.C, Space("d5"), Space("d8"), Heading.N)
    assert position.explain(wrong) is Reason.OTHER_KIND
    assert not position.is_legal(wrong)
    with pytest.raises(IllegalMoveError, match="of another kind"):
        position.push(wrong)


@both
@pytest.mark.parametrize("wrong", [None, 5, 2091102, b"Ed5ne", object(), Space("d5")])
def test_what_is_no_turn_is_refused_with_what_to_give(cls: type[PositionLike], wrong: Any) -> None:
    position = cls()
    assert wrong not in position.legal_moves
    assert not position.is_legal(wrong)
    for ask in (position.push, position.explain, position.parse):
        with pytest.raises(WrongTypeError, match="a move is a Move or its text"):
            ask(wrong)
    assert str(position) == "standard w"


@both
def test_chance_is_fair_and_can_be_repeated(cls: type[PositionLike]) -> None:
    position = cls(MIDDLE_GAME)
    legal = set(position.legal_moves)
    chosen = [position.legal_moves.choice(random.Random(seed)) for seed in range(40)]
    assert chosen == [position.legal_moves.choice(random.Random(seed)) for seed in range(40)]
    assert legal.issuperset(chosen)
    assert len(set(chosen)) > 30
    assert position.legal_moves.choice(np.random.default_rng(1)) in legal
    assert position.legal_moves.choice() in legal
    with pytest.raises(WrongTypeError, match=r"random\.Random or a NumPy Generator"):
        position.legal_moves.choice(5)  # type: ignore[arg-type]
    over = cls("standard b wEa8se wEd8se wEg8se wEj9ne wTp11se wCn11se")
    with pytest.raises(PunctError, match="no legal move to choose from"):
        over.legal_moves.choice()


@both
def test_every_turn_can_be_chosen(cls: type[PositionLike]) -> None:
    class Fixed(random.Random):
        """Chooses the places one after the other."""

        place = -1

        def randrange(self, *args: Any, **kwargs: Any) -> int:
            self.place += 1
            return self.place

    position = cls(MIDDLE_GAME)
    rng = Fixed()
    assert [position.legal_moves.choice(rng) for _ in position.legal_moves] == list(position.legal_moves)


# ---------------------------------------------------------------------- values


@both
def test_equality_and_keys_do_not_mind_the_class(cls: type[PositionLike]) -> None:
    position = cls(MIDDLE_GAME)
    for other in CLASSES:
        same = other(MIDDLE_GAME)
        assert position == same
        assert position.key == same.key
        assert type(position.key) is type(same.key)
        assert len({position.key, same.key}) == 1
        assert position != other("standard w")
    assert position != MIDDLE_GAME
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)


@both
def test_copies_are_independent(cls: type[PositionLike]) -> None:
    position = cls(MIDDLE_GAME)
    move = position.push(position.legal_moves.choice(random.Random(1)))
    for again in (position.copy(), copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert type(again) is cls
        assert again == position
        assert again.moves == (move,)
        again.pop()
        assert str(again) == MIDDLE_GAME
    assert position.moves == (move,)


@both
def test_a_frozen_position_is_only_to_be_looked_at(cls: type[PositionLike]) -> None:
    position = cls("basic")
    position.push("Ed5ne")
    frozen = position.frozen()
    assert type(frozen) is cls
    for again in (frozen, pickle.loads(pickle.dumps(frozen))):
        with pytest.raises(PunctError, match="this position is read-only"):
            again.push("Tl5n")
        with pytest.raises(PunctError, match="this position is read-only"):
            again.pop()
        assert again == position
        assert again.moves == position.moves
    if isinstance(frozen, kernel.Position):
        with pytest.raises(PunctError, match="this position is read-only"):
            frozen.play_random(1, 3)
    position.push("Tl5n")
    assert str(frozen) == "basic b wEd5ne"
    mine = frozen.copy()
    mine.pop()
    assert mine == cls("basic")


@both
def test_notebooks_and_pictures(cls: type[PositionLike]) -> None:
    position = cls(MIDDLE_GAME)
    drawn = picture.svg(Position(MIDDLE_GAME), size=480)
    assert position._repr_svg_() == picture.svg(position, size=480) == drawn
    move = position.push(position.legal_moves.choice(random.Random(3)))
    assert f"Last move: {move}." in position._repr_svg_()


# ---------------------------------------------------------------------- symmetry


@given(random_play.positions)
@settings(max_examples=20)
def test_the_canonical_position_is_the_first_of_its_images(slow: Position) -> None:
    fast = kernel.Position(slow)
    images = {symmetry: str(symmetry.position(slow)) for symmetry in SYMMETRIES}
    first = min(images.values())
    for position in (slow, fast):
        found, symmetry = position.canonical()
        assert type(found) is type(position)
        assert str(found) == first == images[symmetry]
        assert symmetry == next(symmetry for symmetry, text in images.items() if text == first)
    for symmetry in SYMMETRIES:
        assert str(symmetry.position(fast)) == images[symmetry]
        assert str(slow.transformed(symmetry.number)) == images[symmetry]
        assert symmetry.position(slow).canonical().position == Position(first)


@both
def test_what_is_no_symmetry_is_refused(cls: type[PositionLike]) -> None:
    with pytest.raises(PunctError, match="a number from 0 to 11, not 12"):
        cls().transformed(12)
    with pytest.raises(WrongTypeError, match="is not a symmetry"):
        cls().transformed("mirror")  # type: ignore[arg-type]
    assert [Symmetry.of(number).number for number in range(12)] == list(range(12))


# ---------------------------------------------------------------------- what is impossible


@given(random_play.positions)
@settings(max_examples=40)
def test_positions_that_were_played_are_possible(slow: Position) -> None:
    assert slow.status() == kernel.Position(slow).status() == ()


@both
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("standard w bTl5n", "Black has pieces on the board, but White, who begins, has none"),
        ("standard w wTd5n", "Black would have had to add one"),
        ("standard b", "Black is to move, but White, who begins, has no piece"),
        ("standard b bTl5n", "Black is to move, but White, who begins, has no piece"),
        ("basic b wTd5n wTl5n", "White has 2 pieces on the board before Black has added one"),
        ("basic b wTi9n", "White's first piece, wTi9n, touches the central hexagon"),
        ("basic b wTd5n bTl5n wTl5n", "wTl5n at level 2 has its PÜNCT on a piece of Black, bTl5n"),
        ("basic b wTd8n bTf8s wCe8se", "wCe8se at level 2 has its PÜNCT over an empty space"),
        (
            "standard w wEa8se wEd8se wEg8se wEj9ne wTp11se wCn11se bTd2n wTd2n",
            "White's chain ended the game before, for Black has no free piece that could have uncovered it",
        ),
    ],
)
def test_what_is_impossible_is_said(cls: type[PositionLike], text: str, said: str) -> None:
    assert said in " ".join(cls(text).status())


@both
def test_a_full_set_is_the_end(cls: type[PositionLike]) -> None:
    from tests.test_position import LAST_TURNS

    text, turn, *_ = LAST_TURNS[0]
    position = cls(text)
    mover = position.turn
    position.push(turn)
    assert position.status() == ()
    assert f"{mover} is to move but has added all 18 pieces" in position.with_turn(mover).status()[0]
