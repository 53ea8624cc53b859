"""The text forms of moves and positions: reading, with errors that name the offending part, and writing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, NoReturn

from punct.errors import InvalidMoveError, InvalidPositionError, PunctError, WrongTypeError, shorten
from punct.geometry import Heading, Space
from punct.move import Move, MoveLike
from punct.outcome import Rules
from punct.piece import SET_SIZE, Colour, Kind, Piece

_HEADINGS: Final = {str(heading): heading for heading in Heading}
_KINDS: Final = {kind.value: kind for kind in Kind}
_COLOURS: Final = {colour.letter: colour for colour in Colour}
_RULES: Final = {rules.value: rules for rules in Rules}

# Loose on purpose: what the parts may be is checked one by one, so that the error can say which part is wrong.
_MOVE_TEXT: Final = re.compile(r"([A-Z]?)([A-Za-z][0-9]+)(?:-([A-Za-z][0-9]+))?([a-z]*)")
_MAX_MOVE_LENGTH: Final = len("Ed10-h10se")
_MAX_POSITION_LENGTH: Final = len("standard w") + 2 * SET_SIZE * len(" wTd10se")
_MAX_BLANKS: Final = 4096


class WrittenMove(NamedTuple):
    """A move as somebody wrote it: the move, and the kind they put before a move of a piece on the board."""

    move: Move
    stated_kind: Kind | None


class WrittenPiece(NamedTuple):
    """A piece as a position writes it; its level follows from what was put down before it."""

    colour: Colour
    kind: Kind
    space: Space
    heading: Heading
    token: str


class WrittenPosition(NamedTuple):
    """A position's words, understood but not yet put on a board."""

    rules: Rules
    turn: Colour
    pieces: list[WrittenPiece]


def read_move(text: MoveLike) -> WrittenMove:
    """Read a move such as ``Ed5ne``, ``d5-h9se`` or, with an optional kind letter, ``Ed5-h9se``; objects are taken."""
    if not isinstance(text, str):
        return _written(text)
    token = _strip(text)
    match = _MOVE_TEXT.fullmatch(token) if token is not None and len(token) <= _MAX_MOVE_LENGTH else None
    if token is None or match is None:
        fault = f"{shorten(text)} is not a turn: write an add as Ed5ne and a move as d5-h9se"
        raise InvalidMoveError(fault).about("turn", text)
    kind_letter, first, second, heading_word = match.groups()
    # "D5-h9se" is a space in upper case, not a kind: the letter before it belongs to the pattern's space.
    try:
        kind = _read_kind(kind_letter) if kind_letter else None
        if second is None:
            if kind is None:
                raise PunctError("an add starts with the kind of the piece (T, C, E, M, L or R)")
            return WrittenMove(Move.add(kind, Space(first), _read_heading(heading_word)), None)
        return WrittenMove(Move.shift(Space(first), Space(second), _read_heading(heading_word)), kind)
    except PunctError as error:
        raise InvalidMoveError(f"{shorten(token)}: {error}").about(error.code or "turn", error.token or token) from None


def _written(move: object) -> WrittenMove:
    """Return a move that is an object already; raises WrongTypeError if it is none."""
    if isinstance(move, Move):
        return WrittenMove(move, None)
    unpacked = getattr(move, "unpacked", None)
    if not isinstance(unpacked, Move):
        raise WrongTypeError(f"a move is a Move or its text, such as 'Ed5ne', not {type(move).__name__}")
    return WrittenMove(unpacked, None if unpacked.is_add else getattr(move, "kind", None))


def read_position(text: str) -> WrittenPosition:
    """Read a position's words. Whether the pieces can lie so is for the board to find out."""
    if not isinstance(text, str):
        raise WrongTypeError(f"a position is written as text, not {type(text).__name__}")
    if len(text) > _MAX_POSITION_LENGTH + _MAX_BLANKS:
        fault = f"{shorten(text)} is too long for a position: at most {2 * SET_SIZE} pieces"
        raise InvalidPositionError(fault).about("length", text)
    words = text.split()
    if len(words) < 2:
        raise InvalidPositionError(
            f"{shorten(text)} is not a position: begin with the rules and the side to move, such as 'standard w'"
        ).about("beginning", text)
    rules, turn = _RULES.get(words[0]), _COLOURS.get(words[1])
    if rules is None:
        fault = f"{shorten(words[0])} is not a set of rules: write basic or standard"
        raise InvalidPositionError(fault).about("beginning", words[0])
    if turn is None:
        fault = f"{shorten(words[1])} is not a side to move: write w or b"
        raise InvalidPositionError(fault).about("beginning", words[1])
    return WrittenPosition(rules, turn, [read_piece(word) for word in words[2:]])


def write_position(rules: Rules, turn: Colour, pieces: Iterable[Piece]) -> str:
    """Write a position in its canonical form: pieces by level, then by the PÜNCT's column and row."""
    return " ".join((rules.value, turn.letter, *map(str, sorted(pieces, key=lowest_first))))


def lowest_first(piece: Piece) -> int:
    """Return what pieces are ordered by: level, then the PÜNCT's column and row."""
    return piece.level << 9 | piece.space.bit


def read_piece(word: str) -> WrittenPiece:
    """Read a piece such as ``wTb9ne``."""
    if not isinstance(word, str):
        raise WrongTypeError(f"a piece is written as text, such as wTb9ne, not {type(word).__name__}")
    return _read_piece(word) if len(word) <= _MAX_MOVE_LENGTH else _no_piece(word)


def _no_piece(word: str) -> NoReturn:
    raise InvalidPositionError(
        f"{shorten(word)} is not a piece on the board: write colour, kind, space and heading, such as wTb9ne"
    ).about("piece", word)


@lru_cache(maxsize=1 << 15)  # there are some 12,000 such words, and programs read the same ones again and again
def _read_piece(word: str) -> WrittenPiece:
    colour = _COLOURS.get(word[:1])
    match = _MOVE_TEXT.fullmatch(word, 1)
    if colour is None or match is None or not match[1] or match[3]:
        _no_piece(word)
    try:
        kind = _read_kind(match[1])
        heading = kind.canonical(_read_heading(match[4]))
        return WrittenPiece(colour, kind, Space(match[2]), heading, word)
    except PunctError as error:
        raise InvalidPositionError(f"{shorten(word)}: {error}").about(
            error.code or "piece", error.token or word
        ) from None


def _strip(text: str) -> str | None:
    """Return the text without surrounding blanks, or None if there are absurdly many."""
    return text.strip() if len(text) <= _MAX_MOVE_LENGTH + _MAX_BLANKS else None


def _read_kind(letter: str) -> Kind:
    kind = _KINDS.get(letter)
    if kind is None:
        raise PunctError(f"{letter!r} is not a kind of piece: T, C, E, M, L or R")
    return kind


def _read_heading(word: str) -> Heading:
    heading = _HEADINGS.get(word)
    if heading is None:
        problem = f"{word!r} is not a heading" if word else "the heading is missing"
        raise PunctError(f"{problem}: write n, ne, se, s, sw or nw")
    return heading
