"""Turns and positions as text: what is accepted, and errors that name the offending part."""

from __future__ import annotations

import re
import string
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests import random_play

from punct import (
    Colour,
    Heading,
    InvalidMoveError,
    InvalidPositionError,
    Kind,
    Move,
    Piece,
    Position,
    PunctError,
    Space,
    WrongTypeError,
    notation,
)
from punct.notation import read_move

HUGE = 1_000_000
LEGAL_TEXT = "standard b wTb9ne wTf5s bTl5n wCl13se"


# ---------------------------------------------------------------------- turns


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Ed5ne", "Ed5ne"),
        ("ED5ne", "Ed5ne"),
        ("  Ed5ne\n", "Ed5ne"),
        ("Ci13s", "Ci13n"),
        ("d5-h9se", "d5-h9se"),
        ("D5-H9se", "d5-h9se"),
        ("d5-d5n", "d5-d5n"),
        ("Ed5-h9se", "d5-h9se"),
        ("EE5-h9se", "e5-h9se"),
        ("E5-h9se", "e5-h9se"),
        ("Ed10-h10nw", "d10-h10nw"),
    ],
)
def test_turns_that_are_read(text: str, canonical: str) -> None:
    assert str(Move.parse(text)) == canonical


def test_the_kind_written_before_a_move_is_kept_for_checking() -> None:
    assert read_move("Ed5-h9se").stated_kind is Kind.E
    assert read_move("d5-h9se").stated_kind is None
    assert read_move("D5-h9se").stated_kind is None
    assert read_move("Ed5ne").stated_kind is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a turn"),
        ("e", "not a turn"),
        ("Zd5ne", "'Z' is not a kind of piece"),
        ("Ed5", "heading is missing"),
        ("Ed5x", "'x' is not a heading"),
        ("Ed5north", "'north' is not a heading"),
        ("d5ne", "an add starts with the kind"),
        ("Ez5ne", "'z5' is not a space"),
        ("Ea1ne", "a1 is not one of the board's 211 spaces"),
        ("Ed05ne", "'d05' is not a space"),
        ("d5-z9n", "'z9' is not a space"),
        ("d5-h9", "heading is missing"),
        ("Xd5-h9se", "'X' is not a kind"),
        ("d5–h9se", "not a turn"),
        ("d5 -h9se", "not a turn"),
        ("d5-h9SE", "not a turn"),
        ("ed5ne", "not a turn"),
        ("Ed5ne Ed6ne", "not a turn"),
        ("Ed٥ne", "not a turn"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER E}d5ne", "not a turn"),
        ("T\N{KELVIN SIGN}9ne", "not a turn"),
        ("Ed5ne\0", "not a turn"),
        ("\ud800", "not a turn"),
    ],
)
def test_turns_that_make_no_sense(text: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=why):
        Move.parse(text)


