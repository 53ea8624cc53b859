"""Positions: playing, taking back, looking, ending."""

from __future__ import annotations

import pytest

from punct import Colour, Ending, Heading, Kind, Move, Outcome, Piece, Position, PunctError, Rules, Space

BLACK_CHAIN = "bEa8se bEd8se bEg8se bEj9ne bCn11se bTp11se"
"""Joins column a to column q."""
WHITE_GAP = "wEa5se wEg5se wEj6ne wCn8se wMp9ne"
"""Would join column a to column q with a piece on d5, e5 and f5."""
BRIDGE = "basic w wEb3n bEd3n wEb3se"

LAST_TURNS = [
    (
        "standard w wCb3ne wTb9ne wEc3s bEc7s wEd7se bTe11ne wEf10s wLg5nw wCg6se wLg13se wMg14sw wTh3nw wTh8ne "
        "bCh11ne bMi3n wRi15n bEj9ne wTj16ne bTk4se bMk14sw bLn11ne bEn12nw wTn14sw bCn15se wMp11ne wTp16nw "
        "bLc6se bEi4se bRk15nw wRm13se bRk15nw",
        "En7nw",
        Colour.WHITE,
        (3, 2),
    ),
    (
        "standard b bRb4n bCb9n bMd2ne bLd4nw bEe2se bEe8nw wCe12se bTf6n wTf10sw wLg10ne wTg13n bEh10se bTi3n "
        "wTi8nw wTi15nw wTk3n wTl7s bRl8sw wRl12nw bTl14n wMm7ne wCn6ne wMn14ne bTo10se bTp8nw bMp12sw bCq12n "
        "bEc8se bLj4s wLm6ne",
        "Tg5nw",
        Colour.BLACK,
        (3, 4),
    ),
    (
        "standard b bTa5n bCc2ne wEc3nw wCc5ne bTd2s wMe7s bLe10sw wEe13ne wLf2n bRf10se wLf11nw wEf13ne bEg7s "
        "wTh5se bTh14s bEi2nw wCi7ne bTj4sw wTk6se bLl7ne bMl12n wRl14sw bEl17nw wMm10nw wTm14n wTn7se bRn12sw "
        "bEo10se bCo13se wRo17sw bTp14n bMd3se wEj13se",
        "Tk3sw",
        None,
        (2, 2),
    ),
]
"""The last turn of a game: the position before it, the turn, the winner, the centre count."""


# ---------------------------------------------------------------------- playing


def test_the_start() -> None:
    position = Position()
    assert str(position) == "standard w"
    assert position.rules is Rules.STANDARD
    assert position.turn is Colour.WHITE
    assert position.pieces == ()
    assert position.moves == ()
    assert position.outcome() is None
    assert position.result() == "*"
    assert repr(position) == "Position('standard w')"


def test_push_and_pop() -> None:
    position = Position()
    assert position.push("Ed5ne") is Move.parse("Ed5ne")
    assert str(position) == "standard b wEd5ne"
    assert position.push(Move.parse("Tl5n")) is Move.parse("Tl5n")
    assert position.push("Ed5-d8n") is Move.parse("d5-d8n")
    assert str(position) == "standard b wEd8n bTl5n"
    assert [str(move) for move in position.moves] == ["Ed5ne", "Tl5n", "d5-d8n"]
    assert [str(position.pop()) for _ in range(3)] == ["d5-d8n", "Tl5n", "Ed5ne"]
    assert position == Position()
    with pytest.raises(IndexError, match="no move to take back"):
        position.pop()


def test_a_moved_c_is_written_with_its_canonical_heading() -> None:
    position = Position("standard w wCd5n")
    assert position.parse("d5-h9nw") is Move.parse("d5-h9se")
    assert position.push("d5-h9nw") is Move.parse("d5-h9se")
    assert position.pieces[0].heading is Heading.SE