@pytest.mark.parametrize("text", [None, 7, b"Ed5ne", ["Ed5ne"], Kind.E])
def test_only_text_is_read(text: object) -> None:
    for read in (Move.parse, Position, Position().push, Position().explain, Position().parse):
        with pytest.raises(WrongTypeError, match=r"text.*, not "):
            read(text)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- positions


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("standard w", "standard w"),
        ("\tbasic   b\n", "basic b"),
        (LEGAL_TEXT, LEGAL_TEXT),
        ("standard b wTF5s wCl13nw wTb9ne bTL5n", LEGAL_TEXT),
        ("basic w wTb9ne bTb9ne wTb9ne", "basic w wTb9ne bTb9ne wTb9ne"),
        ("basic w wEb3n bEd3n wEb3se", "basic w wEb3n bEd3n wEb3se"),  # a bridge over c3
        ("basic w wEb3n bEd5n wEb3ne", "basic w wEb3n bEd5n wEb3ne"),  # a bridge over c4
    ],
)
def test_positions_that_are_read(text: str, canonical: str) -> None:
    assert str(Position(text)) == canonical


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "begin with the rules"),
        ("standard wTd5n", "'wTd5n' is not a side to move"),
        ("w", "begin with the rules"),
        ("chess w", "'chess' is not a set of rules"),
        ("Standard w", "'Standard' is not a set of rules"),
        ("standard W", "'W' is not a side to move"),
        ("standard wTb9ne", "'wTb9ne' is not a side to move"),
        ("standard w Tb9ne", "'Tb9ne' is not a piece on the board"),
        ("standard w wb9ne", "'wb9ne' is not a piece on the board"),
        ("standard w wTb9", "heading is missing"),
        ("standard w wTb9up", "'up' is not a heading"),
        ("standard w wXb9ne", "'X' is not a kind of piece"),
        ("standard w wTz9ne", "'z9' is not a space"),
        ("standard w wTa9ne", "a9 is not one of the board's 211 spaces"),
        ("standard w wTb9-b8ne", "is not a piece on the board"),
        ("standard w wEa8n", "wEa8n: a dot of this piece would be off the board"),
        ("standard w wCb2n wCd2n wCf3n", "wCf3n: White has only 2 pieces of kind C"),
        ("standard w wTb7ne bEb7s", "bEb7s: .* floors under its dots are at levels b7 1, b6 0, b5 0"),
        ("standard w wEb3n bEd3n wTb3ne", "wTb3ne: the piece lies neither flat nor as a bridge"),
        ("standard w w", "is not a piece"),
        ("standard w wTb9ne\0", "is not a piece"),
        ("standard w wT\N{KELVIN SIGN}9ne", "is not a piece"),
        ("standard w wTb٩ne", "is not a piece"),
    ],
)
def test_positions_that_could_not_be(text: str, why: str) -> None:
    with pytest.raises(InvalidPositionError, match=why):
        Position(text)


def test_a_blocked_space_under_a_bridge_is_no_floor() -> None:
    bridge = "basic w wEb3n bEd5n wEb3ne"
    with pytest.raises(InvalidPositionError, match="c4 2"):
        Position(f"{bridge} bTc4se")


# ---------------------------------------------------------------------- round trips


@given(random_play.moves)
def test_every_turn_round_trips(move: Move) -> None:
    assert Move.parse(str(move)) is move
    assert Move.parse(f" {move}\t") is move