def test_a_piece_may_return_to_its_own_spaces() -> None:
    position = Position("standard w wEd5n")
    position.push("d5-d6n")
    assert str(position) == "standard b wEd6n"
    assert position.floors == Position("standard b wEd6n").floors


def test_a_piece_that_comes_down_leaves_no_bare_level() -> None:
    position = Position("standard w wTd5n wTd5n")
    before = position.floors
    position.push("d5-d9n")
    assert position.floors == Position("standard b wTd5n wTd9n").floors
    position.pop()
    assert position.floors == before


# ---------------------------------------------------------------------- looking


def test_stacks_tops_and_heights() -> None:
    position = Position(BRIDGE)
    b3, c3, d4, i9 = map(Space, ("b3", "c3", "d4", "i9"))
    assert [str(piece) for piece in position.stack(b3)] == ["wEb3n", "wEb3se"]
    assert [str(piece) for piece in position.stack(c3)] == ["wEb3se"]
    assert (position.height(b3), position.height(c3), position.height(d4), position.height(i9)) == (2, 2, 1, 0)
    assert position.top(i9) is None
    assert position.stack(i9) == ()
    assert position.floor(2) == position.floors[2] == b3.mask | c3.mask | Space("d3").mask
    assert position.floor(3) == position.floor(-1) == 0
    assert position.on_board(Colour.WHITE) == 2
    assert position.in_set(Colour.WHITE)[Kind.E] == 2
    assert [position.is_bridge(piece) for piece in position.pieces] == [False, False, True]


def test_a_set_cannot_be_changed_from_outside() -> None:
    with pytest.raises(TypeError):
        Position().in_set(Colour.WHITE)[Kind.E] = 7  # type: ignore[index]


def test_blockers() -> None:
    position = Position(BRIDGE)
    lower_white, lower_black, bridge = position.pieces
    assert position.blockers(lower_white) == {Space("b3"): bridge}
    assert position.blockers(lower_black) == {Space("d3"): bridge}
    assert position.blockers(bridge) == {}
    assert position.free_pieces(Colour.WHITE) == [bridge]
    assert position.free_pieces(Colour.BLACK) == []
    assert position.is_free(bridge)
    assert not position.is_free(lower_white)


def test_pieces_that_are_not_there() -> None:
    position = Position(BRIDGE)
    stranger = Piece(Colour.WHITE, Kind.E, Space("b3"), Heading.N, 2)
    assert not position.is_free(stranger)
    assert position.destinations(stranger) == {}
    with pytest.raises(PunctError, match="wEb3n is not on the board at level 2"):
        position.blockers(stranger)
    with pytest.raises(PunctError, match="wEb3n is not on the board at level 2"):
        position.is_bridge(stranger)


def test_destinations_do_not_mind_which_equal_piece_is_given() -> None:
    position = Position("standard w wTd5n")
    own = position.pieces[0]
    twin = Piece(Colour.WHITE, Kind.T, Space("d5"), Heading.N)
    assert twin is not own
    assert position.destinations(twin) == position.destinations(own)
    assert position.destinations(twin)[Space("d6")][Heading.N] == 1  # not on top of itself
    assert Heading.N not in position.destinations(twin)[Space("d5")]


def test_nobody_has_destinations_out_of_turn() -> None:
    assert Position("standard b wTd5n").destinations(Position("standard b wTd5n").pieces[0]) == {}
    won = Position(f"standard w {BLACK_CHAIN} wTd2n")
    assert won.destinations(won.free_pieces(Colour.WHITE)[0]) == {}


def test_lines_of_a_punct() -> None:
    position = Position("standard w wTd5n")
    lines = position.lines(position.pieces[0])
    assert list(lines) == list(Heading)
    assert [str(space) for space in lines[Heading.SW]] == ["c4", "b3", "a2"]


# ---------------------------------------------------------------------- values


def test_equality_and_keys() -> None:
    position = Position("standard w wTd5n bTl5n")
    same = Position("standard w bTl5n wTd5n")
    assert position == same
    assert position.key == same.key
    for other in ("basic w wTd5n bTl5n", "standard b wTd5n bTl5n", "standard w wTd5s bTl5n", "standard w wTd5n wTl5n"):
        assert position != Position(other)
        assert position.key != Position(other).key
    assert position != "standard w wTd5n bTl5n"
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)


def test_equal_pieces_at_other_levels_make_another_position() -> None:
    under = Position("basic w wTd5n bTd5n")
    over = Position("basic w bTd5n wTd5n")
    assert under != over
    assert under.key != over.key


# ---------------------------------------------------------------------- the end


def test_the_mover_wins_by_a_chain() -> None:
    position = Position("standard b bEa8se bEg8se bEj9ne bCn11se bTp11se")
    position.push("Ed8se")
    assert position.outcome() == Outcome(Colour.BLACK, Ending.CONNECTION)
    assert position.result() == "0-1"
    assert str(position.outcome()) == "Black wins (connection)"
    assert str(position.winning_chain[0]) == "a8"
    assert str(position.winning_chain[-1]).startswith("q1")
    assert not position.legal_moves
    assert list(position.legal_moves) == []


def test_uncovering_the_opponents_chain_loses() -> None:
    position = Position(f"standard w {BLACK_CHAIN} wEd8se")
    assert position.outcome() is None
    position.push("d8-d4s")
    assert position.outcome() == Outcome(Colour.BLACK, Ending.CONNECTION)


def test_both_chains_at_once_are_the_movers() -> None:
    position = Position(f"standard w {BLACK_CHAIN} {WHITE_GAP} wEd8se")
    assert position.outcome() is None
    position.push("d8-d5se")
    assert position.chain(Colour.WHITE)
    assert position.chain(Colour.BLACK)
    assert position.outcome() == Outcome(Colour.WHITE, Ending.CONNECTION)
    assert position.winning_chain == position.chain(Colour.WHITE)


def test_a_covered_dot_breaks_a_chain() -> None:
    assert Position(f"standard w {BLACK_CHAIN}").result() == "0-1"
    assert Position(f"standard w {BLACK_CHAIN} wEd8se").result() == "*"


def test_the_middle_of_a_bridge_counts_for_its_space() -> None:
    chain = BLACK_CHAIN.replace("bEd8se", "wTd8n bTf8s")
    assert Position(f"standard w {chain}").result() == "*"
    assert Position(f"standard w {chain} bEd8se").result() == "0-1"  # over e8, which is empty


@pytest.mark.parametrize(("text", "turn", "winner", "count"), LAST_TURNS)
def test_the_last_piece_ends_the_game(text: str, turn: str, winner: Colour | None, count: tuple[int, int]) -> None:
    position = Position(text)
    mover = position.turn
    assert position.on_board(mover) == 17
    assert position.outcome() is None
    position.push(turn)
    assert position.on_board(mover) == 18
    assert position.centre_count() == count
    assert position.outcome() == Outcome(winner, Ending.CENTRE_COUNT)
    assert position.winning_chain == ()
    position.pop()
    assert position.outcome() is None

    basic = Position(text.replace("standard", "basic"))
    basic.push(turn)
    assert basic.outcome() == Outcome(None, Ending.LAST_PIECE)
    assert basic.result() == "1/2-1/2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("standard w wTi9n", Outcome(Colour.WHITE, Ending.NO_TURN)),
        ("standard w bTi9n", Outcome(Colour.BLACK, Ending.NO_TURN)),
        ("standard w", Outcome(None, Ending.NO_TURN)),
        ("basic w wTi9n", Outcome(None, Ending.NO_TURN)),
    ],
)
def test_a_player_without_a_turn_ends_the_game(text: str, expected: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    """No position is known in which it happens, so the finding itself is replaced."""
    monkeypatch.setattr("punct.position.may_play", lambda position: False)
    position = Position(text)
    assert position.outcome() == expected
    assert not position.legal_moves