@given(random_play.positions, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_every_position_round_trips_in_any_order_that_puts_lower_pieces_first(position: Position, rng: object) -> None:
    text = str(position)
    assert str(Position(text)) == text
    pieces = list(position.pieces)
    rng.shuffle(pieces)  # type: ignore[attr-defined]
    pieces.sort(key=lambda piece: piece.level)
    words = [f"{str(piece)[:2]}{str(piece.space).upper()}{piece.heading}" for piece in pieces]
    assert Position(" ".join([str(position.rules), position.turn.letter, *words])) == position


# ---------------------------------------------------------------------- hostile text

any_text = st.text(max_size=40) | st.text("abcdeilqTCEMLRXwb0123456789-nesw \0", max_size=24)


@given(any_text)
@settings(max_examples=500)
@example("\ud800-\udfff")
@example("9" * 30)
def test_any_text_is_a_turn_or_an_invalid_move(text: str) -> None:
    position = Position(LEGAL_TEXT)
    try:
        move = Move.parse(text)
    except InvalidMoveError as error:
        str(error).encode()  # messages can be printed, whatever was in the text
        with pytest.raises(InvalidMoveError):
            position.explain(text)
        with pytest.raises(InvalidMoveError):
            position.push(text)
    else:
        assert Move.parse(str(move)) is move
        position.explain(text)
    assert str(position) == LEGAL_TEXT


@given(any_text, st.booleans())
@settings(max_examples=500)
def test_any_text_is_a_position_or_invalid(text: str, with_start: bool) -> None:
    try:
        position = Position(f"basic w {text}" if with_start else text)
    except InvalidPositionError as error:
        str(error).encode()
    else:
        assert Position(str(position)) == position


@given(st.data())
@settings(max_examples=300)
def test_a_damaged_position_is_read_or_refused(data: st.DataObject) -> None:
    text = "standard w bEa5se wCd5ne bLf12sw wLi3sw bRe10n wRi3s bEp13nw"
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    inserted = data.draw(st.text(string.printable + "٣ü\0", max_size=3))
    damaged = text[:at] + inserted + text[at + cut :]
    try:
        position = Position(damaged)
    except InvalidPositionError as error:
        str(error).encode()
    else:
        assert Position(str(position)) == position


@given(random_play.moves, st.integers(0, 10), st.integers(0, 2), st.text(string.printable + "٣ü\0", max_size=2))
@settings(max_examples=300)
def test_a_damaged_turn_is_read_or_refused(move: Move, at: int, cut: int, inserted: str) -> None:
    text = str(move)
    damaged = text[:at] + inserted + text[at + cut :]
    try:
        assert isinstance(Move.parse(damaged), Move)
    except InvalidMoveError as error:
        str(error).encode()


@pytest.mark.parametrize(
    "text",
    ["E" * HUGE, "d5-" * HUGE, " " * HUGE, "Ed5ne" + " " * HUGE, "d" + "9" * HUGE, "\ud800" * HUGE],
    ids=["letters", "dashes", "blanks", "blanks behind", "digits", "surrogates"],
)
def test_hostile_sizes_are_refused_unread(text: str) -> None:
    """A text far too long is told by its length alone: no pattern is matched, nothing is split, errors stay short."""
    with mock.patch.object(notation, "_MOVE_TEXT") as pattern:
        for read, error in ((Move.parse, InvalidMoveError), (Position, InvalidPositionError)):
            with pytest.raises(error) as caught:
                read(text)
            assert len(str(caught.value)) < 400
        assert not pattern.mock_calls


def test_a_long_word_or_too_many_pieces_stop_the_reading_at_once() -> None:
    with mock.patch.object(notation, "_MOVE_TEXT") as pattern, pytest.raises(InvalidPositionError):
        Position("standard w w" + "T" * 4000)
    assert not pattern.mock_calls
    with pytest.raises(InvalidPositionError) as caught:
        Position("standard w" + " wTb9ne" * 500)
    assert "only 6 pieces of kind T" in str(caught.value)


def test_every_refusal_is_a_punct_error_and_a_value_error() -> None:
    assert issubclass(InvalidMoveError, PunctError)
    assert issubclass(InvalidPositionError, PunctError)
    assert issubclass(PunctError, ValueError)


def test_the_table_of_covered_spaces_is_right() -> None:
    """Recomputed from the words of the rules alone: steps from the PÜNCT, and which way the shape turns."""
    steps = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # clockwise from north

    def covered(kind: str, heading: int) -> list[tuple[int, int]]:
        first, right, beyond, back, left = (steps[(heading + turn) % 6] for turn in (0, 1, 2, 3, 5))
        if kind in "TMC":
            return [first, {"T": right, "M": beyond, "C": back}[kind]]
        column, row = {"E": first, "L": left, "R": right}[kind]
        return [first, (first[0] + column, first[1] + row)]

    page = (Path(__file__).parents[1] / "docs" / "notation.md").read_text("utf-8")
    section = page.partition("### Which spaces a piece covers")[2].partition("\n## ")[0]
    heads, _, *rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"
    ]
    assert heads[1:] == [kind.name for kind in Kind]
    assert [row[0] for row in rows] == [str(heading) for heading in Heading]
    for heading, row in zip(Heading, rows, strict=True):
        for kind, cell in zip(Kind, row[1:], strict=True):
            if cell.startswith("as"):
                assert cell == f"as `{kind.canonical(heading)}" and kind.canonical(heading) is not heading
                continue
            written = [(int(column), int(row)) for column, row in re.findall(r"\(([+-]?\d+), ([+-]?\d+)\)", cell)]
            assert written == covered(kind.name, heading)
            punct, *others = Piece(Colour.WHITE, kind, Space("i9"), heading).spaces
            assert written == [(space.column - punct.column, space.row - punct.row) for space in others]
